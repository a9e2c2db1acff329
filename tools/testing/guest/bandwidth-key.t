#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The key that all limits share counts the groups that have one. It falls again
# whichever way a group loses its limit, the removal of the group included, and
# neither twice nor after a refused write. Unlike stock, which keeps the count of
# every group removed with a limit, and with it the price, until reboot.
# needs: ours-small
#
# shellcheck disable=SC2016	# what is quoted is for the guest's shell

# shellcheck source=tools/testing/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source=tools/testing/guest/bandwidth/host.sh
. "$(dirname "$0")/bandwidth/host.sh"

script="ours=$ours"'
key=__cfs_bandwidth_used
holds() { # CLAIM WANT
	got=$(key_count)
	ok "$1: count $got" [ "$got" = "$2" ]
}
comes_back() { # CLAIM
	key_settles 0
	ok "$1: count $(key_count)" key_settles 0
}
holds "nobody has a limit" 0
mkdir $cg/a $cg/b
limit $cg/a 50000 100000
holds "one group" 1
limit $cg/a 60000 100000
holds "another value is no second group" 1
limit $cg/b 1000 1000
holds "two groups" 2
put $cg/a/$1 500 >/dev/null
put $cg/a/$1 abc >/dev/null
holds "a refused write on a limited group" 2
limit $cg/a max
holds "lifted" 1
limit $cg/a max
holds "lifted again" 1
put $cg/a/$1 500 >/dev/null
holds "a refused write on a group without" 1
rmdir $cg/a
limit $cg/b max
rmdir $cg/b
comes_back "lifted, then removed"

i=0
while [ $i -lt 20 ]; do
	mkdir $cg/g
	limit $cg/g 5000 100000
	rmdir $cg/g
	i=$((i + 1))
done
comes_back "20 groups removed with their limit"

# Three deep, with tasks that had run and stood still.
mkdir $cg/p
[ $v = 1 ] || echo +cpu >$cg/p/cgroup.subtree_control
mkdir $cg/p/q
[ $v = 1 ] || echo +cpu >$cg/p/q/cgroup.subtree_control
mkdir $cg/p/q/r
for g in p p/q p/q/r; do limit $cg/$g 20000 100000; done
load -g $cg/p/q/r -n 3 -d 500 >/dev/null
holds "three deep" 3
rmdir $cg/p/q/r $cg/p/q $cg/p
comes_back "a tree removed after use"

# Removed while a zombie or a dying task is left, and while it is throttled.
mkdir $cg/g
limit $cg/g 1000 100000
load -g $cg/g -n 4 -d 60000 >/dev/null &
victim=$!
sleep 1
limit $cg/g 2000 100000
kill -9 $victim
until rmdir $cg/g 2>/dev/null; do sleep .1; done
comes_back "removed as soon as its throttled tasks were killed"

ok "1000 groups" rounds 1000 $cg/g $1 "$2"
comes_back "1000 groups have come and gone"
ok "no timer is left: $(armed)" [ "$(armed)" = 0 ]
if [ -n "$ours" ]; then
	ok "debugfs agrees: $(grep "^$key" $jl/keys)" [ "$(count $key)" = 0 ]
	verify "afterwards"
fi
'
bandwidth 'v2' 2 "set -- cpu.max '5000 100000'
$script"
bandwidth 'v1' 2 "set -- cpu.cfs_quota_us 5000
$script" --cgroup v1
finish
