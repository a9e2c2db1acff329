/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _KERNEL_SCHED_BANDWIDTH_INTERNAL_H
#define _KERNEL_SCHED_BANDWIDTH_INTERNAL_H

/* What kernel/sched/bandwidth_pool.c needs, for a program; every invariant is fatal. */
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint64_t u64;
typedef int64_t s64;

#define U64_MAX		UINT64_MAX
#define NSEC_PER_USEC	1000LL
#define NSEC_PER_MSEC	1000000LL
#define NSEC_PER_SEC	1000000000LL

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define min(a, b)	({ __auto_type _a = (a); __auto_type _b = (b); _a < _b ? _a : _b; })

#define div_u64(a, b)	((a) / (b))
#define div64_u64(a, b)	((a) / (b))

#define bandwidth_assert(condition) assert(condition)

#endif /* _KERNEL_SCHED_BANDWIDTH_INTERNAL_H */
