/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _ASM_X86_JUMP_LABEL_H
#define _ASM_X86_JUMP_LABEL_H

/*
 * A site is a short jump (2 bytes), a near jump (5 bytes), or one NOP of the
 * same length. The assembler picks the shorter jump that reaches.
 *
 * A site that starts off is a jump too where objtool runs: objtool turns it
 * into a NOP of the length the assembler chose, and so most sites are two bytes
 * long. Elsewhere a NOP of five bytes reserves room for the longer jump.
 */
#define JUMP_LABEL_INSN_MAX	5

#define JUMP_LABEL_ASM_JMP	"jmp %l[jump_target]"

#ifdef CONFIG_HAVE_JUMP_LABEL_HACK
#define JUMP_LABEL_TOOL_NOP	2	/* objtool reads this bit of the entry */
#define JUMP_LABEL_ASM_NOP	JUMP_LABEL_ASM_JMP
#elif defined(__x86_64__)
#define JUMP_LABEL_ASM_NOP	".byte 0x0f, 0x1f, 0x44, 0x00, 0x00"
#else
/* leal %ds:0(%esi,%eiz,1), %esi: decodes on every 32-bit processor */
#define JUMP_LABEL_ASM_NOP	".byte 0x3e, 0x8d, 0x74, 0x26, 0x00"
#endif

#ifndef __ASSEMBLY__

#include <asm-generic/jump_label.h>

/**
 * arch_jump_label_length() - bytes of the site that starts with these bytes
 * @insn: two readable bytes
 *
 * Return: 2 or 5, or -EINVAL when no jump and no NOP of ours starts like this.
 */
int arch_jump_label_length(const u8 *insn);

/**
 * arch_jump_label_encode() - the bytes of a site
 * @buf: room for JUMP_LABEL_INSN_MAX bytes
 * @code: address of the site
 * @target: address it jumps to
 * @type: NOP or JMP
 * @len: bytes of the site, 2 or 5
 *
 * Pure: touches nothing but @buf, and on failure not even that. The NOP is the
 * one chosen at boot, see asm/jump_label_nops.h.
 *
 * Return: @len; -ERANGE when a jump of @len bytes does not reach @target,
 * whatever @type is; -EINVAL when @len is neither 2 nor 5.
 */
int arch_jump_label_encode(u8 *buf, unsigned long code, unsigned long target,
			   enum jump_label_type type, unsigned int len);

/* Choose the NOPs of the running processor; see arch/x86/kernel/nops.c. */
void arch_jump_label_init(void);
#define arch_jump_label_init arch_jump_label_init

/* The file "nops": what was chosen, why, and its bytes. */
struct dentry;
void arch_jump_label_debugfs(struct dentry *dir);
#define arch_jump_label_debugfs arch_jump_label_debugfs

#endif /* __ASSEMBLY__ */

#endif /* _ASM_X86_JUMP_LABEL_H */
