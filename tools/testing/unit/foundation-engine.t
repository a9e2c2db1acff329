#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The engine and the encoder as a host program: each compiler and word size, plain
# and under the address and undefined-behaviour sanitizers. Then the tests are
# tested: a slip made in each part must turn them red.

cd "$(dirname "$0")/../../.." || exit 1
. tools/testing/lib/tap.sh

unit=tools/testing/unit
sanitize='-fsanitize=address,undefined -fno-sanitize-recover=all'

build() { # NAME CC SANITIZE [MAKE-ARGUMENTS...]
	make -s -C "$unit" NAME="$1" CC="$2" SANITIZE="$3" "${@:4}"
}

for cc in gcc clang; do
	ok "$cc builds it without a warning" build "engine-$cc" $cc ''
	ok "$cc: engine, encoder and NOPs" "build/unit/engine-$cc"
	ok "$cc builds it with sanitizers" build "engine-$cc-san" $cc "$sanitize"
	ok "$cc: the same under sanitizers" "build/unit/engine-$cc-san"
done

for cc in gcc clang; do
	ok "$cc builds the arm64 encoder" build "arm64-$cc" $cc "$sanitize" ARCH=arm64
	ok "$cc: arm64 encoder" "build/unit/arm64-$cc"
done

# A 64-bit kernel need not run 32-bit programs, so QEMU does, without sanitizers,
# which it runs for many minutes.
build32() { # NAME CC SANITIZE
	make -s -C "$unit" BITS=32 NAME="$1" CC="$2" SANITIZE="$3"
}
for cc in gcc clang; do
	ok "$cc builds it for 32 bits without a warning" build32 "engine-$cc-32" $cc ''
	ok "$cc: the same in 32 bits" qemu-i386 "build/unit/engine-$cc-32"
done

# The program with one slip: FILE OLD NEW. Only that file is compiled again.
ok "a program to make slips in builds" build slips-x86 gcc -O1
ok "the same for arm64" build slips-arm64 gcc -O1 ARCH=arm64
slip() {
	local arch=x86 altered=$scratch/${1##*/}
	OLD=$2 NEW=$3 perl -0pe 's/\Q$ENV{OLD}\E/$ENV{NEW}/ or die "no \"$ENV{OLD}\" in $ARGV"' \
		"$1" >"$altered" || return 0
	[[ $1 != arch/arm64/* ]] || arch=arm64
	make -s -C "$unit" altered NAME="slips-$arch" ARCH="$arch" SANITIZE=-O1 \
		ALTERED="$1" WITH="$altered" PROGRAM="$scratch/slip" || return 0
	"$scratch/slip"
}

# WHAT@FILE@OLD@NEW
slips=(
	'a jump one byte short@arch/x86/kernel/jump_label.c@buf[1] = distance;@buf[1] = distance - 1;'
	'the range of a short jump@arch/x86/kernel/jump_label.c@(s8)distance@(s32)distance'
	'a wrong NOP@arch/x86/kernel/nops.c@p6_5[] = { 0x0f, 0x1f, 0x44@p6_5[] = { 0x0f, 0x1f, 0x80'
	'a NOP that writes another register@arch/x86/kernel/nops.c@generic_2[] = { 0x89, 0xf6@generic_2[] = { 0x89, 0xf0'
	'a NOP that adds one@arch/x86/kernel/nops.c@k7_4[] = { 0x8d, 0x44, 0x20, 0x00@k7_4[] = { 0x8d, 0x44, 0x20, 0x01'
	'the long NOP where there is none@arch/x86/kernel/nops.c@!family->nopl || cpu->nopl@true'
	'the long NOP below family 6@arch/x86/kernel/nops.c@cpu->family < 6@cpu->family < 5'
	'half a register cleared@arch/x86/kernel/nops.c@return !family->narrow;@return true;'
	'inc refused at one@kernel/jump_label.c@KEY_TURN_ON, KEY_COUNT_UP, KEY_COUNT_UP@KEY_TURN_ON, KEY_REFUSE, KEY_COUNT_UP'
	'a failed turn that settles as done@kernel/jump_label_queue.c@== KEY_TURNING_ON) == done@== KEY_TURNING_ON)'
	'a failed turn that is traced@kernel/jump_label_queue.c@if (!err && trace_@if (trace_'
	'sites that are not checked@kernel/jump_label_queue.c@if (!lenient || state != JUMP_SITE_OTHER_NOP) {@if (state == 99) {'
	'a split transaction that is not written back@kernel/jump_label_queue.c@mend = keys_write(true);@mend = 0;'
	'a queue that is not sorted@kernel/jump_label_queue.c@	if (patch == end)@	if (1)'
	'a radix sort without its last step@kernel/jump_label_queue.c@	radix_finish(from);@	radix_finish(queue);'
	'a queued key judged by where it turns@kernel/jump_label_queue.c@count == KEY_TURNING_OFF;@count == KEY_TURNING_ON;'
	'a list of keys that is full@kernel/jump_label.c@	if (!room)@	if (room && 0)'
	'an undo that does not end@arch/x86/kernel/jump_label_patch.c@patch_step(patch, nr, fill_head))@0)'
	'a trap that ignores the direction@arch/x86/kernel/jump_label.c@patch->next = type == JUMP_LABEL_JMP ?@patch->next = 0 ?'
	'a site that was written already@kernel/jump_label_queue.c@if (lenient && state == state_of(@if (state == state_of('
	'a table that is not sorted@kernel/jump_label_table.c@	table_sort(table);@	if (0) table_sort(table);'
	'a branch that reaches one word less@arch/arm64/kernel/jump_label.c@distance < -ARM64_B_REACH@distance <= -ARM64_B_REACH'
	'a branch that reaches one word more@arch/arm64/kernel/jump_label.c@distance >= ARM64_B_REACH@distance > ARM64_B_REACH'
	'a target that is no instruction@arch/arm64/kernel/jump_label.c@(code | target)@(code)'
	'a reserved range off by one@kernel/jump_label_table.c@code > end ||@code >= end ||'
)
for entry in "${slips[@]}"; do
	IFS=@ read -r what file old new <<<"$entry"
	not_ok "tests see $what" slip "$file" "$old" "$new"
done

finish
