# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034	# for those who source this
#
# Programs for other processors; source after tap.sh.
#
#	$cc32, run32	compiler of 32-bit x86, and what runs its programs: nothing,
#			when this kernel does, or an emulator; cc32 is empty when
#			there is no such compiler or nothing that runs the programs
#	$cc_arm64, run_arm64	the same for arm64
#
# Debian's gcc-multilib excludes cross compilers, and what remains without it
# lacks asm/, which is the same for both word sizes.

cc32='' run32=()
cc_arm64='' run_arm64=()

# shellcheck disable=SC2154	# $scratch is from tap.sh
arch_find() {
	local gcc32='gcc -m32 -idirafter /usr/include/x86_64-linux-gnu'
	echo 'int main(void) { return 0; }' >"$scratch/arch.c"
	# shellcheck disable=SC2086	# flags are words
	if $gcc32 "$scratch/arch.c" -o "$scratch/arch32" 2>/dev/null; then
		cc32=$gcc32
		if ! "$scratch/arch32" 2>/dev/null; then
			run32=(qemu-i386)
			"${run32[@]}" "$scratch/arch32" 2>/dev/null || cc32=''
		fi
	fi
	if aarch64-linux-gnu-gcc "$scratch/arch.c" -o "$scratch/arch64" 2>/dev/null; then
		cc_arm64=aarch64-linux-gnu-gcc
		run_arm64=(qemu-aarch64 -L /usr/aarch64-linux-gnu)
		"${run_arm64[@]}" "$scratch/arch64" 2>/dev/null || cc_arm64=''
	fi
}
arch_find
