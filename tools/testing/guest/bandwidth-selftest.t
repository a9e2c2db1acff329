#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Stock's own tests of control groups that concern the cpu controller, built from
# the unmodified tree, on the grafted kernel.
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
for name in test_cpu test_core; do
	ok "stock's $name builds" gcc -O2 -w -static -pthread -D_GNU_SOURCE \
		-I "$tests/.." -o "$programs/stock/$name" "$tests/$name.c" "$tests/cgroup_util.c"
done

# Its verdicts are "ok N name" and "not ok N name"; a skipped test is a failure here.
for name in test_cpu test_core; do
	bandwidth "$name" 2 '
umount /tmp && mount -t tmpfs -o mode=1777 tmpfs /tmp
/bandwidth/stock/'$name' >/tmp/out 2>&1
status=$?
grep -vE "^(not )?ok " /tmp/out
sed -n "s/^ok [0-9]* /ok /p; s/^not ok [0-9]* /not ok /p" /tmp/out | sed "s/^ok.*# SKIP/not &/"
ok "ends with status $status" [ $status = 0 ]
ok "said something" grep -q "^ok " /tmp/out'
done
finish
