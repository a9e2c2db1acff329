/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _KERNEL_JUMP_LABEL_INTERNAL_H
#define _KERNEL_JUMP_LABEL_INTERNAL_H

/*
 * The engine's host for unit tests: one thread, text made writable with
 * mprotect(), faults on demand. The contract of each function stands in
 * kernel/jump_label_internal.h.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/types.h>
#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/bug.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/export.h>
#include <linux/list.h>
#include <linux/minmax.h>

#define PAGE_SIZE		4096UL
#define PAGE_MASK		(~(PAGE_SIZE - 1))
#define ARRAY_SIZE(a)		(int)(sizeof(a) / sizeof((a)[0]))
#define MODULE_DESCRIPTION(text)	_Static_assert(1, text)
#define MODULE_LICENSE(text)		_Static_assert(1, text)
#define MODULE_IMPORT_NS(space)		_Static_assert(1, #space)

/* There is nobody to wait for. */
#define cpu_relax()		abort()

struct mutex {
	int held;
};

#define DEFINE_MUTEX(name)	struct mutex name

/* One thread: a lock that is taken twice, or given back twice, is a bug. */
static inline void mutex_lock(struct mutex *lock)
{
	if (lock->held++)
		abort();
}

static inline void mutex_unlock(struct mutex *lock)
{
	if (--lock->held)
		abort();
}

extern int host_cpus_held;

static inline void cpus_read_lock(void)
{
	host_cpus_held++;
}

static inline void cpus_read_unlock(void)
{
	host_cpus_held--;
}

static inline void lockdep_assert_cpus_held(void)
{
	if (!host_cpus_held)
		abort();
}

/* Warnings and reports are counted, and printed as TAP comments. */
extern int host_warnings, host_reports;

#define host_warn(fmt, ...) \
	(host_warnings++, printf("# warning: " fmt, ##__VA_ARGS__))
#define pr_crit(fmt, ...)	(host_reports++, printf("# " fmt, __VA_ARGS__))
#define pr_err(fmt, ...)	printf("# " fmt, __VA_ARGS__)
#define pr_info(fmt, ...)	printf("# " fmt, ##__VA_ARGS__)

#define sort(base, nr, size, cmp, swap)	qsort(base, nr, size, cmp)

#include "../../../../kernel/jump_label_fail.h"

static inline void *jump_host_alloc(size_t count, size_t size)
{
	return jump_label_fails(&jump_label_fail_alloc) ? NULL :
							  calloc(count, size);
}

static inline void jump_host_free(void *memory)
{
	free(memory);
}

#include <linux/jump_label.h>

/* The host can be told to be early, and that it has sealed a key. */
extern bool host_early;
extern const struct static_key *host_sealed_key;

static inline bool jump_host_early(void)
{
	return host_early;
}

static inline bool jump_host_key_sealed(const struct static_key *key, bool ro)
{
	return ro && key == host_sealed_key;
}

static inline bool jump_host_text_stays(unsigned long code)
{
	return false;
}

/* What the tracepoints would have said last, and how many turns they named. */
struct host_trace {
	const struct static_key *key;
	bool on;
	int turns;
	unsigned int keys;
	unsigned long sites, steps;
	int error;
};

extern struct host_trace host_trace;

#define trace_jump_label_turn_enabled()	true

static inline void trace_jump_label_turn(const struct static_key *key, bool on)
{
	host_trace.key = key;
	host_trace.on = on;
	host_trace.turns++;
}

static inline void trace_jump_label_commit(unsigned int keys,
					   unsigned long sites,
					   unsigned long steps, int error)
{
	host_trace.keys = keys;
	host_trace.sites = sites;
	host_trace.steps = steps;
	host_trace.error = error;
}

#endif /* _KERNEL_JUMP_LABEL_INTERNAL_H */
