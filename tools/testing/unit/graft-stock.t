#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The real graft on the real stock tree: it fits, its series applies, and both
# give the same tree.  Works on a copy of the touched files, so it is quick; the
# tree must have been unpacked by an earlier command.

# shellcheck source=tools/testing/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
stock=$top/build/stock k=$scratch/kernel
cd "$top" || exit 1
[ -f "$stock/Makefile" ] || skip_all 'build/stock is not unpacked; make kernel does it'

ok 'every anchor of the graft matches the stock tree' \
	scripts/graft/graft --stage "$scratch/staged" "$stock"
[ -d "$scratch/staged/b" ] || { cat "$scratch/output"; finish; }

# A tree of only the touched files, and what makes it a kernel tree.
cp -r "$scratch/staged/a" "$k"
mkdir -p "$k/arch"
cp "$stock/Makefile" "$stock/Kbuild" "$k/"
cp -r "$k" "$scratch/pristine"
cp -r "$k" "$scratch/am"
cp -r "$k" "$scratch/patched"

ok 'the graft is laid' scripts/graft/graft "$k"
ok 'laid twice' scripts/graft/graft "$k"
like "$(<"$scratch/output")" 'nothing changed' 'it changes nothing'

scripts/graft/patches "$stock" >"$scratch/series" 2>"$scratch/err"
is "$?" 0 'the series is made from the stock tree'
scripts/graft/patches "$k" >"$scratch/series.grafted" 2>>"$scratch/err"
is "$?" 0 'the series is made from the grafted tree'
# The date is that of the last commit here, which may come between the two.
ok 'the two are the same' diff -I '^Date: ' "$scratch/series" "$scratch/series.grafted"
note "$(<"$scratch/err")"

ok 'patch -p1 applies the series' patch -s -d "$scratch/patched" -p1 -i "$scratch/series"
ok 'with the result of the graft' diff -r -x .jump-label-graft "$k" "$scratch/patched"

am() { git -C "$scratch/am" -c user.name=tester -c user.email=tester@localhost "$@"; }
am init -q && am add -f -A && am commit -q -m stock
ok 'git am applies the series' am am -q "$scratch/series"
ok 'with the result of the graft' diff -r -x .jump-label-graft -x .git "$k" "$scratch/am"
is "$(am log --format=%B | grep -ciE '^(signed-off|reviewed|acked|tested)-by')" 0 \
	'no tag is invented'

ok 'the graft is taken off' scripts/graft/graft --undo "$k"
ok 'and leaves the stock files' diff -r "$k" "$scratch/pristine"
finish
