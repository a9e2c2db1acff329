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

/*
 * Text is written through a window: pages of an address space that nobody runs
 * in, the one that text_poke() uses. It shows as many pages of text as one page
 * table holds, and goes on showing them from step to step of a transaction, as
 * mapping a page costs more than writing a site.
 *
 * Loading that address space costs more, too, so sites of many pages are written
 * at a time. Interrupts are off only while it is loaded, and how long that is has
 * a bound: so much as WINDOW_WORK sites take, where another page counts like
 * PAGE_WORK sites. One page can hold more than that, and is written in several
 * goes then.
 */
#define WINDOW_WORK	512U
#define PAGE_WORK	8U

/**
 * struct text_window - what the window shows; all guarded by text_mutex
 * @first: the first site whose page it shows, or NULL
 * @stop: one past the last
 * @next: the site after the one that was filled last
 * @at: where in the window the page of @next is
 * @slots: pages mapped
 */
static struct text_window {
	const struct jump_patch *first;
	const struct jump_patch *stop;
	const struct jump_patch *next;
	unsigned long at;
	unsigned int slots;
} window;

/* The page table of poking_addr is there from boot on, and all of it is free. */
static unsigned long window_start(void)
{
	return poking_addr & PMD_MASK;
}

/* Does the site go on in the next page? */
static bool site_crosses(const struct jump_patch *patch)
{
	return offset_in_page(patch->code) + patch->len > PAGE_SIZE;
}

static void window_map(pte_t *pte, unsigned long code)
{
	/* Not global: loading another address space has to get rid of it. */
	pgprot_t prot = __pgprot(pgprot_val(PAGE_KERNEL) & ~_PAGE_GLOBAL);
	struct page *page = core_kernel_text(code) ?
		virt_to_page((void *)code) : vmalloc_to_page((void *)code);
	unsigned int slot = window.slots++;

	BUG_ON(!page);
	set_pte_at(poking_mm, window_start() + slot * PAGE_SIZE, pte + slot,
		   mk_pte(page, prot));
}

/* A page of the window for each page of text, two if a site goes on behind. */
static void window_map_all(pte_t *pte, const struct jump_patch *patch,
			   const struct jump_patch *end)
{
	window.first = patch;
	while (patch < end && window.slots + 2 <= PTRS_PER_PTE) {
		const struct jump_patch *last = patch + patch->run - 1;

		window_map(pte, patch->code);
		if (site_crosses(last))
			window_map(pte, last->code + last->len - 1);
		patch = last + 1;
	}
	window.stop = patch;
}

static void window_unmap_all(pte_t *pte)
{
	unsigned long start = window_start(), at = start;
	unsigned int slot;

	for (slot = 0; slot < window.slots; slot++, at += PAGE_SIZE)
		pte_clear(poking_mm, at, pte + slot);
	flush_tlb_mm_range(poking_mm, start, at, PAGE_SHIFT, false);
	memset(&window, 0, sizeof(window));
}

/* Let the window show no page, or those from @patch on. */
static int window_show(const struct jump_patch *patch, unsigned int nr)
{
	spinlock_t *ptl;
	pte_t *pte;

	pte = get_locked_pte(poking_mm, window_start(), &ptl);
	if (WARN_ON_ONCE(!pte))
		return -ENOMEM;
	/* For sparse, which does not see the lock taken. */
	__acquire(ptl);
	if (window.slots)
		window_unmap_all(pte);
	if (nr)
		window_map_all(pte, patch, patch + nr);
	pte_unmap_unlock(pte, ptl);
	return 0;
}

/* Go to the page of @patch, which may have to be mapped first. */
static int window_seek(const struct jump_patch *patch, unsigned int nr)
{
	int err;

	/* The rest of what is shown follows without a gap. */
	if (patch == window.next && patch < window.stop)
		return 0;
	if (patch != window.first) {
		err = window_show(patch, nr);
		if (err)
			return err;
	}
	window.next = patch;
	window.at = window_start();
	return 0;
}

/* How many sites from @window.next on are written at a time. */
static unsigned int window_share(void)
{
	const struct jump_patch *patch = window.next;
	unsigned int run, work = WINDOW_WORK;

	while (patch < window.stop && work > PAGE_WORK) {
		work -= PAGE_WORK;
		run = min(patch->run, work);
		work -= run;
		patch += run;
	}
	return patch - window.next;
}

struct window_job {
	unsigned int nr;
	jump_text_fill_t *fill;
};

/* The pages are in the order in which they were mapped. Interrupts are off. */
static void window_fill(void *data)
{
	const struct window_job *job = data;
	const struct jump_patch *patch = window.next, *end = patch + job->nr;
	unsigned int run;

	for (; patch < end; patch += run) {
		run = min_t(unsigned int, patch->run, end - patch);
		job->fill(patch, run, window.at - (patch->code & PAGE_MASK));
		if (run == patch->run)
			window.at += PAGE_SIZE << site_crosses(&patch[run - 1]);
	}
	window.next = end;
}

int jump_text_write(const struct jump_patch *patch, unsigned int nr,
		    jump_text_fill_t *fill)
{
	struct window_job job = { .fill = fill };
	int err;

	lockdep_assert_held(&text_mutex);
	if (jump_label_fails_write())
		return -EIO;
	err = window_seek(patch, nr);
	if (err)
		return err;
	job.nr = window_share();
	text_poke_inside(window_fill, &job);
	return job.nr;
}

void jump_text_lock(void)
{
	mutex_lock(&text_mutex);
}

void jump_text_unlock(void)
{
	if (window.slots)
		window_show(NULL, 0);
	mutex_unlock(&text_mutex);
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
