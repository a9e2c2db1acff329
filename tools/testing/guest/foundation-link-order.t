#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# jump_label.o is linked last of kernel/, as kernel/Makefile says: in the order of
# the objects, and in the map of the finished kernel.
# needs: ours-small

# shellcheck source=tools/testing/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
cd "$top/build/out/ours-small" || skip_all 'ours-small is not built'

# kernel/built-in.a is a thin archive; its table is the order of linking.
ar t kernel/built-in.a >"$scratch/objects"
is "$(tail -n 1 "$scratch/objects")" kernel/jump_label.o \
	'the last object of kernel/ is jump_label.o'

# The map has the global symbols with their addresses; which object each comes from
# is known to the objects.  Only plain .text counts, which keeps the order of linking.
xargs nm -A -g --defined-only <"$scratch/objects" 2>/dev/null |
	awk '$2 == "T" || $3 == "T" { sub(/:.*/, "", $1); print $1, $NF }' >"$scratch/symbols"
awk '
FNR == NR { object[$2] = $1; next }
$1 == ".text" && NF == 4 && !start { start = $2; size = $3 }
start && NF == 2 && ($2 in object) && $1 ~ /^0x/ { print $1, object[$2], $2 }' \
	"$scratch/symbols" vmlinux.map | sort -u >"$scratch/all"
read -r start size < <(awk '$1 == ".text" && NF == 4 { print $2, $3; exit }' vmlinux.map)
end=$(printf '0x%x' $((start + size)))
awk -v start="$start" -v end="$end" '$1 >= start && $1 < end' "$scratch/all" >"$scratch/text"

n=$(cut -d' ' -f2 "$scratch/text" | sort -u | wc -l)
note "$n objects of kernel/ have global functions in .text, $start to $end"
[ "$n" -gt 50 ]
is $? 0 'the map has the objects of kernel/'
ours=$(grep -n ' kernel/jump_label.o ' "$scratch/text" | cut -d: -f1 | paste -sd' ')
all=$(wc -l <"$scratch/text")
n=$(wc -w <<<"$ours")
[ "$n" -gt 5 ]
is $? 0 'among them jump_label.o'
is "$ours" "$(seq -s' ' $((all - n + 1)) "$all")" \
	'the functions of jump_label.o are the last of kernel/'
finish
