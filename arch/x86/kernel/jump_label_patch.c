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
 * page by page, and ends in one round.
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

enum patch_step {
	PATCH_TRAP,	/* breakpoint over the first byte */
	PATCH_TAIL,	/* all bytes but the first */
	PATCH_HEAD,	/* the first byte */
	PATCH_WHOLE,	/* all bytes: text that nobody runs */
};

/* One page worth of sites: what patch_fill() needs to write them. */
struct patch_run {
	const struct jump_patch *patch;
	unsigned int nr;
	unsigned long start;
	enum patch_step step;
	bool undo;
};

/* All bytes but the first; spelled out, as there are only two lengths. */
static void patch_tail(u8 *at, const u8 *bytes, unsigned int len)
{
	if (len == 2)
		at[1] = bytes[1];
	else
		memcpy(at + 1, bytes + 1, 4);
}

/*
 * Write the part of each site that a step is about. @text is where
 * run->start is mapped. Runs with interrupts off.
 */
static void patch_fill(void *text, const void *context, size_t len)
{
	const struct patch_run *run = context;
	const struct jump_patch *patch = run->patch, *end = patch + run->nr;
	/* Where a site is mapped, less where it is. */
	unsigned long shift = (unsigned long)text - run->start;

	for (; patch < end; patch++) {
		const u8 *bytes = run->undo ? patch->old : patch->new;
		u8 *at = (u8 *)(shift + jump_entry_code(patch->site));

		switch (run->step) {
		case PATCH_TRAP:
			*at = X86_BREAKPOINT;
			break;
		case PATCH_TAIL:
			patch_tail(at, bytes, patch->len);
			break;
		case PATCH_HEAD:
			*at = bytes[0];
			break;
		case PATCH_WHOLE:
			*at = bytes[0];
			patch_tail(at, bytes, patch->len);
			break;
		}
	}
}

/* How many of the sites from @patch on start in the same page. */
static unsigned int run_length(const struct jump_patch *patch, unsigned int nr)
{
	unsigned long page = jump_entry_code(patch->site) & PAGE_MASK;
	unsigned int n = 1;

	while (n < nr && (jump_entry_code(patch[n].site) & PAGE_MASK) == page)
		n++;
	return n;
}

/* Take one step for all sites. On failure some pages have taken it. */
static int patch_step(const struct jump_patch *patch, unsigned int nr,
		      enum patch_step step, bool undo)
{
	unsigned int n;
	int err;

	for (; nr; patch += n, nr -= n) {
		const struct jump_patch *last;
		struct patch_run run = {
			.patch = patch,
			.start = jump_entry_code(patch->site),
			.step = step,
			.undo = undo,
		};

		n = run_length(patch, nr);
		run.nr = n;
		last = &patch[n - 1];
		err = jump_text_write(run.start, jump_entry_code(last->site) +
				      last->len - run.start, patch_fill, &run);
		if (err)
			return err;
		live.dirty = true;
		jump_text_relax();
	}
	jump_text_sync();
	jump_label_stats.sync_rounds++;
	return 0;
}

/* Tell tracers that decode text, between the steps where the trap decides. */
static void patch_announce(const struct jump_patch *patch, unsigned int nr)
{
	for (; nr; patch++, nr--)
		jump_text_event(jump_entry_code(patch->site), patch->old,
				patch->new, patch->len);
}

/*
 * A step failed half-way. Breakpoints first, again: a site that already has its
 * new first byte must not run while its tail goes back. If that fails too, the
 * text is in a state that no CPU may run.
 */
static void patch_undo(const struct jump_patch *patch, unsigned int nr)
{
	if (patch_step(patch, nr, PATCH_TRAP, true) ||
	    patch_step(patch, nr, PATCH_TAIL, true) ||
	    patch_step(patch, nr, PATCH_HEAD, true))
		jump_text_lost();
}

static int patch_live(const struct jump_patch *patch, unsigned int nr)
{
	int err;

	live.patch = patch;
	live.nr = nr;
	live.dirty = false;
	atomic_set_release(&live.refs, 1);
	/* Before the first breakpoint; pairs with jump_label_trap(). */
	smp_wmb();

	err = patch_step(patch, nr, PATCH_TRAP, false);
	if (!err)
		err = patch_step(patch, nr, PATCH_TAIL, false);
	if (!err) {
		patch_announce(patch, nr);
		err = patch_step(patch, nr, PATCH_HEAD, false);
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
		jump_text_write_early(jump_entry_code(patch->site),
				      patch->new, patch->len);
}

int arch_jump_label_write(struct jump_patch *patch, unsigned int nr,
			  enum jump_text_mode mode)
{
	int err = 0;

	if (mode == JUMP_MODE_EARLY) {
		patch_early(patch, nr);
		return 0;
	}
	jump_text_lock();
	if (mode == JUMP_MODE_COLD)
		err = patch_step(patch, nr, PATCH_WHOLE, false);
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
		unsigned long at = jump_entry_code(live.patch[mid].site);

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
		next = patch->type == JUMP_LABEL_JMP ?
			jump_entry_target(patch->site) : code + patch->len;

	/* The queue was read before the reference is dropped. */
	smp_mb__before_atomic();
	raw_atomic_dec(&live.refs);
	return next;
}
