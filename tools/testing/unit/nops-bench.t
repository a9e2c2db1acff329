#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# nop_bench prints every family and length with its bytes, in both word sizes, and
# tells "not counted" from a number. How long anything takes is not judged.

# shellcheck source=tools/testing/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
bench=$top/build/perf/nop_bench
csv=$scratch/csv
output() { echo "$(<"$scratch/output")"; }

ok 'it builds' make -s -C "$top/tools/perf" nop_bench
ok 'it builds for 32 bits' make -s -C "$top/tools/perf" nop_bench-32

for words in '64' '32 qemu-i386'; do
	read -r bits run <<<"$words"
	name=$bench
	[ "$bits" = 64 ] || name=$bench-32
	# shellcheck disable=SC2086	# nothing, or one word
	exits 0 "$bits bits: it runs" $run "$name" --rounds 20 --csv "$csv"
	like "$(output)" '(no cycle counter \(.+\): ratios of time|cycles a NOP)' \
		"$bits bits: it says what was measured"
	is "$(head -n 1 "$csv")" family,bytes,encoding,cycles,ratio "$bits bits: the CSV has a head"
	is "$(cut -d, -f1,2 "$csv" | tail -n +2 | paste -sd' ')" \
		"$(for f in generic k7 k8 p6; do printf "$f,%d " 1 2 3 4 5 6 7 8; done)jmp,2 jmp,5" \
		"$bits bits: every family and length has a row"
	is "$(awk -F, 'NR > 1 && length($3) != 2 * $2' "$csv")" '' \
		"$bits bits: with as many bytes as it claims"
	is "$(awk -F, 'NR > 1 && ($5 !~ /^[0-9]+\.[0-9][0-9]$/ || $5 < 1)' "$csv")" '' \
		"$bits bits: and a ratio of at least 1"
	is "$(awk -F, 'NR > 1 && (!($2 in best) || $5 < best[$2]) { best[$2] = $5 }
		END { for (len in best) if (best[len] != 1) print len, best[len] }' "$csv")" '' \
		"$bits bits: the quickest of each length has 1.00"
	is "$(awk -F, 'NR > 1 && $4 !~ /^[0-9]+\.[0-9]+$/ { print $4 }' "$csv" | sort -u | head -n 1)" \
		"$(grep -q '^no cycle counter' "$scratch/output" && echo none)" \
		"$bits bits: cycles are a number, or none"
done
is "$(grep -c '  [0-9a-f][0-9a-f] *.* [0-9.]*$' "$scratch/output")" 34 'the table has the same rows'

exits 2 'a number of rounds that is none' "$bench" --rounds 0
exits 2 'an option that is not there' "$bench" --fast 1
exits 2 'an option without a value' "$bench" --csv
exits 1 'a file that cannot be written' "$bench" --rounds 1 --csv /nowhere/file
finish
