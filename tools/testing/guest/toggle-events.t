#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# All trace events on, then off, beside stock, counted in one run: the rounds in
# which every CPU serialises, and who causes them: keys, or static calls, of which each
# tracepoint updates one. Nobody else does. The figures go to
# build/bench/summary.d/events.csv.
# needs: ours-small stock-small
#
# shellcheck disable=SC2016	# what is quoted is for the guest's shell

# shellcheck source=tools/testing/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
cd "$top" || exit 1

mkdir -p build/bench/summary.d
ok 'plugin and workloads build' make -s -C tools/perf

script='
jl=/sys/kernel/debug/jump_label
rounds() { sed -n "s/^sync_rounds: //p" $jl/summary; }
cd /sys/kernel/tracing
echo 0 >tracing_on
[ -d $jl ] && before=$(rounds)
/region sh -c "echo 1 >events/enable; echo 0 >events/enable" || exit 1
[ -d $jl ] && echo "keys $(($(rounds) - before))" && cat $jl/verify
echo "own $(ls -d events/cfs_bandwidth/*/ events/jump_label/*/ 2>/dev/null | wc -l)"
exit 0
'
# VARIANT HIT...: counts go to the file, one a line.
count() {
	local variant=$1 hits='' hit
	shift
	for hit in "$@"; do hits+=",hit=$hit"; done
	scripts/boot --kernel "$variant" --icount --timeout 600 --file build/perf/region:/region \
		--plugin "build/perf/count.so,out=$scratch/$variant,symbols=build/out/$variant/System.map,region=5$hits" \
		-- "$script" >"$scratch/output" 2>&1
}
hits() { awk -v name="$2" '$1 == "hit" && $3 == name { print $4 }' "$scratch/$1"; }

# Each round runs this on the one CPU there is.
count stock-small do_sync_core arch_jump_label_transform_apply text_poke_bp_batch __static_call_update
is $? 0 'stock: all events on, then off'
stock=$(hits stock-small do_sync_core)
stock_keys=$((3 * $(hits stock-small arch_jump_label_transform_apply)))
count ours-small do_sync_core text_poke_bp_batch __static_call_update
is $? 0 'ours: all events on, then off'
ours=$(hits ours-small do_sync_core)
ours_keys=$(sed -n 's/^keys //p' "$scratch/output")
own=$(sed -n 's/^own //p' "$scratch/output")
like "$(<"$scratch/output")" ' bad 0' 'every site is right afterwards'

# Stock pokes for keys and for static calls with the same function, three rounds a
# call; ours only for static calls.
stock_calls=$((3 * $(hits stock-small text_poke_bp_batch) - stock_keys))
ours_calls=$((3 * $(hits ours-small text_poke_bp_batch)))
updates=$(hits ours-small __static_call_update)
note "static calls: $updates updates, stock $stock_calls rounds, ours $ours_calls"
is $((stock_keys + stock_calls)) "$stock" 'stock: keys and static calls are all'
is $((ours_keys + ours_calls)) "$ours" 'ours: keys and static calls are all'
# Ours has events that stock lacks; each is updated for on and off.
is $(($(hits stock-small __static_call_update) + 2 * own)) "$updates" \
	'as many updates of static calls'
[ $ours_calls -lt $((stock_calls / 2)) ]
is $? 0 'static calls cause less than half the rounds of stock'
note "sync rounds: stock $stock, of which keys $stock_keys; ours $ours, of which keys $ours_keys"
is "$ours_keys" 6 'keys cause three rounds for on and three for off'
[ "$ours" -lt "$stock" ]
is $? 0 'fewer rounds in all than stock'
cat >build/bench/summary.d/events.csv <<END
trace_events.sync_rounds,$stock,$ours,rounds
trace_events.key_sync_rounds,$stock_keys,$ours_keys,rounds
trace_events.static_call_sync_rounds,$stock_calls,$ours_calls,rounds
trace_events.static_call_updates,$(hits stock-small __static_call_update),$updates,updates
END
finish
