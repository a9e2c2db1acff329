#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# needs: ours-small
#
# Counting a whole guest: user mode to the instruction, the kernel to 0.05 %
# from boot to boot; a guest that dies half-way gives an error and no result.

. "${0%/*}/../lib/tap.sh"

cd "$top" || exit 1
export KERNEL=${PERF_KERNEL:-ours-small} SCRATCH=$scratch

# python with the library of the benchmarks
library() {
	cat - >"$scratch/program"
	PYTHONPATH=tools/perf/lib python3 -B "$scratch/program"
}

ok 'the workloads and the plugin can be built' make -s -C tools/perf
library <<'END' >"$scratch/two" 2>&1
import os
import statistics
from guest import Cell, Plan, measure
cells = [Cell("none", "pipe-test", 20000), Cell("none", "jump_test", 100000)]
medians = []
for boot in ("first", "second"):
    results = measure(os.environ["KERNEL"], Plan(boot, cells, 3, timeout=300),
                      os.environ["SCRATCH"])
    medians.append(statistics.median(
        region.total("instructions") for _, workload, _, _, region in results
        if workload == "pipe-test"))
    for _, workload, number, _, region in results:
        if workload == "jump_test":
            print("jump", number, region.count["instructions"]["user"],
                  region.count["branches"]["user"])
print("medians", *medians)
print("permille", int(1e5 * abs(medians[0] / medians[1] - 1)), "of 50")
END
note "$(cat "$scratch/two")"
# The loop, and three instructions to call it and come back; five with the
# two that clear the sums.
is "$(grep -c '^jump' "$scratch/two")" 12 'each run leaves its regions'
is "$(grep '^jump 3' "$scratch/two" | sort -u | wc -l)" 1 \
	'user mode repeats to the instruction'
like "$(grep '^jump 3' "$scratch/two" | head -n 1)" \
	'^jump 3 15000[0-9][0-9] 3000[0-9][0-9]$' \
	'15 instructions and 3 branches an iteration with the site off'
like "$(grep '^jump 4' "$scratch/two" | head -n 1)" \
	'^jump 4 20000[0-9][0-9] 4000[0-9][0-9]$' \
	'20 and 4 with the site on'
difference=$(sed -n 's/^permille \([0-9]*\) of 50$/\1/p' "$scratch/two")
ok 'two boots differ by at most 0.05 %' test "${difference:-1000}" -le 50

# "poweroff" in the middle of the plan: the second half never runs.
library <<'END' >"$scratch/died" 2>&1
import os
import guest
guest.REGIONS["poweroff"] = (1,)
cells = [guest.Cell("none", "pipe-test", 100),
         guest.Cell("none", "poweroff", "-f")]
try:
    guest.measure(os.environ["KERNEL"], guest.Plan("died", cells, 1,
                                                   timeout=120),
                  os.environ["SCRATCH"])
    print("accepted")
except guest.GuestError as error:
    print("error:", error)
END
like "$(cat "$scratch/died")" '^error: .*, died: the guest failed with status 4' \
	'a guest that dies half-way is an error'

# The emulator has no counters: perf says so, and that is not a 0.
library <<'END' >"$scratch/perf" 2>&1
import os
import guestperf
for name, readings in guestperf.measure(
        os.environ["KERNEL"], ["W1:200", "W2:1000", "W3:1000"], 2).items():
    print(name, readings["instructions"], "/", readings["task-clock"])
for name, readings in guestperf.measure(
        os.environ["KERNEL"], ["W1:200"], 2, "/nonexistent/perf").items():
    print("absent", readings["instructions"])
END
if perf --version >/dev/null 2>&1; then
	for script in W1 W2 W3; do
		like "$(grep "^$script" "$scratch/perf")" \
			"^$script no PMU / [0-9.]*[1-9][0-9.]*\$" \
			"perf stat $script in a guest: no PMU, and a clock"
	done
else
	skip 'perf stat in a guest' 'perf is not installed'
fi
is "$(grep '^absent' "$scratch/perf")" 'absent no perf' \
	'without perf a guest has no perf either'

# The same through bench: the kernel's image is torn off.
mkdir -p "$scratch/torn/include/config" "$scratch/bench"
head -c 100000 "build/out/$KERNEL/vmlinux" >"$scratch/torn/vmlinux"
cp "build/out/$KERNEL/System.map" "build/out/$KERNEL/.config" "$scratch/torn"
exits 1 'bench ends with status 1 when a guest does not come up' \
	tools/perf/bench --quick --no-build --variant "$scratch/torn/" \
	--repeat 1 --out "$scratch/bench"
is "$(find "$scratch/bench" -name '*.md' -o -name '*.csv')" '' \
	'and leaves no table'
finish
