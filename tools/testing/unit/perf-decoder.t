#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The counting plugin's decoder knows every branch, and what cannot fault.
top=$(cd "${0%/*}/../../.." && pwd)
dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT
"${CC:-gcc}" -Wall -Wextra -Wno-missing-field-initializers -fsanitize=address,undefined -o "$dir/test" \
	"$top/tools/perf/test/insn_test.c" || exit
"$dir/test"
