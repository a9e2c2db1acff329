#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# scripts/kernel/asm-goto-stack.sh tells a compiler that loses track of the stack
# across asm goto from one that does not. No such compiler is left to try, so one
# is made: what gcc writes, with a fault put in.
#
# shellcheck disable=SC2016	# what is quoted is for another shell

# shellcheck source=tools/testing/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
check=$top/scripts/kernel/asm-goto-stack.sh

for cc in gcc clang; do
	for options in -O2 -Os -O1 '-O2 -mno-accumulate-outgoing-args'; do
		# shellcheck disable=SC2086	# several words
		exits 1 "$cc $options keeps track: no flag" "$check" $cc $options
	done
done
exits 1 'a compiler that fails gets no flag' "$check" false
exits 1 'nor does one that is not there' "$check" "$scratch/none"
exits 1 'nor does one that writes nothing' "$check" true

# NAME AWK-PROGRAM: gcc, with the program run over its assembly.
fake() {
	{
		echo '#!/bin/sh'
		echo "gcc \"\$@\" | awk '$2'"
	} >"$scratch/$1"
	chmod +x "$scratch/$1"
}
fake same '{ print }'
exits 1 'gcc through a pipe is still sound' "$check" "$scratch/same"
# A word is pushed ahead of a jump whose label takes it for gone.
fake deeper '
/# asm goto/ && !done { print "\tpushl $7"; inside = 1 }
{ print }
inside && /NO_APP/ { print "\taddl $4, %esp"; inside = 0; done = 1 }'
exits 0 'an argument pushed across the jump is found' "$check" "$scratch/deeper"
# The last one of the program, as seen by a label above it.
fake popped '
{ line[NR] = $0 }
/# asm goto/ { last = NR }
END { for (i = 1; i <= NR; i++) { if (i == last) print "\tpopl %ecx"; print line[i] } }'
exits 0 'a word popped too early is found' "$check" "$scratch/popped"
fake returns '/^\tret/ && !done { print "\tpushl $0"; done = 1 } { print }'
exits 0 'a return above the return address is found' "$check" "$scratch/returns"

makefile=$top/scripts/graft/6.12/arch/x86/Makefile.edit
like "$(<"$makefile")" 'CC_ASM_GOTO_MOVES_STACK.*ACCUMULATE_OUTGOING_ARGS := 1' \
	'the answer decides the flag'
finish
