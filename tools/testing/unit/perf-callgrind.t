#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The counting plugin and callgrind agree on a program to the instruction, in
# sum, function by function and in conditional branches.

. "${0%/*}/../lib/tap.sh"

command -v valgrind >/dev/null || skip_all 'valgrind is not installed'
command -v qemu-x86_64 >/dev/null || skip_all 'qemu-x86_64 is not installed'
make -s -C "$top/tools/perf" O="$scratch" plugin >&2 || exit
${CC:-gcc} -O1 -static -no-pie -fno-pie -fcf-protection=none -fno-inline \
	-o "$scratch/prog" "$top/tools/perf/test/prog.c" || exit

ok 'the program runs under callgrind' valgrind --tool=callgrind \
	--branch-sim=yes --toggle-collect=work \
	--callgrind-out-file="$scratch/callgrind" "$scratch/prog"
ok 'and under the plugin' qemu-x86_64 -plugin \
	"$scratch/count.so,out=$scratch/counts,symbols=$scratch/prog,from=work,to=done" \
	"$scratch/prog"

# "function number" a line; callgrind tells recursion levels apart.
callgrind_annotate --threshold=100 --show=Ir,Bc --sort=Ir \
	"$scratch/callgrind" >"$scratch/annotated"
sed -nE 's/^ *([0-9,]+) .*:([A-Za-z_]+)('"'"'[0-9]+)?( \[.*)?$/\2 \1/p' \
	"$scratch/annotated" | tr -d , |
	awk '{ n[$1] += $2 } END { for (f in n) print f, n[f] }' | sort \
	>"$scratch/theirs"
awk -F'\t' '$1 == "function" && $4 != "main" { print $4, $5 }' \
	"$scratch/counts" | sort >"$scratch/mine"

is "$(cat "$scratch/mine")" "$(cat "$scratch/theirs")" \
	'every function has the same number of instructions'
is "$(awk '{ s += $2 } END { print s }' "$scratch/mine")" \
	"$(sed -n 's/^\(summary\|totals\): \([0-9]*\).*/\2/p' \
		"$scratch/callgrind" | head -n 1)" 'so has their sum'
# events: Ir Bc Bcm Bi Bim
is "$(awk -F'\t' '$1 == "count" && $3 == "conditional" { print $5 }' \
	"$scratch/counts")" \
	"$(sed -n 's/^\(summary\|totals\): [0-9]* \([0-9]*\).*/\2/p' \
		"$scratch/callgrind" | head -n 1)" \
	'and so have the conditional branches'
note "$(wc -l <"$scratch/mine") functions, $(
	awk '{ s += $2 } END { print s }' "$scratch/mine") instructions"
finish
