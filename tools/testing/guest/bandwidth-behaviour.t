#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What limits do to real loads: burst, flips of the limit under a task that runs and
# sleeps, light threads, trees that move and go; tasks of a lifted limit run at once.
# needs: ours-small
#
# shellcheck disable=SC2016	# what is quoted is for the guest's shell

# shellcheck source=tools/testing/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source=tools/testing/guest/bandwidth/host.sh
. "$(dirname "$0")/bandwidth/host.sh"

# The cycle drifts through the period, so that most do not fall across its end.
# 15 ms of work about every 200 ms need one burst each time, with 10 ms of quota and of burst.
burst='
mkdir $cg/g
limit $cg/g 10000 100000
burst $cg/g 10000
load -g $cg/g -r 15000 -s 192000 -d 3400 >/tmp/load &
sleep .2
watch_group $cg/g 3000
wait
ok "15 ms every 207 ms for 3 s with burst: $bursts bursts of $burst_us us" between $bursts 10 15
ok "each burst lends at most 10 ms" between $burst_us 1 $((bursts * 10000))
ok "hardly throttled: $throttled" [ $throttled -le 2 ]
burst $cg/g 0
# Stopped after 10 ms, it goes on at the end of the period for 5, and sleeps until the
# middle of a later one: three periods each time, in none of which it can finish.
load -g $cg/g -r 15000 -s 240000 -d 3400 >/tmp/load &
sleep .2
watch_group $cg/g 3000
wait
ok "without burst: $bursts bursts, throttled instead, $throttled times" \
	[ $bursts = 0 -a $throttled -ge 9 -a $throttled -le 11 ]
# A hog uses what it saved once, and no more.
burst $cg/g 10000
hog $cg/g 2 3400
sleep .2
watch_group $cg/g 3000
exact "a hog gains nothing from burst" 10000 100000 1
wait
'
# One thread that needs 5 ms of 20 ms a period is left alone.
light='
mkdir $cg/l $cg/h
limit $cg/l 20000 100000
load -g $cg/l -r 5000 -s 100000 -d 12600 >/tmp/load &
sleep .2
watch_group $cg/l 12000
wait
ok "5 ms of CPU, 100 ms of sleep, 20 ms of quota: throttled $throttled times in $periods periods" \
	[ $throttled = 0 ]
limit $cg/h $((20000 * cpus)) 100000
load -g $cg/h -n $((3 * cpus)) -r 300 -s 20000 -d 3600 >/tmp/load &
hog $cg/h 1 3600
watch_life $cg/h 3000
wait
# Where the group was throttled it had its whole quota, however light its threads;
# it is not in the periods that end before all of them have started.
ok "a hog beside $((3 * cpus)) light threads: used $use_us us in $periods periods, $throttled throttled" \
	between $use_us $((20000 * cpus * throttled - cpus * slice_us)) \
		$((20000 * cpus * periods + cpus * slice_us))
ok "and was throttled in all but the first few" [ $throttled -ge $((periods - 3)) ]
'
# 400 flips under a task that runs and sleeps.
flips='
mkdir $cg/f
load -g $cg/f -n 2 -r 3000 -s 2000 -d 20000 >/tmp/load &
i=0
while [ $i -lt 400 ]; do
	limit $cg/f 1000 100000
	usleep 15000
	limit $cg/f max
	usleep 10000
	i=$((i + 1))
done
watch_group $cg/f 500
ok "400 flips: the tasks go on, $use_us us in half a second" [ $use_us -ge 250000 ]
ok "no run queue is left throttled" [ "$(stranded 500 $cg/f)" = 0 ]
ok "no timer is left armed" [ "$(armed)" = 0 ]
ok "the count is back: $(key_count)" key_settles $key_before
wait
'
# The limit is lifted in the middle of a second that a task stands still.
at_once='
mkdir $cg/o
limit $cg/o 1000 1000000
hog $cg/o 3 20000
sleep 2.3
ok "the check for throttled run queues sees them" [ "$(stranded 100 $cg/o)" = $cpus ]
ok "the check for armed timers sees one" [ "$(armed)" -ge 1 ]
i=0
while [ $i -lt 10 ]; do
	limit $cg/o max
	watch_group $cg/o 8
	echo $use_us
	limit $cg/o 1000 1000000
	usleep 70000
	i=$((i + 1))
done >/tmp/at_once
least=$(sort -n /tmp/at_once | head -n 1)
ok "once the limit is lifted, its tasks run within a tick: at least $least of 8000 us" \
	[ $least -ge $((8000 - tick_us)) ]
# A larger quota counts at once too, not from the next period.
sleep 2.3
limit $cg/o 900000 1000000
watch_group $cg/o 100
ok "with a larger quota as well: $use_us of 100000 us" [ $use_us -ge 80000 ]
killall load
wait
'
setup='
cpus=$(nproc)
key_before=$(key_count)
'
for cpus in 1 2 4; do
	bandwidth "$cpus CPU, light threads" $cpus "$setup$light"
done
bandwidth 'burst' 1 "$setup$burst"
bandwidth 'burst, v1' 1 "$setup$burst" --cgroup v1
bandwidth 'lifted' 1 "$setup$at_once"
bandwidth 'lifted, two CPUs' 2 "$setup$at_once"
bandwidth 'flips' 2 "$setup$flips"
finish
