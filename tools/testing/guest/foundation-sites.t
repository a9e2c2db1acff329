#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Every site of the running kernel holds exactly the encoding of its key's state:
# after boot, with every key that can be turned from outside turned on and off,
# and while modules come and go.
# needs: ours-small ours-debug ours-x86_32
#
# shellcheck disable=SC2016	# what is quoted is for the guest's shell

# shellcheck source=tools/testing/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

script='
. /guest.sh
ok "there are sites" [ "$(value sites)" -gt 1000 ]
ok "there are keys" [ "$(value keys)" -gt 100 ]
ok "verify counts the sites of the summary" \
	[ "$(cut -d" " -f2 $jl/verify)" = "$(value sites)" ]
ok "so does the list" [ "$(wc -l <$jl/sites)" = "$(value sites)" ]
verify "after boot"
cat $jl/keys >/tmp/keys.0
cat $jl/sites >/tmp/sites.0

turn() { # on|off
	if [ $1 = on ]; then x=1 quota="50000 100000"; else x=0 quota=max; fi
	echo $x >/proc/sys/kernel/sched_schedstats
	echo $x >$tracing/events/enable
	mkdir -p $cg/g
	echo $quota >$cg/g/cpu.max
	for feature in $(tr " " "\n" </tmp/features); do
		[ $1 = off ] || case $feature in
			*WARN*) continue ;;
			NO_*) feature=${feature#NO_} ;;
			*) feature=NO_$feature ;;
		esac
		echo $feature >/sys/kernel/debug/sched/features
	done
}
cat /sys/kernel/debug/sched/features >/tmp/features

echo 0 >$tracing/tracing_on
turn on
cat $jl/keys >/tmp/keys.1
verify "with all of them turned"
turned=$(awk "NR == FNR { was[\$1] = \$2; next } was[\$1] != \$2 { n++ } END { print n + 0 }" \
	/tmp/keys.0 /tmp/keys.1)
echo "$turned keys were turned"
ok "hundreds of keys were turned" [ "$turned" -gt 300 ]
turn off
verify "with all of them turned back"
cat $jl/sites >/tmp/sites.2
# A few keys turn by themselves as time goes by; the sites of all others are as before.
own=$(awk "NR == FNR { was[\$1] = \$2; next } was[\$1] != \$2 { print \$1 }" \
	/tmp/keys.0 $jl/keys)
echo "turned by themselves:" $own
ok "nearly all keys are back" [ "$(echo $own | wc -w)" -lt 8 ]
ok "and every site of theirs has its old bytes" [ "$(awk -v own=" $(echo $own) " "
	index(own, \" \" \$2 \" \") { next }
	NR == FNR { was[\$1] = \$0; next }
	was[\$1] != \$0" /tmp/sites.0 /tmp/sites.2 | wc -l)" -eq 0 ]

for m in test_static_key_base test_static_keys; do insmod /ko/$m.ko || exit 1; done
ok "the sites of modules are counted" [ "$(value sites)" -gt "$(wc -l </tmp/sites.0)" ]
verify "with modules loaded"
rmmod test_static_keys test_static_key_base
verify "with modules gone"
ok "and their sites with them" [ "$(value sites)" = "$(wc -l </tmp/sites.0)" ]
ok "no site was refused" [ "$(value sites_refused)" = 0 ]
'
guest 'small kernel' --kernel ours-small --modules --cpus 2 --timeout 300 -- "$script"
guest 'debugging kernel' --kernel ours-debug --modules --cpus 2 --mem 1024 --timeout 600 -- "$script"
guest '32-bit kernel' --kernel ours-x86_32 --modules --cpus 2 --timeout 300 -- "$script"
finish
