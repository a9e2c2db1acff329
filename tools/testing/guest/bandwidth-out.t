#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Bandwidth control compiled out: the kernel boots, has no control file of it, and
# cpu.stat still tells the time used.
# needs: ours-nobwc
#
# shellcheck disable=SC2016	# what is quoted is for the guest's shell

# shellcheck source=tools/testing/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
kernel=${KERNEL_NOBWC:-ours-nobwc}
# shellcheck source=tools/testing/guest/bandwidth/host.sh
KERNEL=$kernel . "$(dirname "$0")/bandwidth/host.sh"

bandwidth 'v2' 2 '
mkdir $cg/g
ok "no control file" [ ! -e $cg/g/cpu.max -a ! -e $cg/g/cpu.max.burst ]
hog $cg/g 1 1200
sleep .1
watch_group $cg/g 1000
wait
ok "cpu.stat tells the time used: $use_us us" near $use_us 1000000 20 $slice_us
ok "and nothing of periods" [ "$(cut -d" " -f1 $cg/g/cpu.stat | tr "\n" " ")" = \
	"usage_usec user_usec system_usec nice_usec " ]
ok "there is no key" [ -z "$(count __cfs_bandwidth_used)" ]
verify "in this kernel"'
bandwidth 'v1' 1 '
mkdir $cg/g
ok "no control file" [ -z "$(ls $cg/g | grep cfs)" ]
ok "weights are there" [ -e $cg/g/cpu.shares ]' --cgroup v1
finish
