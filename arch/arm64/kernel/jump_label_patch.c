// SPDX-License-Identifier: GPL-2.0
/*
 * Static keys on arm64: how sites are written
 *
 * A NOP and a branch are among the few instructions that the architecture lets
 * one CPU replace while others run them (Arm ARM, "Concurrent modification and
 * execution of instructions"): each of the others runs the old one or the new
 * one, as long as they are exchanged by one aligned store. So there is no
 * breakpoint and no trap: one store a site, then one round in which every CPU
 * synchronises, after which all run the new ones.
 *
 * Each site is written by itself. A longer copy would also store the text
 * between two sites again, in whatever pieces it likes.
 */
#include "../../../kernel/jump_label_internal.h"
#include "../../../kernel/jump_label.h"
#include "../../../kernel/jump_label_text.h"

/* One aligned store a site. */
static void fill_insn(const struct jump_patch *patch, unsigned int nr,
		      unsigned long shift)
{
	u32 insn;

	for (; nr; patch++, nr--) {
		memcpy(&insn, patch->new, sizeof(insn));
		WRITE_ONCE(*(u32 *)(patch->code + shift), insn);
	}
}

/* Return: how many of the sites were written, all but in case of failure. */
static unsigned int patch_write(struct jump_patch *patch, unsigned int nr, int *err)
{
	unsigned int i;
	int n;

	*err = 0;
	for (i = 0; i < nr; i++) {
		patch[i].run = 1;
		n = jump_text_write(patch + i, 1, fill_insn);
		if (n < 0) {
			*err = n;
			break;
		}
		jump_text_relax();
	}
	return i;
}

/* Every instruction is whole, but keys and sites must agree. */
static void patch_undo(struct jump_patch *patch, unsigned int nr)
{
	unsigned int i;
	int err;

	for (i = 0; i < nr; i++)
		memcpy(patch[i].new, patch[i].old, sizeof(patch[i].new));
	patch_write(patch, nr, &err);
	if (err)
		jump_text_lost();
}

int arch_jump_label_write(struct jump_patch *patch, unsigned int nr,
			  enum jump_text_mode mode)
{
	unsigned int written, i;
	int err;

	if (mode == JUMP_MODE_EARLY) {
		for (i = 0; i < nr; i++)
			jump_text_write_early(patch[i].code, patch[i].new,
					      patch[i].len);
		return 0;
	}
	jump_text_lock();
	written = patch_write(patch, nr, &err);
	if (err)
		patch_undo(patch, written);
	if (written) {
		jump_text_sync();
		jump_label_stats.sync_rounds++;
	}
	if (!err)
		jump_text_event(patch, nr);
	jump_text_unlock();
	return err;
}
