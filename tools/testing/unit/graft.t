#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The graft driver, on miniature trees: a copy of scripts/graft with an overlay
# and edit scripts of its own, laid over a "kernel" of a few files.

# shellcheck source=tools/testing/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
repo=$scratch/repo
k=$scratch/kernel
edits=$repo/scripts/graft/6.12

new_tree() {
	rm -rf "$k"
	mkdir -p "$k/arch/x86" "$k/kernel" "$k/include/linux"
	touch "$k/Kbuild" "$k/arch/x86/Makefile" "$k/include/linux/list.h"
	printf 'VERSION = %s\nPATCHLEVEL = %s\nSUBLEVEL = 99\n' "${1-6}" "${2-12}" >"$k/Makefile"
	cat >"$k/kernel/Makefile" <<'END'
obj-y += core.o \
         other.o
obj-$(CONFIG_A) += a.o
obj-$(CONFIG_B) += b.o
END
	cat >"$k/kernel/code.c" <<'END'
int first(void)
{
	return twice(1);
}

int second(void)
{
	return twice(2);
}

int third(void)
{
	return twice(2);
}
END
	echo 'stock engine' >"$k/kernel/engine.c"
	find "$k" -type f -exec touch -d 2020-01-01 {} +
	rm -rf "$scratch/pristine"
	cp -a "$k" "$scratch/pristine"
}

new_repo() {
	rm -rf "$repo"
	mkdir -p "$edits/kernel" "$repo/kernel" "$repo/include/linux"
	cp "$top/scripts/graft/graft" "$top/scripts/graft/edit.awk" "$repo/scripts/graft/"
	echo 'our engine' >"$repo/kernel/engine.c"
	echo 'our header' >"$repo/include/linux/engine.h"
	printf '# last\nobj-y += engine.o\n' >"$repo/kernel/Makefile"
	cat >"$edits/overlay" <<'END'
# what goes where
kernel/engine.c
include/linux/engine.h	include/linux/engine.h arch/x86/new/engine.h
END
	cat >"$edits/kernel/Makefile.edit" <<'END'
# ours last
insert
	after = obj-$(CONFIG_B) += b.o
	< kernel/Makefile
END
	cat >"$edits/kernel/code.c.edit" <<'END'
delete
	from    = int first(void)
	to-next = }
scope
	from    = int second(void)
	to-next = }
substitute
	at  ~ twice(2)
	old = 2
	new = &\1/
scope
insert
	before = int third(void)
	| /* third */
	|
END
}

graft() { "$repo/scripts/graft/graft" "$@"; }
same() { diff -r -x .jump-label-graft "$scratch/pristine" "$k"; }
untouched() { same && [ ! -e "$k/.jump-label-graft" ] && [ ! -e "$k/.jump-label-graft.tmp" ]; }
output() { echo "$(<"$scratch/output")"; }
stamps() { find "$k" -type f -printf '%p %T@ %i\n' | sort; }

# --- what it does
new_repo; new_tree
ok 'a stock tree is grafted' graft "$k"
is "$(cat "$k/kernel/engine.c" "$k/arch/x86/new/engine.h" "$k/include/linux/engine.h")" \
	$'our engine\nour header\nour header' 'overlay files are laid at every destination'
is "$(tail -n 3 "$k/kernel/Makefile")" $'obj-$(CONFIG_B) += b.o\n# last\nobj-y += engine.o' \
	'insert after puts in a file of the repository'
is "$(cat "$k/kernel/code.c")" \
	$'\nint second(void)\n{\n\treturn twice(&\\1/);\n}\n\n/* third */\n\nint third(void)\n{\n\treturn twice(2);\n}' \
	'delete, scoped substitute and insert before do what they say, taken literally'

# --- twice
before=$(stamps)
ok 'the second graft succeeds' graft "$k"
like "$(output)" 'already grafted.*nothing changed' 'and says that nothing changed'
is "$(stamps)" "$before" 'and no file was written'

# --- another version
echo 'our engine 2' >"$repo/kernel/engine.c"
exits 1 'a tree grafted by another version is refused' graft "$k"
like "$(output)" 'grafted by another version.*--undo' 'with reason and remedy'
is "$(stamps)" "$before" 'and no file was written'
ok '--update brings it up to date' graft --update "$k"
is "$(cat "$k/kernel/engine.c")" 'our engine 2' 'the changed file is written'
is "$(stamps | grep -vE 'kernel/engine|jump-label-graft')" \
	"$(grep -vE 'kernel/engine|jump-label-graft' <<<"$before")" 'and no other file'
printf 'kernel/engine.c\n' >"$edits/overlay"
ok '--update with a shorter overlay' graft --update "$k"
not_ok 'takes away what it no longer lays' test -e "$k/include/linux/engine.h"
rm "$edits/kernel/code.c.edit"
ok '--update with one edit script less' graft --update "$k"
ok 'puts that file back to stock' cmp "$k/kernel/code.c" "$scratch/pristine/kernel/code.c"

# --- undo
ok '--undo succeeds' graft --undo "$k"
ok 'and the tree is stock again' untouched
exits 1 'a second --undo is refused' graft --undo "$k"

# --- hand-made changes
new_repo; new_tree
graft "$k" >/dev/null
echo 'mine' >>"$k/kernel/code.c"
exits 1 'a grafted file changed by hand is refused' graft "$k"
like "$(output)" 'changed since the graft: kernel/code.c' 'and named'
exits 1 '--undo refuses it too' graft --undo "$k"
ok '--update writes it anew' graft --update "$k"
not_ok 'so that the change is gone' grep -q mine "$k/kernel/code.c"

# --- refusals
refused() { # CLAIM REGEX [DIR]
	exits 1 "$1: refused" graft "${3-$k}"
	like "$(output)" "$2" "$1: with the reason"
	like "$(output)" 'nothing was changed' "$1: says that nothing was changed"
	ok "$1: nothing was changed" untouched
}

new_repo; new_tree 6 11
refused 'Linux 6.11' 'is Linux 6.11; there is a graft for: 6.12'
new_tree
refused 'no directory' 'no such directory' "$scratch/nowhere"
refused 'a file' 'not a directory' "$k/Makefile"
mkdir -p "$scratch/empty"
refused 'an empty directory' 'not a kernel source tree' "$scratch/empty"
if [ "$(id -u)" -ne 0 ]; then
	chmod a-rx "$k/kernel/.." && exits 1 'an unreadable directory: refused' graft "$k"
	chmod u+rwx "$k"
	chmod a-w "$k" && exits 1 'a read-only directory: refused' graft "$k"
	chmod u+w "$k"
else
	skip 'an unreadable directory: refused' 'root reads everything'
	skip 'a read-only directory: refused' 'root writes everywhere'
fi

edit() { cat >"$edits/kernel/code.c.edit"; }
edit <<'END'
delete
	at = int fourth(void)
END
refused 'anchor missing' "kernel/code.c: the anchor '= int fourth\(void\)' matches 0 lines.*code.c.edit:2"
edit <<'END'
delete
	at ~ twice(2)
END
refused 'anchor doubled' "the anchor '~ twice\(2\)' matches 2 lines \(8, 13\)"

# The other faults of an edit script, put to the compiler alone.
compile() { # CLAIM REGEX, edit script on stdin
	edit
	exits 1 "$1: refused" awk -v edit="$edits/kernel/code.c.edit" -v name=kernel/code.c \
		-v top="$repo" -f "$repo/scripts/graft/edit.awk" "$k/kernel/code.c"
	like "$(<"$scratch/output")" "$2" "$1: with the reason"
}

compile 'anchor outside its scope' 'matches 0 lines of lines 6..11' <<'END'
scope
	from = int second(void)
	to   = int third(void)
delete
	at ~ twice(1)
END
compile 'range with two ends' "the anchor '= }' matches 2 lines" <<'END'
delete
	from = int second(void)
	to   = }
END
compile 'overlapping changes' 'overlaps the change of line' <<'END'
delete
	from    = int second(void)
	until-next = }
delete
	from = int second(void)
	to-next = {
END
compile 'substitute with two matches' 'must occur exactly once in line' <<'END'
substitute
	at  = int third(void)
	old = i
	new = x
END
compile 'a lone dot' 'single dot' <<'END'
insert
	after = int third(void)
	| .
END
at=$'\tat = int third(void)'
for bad in 'remove' 'delete' $'delete\n\tat int third(void)' "replace"$'\n'"$at" \
	$'insert\n\tafter = int third(void)' $'insert\n\t| x' $'substitute\n'"$at" \
	$'delete\n'"$at"$'\n\tnew = x' $'delete\n'"$at"$'\n\tat = {' '# nothing' \
	$'insert\n\tafter = int third(void)\n\t< no/such/file'; do
	name=${bad//$'\n'/;}
	compile "edit script '${name//$'\t'/ }'" 'code.c.edit:[0-9]' <<<"$bad"
done

new_repo
echo 'kernel/absent.c' >>"$edits/overlay"
refused 'overlay names an absent file' 'kernel/absent.c: listed in'
new_repo
echo 'kernel/engine.c ../x' >>"$edits/overlay"
refused 'overlay leaves the tree' 'must lie in the tree'
new_repo
echo 'kernel/engine.c kernel/code.c' >>"$edits/overlay"
refused 'overlay and edit of one file' 'laid over and edited'
new_repo
echo 'include/linux/engine.h kernel/engine.c' >>"$edits/overlay"
refused 'two files for one place' 'lays two files there'
new_repo
mkdir -p "$edits/mm"
printf 'delete\n\tat = x\n' >"$edits/mm/absent.c.edit"
refused 'edit of a file the tree lacks' 'mm/absent.c: is not in'
new_repo
edit <<'END'
delete
	at = nowhere
insert
	after = nowhere either
	| x
END
exits 1 'several faults' graft "$k"
is "$(output | grep -c 'matches 0 lines')" 2 'are all reported'

# --- interrupted: a file cannot be moved in because a directory is in its place
new_repo; new_tree
mkdir "$k/kernel/zz.c"
touch "$k/kernel/zz.c/inside"
cp -a "$k/kernel/zz.c" "$scratch/pristine/kernel/"
echo 'kernel/engine.c kernel/zz.c/inside/below' >>"$edits/overlay"
exits 1 'a failure while files are moved' graft "$k"
ok 'leaves the tree as it was' untouched

# A crash: the list of pending files is there, one of them has moved.
new_repo; new_tree
mkdir -p "$k/.jump-label-graft.tmp/back/kernel"
cp "$k/kernel/code.c" "$k/.jump-label-graft.tmp/back/kernel/"
printf 'kernel/code.c\nkernel/new.c\n' >"$k/.jump-label-graft.tmp/pending"
: >"$k/.jump-label-graft.tmp/first"
echo half >"$k/kernel/code.c"
echo half >"$k/kernel/new.c"
ok 'after a crash the next run' graft "$k"
like "$(output)" 'interrupted; putting its files back' 'puts the files back'
ok 'and then grafts' test -f "$k/.jump-label-graft/version"
not_ok 'with no trace of the crash' test -e "$k/kernel/new.c"
graft --undo "$k" >/dev/null
ok 'and undo still finds the stock text' untouched

# --- --stage
ok '--stage succeeds' graft --stage "$scratch/staged" "$k"
ok 'and changes nothing' untouched
is "$(cd "$scratch/staged" && find . -type f | sort | paste -sd' ')" \
	'./a/kernel/Makefile ./a/kernel/code.c ./a/kernel/engine.c ./b/arch/x86/new/engine.h ./b/include/linux/engine.h ./b/kernel/Makefile ./b/kernel/code.c ./b/kernel/engine.c' \
	'it writes the touched files, before and after'

finish
