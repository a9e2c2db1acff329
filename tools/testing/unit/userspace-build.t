#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What compiles: both compilers, C and C++, every level of optimisation, position
# independent or not, static, LTO, musl; the README's example against an
# installed library; what must be refused. And what a site costs, by counting.

cd "$(dirname "$0")/../../.." || exit 1
. tools/testing/lib/tap.sh
. tools/lib/jump_label/test/lib.sh

example=$lib_source/examples/prog.c
warnings=(-Wall -Wextra -Wpedantic -Werror)

# On and off, with sites written and not: is the branch right?
right() { # PROGRAM
	[ "$("$1" on)" = verbose ] && [ -z "$("$1")" ] &&
		[ "$(JUMP_LABEL=off "$1" on)" = verbose ]
}

build_and_run() { # CC FLAGS...
	"$@" "${warnings[@]}" -I"$lib/include" "$example" -o "$scratch/prog" \
		-L"$lib" -ljumplabel -Wl,-rpath,"$top/$lib" && right "$scratch/prog"
}

ok "the library builds" build_lib jump_label
for cc in gcc clang 'gcc -x c++' 'clang -x c++'; do
	read -ra words <<<"$cc"
	for mode in '-O0 -fPIE -pie' '-O2 -fno-pie -no-pie' \
		'-O3 -fPIC -fvisibility=default' '-Os'; do
		read -ra flags <<<"$mode"
		ok "$cc $mode" build_and_run "${words[@]}" "${flags[@]}"
	done
done
ok "gcc -O2 -flto" build_and_run gcc -O2 -flto

static() { # CC FLAGS...
	"$@" -O2 -I"$lib/include" "$example" -o "$scratch/prog" \
		"$lib/libjumplabel.a" && right "$scratch/prog"
}
ok "static" static gcc -static
ok "static and position independent" static gcc -static-pie -fPIE

# Keys that are not static, with -fPIC: hidden, so that a site can name them.
ok "a key that is not static, in a shared object" gcc -O2 -fPIC -shared \
	"${warnings[@]}" -I"$lib/include" "$lib_test/keys.c" -o "$scratch/keys.so" \
	-L"$lib" -ljumplabel
for cc in 'gcc' 'gcc -x c++' 'clang' 'clang -x c++'; do
	read -ra words <<<"$cc"
	echo '#include <jump_label.h>
	int wrong; int f(void) { return static_branch_unlikely(&wrong) ? 1 : 0; }' \
		>"$scratch/wrong.c"
	not_ok "$cc: a branch on something else is refused" \
		"${words[@]}" -I"$lib/include" -c "$scratch/wrong.c" -o /dev/null
	like "$(cat "$scratch/output")" 'static.branch.takes.a' "$cc: and it says why"
done

# shellcheck disable=SC2016	# backquotes of Markdown
installed() {
	make -s -C "$lib_source" install DESTDIR="$scratch/root" PREFIX=/usr &&
		sed -n '/^```c$/,/^```$/p' README.md | grep -v '^```' >"$scratch/readme.c" &&
		[ "$(wc -l <"$scratch/readme.c")" -eq 12 ] || return
	export PKG_CONFIG_SYSROOT_DIR=$scratch/root
	export PKG_CONFIG_LIBDIR=$scratch/root/usr/lib/pkgconfig
	# shellcheck disable=SC2046	# flags are words
	cc "$scratch/readme.c" -o "$scratch/readme" \
		$(pkg-config --cflags --libs jump_label) &&
		[ "$(LD_LIBRARY_PATH=$scratch/root/usr/lib "$scratch/readme" on)" = on ]
}
ok "the README's example builds against the installed library" installed
ok "manual pages are installed" test -s "$scratch/root/usr/share/man/man3/jump_label.3"

for name in logger server; do
	ok "example: $name builds" program "$scratch/$name" gcc \
		"$lib_source/examples/$name.c"
done
line=$(grep -n '"done with' $lib_source/examples/logger.c | cut -d: -f1)
is "$("$scratch/logger" "$line" | tail -n 1)" "$line: done with 4" \
	"example: the logger logs the line that was asked for"
server() {
	coproc "$scratch/server" 2>"$scratch/trace"
	local pid=$COPROC_PID answer tries=0
	echo hello >&"${COPROC[1]}"; read -r answer <&"${COPROC[0]}"
	kill -USR1 "$pid"
	# When the signal arrives is the machine's business.
	until [ -s "$scratch/trace" ] || [ $((tries++)) -ge 600 ]; do
		echo world >&"${COPROC[1]}"; read -r answer <&"${COPROC[0]}"
		sleep 0.1
	done
	kill "$pid"
	[ "$answer" = 5 ] && [ "$(sort -u "$scratch/trace")" = 'trace: "world"' ]
}
ok "example: the server traces after SIGUSR1" server

ok "the counting program builds" program "$scratch/counts" gcc -no-pie -fno-pie \
	$lib_test/counts.c tools/perf/workloads/jump_test_loop.S
ok "off costs one instruction; 15 and 3 off, 20 and 4 on" limited "$scratch/counts"
note "$(cat "$scratch/output")"

# Not every machine has it.
lib=build/lib/jump_label-musl
if command -v musl-gcc >/dev/null; then
	ok "musl: the library builds" build_lib jump_label-musl CC=musl-gcc \
		INCLUDES="-idirafter /usr/include -idirafter /usr/include/$(gcc -print-multiarch)"
	ok "musl: static" static musl-gcc -static
else
	skip "musl" "musl-gcc is not installed"
fi

finish
