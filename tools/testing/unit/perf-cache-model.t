#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The cache models replace the least recently used line of the right set.
top=$(cd "${0%/*}/../../.." && pwd)
dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT
"${CC:-gcc}" -Wall -Wextra -fsanitize=address,undefined -o "$dir/test" \
	"$top/tools/perf/test/cache_test.c" || exit
"$dir/test"
