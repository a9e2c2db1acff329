#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Stock's own self-tests pass: the one at boot, and its two modules, unmodified,
# loaded fifty times.
# needs: ours-small ours-debug ours-x86_32
#
# shellcheck disable=SC2016	# what is quoted is for the guest's shell

# shellcheck source=tools/testing/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

for m in test_static_key_base.c test_static_keys.c; do
	ok "$m is as stock has it" cmp "$top/build/stock/lib/$m" "$top/build/linux/lib/$m"
done

script='
. /guest.sh
dmesg >/tmp/dmesg
ok "the self-test at boot ran" grep -q "jump_label: self-test done" /tmp/dmesg
keys=$(value keys) sites=$(value sites)
i=0
while [ $i -lt 50 ]; do
	insmod /ko/test_static_key_base.ko && insmod /ko/test_static_keys.ko &&
		rmmod test_static_keys && rmmod test_static_key_base || break
	i=$((i + 1))
done
ok "both modules load and unload 50 times" [ $i -eq 50 ]
ok "they leave no site and no key" [ "$(value keys) $(value sites)" = "$keys $sites" ]
verify "afterwards"
'
guest 'small kernel' --kernel ours-small --modules --cpus 2 --timeout 300 -- "$script"
guest 'debugging kernel' --kernel ours-debug --modules --cpus 2 --mem 1024 --timeout 600 -- "$script"
guest '32-bit kernel' --kernel ours-x86_32 --modules --cpus 2 --timeout 300 -- "$script"
finish
