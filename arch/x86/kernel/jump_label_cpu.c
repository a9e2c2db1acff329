// SPDX-License-Identifier: GPL-2.0
/*
 * Static keys on x86: the NOPs of this machine
 *
 * The rules are in nops.c; here is what they ask about the processor, the boot
 * parameter that overrides them, and what becomes of a CPU that is brought on
 * line later and does not execute what was chosen.
 *
 *	jump_label_nop=auto|FAMILY	boot parameter
 *	jump_label/nops			debugfs: the choice, why, its bytes
 *	jump_label/fail_cpu		debugfs: number of a CPU that is to look
 *					incapable; with the KUnit tests only
 */
#include "../../../kernel/jump_label_internal.h"
#include "../../../kernel/jump_label.h"
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/debugfs.h>
#include <linux/seq_file.h>
#include <asm/cmdline.h>
#include <asm/cpufeature.h>
#include <asm/cpu.h>
#include <asm/cpuid.h>
#include <asm/jump_label_nops.h>
#include <asm/processor.h>
#include <asm/setup.h>

static const char nop_parameter[] = "jump_label_nop";

/* Whether there is a long NOP, and how that is known. */
static const char *nopl_evidence __ro_after_init;

#ifdef CONFIG_X86_32
/* An invalid opcode that goes unnoticed makes the answer worthless. */
static bool nopl_probe(void)
{
	return !x86_executes(x86_try_ud2) && x86_executes(x86_try_nopl);
}
#else
static bool nopl_probe(void)
{
	return true;
}
#endif

static bool nopl_find(const struct x86_nop_cpu *cpu, const char **evidence)
{
	bool nopl;

	switch (x86_nop_trust(cpu)) {
	case X86_NOPL_YES:
		*evidence = cpu->wide ? "yes, 64-bit mode implies it" :
					"yes, its maker documents it";
		return true;
	case X86_NOPL_NO:
		*evidence = "no, below family 6";
		return false;
	default:
		nopl = nopl_probe();
		*evidence = nopl ? "yes, it was tried" : "no, it was tried";
		return nopl;
	}
}

static void __init nop_refuse(const char *name, const struct x86_nop_cpu *cpu)
{
	const struct x86_nop_family *const *family;
	char legal[64] = "auto";

	for (family = x86_nop_families; *family; family++) {
		if (!x86_nop_runs_on(*family, cpu))
			continue;
		strlcat(legal, " ", sizeof(legal));
		strlcat(legal, (*family)->name, sizeof(legal));
	}
	pr_warn("jump_label: %s=%s refused: no such NOPs, or this processor does not execute them. Legal here: %s\n",
		nop_parameter, name, legal);
}

/* Called before parameters are parsed, so it looks for its own. */
void __init arch_jump_label_init(void)
{
	const struct x86_nop_family *family;
	struct x86_nop_cpu cpu = {
		.family = boot_cpu_data.x86,
		.model = boot_cpu_data.x86_model,
		.wide = X86_NOP_WIDE,
		.hypervisor = boot_cpu_has(X86_FEATURE_HYPERVISOR),
	};
	char name[16];

	if (boot_cpu_data.x86_vendor == X86_VENDOR_INTEL)
		cpu.vendor = X86_NOP_VENDOR_INTEL;
	else if (boot_cpu_data.x86_vendor == X86_VENDOR_AMD)
		cpu.vendor = X86_NOP_VENDOR_AMD;
	cpu.nopl = nopl_find(&cpu, &nopl_evidence);

	x86_site_nop = x86_nop_choose(&cpu);
	if (cmdline_find_option(boot_command_line, nop_parameter, name,
				sizeof(name)) > 0 && strcmp(name, "auto")) {
		family = x86_nop_by_name(name, &cpu);
		if (family)
			x86_site_nop = (struct x86_nop_choice){
				family, "boot parameter",
			};
		else
			nop_refuse(name, &cpu);
	}
	pr_info("jump_label: NOPs of family %s (%s)\n",
		x86_site_nop.family->name, x86_site_nop.reason);
}

/* Seen above already; claim it so that it is not passed on to init. */
static int __init nop_parameter_claim(char *value)
{
	return 1;
}
__setup("jump_label_nop=", nop_parameter_claim);

/* CPUs that stopped in jump_label_cpu_check() and were not yet missed. */
static struct cpumask nop_refused;

/* The number of a CPU that looks incapable, or -1. */
static atomic_t nop_fail_cpu = ATOMIC_INIT(-1);

static bool cpu_executes_sites(unsigned int cpu)
{
	struct x86_nop_cpu self = { .wide = X86_NOP_WIDE };
	const char *evidence;
	u32 eax, ebx, ecx, edx;

	if (IS_ENABLED(CONFIG_JUMP_LABEL_KUNIT_TEST) &&
	    raw_atomic_read(&nop_fail_cpu) == cpu)
		return false;
	if (X86_NOP_WIDE || !x86_site_nop.family->nopl)
		return true;

	self.family = 4;
	if (have_cpuid_p()) {
		cpuid(1, &eax, &ebx, &ecx, &edx);
		self.family = x86_family(eax);
	}
	self.nopl = nopl_find(&self, &evidence);
	return x86_nop_runs_on(x86_site_nop.family, &self);
}

/**
 * jump_label_cpu_check() - can this CPU run the kernel as it is now
 * @cpu: its number
 *
 * The first thing that a CPU does which is brought on line. Code that every CPU
 * runs holds the chosen NOP by now, the handler of invalid opcodes as well. A
 * CPU that does not execute it stops here, before it has reached a site; the one
 * that started it will miss it, give up and tell, see nop_cpu_gave_up().
 */
void jump_label_cpu_check(unsigned int cpu)
{
	if (likely(cpu_executes_sites(cpu)))
		return;
	cpumask_set_cpu(cpu, &nop_refused);
	for (;;)
		native_halt();
}

static int nop_cpu_prepare(unsigned int cpu)
{
	cpumask_clear_cpu(cpu, &nop_refused);
	return 0;
}

/* Runs on another CPU, when @cpu has not come up or has gone. */
static int nop_cpu_gave_up(unsigned int cpu)
{
	if (cpumask_test_and_clear_cpu(cpu, &nop_refused))
		pr_err("jump_label: CPU %u refused: it does not execute the NOPs of family %s, which stand at sites. Boot with %s=%s to use it\n",
		       cpu, x86_site_nop.family->name, nop_parameter,
		       X86_NOP_WIDE ? "k8" : "generic");
	return 0;
}

static int __init nop_cpu_init(void)
{
	int err = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN,
					    "x86/jump_label:prepare",
					    nop_cpu_prepare, nop_cpu_gave_up);

	return err < 0 ? err : 0;
}
early_initcall(nop_cpu_init);

static int nops_show(struct seq_file *m, void *unused)
{
	const struct x86_nop_family *family = x86_site_nop.family;
	int len;

	seq_printf(m, "family: %s\nreason: %s\nsource: %s\nlong_nop: %s\n",
		   family->name, x86_site_nop.reason, family->source,
		   nopl_evidence);
	for (len = 1; len <= X86_NOP_LEN_MAX; len++)
		seq_printf(m, "nop%d: %*ph\n", len, len, family->insn[len]);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(nops);

void arch_jump_label_debugfs(struct dentry *dir)
{
	debugfs_create_file("nops", 0400, dir, NULL, &nops_fops);
	if (IS_ENABLED(CONFIG_JUMP_LABEL_KUNIT_TEST))
		debugfs_create_atomic_t("fail_cpu", 0600, dir, &nop_fail_cpu);
}
