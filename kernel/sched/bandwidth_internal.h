/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _KERNEL_SCHED_BANDWIDTH_INTERNAL_H
#define _KERNEL_SCHED_BANDWIDTH_INTERNAL_H

/*
 * Everything that bandwidth_pool.c needs from its host, here the Linux kernel.
 * A user-space host offers a header of its own with the same guard.
 */
#include <linux/bug.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <linux/types.h>

/*
 * An invariant of the arithmetic. A host that does not check must still compile
 * the condition.
 */
#ifdef CONFIG_CFS_BANDWIDTH_DEBUG
#define bandwidth_assert(condition) WARN_ON_ONCE(!(condition))
#else
#define bandwidth_assert(condition) BUILD_BUG_ON_INVALID(condition)
#endif

#endif /* _KERNEL_SCHED_BANDWIDTH_INTERNAL_H */
