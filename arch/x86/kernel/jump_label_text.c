// SPDX-License-Identifier: GPL-2.0
/*
 * Static keys on x86: the kernel as the host that owns the text
 *
 * The seam is described in jump_label_text.h and kernel/jump_label.h.
 */
#include "../../../kernel/jump_label_internal.h"
#include "../../../kernel/jump_label.h"
#include "jump_label_text.h"
#include <linux/ptrace.h>
#include <asm/jump_label_nops.h>
#include <asm/processor.h>
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
