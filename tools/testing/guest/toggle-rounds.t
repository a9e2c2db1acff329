#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What one change of a key costs on four CPUs: three rounds in which the three
# others are interrupted for the first user, nothing for the second, whatever the
# number of sites.
# needs: ours-small
#
# shellcheck disable=SC2016	# what is quoted is for the guest's shell

# shellcheck source=tools/testing/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

# The calls of rounds are counted to the one by their trace. What /proc/interrupts
# shows, which includes the calls that wake tasks, is printed beside.
script='
. /guest.sh
key=__cfs_bandwidth_used
mkdir $cg/a $cg/b
stats=/proc/sys/kernel/sched_schedstats
echo 1 >$tracing/events/csd/csd_queue_cpu/enable
cost() { # ROUNDS STEP FILE VALUE
	echo >$tracing/trace
	cal
	c=$cal r=$rounds
	echo "$4" >"$3"
	cal
	c=$((cal - c)) r=$((rounds - r))
	[ $r -eq $1 ] || echo "not ok $2: $1 rounds (was $r)"
	sync_calls >>/tmp/calls.$2
	echo $c >>/tmp/interrupts.$2
}
start=$(count $key)
for i in 1 2 3 4 5 6 7 8; do
	cost 3 first_quota $cg/a/cpu.max "50000 100000"
	cost 0 second_quota $cg/b/cpu.max "50000 100000"
	[ "$(count $key)" = $((start + 2)) ] || echo "not ok the count rises by two"
	cost 0 first_quota_lifted $cg/a/cpu.max max
	cost 3 last_quota_lifted $cg/b/cpu.max max
	[ "$(count $key)" = $start ] || echo "not ok the count comes back"
	cost 3 statistics_on $stats 1
	cost 0 statistics_on_again $stats 1
	cost 3 statistics_off $stats 0
done
ok "eight times each step had its rounds" true
each() { # STEP CALLS WHAT
	echo "$1: interrupts of any kind: $(echo $(cat /tmp/interrupts.$1))"
	found=$(echo $(cat /tmp/calls.$1))
	ok "$1: $3 ($found)" [ "$found" = "$2 $2 $2 $2 $2 $2 $2 $2" ]
}
for step in first_quota last_quota_lifted statistics_on statistics_off; do
	each $step 9 "three other CPUs are interrupted three times"
done
for step in second_quota first_quota_lifted statistics_on_again; do
	each $step 0 "no CPU is interrupted for it"
done
verify "afterwards"
'
# A watchdog that finds the clock unstable on a busy machine would turn a key, too.
guest 'four CPUs' --kernel ours-small --cpus 4 --append tsc=nowatchdog --timeout 300 \
	-- "$script"
finish
