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

/* Put one instruction, at @context, where its site is mapped. */
static void patch_fill(void *text, const void *context, size_t len)
{
	u32 insn;

	memcpy(&insn, context, sizeof(insn));
	WRITE_ONCE(*(u32 *)text, insn);
}

/* Return: how many of the sites were written, all but in case of failure. */
static unsigned int patch_write(const struct jump_patch *patch,
				unsigned int nr, bool undo, int *err)
{
	unsigned int i;

	*err = 0;
	for (i = 0; i < nr; i++) {
		const u8 *insn = undo ? patch[i].old : patch[i].new;

		*err = jump_text_write(jump_entry_code(patch[i].site),
				       patch[i].len, patch_fill, insn);
		if (*err)
			break;
		jump_text_relax();
	}
	return i;
}

static void patch_announce(const struct jump_patch *patch, unsigned int nr)
{
	for (; nr; patch++, nr--)
		jump_text_event(jump_entry_code(patch->site), patch->old,
				patch->new, patch->len);
}

int arch_jump_label_write(struct jump_patch *patch, unsigned int nr,
			  enum jump_text_mode mode)
{
	unsigned int written, i;
	int err, lost;

	if (mode == JUMP_MODE_EARLY) {
		for (i = 0; i < nr; i++)
			jump_text_write_early(jump_entry_code(patch[i].site),
					      patch[i].new, patch[i].len);
		return 0;
	}
	jump_text_lock();
	written = patch_write(patch, nr, false, &err);
	if (err) {
		/* Every instruction is whole, but keys and sites must agree. */
		patch_write(patch, written, true, &lost);
		if (lost)
			jump_text_lost();
	}
	if (written) {
		jump_text_sync();
		jump_label_stats.sync_rounds++;
	}
	if (!err)
		patch_announce(patch, nr);
	jump_text_unlock();
	return err;
}
