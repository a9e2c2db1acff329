// SPDX-License-Identifier: GPL-2.0
/*
 * Static keys on arm64: the bytes of a site
 *
 *	d503201f	nop
 *	14000000	b, with the distance in words in the low 26 bits
 *
 * Instructions are little-endian whatever the data are. Pure functions of their
 * arguments.
 */
#include "../../../kernel/jump_label_internal.h"
#include "../../../kernel/jump_label.h"

#define ARM64_NOP	0xd503201fU
#define ARM64_B		0x14000000U
#define ARM64_B_MASK	0x03ffffffU

/* How far a branch reaches backwards; forwards it is one word less. */
#define ARM64_B_REACH	0x08000000L

static void insn_store(u8 *buf, unsigned int insn)
{
	unsigned int i;

	for (i = 0; i < JUMP_LABEL_INSN_MAX; i++)
		buf[i] = insn >> 8 * i;
}

int arch_jump_label_encode(u8 *buf, unsigned long code, unsigned long target,
			   enum jump_label_type type, unsigned int len)
{
	long distance = target - code;

	if (len != JUMP_LABEL_INSN_MAX || (code | target) % JUMP_LABEL_INSN_MAX)
		return -EINVAL;
	if (distance < -ARM64_B_REACH || distance >= ARM64_B_REACH)
		return -ERANGE;

	if (type == JUMP_LABEL_NOP)
		insn_store(buf, ARM64_NOP);
	else
		insn_store(buf, ARM64_B | (distance >> 2 & ARM64_B_MASK));
	return len;
}
EXPORT_SYMBOL_IF_KUNIT(arch_jump_label_encode);

bool arch_jump_label_prepare(struct jump_patch *patch, unsigned long target,
			     enum jump_label_type type)
{
	const unsigned int len = JUMP_LABEL_INSN_MAX;

	patch->len = len;
	patch->next = type == JUMP_LABEL_JMP ? target : patch->code + len;
	return arch_jump_label_encode(patch->old, patch->code, target, !type, len) > 0 &&
	       !memcmp((void *)patch->code, patch->old, len) &&
	       arch_jump_label_encode(patch->new, patch->code, target, type, len) > 0;
}

bool arch_jump_label_is_nop(const u8 *insn, unsigned int len)
{
	u8 nop[JUMP_LABEL_INSN_MAX];

	insn_store(nop, ARM64_NOP);
	return len == sizeof(nop) && !memcmp(insn, nop, sizeof(nop));
}
EXPORT_SYMBOL_IF_KUNIT(arch_jump_label_is_nop);
