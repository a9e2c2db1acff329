/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _ASM_X86_JUMP_LABEL_NOPS_H
#define _ASM_X86_JUMP_LABEL_NOPS_H

#include <linux/types.h>
#include <linux/jump_label.h>

/* Longest NOP in the tables, in bytes. */
#define X86_NOP_LEN_MAX		8

/* Is this code compiled for 64-bit mode? */
#define X86_NOP_WIDE		(sizeof(long) == 8)

/**
 * struct x86_nop_family - one NOP of each length, for a kind of processor
 * @name: what the boot parameter jump_label_nop= calls it
 * @source: where the encodings come from
 * @narrow: writes a 32-bit register with its own value, which in 64-bit mode
 *	clears the other half: nothing but a 32-bit kernel may use it
 * @nopl: has the long NOP, 0f 1f, which not every 32-bit processor executes
 * @insn: @insn[len] is one instruction of len bytes; @insn[0] is unused
 *
 * One instruction each: a thread that stops between two instructions must not
 * find itself in the middle of a site.
 */
struct x86_nop_family {
	const char *name;
	const char *source;
	bool narrow;
	bool nopl;
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
 * @family: as CPUID gives it, extended family added; 4 without CPUID
 * @model: as CPUID gives it, extended model added
 * @nopl: the processor executes 0f 1f, see x86_nop_trust()
 * @wide: the kernel runs in 64-bit mode
 * @hypervisor: CPUID tells of one, so the rest may not be that of the hardware
 */
struct x86_nop_cpu {
	enum x86_nop_vendor vendor;
	unsigned int family;
	unsigned int model;
	bool nopl;
	bool wide;
	bool hypervisor;
};

/* Does a processor execute the long NOP? See x86_nop_trust(). */
enum x86_nop_trust {
	X86_NOPL_NO,
	X86_NOPL_YES,
	X86_NOPL_PROBE,		/* try it */
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

/* All of them, NULL at the end. */
extern const struct x86_nop_family *const x86_nop_families[];

/* What the build leaves at sites. */
extern const struct x86_nop_family *const x86_nop_built;

/* The NOPs at sites. Written once, by arch_jump_label_init(). */
extern struct x86_nop_choice x86_site_nop;

/* Can it stand at a site of this kernel, on whatever processor? */
static inline bool x86_nop_fits(const struct x86_nop_family *family)
{
	return !(X86_NOP_WIDE && family->narrow);
}

enum x86_nop_trust x86_nop_trust(const struct x86_nop_cpu *cpu);
struct x86_nop_choice x86_nop_choose(const struct x86_nop_cpu *cpu);
const struct x86_nop_family *x86_nop_by_name(const char *name,
					     const struct x86_nop_cpu *cpu);
bool x86_nop_runs_on(const struct x86_nop_family *family,
		     const struct x86_nop_cpu *cpu);

/* In jump_label.c: arch_jump_label_encode() with NOPs of any family. */
int x86_jump_label_encode(u8 *buf, unsigned long code, unsigned long target,
			  enum jump_label_type type, unsigned int len,
			  const struct x86_nop_family *family);

/* In jump_label_cpu.c; called in arch/x86/kernel/smpboot.c. */
void jump_label_cpu_check(unsigned int cpu);

/* In jump_label_probe.c, for 32-bit kernels. */
bool x86_executes(void (*insn)(void));
void x86_try_nopl(void);
void x86_try_ud2(void);
int x86_try(void (*insn)(void));
void x86_try_trap(void);

#endif /* _ASM_X86_JUMP_LABEL_NOPS_H */
