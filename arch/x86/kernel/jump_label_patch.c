// SPDX-License-Identifier: GPL-2.0
/*
 * Static keys on x86: the order in which bytes are written
 *
 * Other CPUs run a site while it changes, and an instruction of several bytes
 * cannot be replaced in one store that all of them see at once. So:
 *
 *	1. a breakpoint over the first byte of every site, then every CPU
 *	   serialises;
 *	2. the other bytes, then every CPU serialises;
 *	3. the first byte, then every CPU serialises.
 *
 * A CPU that hits a breakpoint goes on as if the new instruction stood there.
 * Nothing in this needs more rounds for more sites: each step walks all sites,
 * some pages at a time, and ends in one round.
 *
 * What a trap reads is published by the reference count below, before the first
 * breakpoint is written:
 *
 *	writer				trap
 *	  fill in live.patch, live.nr
 *	  live.refs = 1 (release)
 *	  write breakpoint		hit breakpoint
 *					  refs not zero: take one (acquire)
 *					  read live.patch, live.nr
 *	  write first byte, sync	  drop it (release)
 *	  refs - 1, wait for zero (acquire)
 */
#include "../../../kernel/jump_label_internal.h"
#include "../../../kernel/jump_label.h"
#include "jump_label_text.h"

#define X86_BREAKPOINT	0xcc

/*
 * The sites that may hold a breakpoint, and whether one was written at all.
 * Written under text_mutex.
 */
static struct {
	const struct jump_patch *patch;
	unsigned int nr;
	bool dirty;
	atomic_t refs;
} live;

static void fill_trap(const struct jump_patch *patch, unsigned int nr,
		      unsigned long shift)
{
	for (; nr; patch++, nr--)
		*(u8 *)(patch->code + shift) = X86_BREAKPOINT;
}

/* All bytes but the first; spelled out, as there are only two lengths. */
static void fill_tail(const struct jump_patch *patch, unsigned int nr,
		      unsigned long shift)
{
	for (; nr; patch++, nr--) {
		u8 *at = (u8 *)(patch->code + shift);

		if (patch->len == 2)
			at[1] = patch->new[1];
		else
			memcpy(at + 1, patch->new + 1, 4);
	}
}

static void fill_head(const struct jump_patch *patch, unsigned int nr,
		      unsigned long shift)
{
	for (; nr; patch++, nr--)
		*(u8 *)(patch->code + shift) = patch->new[0];
}

/* For text that nobody runs. */
static void fill_whole(const struct jump_patch *patch, unsigned int nr,
		       unsigned long shift)
{
	fill_head(patch, nr, shift);
	fill_tail(patch, nr, shift);
}

/* For the host, which maps page by page: where the sites of each page end. */
static void patch_runs(struct jump_patch *patch, unsigned int nr)
{
	unsigned long page = 0;
	unsigned int run = 0;

	/* From the end, so that each site knows, and any may come first. */
	for (patch += nr; nr; nr--) {
		patch--;
		if ((patch->code & PAGE_MASK) != page) {
			page = patch->code & PAGE_MASK;
			run = 0;
		}
		patch->run = ++run;
	}
}

/* Take one step for all sites. On failure some sites have taken it. */
static int patch_step(const struct jump_patch *patch, unsigned int nr,
		      jump_text_fill_t *fill)
{
	unsigned int done = 0;
	int n;

	while (done < nr) {
		n = jump_text_write(patch + done, nr - done, fill);
		if (n < 0)
			return n;
		done += n;
		live.dirty = true;
		jump_text_relax();
	}
	jump_text_sync();
	jump_label_stats.sync_rounds++;
	return 0;
}

/*
 * A step failed half-way: the old bytes are the new ones now. Breakpoints first,
 * again: a site that already has its new first byte must not run while its tail
 * goes back. If that fails too, the text is in a state that no CPU may run.
 */
static void patch_undo(struct jump_patch *patch, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		memcpy(patch[i].new, patch[i].old, sizeof(patch[i].new));
	if (patch_step(patch, nr, fill_trap) ||
	    patch_step(patch, nr, fill_tail) ||
	    patch_step(patch, nr, fill_head))
		jump_text_lost();
}

static int patch_live(struct jump_patch *patch, unsigned int nr)
{
	int err;

	live.patch = patch;
	live.nr = nr;
	live.dirty = false;
	atomic_set_release(&live.refs, 1);
	/* Before the first breakpoint; pairs with jump_label_trap(). */
	smp_wmb();

	err = patch_step(patch, nr, fill_trap);
	if (!err)
		err = patch_step(patch, nr, fill_tail);
	if (!err) {
		/* Between the steps where the trap decides. */
		jump_text_event(patch, nr);
		err = patch_step(patch, nr, fill_head);
	}
	/* Text that cannot be written at all has nothing to undo. */
	if (err && live.dirty)
		patch_undo(patch, nr);

	/* No trap reads the queue once this is zero. */
	if (!atomic_dec_and_test(&live.refs))
		atomic_cond_read_acquire(&live.refs, !VAL);
	return err;
}

static void patch_early(const struct jump_patch *patch, unsigned int nr)
{
	for (; nr; patch++, nr--)
		jump_text_write_early(patch->code, patch->new, patch->len);
}

int arch_jump_label_write(struct jump_patch *patch, unsigned int nr,
			  enum jump_text_mode mode)
{
	int err = 0;

	if (mode == JUMP_MODE_EARLY) {
		patch_early(patch, nr);
		return 0;
	}
	patch_runs(patch, nr);
	jump_text_lock();
	if (mode == JUMP_MODE_COLD)
		err = patch_step(patch, nr, fill_whole);
	else
		err = patch_live(patch, nr);
	jump_text_unlock();
	return err;
}

/* By binary search: a trap must be short however many sites there are. */
static __always_inline const struct jump_patch *
live_find(unsigned long code)
{
	unsigned int low = 0, high = live.nr;

	while (low < high) {
		unsigned int mid = low + (high - low) / 2;
		unsigned long at = live.patch[mid].code;

		if (at == code)
			return &live.patch[mid];
		if (at < code)
			low = mid + 1;
		else
			high = mid;
	}
	return NULL;
}

/**
 * jump_label_trap() - where to go on after a breakpoint
 * @code: address of the breakpoint
 *
 * Context: any, NMI included. Calls nothing that could hold a site itself.
 * Return: the address to go on at, or 0 when the breakpoint is not ours.
 */
noinstr unsigned long jump_label_trap(unsigned long code)
{
	const struct jump_patch *patch;
	unsigned long next = 0;

	/* After the breakpoint was seen; pairs with patch_live(). */
	smp_rmb();
	if (!raw_atomic_inc_not_zero(&live.refs))
		return 0;

	patch = live_find(code);
	if (patch)
		next = patch->next;

	/* The queue was read before the reference is dropped. */
	smp_mb__before_atomic();
	raw_atomic_dec(&live.refs);
	return next;
}
