#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The tracepoints of static keys: which key turned, and what the transaction took;
# silence when a key only counts; and the keys of the tracepoints themselves.
# needs: ours-small ours-debug ours-x86_32
#
# shellcheck disable=SC2016	# what is quoted is for the guest's shell

# shellcheck source=tools/testing/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

script='
. /guest.sh
mkdir $cg/a $cg/b
# What the trace says of this key since it was cleared, each turn with the end of
# its transaction, which no other line can come between. Others may turn keys, too.
events() { # KEY
	sed -n "/: jump_label_turn: key=$1+/{p;n;p}" $tracing/trace | sed "s/.*: jump_label_//"
}
turned() { # KEY ON: once, and that is what its transaction took
	said=$(events $1 | sed "s,+0x0/0x[0-9a-f]* , ,")
	[ "$said" = "turn: key=$1 on=$2
commit: keys=1 sites=$(sites $1) steps=1 error=0" ] && return
	echo "$said"
	return 1
}
not() { ! "$@"; }

own=__tracepoint_jump_label_turn
echo 1 >$tracing/events/jump_label/jump_label_commit/enable
echo >$tracing/trace
echo 1 >$tracing/events/jump_label/jump_label_turn/enable
ok "the event names the key that turned it on" \
	grep -q "turn: key=$own+.* on=1" $tracing/trace

echo >$tracing/trace
echo "50000 100000" >$cg/a/cpu.max
ok "the first limit" turned __cfs_bandwidth_used 1
echo >$tracing/trace
echo "50000 100000" >$cg/b/cpu.max
echo max >$cg/a/cpu.max
ok "a key that only counts is not mentioned" [ -z "$(events __cfs_bandwidth_used)" ]
rmdir $cg/b
i=0
while [ "$(count __cfs_bandwidth_used)" != 0 -a $i -lt 600 ]; do sleep .1; i=$((i + 1)); done
ok "the last group with a limit goes" turned __cfs_bandwidth_used 0

echo 0 >$tracing/events/jump_label/enable
echo >$tracing/trace
echo 1 >/proc/sys/kernel/sched_schedstats
ok "switched off, nothing is said" not grep jump_label_ $tracing/trace
verify "afterwards"
'
guest 'small kernel' --kernel ours-small --cpus 2 --timeout 300 -- "$script"
guest 'debugging kernel' --kernel ours-debug --cpus 2 --mem 1024 --timeout 600 -- "$script"
guest '32-bit kernel' --kernel ours-x86_32 --cpus 2 --timeout 300 -- "$script"
finish
