// SPDX-License-Identifier: GPL-2.0
/*
 * NOPs for the sites of static keys: tables and the choice
 *
 * The build leaves one family at all sites: the conservative one in a 32-bit
 * kernel, the long NOP in a 64-bit kernel. At boot a family is chosen for the
 * running processor and written to the sites that are off; from then on every
 * site that is off holds the chosen form.
 *
 * Each row is ONE instruction. Where a manual recommends two for a length, the
 * row is the manual's instruction for a shorter length with a prefix that
 * changes nothing, and its comment says so.
 */
#include "../../../kernel/jump_label_internal.h"
#include <asm/jump_label_nops.h>

/* Intel SDM vol. 2B, NOP: 90 is the one form that every processor has. */
static const u8 nop_1[] = { 0x90 };

/*
 * Intel 248966, "Using NOPs", lists mov and lea of a register to itself for 2,
 * 3 and 6 bytes. SDM vol. 2A, table 2-3: a SIB byte without index adds one
 * byte. SDM vol. 2A, 2.1.1: 3e names DS, which lea does not use.
 */
static const u8 generic_2[] = { 0x89, 0xf6 };			/* 248966 */
static const u8 generic_3[] = { 0x8d, 0x76, 0x00 };		/* 248966 */
static const u8 generic_4[] = { 0x8d, 0x74, 0x26, 0x00 };	/* 3, SIB */
static const u8 generic_5[] = { 0x3e, 0x8d, 0x74, 0x26, 0x00 };	/* 4, DS */
static const u8 generic_6[] = { 0x8d, 0xb6, 0x00, 0x00, 0x00, 0x00 }; /* 248966 */
static const u8 generic_7[] = {					/* 6, SIB */
	0x8d, 0xb4, 0x26, 0x00, 0x00, 0x00, 0x00
};
static const u8 generic_8[] = {					/* 7, DS */
	0x3e, 0x8d, 0xb4, 0x26, 0x00, 0x00, 0x00, 0x00
};

static const struct x86_nop_family generic_nops = {
	.name	= "generic",
	.source	= "Intel 248966, Using NOPs",
	.narrow	= true,
	.insn	= { NULL, nop_1, generic_2, generic_3, generic_4, generic_5,
		    generic_6, generic_7, generic_8 },
};

/*
 * AMD 22007, "Code Padding Using Neutral Code Fillers", the macros NOPn_EAX.
 * For 5 and 8 bytes that has two instructions, the second of them 90.
 */
static const u8 k7_2[] = { 0x8b, 0xc0 };			/* NOP2_EAX */
static const u8 k7_3[] = { 0x8d, 0x04, 0x20 };			/* NOP3_EAX */
static const u8 k7_4[] = { 0x8d, 0x44, 0x20, 0x00 };		/* NOP4_EAX */
static const u8 k7_5[] = { 0x3e, 0x8d, 0x44, 0x20, 0x00 };	/* 4, DS */
static const u8 k7_6[] = { 0x8d, 0x80, 0x00, 0x00, 0x00, 0x00 }; /* NOP6_EAX */
static const u8 k7_7[] = {					/* NOP7_EAX */
	0x8d, 0x04, 0x05, 0x00, 0x00, 0x00, 0x00
};
static const u8 k7_8[] = {					/* 7, DS */
	0x3e, 0x8d, 0x04, 0x05, 0x00, 0x00, 0x00, 0x00
};

static const struct x86_nop_family k7_nops = {
	.name	= "k7",
	.source	= "AMD 22007, Code Padding Using Neutral Code Fillers",
	.narrow	= true,
	.insn	= { NULL, nop_1, k7_2, k7_3, k7_4, k7_5, k7_6, k7_7, k7_8 },
};

/*
 * AMD 25112, 4.12, the macros NOPn_OVERRIDE_NOP for 2 to 4 bytes; from 5 on
 * that has two instructions, and here are as many more prefixes. Each row is
 * the tail of the longest.
 */
static const u8 k8_8[] = { 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x90 };

static const struct x86_nop_family k8_nops = {
	.name	= "k8",
	.source	= "AMD 25112, 4.12 Code Padding with Operand-Size Override",
	.insn	= { NULL, nop_1, k8_8 + 6, k8_8 + 5, k8_8 + 4, k8_8 + 3,
		    k8_8 + 2, k8_8 + 1, k8_8 },
};

/* Intel SDM vol. 2B, NOP, "Recommended Multi-Byte Sequence": every row. */
static const u8 p6_2[] = { 0x66, 0x90 };
static const u8 p6_3[] = { 0x0f, 0x1f, 0x00 };
static const u8 p6_4[] = { 0x0f, 0x1f, 0x40, 0x00 };
static const u8 p6_5[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
static const u8 p6_6[] = { 0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00 };
static const u8 p6_7[] = { 0x0f, 0x1f, 0x80, 0x00, 0x00, 0x00, 0x00 };
static const u8 p6_8[] = { 0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00 };

static const struct x86_nop_family p6_nops = {
	.name	= "p6",
	.source	= "Intel SDM vol. 2B, NOP, recommended multi-byte sequences",
	.nopl	= true,
	.insn	= { NULL, nop_1, p6_2, p6_3, p6_4, p6_5, p6_6, p6_7, p6_8 },
};

/* In the order in which the boot parameter lists them. */
const struct x86_nop_family *const x86_nop_families[] = {
	&generic_nops,
	&k7_nops,
	&k8_nops,
	&p6_nops,
	NULL,
};
EXPORT_SYMBOL_IF_KUNIT(x86_nop_families);

/* As JUMP_LABEL_ASM_NOP, and what objtool writes. */
#define BUILT_NOPS	(X86_NOP_WIDE ? &p6_nops : &generic_nops)

const struct x86_nop_family *const x86_nop_built = BUILT_NOPS;
EXPORT_SYMBOL_IF_KUNIT(x86_nop_built);

struct x86_nop_choice x86_site_nop __ro_after_init = {
	.family = BUILT_NOPS,
	.reason = "built in",
};
EXPORT_SYMBOL_IF_KUNIT(x86_site_nop);

/**
 * x86_nop_trust() - what can be said of the long NOP without trying it
 * @cpu: what CPUID says of the processor; @cpu->nopl is not looked at
 *
 * 64-bit mode implies it. Intel documents it for all processors from family 6
 * on. Others claim family 6 and lack it (the early ones of VIA), and an
 * emulator may do anything, so there it has to be tried. Below family 6 nobody
 * has it; an emulator that executes it all the same is not to be relied on.
 */
enum x86_nop_trust x86_nop_trust(const struct x86_nop_cpu *cpu)
{
	if (cpu->wide)
		return X86_NOPL_YES;
	if (cpu->family < 6)
		return X86_NOPL_NO;
	if (cpu->vendor == X86_NOP_VENDOR_INTEL && !cpu->hypervisor)
		return X86_NOPL_YES;
	return X86_NOPL_PROBE;
}
EXPORT_SYMBOL_IF_KUNIT(x86_nop_trust);

/**
 * x86_nop_runs_on() - does a processor execute a family of NOPs
 * @family: the family
 * @cpu: the processor
 */
bool x86_nop_runs_on(const struct x86_nop_family *family,
		     const struct x86_nop_cpu *cpu)
{
	if (cpu->wide)
		return !family->narrow;
	return !family->nopl || cpu->nopl;
}
EXPORT_SYMBOL_IF_KUNIT(x86_nop_runs_on);

/**
 * x86_nop_by_name() - the family a boot parameter names
 * @name: one of the names above
 * @cpu: the processor that has to run it
 *
 * Return: NULL when there is no such family or @cpu does not execute it.
 */
const struct x86_nop_family *x86_nop_by_name(const char *name,
					     const struct x86_nop_cpu *cpu)
{
	const struct x86_nop_family *const *family;

	for (family = x86_nop_families; *family; family++)
		if (!strcmp((*family)->name, name) &&
		    x86_nop_runs_on(*family, cpu))
			return *family;
	return NULL;
}
EXPORT_SYMBOL_IF_KUNIT(x86_nop_by_name);

static bool intel_core2_to_westmere(const struct x86_nop_cpu *cpu)
{
	bool atom = cpu->model == 0x1c || cpu->model == 0x26 ||
		    cpu->model == 0x27;

	return cpu->vendor == X86_NOP_VENDOR_INTEL && cpu->family == 6 &&
	       cpu->model >= 0xf && cpu->model < 0x30 && !atom;
}

/**
 * x86_nop_choose() - the NOPs that suit a processor
 * @cpu: what CPUID says of it, and whether it has the long NOP
 *
 * The rule Linux used from 2007 to 2021, when it chose at run time: AMD before
 * family 10h decodes prefixes faster than 0f 1f, and so do Intel's cores from
 * Core 2 to Westmere (family 6, models 0fh to 2fh, without the Atoms 1ch, 26h
 * and 27h); a 32-bit kernel on an Athlon takes what AMD recommends for it; all
 * others take the long NOP if they have it.
 */
struct x86_nop_choice x86_nop_choose(const struct x86_nop_cpu *cpu)
{
	bool amd = cpu->vendor == X86_NOP_VENDOR_AMD;

	if (amd && !cpu->wide && cpu->family == 6)
		return (struct x86_nop_choice){
			&k7_nops, "recommended for the AMD Athlon",
		};
	if (amd && (cpu->wide ? cpu->family <= 0xf : cpu->family == 0xf))
		return (struct x86_nop_choice){
			&k8_nops, "AMD before family 10h decodes prefixes fastest",
		};
	if (intel_core2_to_westmere(cpu))
		return (struct x86_nop_choice){
			&k8_nops, "Intel Core 2 to Westmere decode prefixes fastest",
		};
	if (!x86_nop_runs_on(&p6_nops, cpu))
		return (struct x86_nop_choice){
			&generic_nops, "processor lacks the long NOP",
		};
	return (struct x86_nop_choice){
		&p6_nops, "recommended multi-byte form",
	};
}
EXPORT_SYMBOL_IF_KUNIT(x86_nop_choose);
