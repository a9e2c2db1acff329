#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The library for arm64 and for 32-bit x86, built here and run by an emulator, or
# by this machine where it can. An emulator does not see text being written, so
# there pages are replaced; and without that, sites load their keys.

cd "$(dirname "$0")/../../.." || exit 1
. tools/testing/lib/tap.sh
. tools/testing/lib/arch.sh
. tools/lib/jump_label/test/lib.sh

# The words of the compiler and the emulator of the processor that is tested.
cc=() run=()

compile() { # OUT FLAGS-AND-SOURCES...
	program "$1" "${cc[@]}" "${@:2}"
}

# Is the branch right, with sites written and not?
right() { # PROGRAM
	local how
	for how in remap off ''; do
		[ "$(JUMP_LABEL=$how "${run[@]}" "$1" on)" = verbose ] &&
			[ -z "$(JUMP_LABEL=$how "${run[@]}" "$1")" ] || return
	done
}

example() { # FLAGS...
	compile "$scratch/prog" "$@" "$lib_source/examples/prog.c" &&
		right "$scratch/prog"
}

static() {
	"${cc[@]}" -O2 -static -I"$lib/include" "$lib_source/examples/prog.c" \
		-o "$scratch/prog" "$lib/libjumplabel.a" && right "$scratch/prog"
}

written() { # COMMAND...: with sites that are written
	JUMP_LABEL=remap limited "${run[@]}" "$@"
}

objects() { # DIRECTORY
	mkdir -p "$1"
	compile "$1/libkeys.so" -fPIC -shared "$lib_test/keys.c" &&
		compile "$1/plugin-a.so" -fPIC -shared "$lib_test/plugin.c" \
			-L"$1" -lkeys &&
		cp "$1/plugin-a.so" "$1/plugin-b.so" &&
		compile "$1/objects" -rdynamic "$lib_test/objects.c" -L"$1" -lkeys \
			-Wl,-rpath,"$1"
}

processor() { # NAME FLAGS...
	local name=$1 test
	shift
	ok "$name: a program builds" compile "$scratch/toggle" "$@" "$lib_test/toggle.c"
	ok "$name: no signal and no wrong branch, 4 threads" \
		written "$scratch/toggle" "${TOGGLES:-60}" 4
	note "$(tail -n 1 "$scratch/output")"
	ok "$name: the same with sites that load their keys" \
		limited env JUMP_LABEL=off "${run[@]}" "$scratch/toggle" 60 4
	ok "$name: the program of many tests builds" compile "$scratch/process" "$@" \
		"$lib_test"/process.c "$lib_test"/signals.c "$lib_test"/traps.c
	if [ ${#run[@]} -gt 0 ]; then
		ok "$name: under an emulator sites load their keys unless told otherwise" \
			limited "${run[@]}" "$scratch/process" fallback
		like "$(cat "$scratch/output")" 'emulator' "$name: and the library says so"
	fi
	for test in early counts fork threads walk closed; do
		ok "$name: $test" written "$scratch/process" $test "${ROUNDS:-5}"
	done
	ok "$name: static" static
}

if [ -n "$cc_arm64" ]; then
	cc=("$cc_arm64") run=("${run_arm64[@]}") lib=build/lib/jump_label-arm64
	ok "arm64: the library builds" build_lib jump_label-arm64 \
		CROSS_COMPILE=aarch64-linux-gnu-
	for mode in '-O0 -fPIE -pie' '-O2 -fno-pie -no-pie' '-Os -fPIC -pie' '-flto -pie'; do
		read -ra flags <<<"$mode"
		ok "arm64: gcc $mode" example "${flags[@]}"
	done
	processor arm64 -fPIE -pie
	ok "arm64: objects build" objects "$scratch/arm64"
	ok "arm64: keys and sites across objects, dlclose during a toggle" written \
		"$scratch/arm64/objects" "$scratch/arm64"/plugin-{a,b}.so 20
	like "$(cat "$scratch/output")" \
		'sites: [1-9][0-9]* nop, [1-9][0-9]* jump, 0 load' "arm64: all sites are written"
	if command -v clang >/dev/null; then
		ok "arm64: clang compiles a site" clang --target=aarch64-linux-gnu -O2 -fPIC \
			-I"$lib/include" -I/usr/aarch64-linux-gnu/include -c \
			"$lib_test/keys.c" -o "$scratch/keys.o"
	fi
else
	skip "arm64" "no cross compiler, or no qemu-aarch64"
fi

if [ -n "$cc32" ]; then
	read -ra cc <<<"$cc32"
	run=("${run32[@]}") lib=build/lib/jump_label-32
	ok "32-bit x86: the library builds" build_lib jump_label-32 CC="$cc32"
	for mode in '-O0 -fPIE -pie' '-O2 -fno-pie -no-pie' '-Os -fPIC -pie'; do
		read -ra flags <<<"$mode"
		ok "32-bit x86: gcc $mode" example "${flags[@]}"
	done
	processor '32-bit x86' -fno-pie -no-pie
	ok "32-bit x86: threads and handlers with all signals blocked" \
		written "$scratch/process" masks
	ok "32-bit x86: breakpoints of others kill when there is no handler" \
		written "$scratch/process" chain-die
	ok "32-bit x86: objects build" objects "$scratch/x86"
	ok "32-bit x86: shared objects, position independent, load their keys" written \
		"$scratch/x86/objects" "$scratch/x86"/plugin-{a,b}.so 20
else
	skip "32-bit x86" "gcc -m32 does not work here, or nothing runs its programs"
fi

finish
