// SPDX-License-Identifier: GPL-2.0
/*
 * Static keys on x86: the kernel as the host that owns the text
 *
 * The seam is described in jump_label_text.h and kernel/jump_label.h.
 */
#include "../../../kernel/jump_label_internal.h"
#include "../../../kernel/jump_label.h"
#include "jump_label_text.h"
#include <linux/debugfs.h>
#include <linux/ptrace.h>
#include <linux/seq_file.h>
#include <asm/cmdline.h>
#include <asm/cpufeature.h>
#include <asm/jump_label_nops.h>
#include <asm/processor.h>
#include <asm/setup.h>
#include <asm/sync_core.h>
#include <asm/text-patching.h>

#if IS_ENABLED(CONFIG_JUMP_LABEL_KUNIT_TEST)
atomic_t jump_label_fail_alloc;
EXPORT_SYMBOL_IF_KUNIT(jump_label_fail_alloc);
atomic_t jump_label_fail_write;
EXPORT_SYMBOL_IF_KUNIT(jump_label_fail_write);
#endif

void jump_text_lock(void)
{
	mutex_lock(&text_mutex);
}

void jump_text_unlock(void)
{
	mutex_unlock(&text_mutex);
}

int jump_text_write(unsigned long start, size_t len,
		    void (*fill)(void *text, const void *context, size_t len),
		    const void *context)
{
	lockdep_assert_held(&text_mutex);
	if (jump_label_fails_write())
		return -EIO;
	__text_poke(fill, (void *)start, context, len);
	return 0;
}

/* text_poke_early() goes after boot; this is called only before that. */
void __ref jump_text_write_early(unsigned long code, const u8 *bytes,
				 size_t len)
{
	text_poke_early((void *)code, bytes, len);
}

void jump_text_sync(void)
{
	text_poke_sync();
}

void jump_text_event(unsigned long code, const u8 *old, const u8 *new,
		     size_t len)
{
	perf_event_text_poke((void *)code, old, len, new, len);
}

void jump_text_relax(void)
{
	cond_resched();
}

void __noreturn jump_text_lost(void)
{
	panic("jump_label: kernel text is half written and cannot be mended\n");
}

enum jump_text jump_host_text(const struct jump_table *table,
			      unsigned long code)
{
	struct module *mod = table->owner;

	if (!mod) {
		/* Init text until it is freed; exit text never. */
		if (core_kernel_text(code))
			return JUMP_TEXT_GOOD;
		return init_section_contains((void *)code, 1) ?
			JUMP_TEXT_GONE : JUMP_TEXT_FOREIGN;
	}
	if (within_module_core(code, mod))
		return JUMP_TEXT_GOOD;
	/*
	 * The memory may be gone and somebody else's by now, so only the state
	 * of the table counts, which the module notifier keeps.
	 */
	if (table->state != JUMP_TABLE_COMING)
		return JUMP_TEXT_GONE;
	return within_module_init(code, mod) ? JUMP_TEXT_GOOD :
					       JUMP_TEXT_FOREIGN;
}
EXPORT_SYMBOL_IF_KUNIT(jump_host_text);

bool jump_host_text_of(const struct jump_table *table, unsigned long addr)
{
	struct module *mod = table->owner;

	return mod ? within_module(addr, mod) : core_kernel_text(addr);
}

/**
 * jump_label_int3() - a breakpoint in the kernel, first of all handlers
 * @regs: state at the trap
 *
 * Return: 1 when it was ours and @regs goes on, else 0.
 */
noinstr int jump_label_int3(struct pt_regs *regs)
{
	unsigned long next;

	if (user_mode(regs))
		return 0;
	next = jump_label_trap(regs->ip - INT3_INSN_SIZE);
	if (!next)
		return 0;
	regs->ip = next;
	return 1;
}

static const char nop_parameter[] __initconst = "jump_label_nop";

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
		.nopl = boot_cpu_has(X86_FEATURE_NOPL),
		.wide = IS_ENABLED(CONFIG_X86_64),
	};
	char name[16];

	if (boot_cpu_data.x86_vendor == X86_VENDOR_INTEL)
		cpu.vendor = X86_NOP_VENDOR_INTEL;
	else if (boot_cpu_data.x86_vendor == X86_VENDOR_AMD)
		cpu.vendor = X86_NOP_VENDOR_AMD;

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

void __init arch_jump_label_init_nops(const struct jump_entry *start,
				      const struct jump_entry *stop)
{
	const u8 *const *old = x86_nop_built->insn;
	const u8 *const *new = x86_site_nop.family->insn;
	const struct jump_entry *site;

	if (old == new)
		return;
	/* One CPU, interrupts off; two constant lengths are copied in line. */
	for (site = start; site < stop; site++) {
		u8 *code = (u8 *)jump_entry_code(site);

		if (!memcmp(code, old[2], 2))
			memcpy(code, new[2], 2);
		else if (!memcmp(code, old[5], 5))
			memcpy(code, new[5], 5);
	}
	sync_core();
}

/* Seen above already; claim it so that it is not passed on to init. */
static int __init nop_parameter_claim(char *value)
{
	return 1;
}
__setup("jump_label_nop=", nop_parameter_claim);

static int nops_show(struct seq_file *m, void *unused)
{
	const struct x86_nop_family *family = x86_site_nop.family;
	int len;

	seq_printf(m, "family: %s\nreason: %s\nsource: %s\n", family->name,
		   x86_site_nop.reason, family->source);
	for (len = 1; len <= X86_NOP_LEN_MAX; len++)
		seq_printf(m, "nop%d: %*ph\n", len, len, family->insn[len]);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(nops);

void arch_jump_label_debugfs(struct dentry *dir)
{
	debugfs_create_file("nops", 0400, dir, NULL, &nops_fops);
}
