#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# jump_label.o is linked last of kernel/, as kernel/Makefile says: in the order of
# the objects, and in the map of the finished kernel.
# needs: ours-small

# shellcheck source=tools/testing/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
out=$top/build/out/ours-small

# kernel/built-in.a is a thin archive; its table is the order of linking.
is "$(cd "$out" && ar t kernel/built-in.a | tail -n 1)" kernel/jump_label.o \
	'the last object of kernel/ is jump_label.o'

# Lines of the map: ".text ADDRESS SIZE OBJECT", an object as FILE or ARCHIVE(FILE).
map() {
	awk -v section="$1" '
	$1 == section && NF == 4 && $3 !~ /^0x0+$/ { print $4 }
	$1 == section && NF == 1 { want = 1; next }
	want && NF == 3 && $2 !~ /^0x0+$/ { print $3 }
	{ want = 0 }' "$out/vmlinux.map" | sed 's/^.*(\(.*\))$/\1/'
}
map .text >"$scratch/text"
kernel=$(grep -E '^(\./)?kernel/' "$scratch/text")
note "$(wc -l <"$scratch/text") objects with text in the map," \
	"$(wc -l <<<"$kernel") of them of kernel/"
[ "$(wc -l <<<"$kernel")" -gt 100 ]
is $? 0 'the map lists the objects of kernel/'
is "$(tail -n 1 <<<"$kernel")" kernel/jump_label.o 'in the map its text comes last of kernel/'
is "$(grep -c '^kernel/jump_label.o$' <<<"$kernel")" 1 'and once'
finish
