#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A measurement that went wrong says so, ends with a status that is not 0 and
# leaves no table behind.

. "${0%/*}/../lib/tap.sh"

cd "$top" || exit 1
make -s -C tools/perf O="$scratch/perf" plugin >&2 || exit
export LIB=$top/tools/perf/lib

# What counts.parse() says of a file.
parsed() {
	python3 -B - "$1" <<'END' 2>&1
import sys
import os
sys.path.insert(0, os.environ["LIB"])
import counts
try:
    print(len(counts.parse(sys.argv[1])), "regions")
except counts.CountsError as error:
    print("error:", error)
END
}

tab() { printf '%s\n' "$@" | tr ' ' '\t'; }

good() {
	tab 'counts 1 system x86_64' 'begin 1 1' 'count 1 instructions user 5' \
		'end 1' 'closed 1'
}

good >"$scratch/good"
is "$(parsed "$scratch/good")" '1 regions' 'a whole result is accepted'
: >"$scratch/empty"
like "$(parsed "$scratch/empty")" 'error: .*empty' 'an empty one is not'
like "$(parsed "$scratch/missing")" 'error: .*No such file' 'nor a missing one'
head -c 300 /bin/true >"$scratch/foreign"
like "$(parsed "$scratch/foreign")" 'error: .*not a result' 'nor a foreign one'
good | head -n 3 >"$scratch/cut"
like "$(parsed "$scratch/cut")" 'error: .*orderly end' \
	'nor that of a guest that died'
good | head -c -3 >"$scratch/torn"
like "$(parsed "$scratch/torn")" 'error: ' 'nor a torn line'
good | sed 's/\t5$/\tmany/' >"$scratch/corrupt"
like "$(parsed "$scratch/corrupt")" 'error: .*:3: ' \
	'a corrupt record is named by file and line'
good | grep -v begin >"$scratch/headless"
like "$(parsed "$scratch/headless")" 'error: .*:2: record outside' \
	'a record outside a region is refused'
good | sed 's/closed\t1/closed\t2/' >"$scratch/short"
like "$(parsed "$scratch/short")" '2 regions were written, 1' \
	'a missing region is noticed'

plugin() {
	qemu-x86_64 -plugin "$scratch/perf/count.so,$1" /bin/true
}

if command -v qemu-x86_64 >/dev/null; then
	for option in 'out=/nonexistent/x' "symbols=$scratch/empty" \
		"symbols=$scratch/foreign" 'cache=pentium' 'hit=nothing' \
		'memory=perhaps' 'from=main' 'region=256' 'colour=red'; do
		not_ok "the plugin refuses $option" plugin \
			"out=$scratch/x,$option"
	done
	not_ok 'the plugin refuses to have no result file' plugin memory=on
else
	skip 'the plugin refuses bad options' 'qemu-x86_64 is not installed'
fi

mkdir -p "$scratch/bench/summary.d"
echo old >"$scratch/bench/report.md"
exits 1 'a missing kernel image is an error' tools/perf/bench \
	--variant "$scratch/nowhere/" --out "$scratch/bench"
like "$(cat "$scratch/output")" 'there is no kernel image' 'and is named'
is "$(find "$scratch/bench" -name '*.md' -o -name '*.csv')" '' \
	'and no earlier table stays to be taken for a result'
exits 2 'a negative number of runs is refused' tools/perf/bench --repeat -1

exits 1 'the gate needs a kernel' tools/perf/bench-gate --no-build \
	--kernel "$scratch/nowhere/"
echo 'metric,budget' >"$scratch/budget.csv"
exits 2 'and does not replace the whole budget by a part' tools/perf/bench-gate \
	--update --only getppid --no-build --kernel "$scratch/nowhere/"
exits 1 'and a whole budget' tools/perf/bench-gate --no-build \
	--kernel "$scratch/nowhere/" --budget "$scratch/budget.csv"
like "$(cat "$scratch/output")" 'budget.csv: the head is not' 'which it names'
printf 'metric,budget,unit\nx,much,y\n' >"$scratch/budget.csv"
exits 1 'with numbers in it' tools/perf/bench-gate --no-build \
	--kernel "$scratch/nowhere/" --budget "$scratch/budget.csv"
like "$(cat "$scratch/output")" 'budget.csv:2: ' 'or it names the line'

part() { printf 'metric,stock,ours,unit\n%s\n' "$2" >"$scratch/bench/summary.d/$1"; }
part a.csv 'x,1,2,ns'
echo 'y,,3,ns' >"$scratch/bench/summary.d/b.csv"
ok 'summaries of several parts are merged' tools/perf/summary "$scratch/bench"
is "$(cat "$scratch/bench/summary.csv")" \
	$'metric,stock,ours,unit\nx,1,2,ns\ny,,3,ns' 'into one table'
part b.csv 'x,1,3,ns'
exits 1 'a metric in two parts is an error' tools/perf/summary "$scratch/bench"
echo 'x,1,2' >"$scratch/bench/summary.d/b.csv"
exits 1 'so is a row with a field missing' tools/perf/summary "$scratch/bench"
finish
