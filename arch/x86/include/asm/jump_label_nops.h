/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _ASM_X86_JUMP_LABEL_NOPS_H
#define _ASM_X86_JUMP_LABEL_NOPS_H

#include <linux/types.h>

/* Longest NOP in the tables, in bytes. */
#define X86_NOP_LEN_MAX		8

/**
 * struct x86_nop_family - one NOP of each length, for a kind of processor
 * @name: what the boot parameter jump_label_nop= calls it
 * @source: where the encodings come from
 * @insn: @insn[len] is one instruction of len bytes; @insn[0] is unused
 *
 * One instruction each: a thread that stops between two instructions must not
 * find itself in the middle of a site.
 */
struct x86_nop_family {
	const char *name;
	const char *source;
	const u8 *insn[X86_NOP_LEN_MAX + 1];
};

enum x86_nop_vendor {
	X86_NOP_VENDOR_OTHER,
	X86_NOP_VENDOR_INTEL,
	X86_NOP_VENDOR_AMD,
};

/**
 * struct x86_nop_cpu - what the choice depends on
 * @vendor: maker, as far as a rule names it
 * @family: as CPUID gives it, extended family added
 * @model: as CPUID gives it, extended model added
 * @nopl: the processor executes 0f 1f (always so on x86-64)
 * @wide: the kernel runs in 64-bit mode
 */
struct x86_nop_cpu {
	enum x86_nop_vendor vendor;
	unsigned int family;
	unsigned int model;
	bool nopl;
	bool wide;
};

/**
 * struct x86_nop_choice - a family and why
 * @family: the NOPs in use at sites
 * @reason: one line for the log
 */
struct x86_nop_choice {
	const struct x86_nop_family *family;
	const char *reason;
};

/* All of them, NULL at the end; the first is what the build leaves at sites. */
extern const struct x86_nop_family *const x86_nop_families[];

/* The NOPs at sites. Written once, by arch_jump_label_init(). */
extern struct x86_nop_choice x86_site_nop;

struct x86_nop_choice x86_nop_choose(const struct x86_nop_cpu *cpu);
const struct x86_nop_family *x86_nop_by_name(const char *name,
					     const struct x86_nop_cpu *cpu);
bool x86_nop_runs_on(const struct x86_nop_family *family,
		     const struct x86_nop_cpu *cpu);

#endif /* _ASM_X86_JUMP_LABEL_NOPS_H */
