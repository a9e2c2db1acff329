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

script='
. /guest.sh
cost() { # ROUNDS LOW HIGH CLAIM FILE VALUE
	r=$(value sync_rounds) c=$(cal)
	echo "$6" >"$5"
	c=$(($(cal) - c)) r=$(($(value sync_rounds) - r))
	echo "$4: $r rounds, $c interrupts"
	ok "$4: $1 rounds" [ $r -eq $1 ]
	ok "$4: $2 to $3 interrupts" [ $c -ge $2 -a $c -le $3 ]
}
mkdir $cg/a $cg/b
key=__cfs_bandwidth_used
start=$(count $key)
cost 3 9 13 "first quota" $cg/a/cpu.max "50000 100000"
cost 0 0 4 "second quota" $cg/b/cpu.max "50000 100000"
ok "the count rose by two" [ "$(count $key)" = $((start + 2)) ]
cost 0 0 4 "first quota lifted" $cg/a/cpu.max max
cost 3 9 13 "last quota lifted" $cg/b/cpu.max max
ok "the count is back" [ "$(count $key)" = "$start" ]
cost 3 9 13 "scheduler statistics on" /proc/sys/kernel/sched_schedstats 1
cost 0 0 4 "on again" /proc/sys/kernel/sched_schedstats 1
cost 3 9 13 "off" /proc/sys/kernel/sched_schedstats 0
verify "afterwards"
'
guest 'four CPUs' --kernel ours-small --cpus 4 --timeout 300 -- "$script"
finish
