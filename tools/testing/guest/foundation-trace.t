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
events() { # EVENT: what it said since the last time
	sed -n "s/.*: jump_label_$1: //p" $tracing/trace
}
# Does the trace name this key and what its transaction took?
turned() { # KEY ON
	[ "$(events turn | sed "s,+0x0/0x[0-9a-f]* , ,")" = "key=$1 on=$2" ] &&
		[ "$(events commit)" = "keys=1 sites=$(sites $1) steps=1 error=0" ]
	status=$?
	[ $status -eq 0 ] || grep "jump_label_" $tracing/trace
	return $status
}
sites() { awk -v key="$1" '"'"'$1 ~ "^" key "([+]|$)" { print $3 }'"'"' $jl/keys; }

own=__tracepoint_jump_label_turn
trace_event jump_label/jump_label_commit
echo >$tracing/trace
trace_event jump_label/jump_label_turn
said=$(events turn)
ok "the event names the key that turned it on: $said" \
	[ "${said#key=$own}" != "$said" -a "${said% on=1}" != "$said" ]

echo >$tracing/trace
echo "50000 100000" >$cg/a/cpu.max
ok "the first limit" turned __cfs_bandwidth_used 1
echo >$tracing/trace
echo "50000 100000" >$cg/b/cpu.max
echo max >$cg/a/cpu.max
ok "a key that only counts is not mentioned" [ -z "$(events turn)$(events commit)" ]
rmdir $cg/b
i=0
while [ "$(count __cfs_bandwidth_used)" != 0 -a $i -lt 600 ]; do sleep .1; i=$((i + 1)); done
ok "the last group with a limit goes" turned __cfs_bandwidth_used 0

echo >$tracing/trace
echo 0 >$tracing/events/jump_label/enable
ok "switched off, nothing is said" [ -z "$(events turn)$(events commit)" ]
echo 1 >/proc/sys/kernel/sched_schedstats
ok "nor later" [ -z "$(events turn)$(events commit)" ]
verify "afterwards"
'
guest 'small kernel' --kernel ours-small --cpus 2 --timeout 300 -- "$script"
#guest 'debugging kernel' --kernel ours-debug --cpus 2 --mem 1024 --timeout 600 -- "$script"
#guest '32-bit kernel' --kernel ours-x86_32 --cpus 2 --timeout 300 -- "$script"
finish
