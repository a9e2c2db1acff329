/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _KERNEL_JUMP_LABEL_FAIL_H
#define _KERNEL_JUMP_LABEL_FAIL_H

#include <linux/atomic.h>

/*
 * A place where tests can make a step fail. The knobs are counters: 0 never
 * fails, n makes the n-th call from now on fail, once, and -1 fails always.
 * Included by the hosts that have tests, which define the knobs.
 */
extern atomic_t jump_label_fail_alloc, jump_label_fail_write;

static inline bool jump_label_fails(atomic_t *countdown)
{
	int n = atomic_read(countdown);

	return n < 0 || (n && atomic_dec_and_test(countdown));
}

#endif /* _KERNEL_JUMP_LABEL_FAIL_H */
