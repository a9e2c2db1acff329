#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Stock's own tests of control groups that concern the cpu controller, built from
# the unmodified tree, on the grafted kernel: test_cpu. Its other programs are about
# other controllers, or, as test_core, need the memory controller as well.
# needs: ours-small
#
# shellcheck disable=SC2016	# what is quoted is for the guest's shell

# shellcheck source=tools/testing/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source=tools/testing/guest/bandwidth/host.sh
. "$(dirname "$0")/bandwidth/host.sh"

tests=$top/build/stock/tools/testing/selftests/cgroup
mkdir -p "$programs/stock"
ok 'the unmodified tree is there' "$top/scripts/tree" stock
ok "stock's test_cpu builds" gcc -O2 -w -static -pthread -D_GNU_SOURCE \
	-I "$tests/.." -o "$programs/stock/test_cpu" "$tests/test_cpu.c" "$tests/cgroup_util.c"

# Its verdicts are "ok N name", "not ok N name" and "ok N # SKIP name". Its children
# repeat what stood in the buffer. Six tests need no more than two CPUs; the other two
# are skipped there, and taken from a run with four. The six are not judged with four:
# they spin without a PAUSE, and the emulator then shares out its turns unevenly.
run() { # CLAIM CPUS TESTS N: the N whose names match TESTS are judged
	bandwidth "$1" "$2" '
/bandwidth/stock/test_cpu >/tmp/out 2>&1
grep -E "^(not )?ok " /tmp/out | sort -u | sed "s/ok [0-9]* /ok /; s/^ok \(.*\)# SKIP/not ok \1skipped/" |
	grep -E "'"$3"'" >/tmp/verdicts
cat /tmp/verdicts
ok "'"$4"' verdicts" [ $(wc -l </tmp/verdicts) = '"$4"' ]'
}
run 'two CPUs' 2 'control|stats|overprovisioned|max' 6
run 'four CPUs' 4 'underprovisioned' 2
finish
