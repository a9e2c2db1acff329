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
# Two trunks of half a CPU, six leaves that spin and sleep, limits that flip, tasks that
# move, leaves that are removed when they are empty. Side by side, each trunk has half a
# CPU and no more, and both no less than half of that, however their tasks crowd in leaves
# of 20 and 30 %. One in the other, and all leaves in that, there are tasks enough at any
# time for exactly half a CPU.
trees='
trunk() {
	mkdir $cg/$1
	[ $v = 1 ] || echo +cpu >$cg/$1/cgroup.subtree_control
	limit $cg/$1 5000 10000
}
leaf() { mkdir $cg/$1 && limit $cg/$1 3000 10000; }
trunk a
if [ $nested = 1 ]; then
	trunk a/b
	tops=$cg/a each=6
	set -- a/b/1 a/b/2 a/b/3 a/b/4 a/b/5 a/b/6
else
	trunk b
	tops="$cg/a $cg/b" each=3
	set -- a/1 a/2 a/3 b/1 b/2 b/3
fi
for l; do leaf $l; done
i=0
for l; do
	i=$((i + 1))
	load -g $cg/$l -r ${i}000 -s $((3 + i))000 -d 21000 >/dev/null &
done
sleep .5
observe 20000 $tops >/tmp/seen &
observer=$!
i=0
while kill -0 $observer 2>/dev/null; do
	i=$((i + 1))
	[ $((i % 2)) = 0 ] && q=max || q=2000
	for l; do limit $cg/$l $q 2>/dev/null; done
	# The task of one leaf goes to the next in the same trunk, and the leaf with it.
	from=$((i * 5 % 6))
	to=$((from / each * each + (from + 1) % each))
	eval "from=\${$((from + 1))} to=\${$((to + 1))}"
	for pid in $(cat $cg/$from/cgroup.procs); do
		echo $pid >$cg/$to/cgroup.procs
	done 2>/dev/null
	rmdir $cg/$from && leaf $from
	usleep 100000
done
wait
ok "$i rounds of moving and removing" [ $i -ge 50 ]
use=0
while read -r line; do
	eval "$line"
	use=$((use + use_us))
done </tmp/seen
if [ $nested = 1 ]; then least=$((wall_us * 49 / 100)) most=$((wall_us * 51 / 100))
else least=$((wall_us / 2)) most=$((wall_us * 51 / 50)); fi
ok "all in all used $use us in $wall_us us" between $use $least \
	$((most + 2 * $(nproc) * slice_us))
groups=
for l; do groups="$groups $cg/$l"; done
ok "nothing is stranded" [ "$(stranded 1000 $groups)" = 0 ]
'
bandwidth 'v2' 2 "$v2$inherited"
bandwidth 'v1' 2 "$v1$inherited" --cgroup v1
bandwidth 'trees side by side' 2 "nested=0$trees"
bandwidth 'trees one in the other' 2 "nested=1$trees"
finish
