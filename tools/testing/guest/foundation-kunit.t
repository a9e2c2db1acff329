#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The bodies of the host tests, in the kernel: the encoder, the choice of NOPs,
# the table of states, failed writes and allocations, transactions. Refused
# changes warn, once for each kind.
# needs: ours-small ours-debug ours-x86_32
#
# shellcheck disable=SC2016	# what is quoted is for the guest's shell

# shellcheck source=tools/testing/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

script='
. /guest.sh
for suite in jump_label_encode_kunit jump_label_kunit; do
	dmesg -c >/dev/null
	insmod /ko/$suite.ko
	dmesg >/tmp/$suite
	sed -n "s/^\[[^]]*\] *//; s/^\(not ok\|ok\) [0-9]* test_/\1 $suite: /p" /tmp/$suite
	ok "$suite: no case failed" grep -q "Totals: .*fail:0\|^.*# jump_label.*: pass:[1-9][0-9]* fail:0" /tmp/$suite
done
for kind in inc dec enable disable; do
	ok "a refused $kind warns once" \
		[ "$(grep -c "static key off_key.*: $kind refused" /tmp/jump_label_kunit)" = 1 ]
done
verify "afterwards"
rmmod jump_label_kunit
verify "without the module"
'
guest 'small kernel' --kernel ours-small --modules --cpus 4 \
	--expect-splat 'static key off_key.* refused' --timeout 300 -- "$script"
guest 'debugging kernel' --kernel ours-debug --modules --cpus 2 --mem 1024 \
	--expect-splat 'static key off_key.* refused' --timeout 600 -- "$script"
guest '32-bit kernel' --kernel ours-x86_32 --modules --cpus 4 \
	--expect-splat 'static key off_key.* refused' --timeout 300 -- "$script"
finish
