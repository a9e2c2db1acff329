// SPDX-License-Identifier: GPL-2.0
/*
 * What is arm64 in a user process: fresh sites and the probe. There are no traps
 * and one NOP.
 */
#include "host.h"

#define ARM64_B		0x14000000U
#define ARM64_B_MASK	0xfc000000U

unsigned long jump_arch_cold(unsigned long code)
{
	u32 insn = *(const u32 *)code;

	if ((insn & ARM64_B_MASK) != ARM64_B)
		return 0;
	/* The distance is signed, in words, and has 26 bits. */
	return code + ((s32)(insn << 6) >> 6) * 4L;
}

JUMP_ARCH_PROBE("mov w0, wzr\n"
		"661:\t" JUMP_LABEL_ASM_NOP "\n\t"
		"ret\n"
		"662:\tmov w0, #1\n\t"
		"ret\n");

/* The NOP of the build is the only one. */
void arch_jump_label_init_nops(const struct jump_entry *start,
			       const struct jump_entry *stop)
{
}

int jump_signal_start(void)
{
	return 0;
}
