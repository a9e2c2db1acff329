#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What one change of a key costs in sync rounds, and in interrupts on four CPUs:
# three rounds for the first user, none for the second, whatever the number of
# sites.
# needs: ours-small
#
# shellcheck disable=SC2016	# what is quoted is for the guest's shell

# shellcheck source=tools/testing/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

# Interrupts come from elsewhere too, mostly to wake tasks; the least of several
# tries is that of the change itself.
script='
. /guest.sh
key=__cfs_bandwidth_used
mkdir $cg/a $cg/b
stats=/proc/sys/kernel/sched_schedstats
cost() { # ROUNDS STEP FILE VALUE
	cal
	c=$cal r=$rounds
	echo "$4" >"$3"
	cal
	c=$((cal - c)) r=$((rounds - r))
	[ $r -eq $1 ] || echo "not ok $2: $1 rounds (was $r)"
	echo $c >>/tmp/calls.$2
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
for step in first_quota last_quota_lifted statistics_on statistics_off; do
	least=$(sort -n /tmp/calls.$step | head -n 1)
	echo "$step: at least $least interrupts, all: $(echo $(cat /tmp/calls.$step))"
	ok "$step: three other CPUs are interrupted three times" [ $least -ge 9 -a $least -le 11 ]
done
for step in second_quota first_quota_lifted statistics_on_again; do
	least=$(sort -n /tmp/calls.$step | head -n 1)
	echo "$step: at least $least interrupts, all: $(echo $(cat /tmp/calls.$step))"
	ok "$step: no CPU is interrupted for it" [ $least -le 4 ]
done
verify "afterwards"
'
guest 'four CPUs' --kernel ours-small --cpus 4 --timeout 300 -- "$script"
finish
