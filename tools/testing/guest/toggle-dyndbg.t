#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Dynamic debug turned on and off for all call sites, beside stock, counted in one
# run: the rounds in which every CPU serialises, and the instructions of the write
# that turns everything on, for each call site that it changes. The write is counted
# from the entry of dynamic debug's own function until the kernel returns from it,
# which is the same place in both kernels. The figures go to
# build/bench/summary.d/dyndbg.csv.
# Runs where both kernels are, which "make soak" and "make bench" build: ours-dyndbg
# and stock-dyndbg.
#
# shellcheck disable=SC2016	# what is quoted is for the guest's shell

# shellcheck source=tools/testing/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
cd "$top" || exit 1
for kernel in ours-dyndbg stock-dyndbg; do
	[ -f build/out/$kernel/vmlinux ] ||
		skip_all "$kernel is not built; build it with: scripts/kbuild $kernel"
done
# shellcheck source=tools/testing/guest/cost/cost.sh
. tools/testing/guest/cost/cost.sh

build_span
ok 'plugin and workloads build' make -s -C tools/perf

script='
control=/proc/dynamic_debug/control
jl=/sys/kernel/debug/jump_label
changed() { grep -c "=p" $control; }
verify() { [ ! -d $jl ] || echo "verify $(cat $jl/verify)"; }
# Files that define DEBUG start with all of theirs on.
echo -p >$control
[ "$(changed)" = 0 ] || exit 1
/region sh -c "echo +p >$control; echo -p >$control" || exit 1
for i in 1 2 3 4; do
	echo +p >$control
	[ $i -gt 1 ] || { echo "sites $(changed)"; verify; }
	echo -p >$control
done
[ "$(changed)" = 0 ] || exit 1
verify
[ ! -d $jl ] || echo "refused $(sed -n "s/^sites_refused: //p" $jl/summary)"
'
declare -A rounds instructions sites
count() { # VARIANT
	rm -f "$scratch/$1."*
	scripts/boot --kernel "$1" --icount --timeout 600 --file build/perf/region:/region \
		--plugin "build/perf/count.so,out=$scratch/$1.counts,symbols=build/out/$1/System.map,region=5,hit=do_sync_core" \
		--plugin "build/cost/span.so,out=$scratch/$1.span,$(span_of "$1" ddebug_proc_write ksys_write vfs_write)" \
		-- "$script" >"$scratch/output" 2>&1
	is $? 0 "$1: +p and -p over all call sites"
	rounds[$1]=$(awk '$1 == "hit" { print $4 }' "$scratch/$1.counts")
	sites[$1]=$(sed -n 's/^sites //p' "$scratch/output")
	# After the first write every other one is a +p.
	awk 'NR % 2 == 0' "$scratch/$1.span" >"$scratch/$1.on"
	is "$(wc -l <"$scratch/$1.on")" 5 "$1: five writes of +p were counted"
	instructions[$1]=$(($(least "$scratch/$1.on") / ${sites[$1]:-1}))
	note "$1: ${sites[$1]} call sites, ${rounds[$1]} rounds for both, instructions for +p:" \
		"$(xargs <"$scratch/$1.on")"
}
count stock-dyndbg
count ours-dyndbg
is "$(grep -c '^verify .* bad 0$' "$scratch/output")" 2 'every site is right, with all on and with all off'
like "$(<"$scratch/output")" 'refused 0' 'no site was refused'
is "${sites[ours-dyndbg]}" "${sites[stock-dyndbg]}" 'as many call sites as stock'

note "instructions a call site: stock ${instructions[stock-dyndbg]}, ours ${instructions[ours-dyndbg]}"
is "${rounds[ours-dyndbg]}" 6 'three rounds for +p and three for -p'
[ "${rounds[stock-dyndbg]:-0}" -gt 6 ]
is $? 0 'stock needs more'
[ "${instructions[ours-dyndbg]}" -gt 0 ] && [ "${instructions[ours-dyndbg]}" -le 400 ]
is $? 0 'at most 400 instructions a call site'
cat >build/bench/summary.d/dyndbg.csv <<END
dyndbg.sync_rounds,${rounds[stock-dyndbg]},${rounds[ours-dyndbg]},rounds
dyndbg.call_sites,${sites[stock-dyndbg]},${sites[ours-dyndbg]},sites
dyndbg.instructions_per_site,${instructions[stock-dyndbg]},${instructions[ours-dyndbg]},instructions
END
ok 'the headlines are merged' tools/perf/summary
finish
