#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Does this compiler lose track of the stack across asm goto?
#
# usage: asm-goto-stack.sh COMPILER [OPTION...]
#
# The first gcc that had asm goto could, on 32-bit x86, jump out of one while the
# arguments of a call were half pushed, to a label where it took the stack for
# empty; -maccumulate-outgoing-args avoids that, as nothing is pushed then, but
# makes larger code.  So the compiler is put to the test: a call with arguments on
# the stack, some of which come out of an asm goto.  In what it makes of that, the
# distance of the stack pointer from where it was on entry must be the same on
# all ways to a label.
#
# Exit status: 0 it does lose track; 1 it does not, or the program cannot be
# compiled; so that Kconfig's success() means "the option is needed".

set -u
[ $# -gt 0 ] || { echo "usage: $0 COMPILER [OPTION...]" >&2; exit 1; }

program='
int eight(int, int, int, int, int, int, int, int);
int other(int);

static inline __attribute__((always_inline)) int branch(void)
{
	__asm__ goto("# asm goto\n\tjmp %l[yes]" : : : : yes);
	return 0;
yes:
	return 1;
}

int nested(int n)
{
	return eight(n, branch(), other(n), branch() ? other(1) : n, branch(),
		     other(branch()), 7, eight(1, 2, branch(), 4, 5, n, 7,
					       branch()));
}

int looped(int n)
{
	while (n--)
		if (branch())
			n -= eight(branch(), n, 3, other(n), 5, branch(), 7, 8);
	return n;
}'

# AT&T syntax; the depth is what is on the stack beyond the return address, and
# what "ebp" was set to makes "leave" known.  As labels may be reached from below,
# passes are made until nothing new is learnt.
printf '%s\n' "$program" |
	"$@" -m32 -O2 -fno-pic -mregparm=3 -fomit-frame-pointer \
		-mpreferred-stack-boundary=2 -x c -S -o - - 2>/dev/null |
	awk '
	{ sub(/^[ \t]+/, ""); line[NR] = $0 }
	function reach(label, d) {
		if (!(label in depth)) {
			depth[label] = d
			learnt = 1
		} else if (depth[label] != d) {
			lost = 1
		}
	}
	function amount(text) {
		sub(/^[^$]*[$]/, "", text)
		sub(/,.*/, "", text)
		return text + 0
	}
	function walk(   i, d, known, soft, text) {
		for (i = 1; i <= NR; i++) {
			text = line[i]
			if (text ~ /^#? ?asm goto|^# asm goto/) {
				soft = 1
			} else if (text ~ /^[A-Za-z_][A-Za-z0-9_]*:/) {
				d = 0
				known = 1
			} else if (text ~ /^\.L[A-Za-z0-9_$]*:/) {
				sub(/:.*/, "", text)
				if (known)
					reach(text, d)
				else if (text in depth) {
					d = depth[text]
					known = 1
				}
			} else if (!known) {
				continue
			} else if (text ~ /^push/) {
				d += 4
			} else if (text ~ /^pop/) {
				d -= 4
			} else if (text ~ /^sub.*%esp$/) {
				d += amount(text)
			} else if (text ~ /^add.*%esp$/) {
				d -= amount(text)
			} else if (text ~ /^leal?[ \t]+-?[0-9]+\(%esp\), *%esp$/) {
				sub(/^leal?[ \t]+/, "", text)
				d -= text + 0
			} else if (text ~ /^ret/) {
				lost = lost || d != 0
				known = 0
			} else if (text ~ /^j[a-z]+[ \t]+\.L/) {
				goes = text
				sub(/^j[a-z]+[ \t]+/, "", goes)
				reach(goes, d)
				if (text ~ /^jmp/ && !soft)
					known = 0
				soft = 0
			}
			seen = seen || known
		}
	}
	END {
		do {
			learnt = 0
			walk()
		} while (learnt)
		exit !(seen && lost)
	}'
