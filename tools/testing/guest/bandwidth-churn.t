#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Groups made, limited, nested three deep and removed, tasks forked, moved and
# killed, CPUs taken off line and back, limits flipped by four writers, all at once.
# What is left: no throttled run queue, no armed timer, no count, and no word of
# the kernel about it.
#
# SECONDS_ (120) says how long in all, SEED (of the day) in which order; "make soak"
# asks for 600. In time of the guest, which a busy machine does not change.
# needs: ours-small ours-debug
#
# shellcheck disable=SC2016	# what is quoted is for the guest's shell

# shellcheck source=tools/testing/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source=tools/testing/guest/bandwidth/host.sh
. "$(dirname "$0")/bandwidth/host.sh"

seconds=${SECONDS_:-120}
seed=${SEED:-$(date +%j)}
note "SEED=$seed"

script="ours=$ours"'
before=$(key_count)
counts=$(churn $1 $2 $cg)
ok "churn for $1 s: $counts" [ $? = 0 ]
eval "$counts"
for n in $limited $lifted $bursts $refused $made $removed $forked $moved $killed $plugged; do
	[ $n -ge $3 ] || echo "not ok too little was done: $counts"
done
ok "all CPUs are back" [ "$(nproc)" = 4 ]
all=$(find $cg -mindepth 1 -type d)
inner=$(find $cg -mindepth 3 -type d)
ok "no throttled run queue: a task runs on every CPU in every group" \
	[ "$(stranded 60000 $inner)" = 0 ]
for g in $inner; do burst $g 0; limit $g 10000 100000; done
for g in $inner; do load -g $g -n 2 -d 3000 >/dev/null & done
wait
for g in $all; do echo $g; done | sort -r | while read -r g; do
	rmdir $g || echo "not ok $g can be removed"
done
sleep 3
ok "no timer is armed" [ "$(armed)" = 0 ]
# Stock keeps the count of every group removed with a limit.
[ -z "$ours" ] || ok "the count is back: $(key_count)" key_settles $before
[ -z "$ours" ] || verify "afterwards"
'
# Half of it on the kernel that watches itself, a quarter with the older hierarchy.
# Each kind of thing is to happen at least LEAST times: once a second, but the kernel
# that watches itself takes many times the instructions for each.
on() { # CLAIM KERNEL SECONDS SEED LEAST BOOT-ARGUMENTS
	local claim=$1 kernel=$2 words="set -- $3 $4 $5"
	shift 5
	bandwidth "$claim" 4 "$words; $script" --mem 1024 "$@"
}
on 'churn' "$kernel" $((seconds / 4)) "$seed" $((seconds / 4))
on 'churn, v1' "$kernel" $((seconds / 4)) $((seed + 1)) $((seconds / 4)) --cgroup v1
[ -z "$ours" ] || kernel=${KERNEL_DEBUG:-ours-debug}
on 'churn, watched' "$kernel" $((seconds / 2)) $((seed + 2)) 1
finish
