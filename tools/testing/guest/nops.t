#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The NOPs of sites are chosen at boot for the processor, or by the boot parameter;
# each choice is legal, verified at every site, and survives turning all keys.
# needs: ours-small ours-x86_32
#
# shellcheck disable=SC2016	# what is quoted is for the guest's shell

# shellcheck source=tools/testing/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

script='
. /guest.sh
family=$1 bytes2=$2 bytes5=$3
ok "the family is $family" grep -qx "family: $family" $jl/nops
ok "with a reason" grep -q "^reason: .*$4" $jl/nops
ok "and the log says so" sh -c "dmesg | grep -q \"jump_label: NOPs of family $family ($(sed -n "s/^reason: //p" $jl/nops))\""
nops() { awk -v len=$1 -v bytes=$2 "\$3 == \"nop\" && \$4 == len && \$5 != bytes" $jl/sites | wc -l; }
ok "every NOP of two bytes is $bytes2" [ "$(nops 2 $bytes2)" = 0 ]
ok "every NOP of five bytes is $bytes5" [ "$(nops 5 $bytes5)" = 0 ]
verify "at boot"
ok "all keys turn" insmod /ko/jump_label_torture.ko action=toggle_all
verify "after turning all keys"
'
p6='p6 6690 0f1f440000' k8='k8 6690 6666666690'
row() { # CPU FAMILY... REASON [PARAMETER]
	local claim=$1${6:+ with $6}
	guest "$claim" --kernel ours-small --modules --cpu "$1" ${6:+--append "$6"} \
		-- sh -c "$script" sh "$2" "$3" "$4" "$5"
}
# shellcheck disable=SC2086	# a row is four words
{
	row qemu64 $k8 'AMD before'
	row Opteron_G1 $k8 'AMD before'
	row Nehalem $k8 'Core 2 to Westmere'
	row EPYC $p6 'recommended'
	row max $k8 'AMD before'
	row qemu64 $p6 'boot parameter' jump_label_nop=p6
	row EPYC $k8 'boot parameter' jump_label_nop=k8
	row EPYC $p6 'recommended' jump_label_nop=auto
	row EPYC $p6 'recommended' jump_label_nop=k9
}
for name in k9 generic k7; do
	guest "$name, which is not for 64-bit mode" --kernel ours-small \
		--append jump_label_nop=$name -- sh -c '
. /guest.sh
ok "is refused with the legal ones" sh -c "dmesg | grep -q \"jump_label_nop=$1 refused.*Legal here: auto k8 p6\""
ok "and not passed on to init" sh -c "! dmesg | grep -q \"Unknown kernel command line.*jump_label_nop\""
verify "all the same"' sh $name
done
# A CPU that comes on line and does not execute the NOPs: made to look so, as no
# emulator mixes CPUs. The CPU that starts it waits ten seconds for it.
for kernel in ours-small ours-x86_32; do
	guest "a CPU that looks incapable, $kernel" --kernel $kernel --modules --cpus 3 -- '
. /guest.sh
cpu=/sys/devices/system/cpu/cpu1/online
echo 0 >$cpu
echo 1 >$jl/fail_cpu
refused() { ! echo 1 >$cpu 2>/dev/null; }
ok "is not brought on line" refused
ok "and the log says why" sh -c "dmesg | grep -q \"CPU 1 refused: it does not execute the NOPs of family\""
ok "it is off" [ "$(cat $cpu)" = 0 ]
ok "the others go on" [ "$(nproc)" = 2 ]
ok "all keys turn without it" insmod /ko/jump_label_torture.ko action=toggle_all
verify "without it"
echo 2 >$jl/fail_cpu
ok "it is taken when it looks capable" sh -c "echo 1 >$cpu"
ok "and is on" [ "$(nproc)" = 3 ]
rmmod jump_label_torture
ok "all keys turn with it" insmod /ko/jump_label_torture.ko action=toggle_all
verify "with it"'
done
finish
