/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _KERNEL_JUMP_LABEL_TEXT_H
#define _KERNEL_JUMP_LABEL_TEXT_H

#include <linux/types.h>

struct jump_patch;

/*
 * How the host writes text and makes CPUs serialise, for the writer of the
 * architecture. In the kernel these stand in arch/.../jump_label_text.c.
 */

/**
 * jump_text_lock() - own all text
 *
 * From here to jump_text_unlock() nobody else writes text. May sleep. What the
 * host keeps mapped for the sites that are written goes with the unlock; until
 * then they stay where they are in memory.
 */
void jump_text_lock(void);
void jump_text_unlock(void);

/**
 * typedef jump_text_fill_t - write some bytes of each of a few sites
 * @patch: sites in one page
 * @nr: how many
 * @shift: where a site is mapped, less its address
 */
typedef void jump_text_fill_t(const struct jump_patch *patch, unsigned int nr,
			      unsigned long shift);

/**
 * jump_text_write() - write parts of as many sites as can be mapped at a time
 * @patch: sites, sorted by address; @run of each is right
 * @nr: how many, at least one
 * @fill: is called once for each page
 *
 * Holds jump_text_lock(). @fill runs with interrupts off.
 * Return: how many of the first sites were filled in, at least one; or a
 * negative errno with none of them touched.
 */
int jump_text_write(const struct jump_patch *patch, unsigned int nr,
		    jump_text_fill_t *fill);

/**
 * jump_text_write_early() - write text that is writable, while one thread runs
 * @code: where
 * @bytes: what
 * @len: bytes
 */
void jump_text_write_early(unsigned long code, const u8 *bytes, size_t len);

/**
 * jump_text_sync() - every CPU forgets what it has fetched
 *
 * On return each CPU has executed a serialising instruction since the call.
 * Holds jump_text_lock() and cpus_read_lock(). May sleep.
 */
void jump_text_sync(void);

/**
 * jump_text_event() - tell those who follow changes of text, as they decode it
 * @patch: sites that are changing
 * @nr: how many
 */
void jump_text_event(const struct jump_patch *patch, unsigned int nr);

/* Between two of these: let others run if it is their turn. */
void jump_text_relax(void);

/* Text is neither old nor new and cannot be mended. Does not return. */
void __noreturn jump_text_lost(void);

#endif /* _KERNEL_JUMP_LABEL_TEXT_H */
