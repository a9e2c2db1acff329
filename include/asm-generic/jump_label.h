/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _ASM_GENERIC_JUMP_LABEL_H
#define _ASM_GENERIC_JUMP_LABEL_H

/*
 * How a site is emitted (seam J1), once for every architecture.
 *
 * An architecture's <asm/jump_label.h> defines the mandatory part below and
 * then includes this file:
 *
 *   JUMP_LABEL_ASM_NOP	assembly of a site that starts as a NOP
 *   JUMP_LABEL_ASM_JMP	assembly of a site that starts as a jump to
 *			%l[jump_target]
 *   JUMP_LABEL_INSN_MAX	bytes of the longest site
 *
 *   int arch_jump_label_length(const u8 *insn)
 *   int arch_jump_label_encode(u8 *buf, unsigned long code,
 *				unsigned long target,
 *				enum jump_label_type type, unsigned int len)
 *
 * and, declared in kernel/jump_label_internal.h,
 *
 *   int arch_jump_label_write(struct jump_patch *patch, unsigned int nr,
 *			       enum jump_text_mode mode)
 *
 * It may also define what follows before the include; otherwise the default
 * given here holds:
 *
 *   JUMP_LABEL_ASM_KEY		assembly of "address of the key, plus flags",
 *				made of the operands [key] and [flags]
 *   JUMP_LABEL_TOOL_NOP	flag telling the build that JUMP_LABEL_ASM_NOP is
 *				a jump which a tool turns into a NOP at build time
 *   arch_jump_label_init()	called once before any site is looked at
 */
#ifndef __ASSEMBLY__

#if !defined(JUMP_LABEL_ASM_NOP) || !defined(JUMP_LABEL_ASM_JMP) || \
	!defined(JUMP_LABEL_INSN_MAX)
#error "asm/jump_label.h: define JUMP_LABEL_ASM_NOP, _ASM_JMP and _INSN_MAX"
#endif

#ifndef JUMP_LABEL_ASM_KEY
#define JUMP_LABEL_ASM_KEY	"%c[key] + %c[flags]"
#endif

#ifndef JUMP_LABEL_TOOL_NOP
#define JUMP_LABEL_TOOL_NOP	0
#endif

/* One struct jump_entry: three 32-bit distances from the field itself. */
#define JUMP_LABEL_TABLE_ENTRY					\
	".pushsection __jump_table, \"aw\"\n\t"			\
	".balign 4\n\t"						\
	".long 661b - ., %l[jump_target] - .\n\t"		\
	".long " JUMP_LABEL_ASM_KEY " - .\n\t"			\
	".popsection\n\t"

/**
 * arch_static_branch() - emit a site that starts as a NOP
 * @key: address of the key; must be a link-time constant
 * @likely: the code that runs when the key is on follows the site
 *
 * Return: true when the site jumped.
 */
static __always_inline bool
arch_static_branch(struct static_key *const key, const bool likely)
{
	asm goto("661:\t" JUMP_LABEL_ASM_NOP "\n\t" JUMP_LABEL_TABLE_ENTRY
		 : : [key] "i" (key), [flags] "i" (JUMP_LABEL_TOOL_NOP | likely)
		 : : jump_target);
	return false;
jump_target:
	return true;
}

/**
 * arch_static_branch_jump() - emit a site that starts as a jump
 * @key: address of the key; must be a link-time constant
 * @likely: the code that runs when the key is on follows the site
 *
 * Return: true when the site jumped.
 */
static __always_inline bool
arch_static_branch_jump(struct static_key *const key, const bool likely)
{
	asm goto("661:\t" JUMP_LABEL_ASM_JMP "\n\t" JUMP_LABEL_TABLE_ENTRY
		 : : [key] "i" (key), [flags] "i" (likely) : : jump_target);
	return false;
jump_target:
	return true;
}

#endif /* __ASSEMBLY__ */

#endif /* _ASM_GENERIC_JUMP_LABEL_H */
