# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# For tests of the user-space library; source after tap.sh.
#
#	build_lib NAME [MAKE-ARGUMENTS...]  builds build/lib/NAME once
#	$lib		the plain library
#	limited COMMAND...	ends it after LIMIT seconds
#	program OUT CC FLAGS... SOURCES...  compiles against $lib

lib_source=tools/lib/jump_label
# shellcheck disable=SC2034	# for those who source this
lib_test=$lib_source/test
lib=build/lib/jump_label

build_lib() { # NAME ARGUMENTS...
	local name=$1
	shift
	# Tests run side by side, and several want the same library.
	# shellcheck disable=SC2154	# $top is from tap.sh
	mkdir -p "$top/build/lib"
	flock "$top/build/lib/$name.lock" \
		make -s -C "$lib_source" OUT="$top/build/lib/$name" "$@"
}

# A test that hangs is a test that fails.
limited() {
	timeout "${LIMIT:-120}" "$@"
}

# Against which library: lib=build/lib/NAME. libs= names others before it.
program() { # OUT CC FLAGS-AND-SOURCES...
	local out=$1 cc=$2
	shift 2
	"$cc" -O2 -g -Wall -Wextra -Werror -I"$lib/include" "$@" -o "$out" \
		-L"$lib" -ljumplabel -Wl,-rpath,"$top/$lib" -pthread
}
