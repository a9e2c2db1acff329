#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A kernel whose table of sites was not put in order by the build says so, orders
# it while it boots, and works like any other.
# needs: ours-small
#
# shellcheck disable=SC2016	# what is quoted is for the guest's shell

# shellcheck source=tools/testing/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

cd "$top" || exit 1
vmlinux=$top/build/out/ours-small/vmlinux
turned=$scratch/vmlinux
ok 'the table of a kernel is turned back to front' \
	python3 -B tools/testing/guest/init/unsort.py "$vmlinux" "$turned"
nr=$(<"$scratch/output")
is "$(cmp -l "$vmlinux" "$turned" | wc -l | awk '{ print ($1 > 1000) }')" 1 'the two kernels differ'
ok 'the host program of the build puts it in order again' \
	eval 'cp "$turned" "$scratch/again" &&
		"$top/build/out/ours-small/scripts/sort_jump_table" "$scratch/again" &&
		cmp "$vmlinux" "$scratch/again"'

script='
. /guest.sh
said() { dmesg | grep -c "table of the kernel was not sorted by the build"; }
ok "the kernel says whether it had to sort" [ "$(said)" = '

rest=' ]
echo "sites $(value sites)"
verify "after boot"
i=0
while [ $i -lt 5 ]; do
	i=$((i + 1))
	echo $((i % 2)) >/proc/sys/kernel/sched_schedstats
	echo $((i % 2)) >$tracing/events/enable
	verify "after change $i"
done
ok "no site was refused" [ "$(value sites_refused)" = 0 ]
'
guest 'as built' --kernel "$vmlinux" --timeout 300 -- "${script}0$rest"
guest 'back to front' --kernel "$turned" --timeout 300 -- "${script}1$rest"
like "$(<"$scratch/output")" "sites $nr" 'it has all its sites'
finish
