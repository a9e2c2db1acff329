#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# One 32-bit kernel on processors from the 486 on: the NOPs it chooses are such as
# the processor executes, all keys turn, and no site holds an opcode that the
# processor lacks. That is judged past the engine: where sites are is read from
# vmlinux, what stands there from physical memory, and what it means is said by
# objdump.
# needs: ours-x86_32

# shellcheck source=tools/testing/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
out=$top/build/out/ours-x86_32
here=$top/tools/testing/guest

# The kernel's own little C library, compiled for the oldest of them.
ok 'process 1 builds for the 486' gcc -m32 -march=i486 -Os -Wall -Wextra -Werror \
	-static -nostdlib -ffreestanding -fno-pic -no-pie -fno-stack-protector \
	-fno-asynchronous-unwind-tables -idirafter /usr/include \
	-idirafter /usr/include/x86_64-linux-gnu \
	-isystem "$top/build/stock/tools/include/nolibc" -include nolibc.h \
	-o "$scratch/init" "$here/init/cpu_init.c"
ok 'vmlinux tells where its sites are' \
	python3 -B "$here/init/sites.py" "$out/vmlinux" "$scratch/sites"
sites=$(wc -l <"$scratch/sites")
note "$sites sites outside of init text"
[ "$sites" -gt 1000 ]
is $? 0 'there are sites'

# The first instruction at each site: "mnemonic operands", sorted and counted.
disassemble() {
	sed -n '/^== bytes/,/^== end/p' "$scratch/text" | grep -v '^==' >"$scratch/bytes"
	python3 -B "$here/init/slots.py" <"$scratch/bytes" >"$scratch/binary" || return 1
	objdump -D -b binary -m i386 "$scratch/binary" |
		awk -F '\t' '/^ *[0-9a-f]+:/ {
			sub(/:/, "", $1)
			if (("0x" $1) ~ /[02468ace]0$/ || $1 ~ /^ *0$/) { gsub(/ +/, " ", $3); sub(/ $/, "", $3); print $3 }
		}' >"$scratch/insns"
	awk '{ print $1 == "jmp" ? "jmp" : $0 }' "$scratch/insns" | sort | uniq -c |
		sed 's/^ *//' >"$scratch/kinds"
}

# What objdump calls the NOPs of a family at sites.
declare -A forms=(
	[generic]='mov %esi,%esi|lea %ds:0x0(%esi,%eiz,1),%esi'
	[k7]='mov %eax,%eax|lea %ds:0x0(%eax,%eiz,1),%eax'
	[k8]='xchg %ax,%ax|data16 data16 data16 xchg %ax,%ax'
	[p6]='xchg %ax,%ax|nopl 0x0(%eax,%eax,1)'
)

row() { # CPU FAMILY REASON [PARAMETER]
	local cpu=$1 family=$2 claim=$1${4:+ with $4} status kind
	"$top/scripts/boot" --kernel ours-x86_32 --cpu "$cpu" --cpus 1 --mem 256 \
		--timeout 300 --log "$scratch/log" --init "$scratch/init" \
		--file "$scratch/sites:/sites" \
		--file "$out/kernel/jump_label_torture.ko:/torture.ko" \
		${4:+--append "$4"} -- cpu_init 2>"$scratch/err" | tr -d '\r' >"$scratch/text"
	status=${PIPESTATUS[0]}
	is "$status" 0 "$claim: boots, and all keys turn"
	[ "$status" -eq 0 ] || note "$(grep -h '^failed' "$scratch/text"; cat "$scratch/err")"
	is "$(sed -n 's/^family: //p' "$scratch/text")" "$family" "$claim: the family is $family"
	like "$(sed -n 's/^reason: //p' "$scratch/text")" "$3" "$claim: as $3"
	is "$(grep -c ' bad 0$' "$scratch/text")" 2 "$claim: every site is right, before and after"

	disassemble
	is "$(wc -l <"$scratch/insns")" "$sites" "$claim: every site was read and disassembled"
	# An opcode may take part only if the family has it.
	kind=$(grep -vE '^[0-9]+ jmp$' "$scratch/kinds" | sed 's/^[0-9]* //' |
		grep -vxF "${forms[$family]//|/$'\n'}")
	is "$kind" '' "$claim: nothing stands at sites but jmp and ${forms[$family]//|/, }"
	note "$(paste -sd';' "$scratch/kinds")"
}

refused() { # NAME LEGAL
	like "$(<"$scratch/log")" "jump_label_nop=$1 refused.*Legal here: $2" \
		"$1 was refused with the legal ones: $2"
}

row 486 generic 'lacks the long NOP' jump_label_nop=p6
refused p6 'auto generic k7 k8'
row pentium generic 'lacks the long NOP'
row pentium3 p6 'recommended multi-byte'
like "$(sed -n 's/^long_nop: //p' "$scratch/text")" 'it was tried' \
	'under a hypervisor the long NOP is tried, and an invalid opcode survived'
row athlon k7 'AMD Athlon'
row qemu32 p6 'recommended multi-byte' jump_label_nop=k9
refused k9 'auto generic k7 k8 p6'
row qemu64 k8 'AMD before family 10h'
row 486 k8 'boot parameter' jump_label_nop=k8
row pentium k7 'boot parameter' jump_label_nop=k7
row pentium3 generic 'boot parameter' jump_label_nop=generic
row athlon p6 'boot parameter' jump_label_nop=p6
finish
