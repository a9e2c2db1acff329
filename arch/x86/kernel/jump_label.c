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

int arch_jump_label_length(const u8 *insn)
{
	const struct x86_nop_family *const *family = &x86_site_nop.family;

	if (insn[0] == X86_JMP_SHORT)
		return 2;
	if (insn[0] == X86_JMP_NEAR)
		return 5;
	/* Nearly always the chosen ones. */
	if (!memcmp(insn, (*family)->insn[2], 2))
		return 2;
	if (!memcmp(insn, (*family)->insn[5], 2))
		return 5;
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

static __always_inline int encode(u8 *buf, unsigned long code,
				  unsigned long target,
				  enum jump_label_type type, unsigned int len,
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
	return encode(buf, code, target, type, len, x86_site_nop.family);
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
	return encode(buf, code, target, type, len, family);
}
EXPORT_SYMBOL_IF_KUNIT(x86_jump_label_encode);

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
