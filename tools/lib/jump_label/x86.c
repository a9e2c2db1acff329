// SPDX-License-Identifier: GPL-2.0
/*
 * What is x86 in a user process: traps, fresh sites, the probe, the NOPs
 */
#include <cpuid.h>
#include <stdlib.h>
#include <ucontext.h>
#include "host.h"
#include "../../../arch/x86/kernel/jump_label_text.h"
#include <asm/jump_label_nops.h>

#define X86_BREAKPOINT	0xcc
#define X86_JMP_NEAR	0xe9

#ifdef __x86_64__
#define REG_PC		REG_RIP
#else
#define REG_PC		REG_EIP
#endif

unsigned long jump_arch_cold(unsigned long code)
{
	const u8 *at = (const u8 *)code;
	s32 distance;

	if (*at != X86_JMP_NEAR)
		return 0;
	memcpy(&distance, at + 1, sizeof(distance));
	return code + 5 + distance;
}

JUMP_ARCH_PROBE("xorl %eax, %eax\n"
		"661:\t" JUMP_LABEL_ASM_NOP "\n\t"
		"ret\n"
		"662:\tincl %eax\n\t"
		"ret\n");

/*
 * A trap that comes late finds the site finished: then the instruction is run
 * again. Whether it is finished or somebody else's breakpoint can be told only
 * while nothing is written, which the generation says.
 */
bool jump_arch_trap(const siginfo_t *info, void *context)
{
	ucontext_t *interrupted = context;
	unsigned long code = interrupted->uc_mcontext.gregs[REG_PC] - 1;
	unsigned int before, after;
	unsigned long next;

	/* Sent by somebody, not raised by an instruction. */
	if (info->si_code <= 0)
		return false;
	do {
		before = __atomic_load_n(&jump_text_generation,
					 __ATOMIC_SEQ_CST);
		next = jump_label_trap(code);
		if (!next && *(volatile u8 *)code != X86_BREAKPOINT)
			next = code;
		if (next) {
			interrupted->uc_mcontext.gregs[REG_PC] = next;
			return true;
		}
		after = __atomic_load_n(&jump_text_generation,
					__ATOMIC_SEQ_CST);
	} while (before != after || (after & 1));
	return false;
}

void jump_arch_trap_again(const siginfo_t *info, void *context)
{
	ucontext_t *interrupted = context;
	unsigned long code = interrupted->uc_mcontext.gregs[REG_PC] - 1;

	/* Not for a single step, which has no instruction of its own. */
	if (info->si_code == SI_KERNEL && *(volatile u8 *)code == X86_BREAKPOINT)
		interrupted->uc_mcontext.gregs[REG_PC] = code;
}

/* For text that nobody runs yet; there is none here. */
void arch_jump_label_init_nops(const struct jump_entry *start,
			       const struct jump_entry *stop)
{
}

static void cpu_identify(struct x86_nop_cpu *cpu)
{
	unsigned int max, signature, b, c, d;
	char vendor[13] = "";

	cpu->wide = sizeof(long) == 8;
	if (!__get_cpuid(0, &max, &b, &c, &d))
		return;
	memcpy(vendor, &b, 4);
	memcpy(vendor + 4, &d, 4);
	memcpy(vendor + 8, &c, 4);
	if (!strcmp(vendor, "GenuineIntel"))
		cpu->vendor = X86_NOP_VENDOR_INTEL;
	else if (!strcmp(vendor, "AuthenticAMD"))
		cpu->vendor = X86_NOP_VENDOR_AMD;

	if (!__get_cpuid(1, &signature, &b, &c, &d))
		return;
	cpu->family = (signature >> 8) & 0xf;
	cpu->model = (signature >> 4) & 0xf;
	if (cpu->family == 0xf)
		cpu->family += (signature >> 20) & 0xff;
	if (cpu->family >= 6)
		cpu->model += (signature >> 12) & 0xf0;
	cpu->hypervisor = c >> 31;
	/* What would have to be tried is left alone. */
	cpu->nopl = x86_nop_trust(cpu) == X86_NOPL_YES;
}

void arch_jump_label_init(void)
{
	const char *name = getenv("JUMP_LABEL_NOP");
	const struct x86_nop_family *family;
	struct x86_nop_cpu cpu = { .vendor = X86_NOP_VENDOR_OTHER };

	cpu_identify(&cpu);
	x86_site_nop = x86_nop_choose(&cpu);
	family = name ? x86_nop_by_name(name, &cpu) : NULL;
	if (family)
		x86_site_nop = (struct x86_nop_choice){
			family, "environment",
		};
	else if (name)
		jump_host_print("jump_label: JUMP_LABEL_NOP=%s refused: no such NOPs here\n",
				name);
}
