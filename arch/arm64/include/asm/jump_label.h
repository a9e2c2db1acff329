/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _ASM_ARM64_JUMP_LABEL_H
#define _ASM_ARM64_JUMP_LABEL_H

/* A site is one instruction of four bytes, a NOP or a branch. */
#define JUMP_LABEL_INSN_MAX	4

#define JUMP_LABEL_ASM_NOP	"nop"
#define JUMP_LABEL_ASM_JMP	"b %l[jump_target]"

#ifndef __ASSEMBLY__

#include <asm-generic/jump_label.h>

/**
 * arch_jump_label_length() - bytes of the site that starts with these bytes
 * @insn: the site
 *
 * Return: 4. What stands there is for arch_jump_label_encode() to compare with.
 */
static inline int arch_jump_label_length(const u8 *insn)
{
	return JUMP_LABEL_INSN_MAX;
}

/**
 * arch_jump_label_encode() - the bytes of a site
 * @buf: room for JUMP_LABEL_INSN_MAX bytes
 * @code: address of the site
 * @target: address it jumps to
 * @type: NOP or JMP
 * @len: bytes of the site, 4
 *
 * Pure: touches nothing but @buf, and on failure not even that.
 *
 * Return: @len; -ERANGE when a branch does not reach @target, whatever @type
 * is; -EINVAL when @len is not 4, or an address is not a multiple of 4.
 */
int arch_jump_label_encode(u8 *buf, unsigned long code, unsigned long target,
			   enum jump_label_type type, unsigned int len);

#endif /* __ASSEMBLY__ */

#endif /* _ASM_ARM64_JUMP_LABEL_H */
