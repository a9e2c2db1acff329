#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Assembled loops of known length are counted to the instruction, also when a
# fault leaves a block of code half-way.

. "${0%/*}/../lib/tap.sh"

command -v qemu-x86_64 >/dev/null || skip_all 'qemu-x86_64 is not installed'
make -s -C "$top/tools/perf" O="$scratch" plugin >&2 || exit
${CC:-gcc} -nostdlib -static -o "$scratch/loops" \
	"$top/tools/perf/test/loops.S" || exit
counts=$scratch/counts

run() {
	qemu-x86_64 -plugin "$scratch/count.so,out=$counts,$1" "$scratch/loops"
}

# REGION COUNTER
value() {
	awk -F'\t' -v region="$1" -v name="$2" \
		'$1 == "count" && $2 == region && $3 == name { print $5 }' \
		"$counts"
}

ok 'the loops run' run "symbols=$scratch/loops,hit=leaf,memory=on,cache=all"

check() { # REGION CLAIM INSTRUCTIONS CONDITIONAL TAKEN JUMPS CALLS RETURNS
	is "$(value "$1" instructions) $(value "$1" conditional) $(
		value "$1" conditional-taken) $(value "$1" unconditional) $(
		value "$1" calls) $(value "$1" returns)" \
		"$3 $4 $5 $6 $7 $8" "$2"
}

check 10 '1000 times dec and jne' 2000 1000 999 0 0 0
check 11 '100 times call, nop, ret, dec, jne' 500 100 99 0 100 100
check 12 'nothing at all' 0 0 0 0 0 0
check 13 'a repeated string instruction counts once an element and once more' \
	103 0 0 0 0 0
check 14 'jumps over instructions' 150 50 49 50 0 0
check 16 'an instruction that two pages share counts once' 600 100 99 0 100 100
check 17 'so does a branch that two pages share' 600 200 199 0 100 100
check 15 'what follows a faulting instruction is not counted' 5 0 0 0 0 0

is "$(value 10 taken) $(value 11 taken) $(value 14 taken)" '999 299 99' \
	'every unconditional branch is taken'
is "$(value 13 string-elements)" 101 'string elements are told apart'
is "$(value 11 loads) $(value 11 stores)" '100 100' \
	'a return loads and a call stores'
is "$(value 13 loads) $(value 13 stores)" '100 100' \
	'a string move loads and stores'
is "$(grep -P '^hit\t11\t' "$counts" | cut -f4)" 100 \
	'entries of a symbol are counted'
is "$(grep -P '^function\t11\tuser\tleaf\t' "$counts" | cut -f5,6)" $'200\t100' \
	'the histogram gives a function its instructions and branches'
is "$(grep -P '^misses\t10\tcore2\tl1i\t' "$counts" | cut -f6)" 1 \
	'a loop in one line misses once'
is "$(grep -cP '\tkernel\t' "$counts")" 0 \
	'a kernel that was not measured is absent, not 0'
is "$(grep -cP '\t(begin|end)\t10$' "$counts"; grep -P '^begin' "$counts" |
	cut -f2 | tr '\n' ' ')" $'0\n10 11 12 13 14 16 17 15 ' \
	'regions are in the order they ended'
is "$(tail -n 1 "$counts")" $'closed\t8' 'the result says that it is whole'

ok 'chosen regions only' run 'region=11,region=14'
is "$(grep -P '^begin' "$counts" | cut -f2 | tr '\n' ' ')" '11 14 ' \
	'the markers of the others are ignored'
ok 'a region from one symbol to another' \
	run "symbols=$scratch/loops,from=_start,to=leaf,functions=off"
is "$(value 0 instructions)" 2003 'counts the first and not the last'
finish
