#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Limits within limits: what each hierarchy documents, throttling that is inherited
# and where it is counted, and trees whose tasks move and whose groups go while
# they are throttled.
# needs: ours-small
#
# shellcheck disable=SC2016	# what is quoted is for the guest's shell

# shellcheck source=tools/testing/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source=tools/testing/guest/bandwidth/host.sh
. "$(dirname "$0")/bandwidth/host.sh"

v2='
mkdir $cg/p && echo +cpu >$cg/p/cgroup.subtree_control && mkdir $cg/p/c
limit $cg/p 50000 100000
ok "v2: a child may have more than its parent" [ "$(put $cg/p/c/cpu.max "90000 100000")" = 0 ]
hog $cg/p/c 2 3400
sleep .2
watch_group $cg/p/c 3000
exact "it uses what its parent has" 50000 100000 2
ok "the child itself was not throttled: $throttled" [ $throttled = 0 ]
wait
limit $cg/p/c 20000 100000
hog $cg/p/c 2 3400
sleep .2
watch_group $cg/p/c 3000
exact "or less, when it has less" 20000 100000 2
wait
'
v1='
mkdir -p $cg/p/c
limit $cg/p 50000 100000
try() { # CLAIM WANT FILE VALUE
	got=$(put $cg/$3 $4)
	ok "v1: $1: $got" [ "$got" = "$2" ]
}
try "a child may not have more than its parent" EINVAL p/c/cpu.cfs_quota_us 50001
ok "and has what it had" [ "$(limits $cg/p/c)" = "max 100000 0" ]
try "it may have as much" 0 p/c/cpu.cfs_quota_us 50000
try "in another period too" 0 p/c/cpu.cfs_period_us 200000
try "but not more by a shorter period" EINVAL p/c/cpu.cfs_period_us 50000
try "the parent may not go below its child" EINVAL p/cpu.cfs_quota_us 20000
ok "and has what it had" [ "$(limits $cg/p)" = "50000 100000 0" ]
try "none at all is no limit for the child" 0 p/cpu.cfs_quota_us -1
try "which may then have more" 0 p/c/cpu.cfs_quota_us 150000
try "and lifts its own" 0 p/c/cpu.cfs_quota_us -1
limit $cg/p 50000 100000
hog $cg/p/c 2 3400
sleep .2
watch_group $cg/p/c 3000
exact "a child without a limit uses what its parent has" 50000 100000 2
wait
'
# A child without a limit of its own under a throttled parent.
inherited='
mkdir -p $cg/i/c
[ $v = 1 ] || { rmdir $cg/i/c; echo +cpu >$cg/i/cgroup.subtree_control; mkdir $cg/i/c; }
limit $cg/i 20000 100000
hog $cg/i/c 1 3400
sleep .2
watch_group $cg/i 3000
wait
exact "a parent of one busy child" 20000 100000 $(nproc)
name=throttled_usec unit=1
[ $v = 2 ] || { name=throttled_time unit=1000; }
own=$(counter nr_throttled $cg/i/c/cpu.stat)
ok "a child of a throttled parent is not throttled itself: nr_throttled $own" [ $own = 0 ]
theirs=$(counter $name $cg/i/cpu.stat.local)
own=$(counter $name $cg/i/c/cpu.stat.local)
ok "but cpu.stat.local shows what it inherits: $own, the parent $theirs" \
	between $((own / unit)) 2000000 3000000
ok "not more than the parent itself" [ $own -le $((theirs + 10000 * unit)) ]
'
# Two trunks, six leaves that spin and sleep, limits that flip, tasks that move,
# leaves that are removed when they are empty. Each trunk has half a CPU and no more,
# and no less than half of that, however its tasks crowd in leaves of 20 and 30 %.
trees='
for t in a b; do
	mkdir $cg/$t
	[ $v = 1 ] || echo +cpu >$cg/$t/cgroup.subtree_control
	limit $cg/$t 5000 10000
	[ $v = 1 ] || for l in 1 2 3; do mkdir $cg/$t/$l; limit $cg/$t/$l 3000 10000; done
	[ $v = 2 ] || for l in 1 2 3; do mkdir $cg/$t/$l; limit $cg/$t/$l 3000 10000; done
done
i=0
for t in a b; do for l in 1 2 3; do
	i=$((i + 1))
	load -g $cg/$t/$l -r ${i}000 -s $((3 + i))000 -d 21000 >/dev/null &
done; done
sleep .5
observe 20000 $cg/a $cg/b >/tmp/seen &
observer=$!
i=0
while kill -0 $observer 2>/dev/null; do
	i=$((i + 1))
	for t in a b; do for l in 1 2 3; do
		[ $((i % 2)) = 0 ] && q=max || q=2000
		limit $cg/$t/$l $q 2>/dev/null
	done; done
	# The task of one leaf goes to the next, and the leaf with it.
	t=a l=$((i % 3 + 1)) n=$(((i + 1) % 3 + 1))
	[ $((i % 5)) -lt 3 ] || t=b
	for pid in $(cat $cg/$t/$l/cgroup.procs); do
		echo $pid >$cg/$t/$n/cgroup.procs
	done 2>/dev/null
	rmdir $cg/$t/$l && mkdir $cg/$t/$l && limit $cg/$t/$l 3000 10000
	usleep 100000
done
wait
ok "$i rounds of moving and removing" [ $i -ge 50 ]
use=0
while read -r line; do
	eval "$line"
	use=$((use + use_us))
done </tmp/seen
ok "all in all used $use us in $wall_us us" between $use $((wall_us / 2)) \
	$((wall_us + wall_us / 50 + 2 * $(nproc) * slice_us))
ok "nothing is stranded" [ "$(stranded 1000 $cg/?/?)" = 0 ]
'
bandwidth 'v2' 2 "$v2$inherited"
bandwidth 'v1' 2 "$v1$inherited" --cgroup v1
bandwidth 'trees' 2 "$trees"
finish
