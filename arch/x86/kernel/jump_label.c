// SPDX-License-Identifier: GPL-2.0
/*
 * Static keys on x86: the bytes of a site
 *
 *	eb rel8		jump, 2 bytes
 *	e9 rel32	jump, 5 bytes
 *	a NOP of 2 or 5 bytes, see nops.c
 *
 * Pure functions of their arguments and of the NOPs chosen at boot.
 */
#include "../../../kernel/jump_label_internal.h"
#include "../../../kernel/jump_label.h"
#include <asm/jump_label_nops.h>

#define X86_JMP_SHORT	0xeb
#define X86_JMP_NEAR	0xe9

/* Of a jump or of the chosen NOP; 0 for anything else. */
static __always_inline int insn_length(const u8 *insn)
{
	const struct x86_nop_family *family = x86_site_nop.family;

	if (insn[0] == X86_JMP_NEAR || !memcmp(insn, family->insn[5], 2))
		return 5;
	if (insn[0] == X86_JMP_SHORT || !memcmp(insn, family->insn[2], 2))
		return 2;
	return 0;
}

int arch_jump_label_length(const u8 *insn)
{
	const struct x86_nop_family *const *family;
	int len = insn_length(insn);

	if (len)
		return len;
	for (family = x86_nop_families; *family; family++) {
		if (!x86_nop_fits(*family))
			continue;
		if (!memcmp(insn, (*family)->insn[2], 2))
			return 2;
		if (!memcmp(insn, (*family)->insn[5], 2))
			return 5;
	}
	return -EINVAL;
}
EXPORT_SYMBOL_IF_KUNIT(arch_jump_label_length);

static __always_inline int insn_encode(u8 *buf, unsigned long code,
				       unsigned long target,
				       enum jump_label_type type,
				       unsigned int len,
				       const struct x86_nop_family *family)
{
	long distance = target - (code + len);
	s32 near = distance;

	if (len != 2 && len != 5)
		return -EINVAL;
	if (len == 2 ? distance != (s8)distance : distance != near)
		return -ERANGE;

	/* Constant lengths, so that no function is called to copy them. */
	if (type == JUMP_LABEL_NOP && len == 2) {
		memcpy(buf, family->insn[2], 2);
	} else if (type == JUMP_LABEL_NOP) {
		memcpy(buf, family->insn[5], 5);
	} else if (len == 2) {
		buf[0] = X86_JMP_SHORT;
		buf[1] = distance;
	} else {
		buf[0] = X86_JMP_NEAR;
		memcpy(buf + 1, &near, sizeof(near));
	}
	return len;
}

int arch_jump_label_encode(u8 *buf, unsigned long code, unsigned long target,
			   enum jump_label_type type, unsigned int len)
{
	return insn_encode(buf, code, target, type, len, x86_site_nop.family);
}
EXPORT_SYMBOL_IF_KUNIT(arch_jump_label_encode);

/**
 * x86_jump_label_encode() - the bytes of a site, with NOPs of a given family
 * @buf: as for arch_jump_label_encode(), and so are the next four
 * @code: address of the site
 * @target: address it jumps to
 * @type: NOP or JMP
 * @len: bytes of the site
 * @family: the NOPs
 *
 * Return: as arch_jump_label_encode().
 */
int x86_jump_label_encode(u8 *buf, unsigned long code, unsigned long target,
			  enum jump_label_type type, unsigned int len,
			  const struct x86_nop_family *family)
{
	return insn_encode(buf, code, target, type, len, family);
}
EXPORT_SYMBOL_IF_KUNIT(x86_jump_label_encode);

/* With constants for type and length there is little left of the encoder. */
static __always_inline bool insn_turns(struct jump_patch *patch,
				       unsigned long target,
				       enum jump_label_type type,
				       unsigned int len)
{
	patch->len = len;
	patch->next = type == JUMP_LABEL_JMP ? target : patch->code + len;
	return insn_encode(patch->old, patch->code, target, !type, len,
			   x86_site_nop.family) > 0 &&
	       jump_bytes_equal((u8 *)patch->code, patch->old, len) &&
	       insn_encode(patch->new, patch->code, target, type, len,
			   x86_site_nop.family) > 0;
}

bool arch_jump_label_prepare(struct jump_patch *patch, unsigned long target,
			     enum jump_label_type type)
{
	int len = insn_length((u8 *)patch->code);

	if (len == 5 && type == JUMP_LABEL_JMP)
		return insn_turns(patch, target, JUMP_LABEL_JMP, 5);
	if (len == 5)
		return insn_turns(patch, target, JUMP_LABEL_NOP, 5);
	return len == 2 && insn_turns(patch, target, type, 2);
}

bool arch_jump_label_is_nop(const u8 *insn, unsigned int len)
{
	const struct x86_nop_family *const *family;

	for (family = x86_nop_families; *family; family++)
		if (x86_nop_fits(*family) &&
		    !memcmp(insn, (*family)->insn[len], len))
			return true;
	return false;
}
EXPORT_SYMBOL_IF_KUNIT(arch_jump_label_is_nop);
