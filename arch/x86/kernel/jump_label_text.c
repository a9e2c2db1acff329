// SPDX-License-Identifier: GPL-2.0
/*
 * Static keys on x86: the kernel as the host that owns the text
 *
 * The seam is described in jump_label_text.h and kernel/jump_label.h.
 */
#include "../../../kernel/jump_label_internal.h"
#include "../../../kernel/jump_label.h"
#include "jump_label_text.h"
#include <linux/mm.h>
#include <linux/ptrace.h>
#include <linux/vmalloc.h>
#include <asm/jump_label_nops.h>
#include <asm/processor.h>
#include <asm/sync_core.h>
#include <asm/text-patching.h>
#include <asm/tlbflush.h>

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

/*
 * Text is written through a window: some pages of an address space that nobody
 * runs in, the one that text_poke() uses. Loading it costs more than writing a
 * site, so sites of many pages are written at a time. Interrupts are off only
 * while it is loaded, and how long that is has a bound: so much as WINDOW_WORK
 * sites take, where another page counts like PAGE_WORK sites. One page can hold
 * more than that, and is written in several goes then.
 */
#define WINDOW_WORK	512U
#define PAGE_WORK	8U
/* Each page may need two, and none is opened with less than a site to write. */
#define WINDOW_PAGES	(2 * WINDOW_WORK / (PAGE_WORK + 1))

/* The page table of poking_addr is there from boot on, and all of it is free. */
static unsigned long window_start(void)
{
	return poking_addr & PMD_MASK;
}

static void window_map(pte_t *pte, unsigned int slot, unsigned long code)
{
	/* Not global: loading another address space has to get rid of it. */
	pgprot_t prot = __pgprot(pgprot_val(PAGE_KERNEL) & ~_PAGE_GLOBAL);
	struct page *page = core_kernel_text(code) ?
		virt_to_page((void *)code) : vmalloc_to_page((void *)code);

	BUG_ON(!page);
	set_pte_at(poking_mm, window_start() + slot * PAGE_SIZE, pte + slot,
		   mk_pte(page, prot));
}

/* Does the site go on in the next page? */
static bool site_crosses(const struct jump_patch *patch)
{
	return offset_in_page(patch->code) + patch->len > PAGE_SIZE;
}

/*
 * A page of the window for each page of text, two if a site goes on behind.
 * Return: how many sites can be written now.
 */
static unsigned int window_open(pte_t *pte, const struct jump_patch *patch,
				unsigned int nr, unsigned int *slots)
{
	unsigned int done = 0, slot = 0, work = WINDOW_WORK;

	while (done < nr && work > PAGE_WORK) {
		const struct jump_patch *last;
		unsigned int run;

		work -= PAGE_WORK;
		run = min3(patch[done].run, nr - done, work);
		work -= run;
		window_map(pte, slot++, patch[done].code);
		done += run;
		last = &patch[done - 1];
		if (site_crosses(last))
			window_map(pte, slot++, last->code + last->len - 1);
	}
	*slots = slot;
	return done;
}

struct window_job {
	const struct jump_patch *patch;
	unsigned int nr;
	jump_text_fill_t *fill;
};

/* The slots as window_open() used them. Interrupts are off. */
static void window_fill(void *data)
{
	const struct window_job *job = data;
	const struct jump_patch *patch = job->patch, *end = patch + job->nr;
	unsigned long window = window_start();
	unsigned int run;

	for (; patch < end; patch += run) {
		run = min_t(unsigned int, patch->run, end - patch);
		job->fill(patch, run, window - (patch->code & PAGE_MASK));
		window += PAGE_SIZE << site_crosses(&patch[run - 1]);
	}
}

static void window_close(pte_t *pte, unsigned int slots)
{
	unsigned long start = window_start(), at = start;
	unsigned int slot;

	for (slot = 0; slot < slots; slot++, at += PAGE_SIZE)
		pte_clear(poking_mm, at, pte + slot);
	flush_tlb_mm_range(poking_mm, start, at, PAGE_SHIFT, false);
}

int jump_text_write(const struct jump_patch *patch, unsigned int nr,
		    jump_text_fill_t *fill)
{
	struct window_job job = { .patch = patch, .fill = fill };
	unsigned int slots;
	spinlock_t *ptl;
	pte_t *pte;

	BUILD_BUG_ON(WINDOW_PAGES > PTRS_PER_PTE);
	lockdep_assert_held(&text_mutex);
	if (jump_label_fails_write())
		return -EIO;

	pte = get_locked_pte(poking_mm, window_start(), &ptl);
	if (WARN_ON_ONCE(!pte))
		return -ENOMEM;
	/* For sparse, which does not see the lock taken. */
	__acquire(ptl);
	job.nr = window_open(pte, patch, nr, &slots);
	text_poke_inside(window_fill, &job);
	window_close(pte, slots);
	pte_unmap_unlock(pte, ptl);
	return job.nr;
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

void jump_text_event(const struct jump_patch *patch, unsigned int nr)
{
	for (; nr; patch++, nr--)
		perf_event_text_poke((void *)patch->code, patch->old,
				     patch->len, patch->new, patch->len);
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
