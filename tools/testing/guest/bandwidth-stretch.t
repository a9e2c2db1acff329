#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A period that its timer cannot serve is doubled, with quota and burst, so that
# their ratios stay what they were; one line in the log says so.  What the timer
# does is made slow by probes on it, while a period is a millisecond.  The events
# of bandwidth control are read on the way.
# needs: ours-small
#
# shellcheck disable=SC2016	# what is quoted is for the guest's shell

# shellcheck source=tools/testing/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source=tools/testing/guest/bandwidth/host.sh
. "$(dirname "$0")/bandwidth/host.sh"
[ -n "$ours" ] || skip_all "$kernel has no such events"

script='
cd $cg
echo +cpu >cgroup.subtree_control
mkdir g
echo "2000 1000" >g/cpu.max
echo 500 >g/cpu.max.burst

i=0
while [ $i -lt 24 ]; do
	echo "p:slow$i hrtimer_forward" >>$tracing/kprobe_events
	i=$((i + 1))
done
echo 1 >$tracing/events/cfs_bandwidth/enable
echo 1 >$tracing/events/kprobes/enable
/bandwidth/load -g $cg/g -n 8 -d 300 >/dev/null
echo 0 >$tracing/events/kprobes/enable
echo 0 >$tracing/events/cfs_bandwidth/enable

read -r quota period <g/cpu.max
burst=$(cat g/cpu.max.burst)
ok "the period grew: $period us" [ "$period" -gt 1000 ]
times=$((period / 1000))
ok "by doubling" [ $((times & (times - 1))) -eq 0 ]
ok "the quota as much: $quota us" [ "$quota" -eq $((2000 * times)) ]
ok "the burst as much: $burst us" [ "$burst" -eq $((500 * times)) ]

said=$(dmesg | grep "cfs_period_timer" | tail -n 1)
ok "the log has the last values: $said" \
	[ "${said#*"-> $period, cfs_quota_us "*"-> $quota)"}" != "$said" ]
ok "the log has the ones before" \
	[ "${said#*"cfs_period_us $((period / 2)) ->"}" != "$said" ]
group=$(stat -c %i g)
for event in refill throttle unthrottle stretch; do
	n=$(grep -c "cfs_bandwidth_$event: group=$group " $tracing/trace)
	ok "event $event: $n of this group" [ "$n" -gt 0 ]
done
'
guest 'a timer that comes late' --kernel "$kernel" --cpus 2 --shift 7 --timeout 300 \
	--file "$programs:/bandwidth" -- ". /guest.sh; $script"
finish
