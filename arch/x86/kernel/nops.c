// SPDX-License-Identifier: GPL-2.0
/*
 * NOPs for the sites of static keys: tables and the choice
 *
 * The build leaves the p6 form at every site. At boot one family is chosen for
 * the running processor and written to the sites that are off; from then on
 * every site that is off holds the chosen form.
 */
#include "../../../kernel/jump_label_internal.h"
#include <asm/jump_label_nops.h>

static const u8 p6_1[] = { 0x90 };
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
	.insn	= { NULL, p6_1, p6_2, p6_3, p6_4, p6_5, p6_6, p6_7, p6_8 },
};

/* Each is the tail of the longest: prefixes, then 90. */
static const u8 k8_8[] = { 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x90 };

static const struct x86_nop_family k8_nops = {
	.name	= "k8",
	.source	= "AMD 25112, code padding with operand-size override",
	.insn	= { NULL, k8_8 + 7, k8_8 + 6, k8_8 + 5, k8_8 + 4, k8_8 + 3,
		    k8_8 + 2, k8_8 + 1, k8_8 },
};

/* In the order in which the boot parameter lists them; first what is built. */
const struct x86_nop_family *const x86_nop_families[] = {
	&p6_nops,
	&k8_nops,
	NULL,
};
EXPORT_SYMBOL_IF_KUNIT(x86_nop_families);

struct x86_nop_choice x86_site_nop __ro_after_init = {
	.family = &p6_nops,
	.reason = "built in",
};
EXPORT_SYMBOL_IF_KUNIT(x86_site_nop);

/**
 * x86_nop_runs_on() - does a processor execute a family of NOPs
 * @family: the family
 * @cpu: the processor
 */
bool x86_nop_runs_on(const struct x86_nop_family *family,
		     const struct x86_nop_cpu *cpu)
{
	return family != &p6_nops || cpu->nopl || cpu->wide;
}
EXPORT_SYMBOL_IF_KUNIT(x86_nop_runs_on);

/**
 * x86_nop_by_name() - the family a boot parameter names
 * @name: "p6" or "k8"
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

/**
 * x86_nop_choose() - the NOPs that suit a processor
 * @cpu: what CPUID says of it
 *
 * The rule Linux used from 2007 to 2021, when it chose at run time: AMD before
 * family 10h decodes prefixes faster than 0f 1f, and so do Intel's cores from
 * Core 2 to Westmere (family 6, models 0fh to 2fh, without the Atoms 1ch, 26h
 * and 27h); all others take the form their maker recommends.
 */
struct x86_nop_choice x86_nop_choose(const struct x86_nop_cpu *cpu)
{
	bool atom = cpu->model == 0x1c || cpu->model == 0x26 ||
		    cpu->model == 0x27;

	if (!x86_nop_runs_on(&p6_nops, cpu))
		return (struct x86_nop_choice){
			&k8_nops, "processor lacks the long NOP",
		};
	if (cpu->vendor == X86_NOP_VENDOR_AMD && cpu->family <= 0xf)
		return (struct x86_nop_choice){
			&k8_nops, "AMD before family 10h decodes prefixes fastest",
		};
	if (cpu->vendor == X86_NOP_VENDOR_INTEL && cpu->family == 6 &&
	    cpu->model >= 0xf && cpu->model < 0x30 && !atom)
		return (struct x86_nop_choice){
			&k8_nops, "Intel Core 2 to Westmere decode prefixes fastest",
		};
	return (struct x86_nop_choice){
		&p6_nops, "recommended multi-byte form",
	};
}
EXPORT_SYMBOL_IF_KUNIT(x86_nop_choose);
