#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Sites and keys in several shared objects, loaded and unloaded while keys change.
# FUZZ=SECONDS is how long random sequences run under a sanitizer; SEED=N repeats.

cd "$(dirname "$0")/../../.." || exit 1
. tools/testing/lib/tap.sh
. tools/lib/jump_label/test/lib.sh

objects() { # DIRECTORY CC FLAGS...
	local dir=$1 cc=$2 name
	shift 2
	mkdir -p "$dir"
	program "$dir/libkeys.so" "$cc" "$@" -fPIC -shared "$lib_test"/keys.c &&
		for name in a b; do
			program "$dir/plugin-$name.so" "$cc" "$@" -fPIC -shared \
				"$lib_test"/plugin.c -L"$dir" -lkeys || return
		done &&
		program "$dir/objects" "$cc" "$@" -rdynamic "$lib_test"/objects.c \
			-L"$dir" -lkeys -Wl,-rpath,"$dir" &&
		program "$dir/fuzz" "$cc" "$@" -rdynamic "$lib_test/fuzz.c" \
			-L"$dir" -lkeys -Wl,-rpath,"$dir"
}

ok "the library builds" build_lib jump_label
for cc in gcc clang; do
	dir=$scratch/$cc
	ok "$cc: the objects build" objects "$dir" $cc
	ok "$cc: keys and sites across objects, dlclose during a toggle" \
		limited "$dir/objects" "$dir/plugin-a.so" "$dir/plugin-b.so" 1000
	like "$(cat "$scratch/output")" \
		'sites: [1-9][0-9]* nop, [1-9][0-9]* jump, 0 load, [1-9][0-9]* far' \
		"$cc: all sites are written, also those far from their key"
	ok "$cc: the same without written sites" limited env JUMP_LABEL=off \
		"$dir/objects" "$dir/plugin-a.so" "$dir/plugin-b.so" 100
done

build_lib jump_label-address SANITIZE=-fsanitize=address,undefined
lib=build/lib/jump_label-address
dir=$scratch/sanitized
ok "the objects build with -fsanitize=address" objects "$dir" gcc \
	-fsanitize=address,undefined
ok "-fsanitize=address: no finding" limited "$dir/objects" "$dir/plugin-a.so" \
	"$dir/plugin-b.so" 300
ok "random sequences of load, unload, toggle and fork" \
	timeout $((${FUZZ:-4} + 60)) "$dir/fuzz" "$dir/plugin-a.so" \
	"$dir/plugin-b.so" "${FUZZ:-4}" ${SEED:+"$SEED"}
note "$(cat "$scratch/output")"

finish
