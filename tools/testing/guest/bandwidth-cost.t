#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What stopping a group, letting it go on and the end of a period cost, in
# instructions, beside stock, counted in one run: one CPU, one hog, a group two deep.
# The figures go to build/bench/summary.d/bandwidth.csv.
# needs: ours-small stock-small
#
# shellcheck disable=SC2016	# what is quoted is for the guest's shell

# shellcheck source=tools/testing/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
cd "$top" || exit 1
# shellcheck source=tools/testing/guest/cost/cost.sh
. tools/testing/guest/cost/cost.sh
build_span
ok 'the programs build' make -s -C tools/testing/guest/bandwidth

# A hog in a/b, where a has the limit; or a task that never gets there.
stopped='
cd /sys/fs/cgroup
echo +cpu >cgroup.subtree_control
mkdir a
echo +cpu >a/cgroup.subtree_control
mkdir a/b
echo "5000 20000" >a/cpu.max
/bandwidth/load -g /sys/fs/cgroup/a/b -d 1000
sed -n "s/nr_throttled/throttled/p" a/cpu.stat
'
running=${stopped/-d 1000/-r 1000 -s 5000 -d 1000}

# The median of at least 20 spans: most ticks of the group are like each other.
median() { sort -n "$1" | awk '{ v[NR] = $1 } END { if (NR >= 20) print v[int((NR + 1) / 2)] }'; }

span() { # VARIANT START END SCRIPT
	local out=$scratch/$1.span
	: >"$out"
	scripts/boot --kernel "$1" --icount --timeout 600 --file build/bandwidth:/bandwidth \
		--plugin "build/cost/span.so,out=$out,start=$(address "$1" "$2"),end=$(
			address "$1" "$3")" -- "$4" >"$scratch/output" 2>&1 ||
		{ sed 's/^/# /' "$scratch/output" >&2; return 1; }
	median "$out"
}

summary=build/bench/summary.d/bandwidth.csv
: >"$summary.new"
compare() { # METRIC CLAIM START-OF-STOCK START-OF-OURS END SCRIPT
	local stock ours
	stock=$(span stock-small "$3" "$5" "$6")
	ours=$(span ours-small "$4" "$5" "$6")
	note "$1: stock $stock, ours $ours instructions"
	echo "$1,$stock,$ours,instructions" >>"$summary.new"
	[ -n "$stock" ] && [ -n "$ours" ] && [ "$ours" -le "$stock" ]
	is $? 0 "$2: no more than stock"
}

# From the decision that nothing is left until the scheduler looks for other work.
compare bandwidth.throttle.instructions 'stopping a group' \
	throttle_cfs_rq cfs_bandwidth_extend_or_park sched_balance_newidle "$stopped"
# From the group's turn until its run queue is unlocked.
compare bandwidth.unthrottle.instructions 'letting it go on' \
	unthrottle_cfs_rq unthrottle_cfs_rq raw_spin_rq_unlock "$stopped"
# The whole timer, until its base is locked again.
compare bandwidth.period_throttled.instructions 'the end of a period, the group stopped' \
	sched_cfs_period_timer sched_cfs_period_timer _raw_spin_lock_irq "$stopped"
compare bandwidth.period.instructions 'the end of a period, the group running' \
	sched_cfs_period_timer sched_cfs_period_timer _raw_spin_lock_irq "$running"
mv "$summary.new" "$summary"
finish
