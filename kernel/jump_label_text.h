/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _KERNEL_JUMP_LABEL_TEXT_H
#define _KERNEL_JUMP_LABEL_TEXT_H

#include <linux/types.h>

/*
 * How the host writes text and makes CPUs serialise, for the writer of the
 * architecture. In the kernel these stand in arch/.../jump_label_text.c.
 */

/**
 * jump_text_lock() - own all text
 *
 * From here to jump_text_unlock() nobody else writes text. May sleep.
 */
void jump_text_lock(void);
void jump_text_unlock(void);

/**
 * jump_text_write() - write parts of a range of text through one mapping
 * @start: first address
 * @len: bytes of the range; it touches two pages at most
 * @fill: writes what it wants of the range; its first argument is where @start
 *	is mapped, its second is @context, its third @len
 * @context: for @fill, which must not change it
 *
 * Holds jump_text_lock(). @fill runs at most once, with interrupts off.
 * Return: 0, or a negative errno without @fill having run.
 */
int jump_text_write(unsigned long start, size_t len,
		    void (*fill)(void *text, const void *context, size_t len),
		    const void *context);

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
 * jump_text_event() - tell those who follow changes of text
 * @code: address
 * @old: bytes before
 * @new: bytes after
 * @len: how many
 */
void jump_text_event(unsigned long code, const u8 *old, const u8 *new,
		     size_t len);

/* Between two pages: let others run if it is their turn. */
void jump_text_relax(void);

/* Text is neither old nor new and cannot be mended. Does not return. */
void __noreturn jump_text_lost(void);

#endif /* _KERNEL_JUMP_LABEL_TEXT_H */
