#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Sites that change under running threads, at every position in a cache line,
# with every compiler, linked every way, and under sanitizers.
# TOGGLES=N toggles each of the six sites N times in each of three programs, and a
# third of that under two sanitizers: ten million in all are TOGGLES=460000.

cd "$(dirname "$0")/../../.." || exit 1
. tools/testing/lib/tap.sh
. tools/lib/jump_label/test/lib.sh

toggles=${TOGGLES:-600}
source=$lib_test/toggle.c

ok "the library builds" build_lib jump_label
for cc in gcc clang; do
	ok "$cc: the program builds" program "$scratch/toggle" $cc "$source"
	ok "$cc: no signal and no wrong branch, 8 threads" \
		limited "$scratch/toggle" "$toggles" 8
	note "$(tail -n 1 "$scratch/output")"
done

static() {
	gcc -O2 -static -I"$lib/include" "$source" -o "$scratch/static" \
		"$lib/libjumplabel.a" -pthread && limited "$scratch/static" "$toggles" 8
}
ok "static: no signal and no wrong branch" static

ok "sites load their keys instead when told so" \
	limited env JUMP_LABEL=off "$scratch/toggle" 200 8

for sanitizer in address,undefined thread; do
	name=jump_label-${sanitizer%,*}
	ok "the library builds with -fsanitize=$sanitizer" \
		build_lib "$name" SANITIZE="-fsanitize=$sanitizer"
	lib=build/lib/$name
	ok "-fsanitize=$sanitizer: the program builds" \
		program "$scratch/toggle-san" gcc "-fsanitize=$sanitizer" "$source"
	ok "-fsanitize=$sanitizer: no finding, no wrong branch" \
		limited "$scratch/toggle-san" "$((toggles / 3))" 4
	note "$(tail -n 1 "$scratch/output")"
done

# The test must see it when a core may still run what it fetched before, or when
# a site is written in one go.
slip() { # FILE OLD NEW
	local copy=$scratch/slip
	rm -rf "$copy"
	mkdir -p "$copy/tools/lib"
	cp -r include kernel arch "$copy"
	cp -r tools/include "$copy/tools"
	cp -r "$lib_source" "$copy/tools/lib"
	OLD=$2 NEW=$3 perl -0pi -e 's/\Q$ENV{OLD}\E/$ENV{NEW}/ or die "no \"$ENV{OLD}\" in $ARGV"' \
		"$copy/$1" || return 0
	make -s -C "$copy/$lib_source" || return 0
	local rc=0
	LD_LIBRARY_PATH=$copy/build/lib/jump_label timeout 60 \
		"$scratch/slipped" 6000 4 || rc=$?
	# Running out of time is no verdict.
	[ "$rc" -ne 124 ] || return 0
	return "$rc"
}
lib=build/lib/jump_label
ok "a program for slips builds" program "$scratch/slipped" gcc \
	-Wl,--enable-new-dtags "$source"
not_ok "the test sees a late trap that is not run again" slip \
	$lib_source/x86.c 'next = code;' 'next = 0;'
not_ok "the test sees sites written without a breakpoint" slip \
	arch/x86/kernel/jump_label_patch.c '*(u8 *)(patch->code + shift) = X86_BREAKPOINT;' ';'

finish
