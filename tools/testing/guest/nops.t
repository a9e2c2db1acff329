#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The NOPs of sites are chosen at boot for the processor, or by the boot parameter;
# each choice is legal, verified at every site, and survives turning all keys.
# needs: ours-small
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
guest 'a name that is not there' --kernel ours-small --append jump_label_nop=k9 -- '
. /guest.sh
ok "is refused with the legal ones" sh -c "dmesg | grep -q \"jump_label_nop=k9 refused.*Legal here: auto p6 k8\""
ok "and not passed on to init" sh -c "! dmesg | grep -q \"Unknown kernel command line.*jump_label_nop\""'
finish
