#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# needs: ours-small
#
# The gate is green for the kernel as it is and red for the same kernel with
# one instruction more in the scheduler's hot path.

. "${0%/*}/../lib/tap.sh"

cd "$top" || exit 1
kernel=${PERF_KERNEL:-ours-small}
out=$top/build/out/$kernel
hot=$top/build/out/$kernel-hot
budget=$scratch/budget.csv

# Compile one object of a copied build again, with its command line but from
# an altered source, and link.
add_instruction() {
	local source command absolute new
	rm -rf "$hot"
	cp -a "$out" "$hot" && cd "$hot" || return
	source=$(sed -n 's/^source_kernel\/sched\/fair.o := //p' \
		kernel/sched/.fair.o.cmd)
	awk '{ print }
	     /^static void update_curr\(/ { found = 1 }
	     found && /^{/ { print "\tasm volatile(\"nop\");"; found = 0; n++ }
	     END { exit n != 1 }' "$source" >"$scratch/fair.c" || return
	command=$(sed -n 's/^savedcmd_kernel\/sched\/fair.o := //p' \
		kernel/sched/.fair.o.cmd | sed 's/\$\$/$/g; s/\\#/#/g')
	# The command names the source either way.
	absolute=$(readlink -f "$source")
	new="-iquote ${absolute%/*} $scratch/fair.c"
	command=${command//"$source"/"$new"}
	command=${command//"$absolute"/"$new"}
	[[ $command == *"$new"* ]] || return
	eval "$command" || return
	nice make -C "$(readlink -f source)" O="$hot" vmlinux || return
	cd "$top" || return
}

ok 'the budget in the repository holds' tools/perf/bench-gate --no-build \
	--base none --kernel "$kernel" --out "$scratch/repository"
sed 's/^bench/# bench/' "$scratch/output"

ok 'a budget can be written' tools/perf/bench-gate --no-build --update \
	--base none --only pipe_test.unused --kernel "$kernel" \
	--budget "$budget" --out "$scratch/before"
ok 'a kernel with one more instruction in update_curr can be built' \
	add_instruction
exits 1 'the gate is red for it' tools/perf/bench-gate --no-build \
	--only pipe_test.unused --kernel "$hot/" --budget "$budget" \
	--out "$scratch/after"
said=$(cat "$scratch/output")
like "$said" 'pipe_test.unused.instructions: OVER: budget [0-9.]+, figure [0-9.]+' \
	'the metric, the budget and the figure are named'
like "$said" 'grown most:
bench-gate:   update_curr \(kernel\): \+' 'the function is named first'
rm -rf "$hot"
finish
