/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _KERNEL_JUMP_LABEL_INTERNAL_H
#define _KERNEL_JUMP_LABEL_INTERNAL_H

/*
 * The engine's host in a user process. The contract of each function stands in
 * kernel/jump_label_internal.h.
 *
 * Keys may be changed in signal handlers. So nothing here and nothing it calls
 * may use malloc(), stdio, qsort() or a cancellation point, and jump_label_mutex
 * is held with signals blocked, see lock.c.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
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

/* Some C libraries have it too, as a call. */
#undef PAGE_SIZE
#define PAGE_SIZE		4096UL
#define PAGE_MASK		(~(PAGE_SIZE - 1))

void jump_host_relax(void);
#define cpu_relax()		jump_host_relax()

/**
 * struct mutex - a lock that is held with signals blocked
 * @lock: the lock
 * @signals: what the holder had blocked before
 * @cancel: whether the holder could be cancelled before
 */
struct mutex {
	pthread_mutex_t lock;
	uint64_t signals;
	int cancel;
};

#define DEFINE_MUTEX(name) \
	struct mutex name = { .lock = PTHREAD_MUTEX_INITIALIZER }

void mutex_lock(struct mutex *mutex);
void mutex_unlock(struct mutex *mutex);

/* A process has no processors that come and go. */
static inline void cpus_read_lock(void) { }
static inline void cpus_read_unlock(void) { }
static inline void lockdep_assert_cpus_held(void) { }

/* JUMP_LABEL_DEBUG is set. */
extern bool jump_host_debug;

/* One line on stderr; knows the kernel's %pS and %*ph. */
void jump_host_print(const char *fmt, ...);

#define host_warn(fmt, ...)	jump_host_print(fmt, ##__VA_ARGS__)
#define pr_crit(fmt, ...)	jump_host_print(fmt, ##__VA_ARGS__)
#define pr_err(fmt, ...)	jump_host_print(fmt, ##__VA_ARGS__)
#define pr_info(fmt, ...)						\
do {									\
	if (jump_host_debug)						\
		jump_host_print(fmt, ##__VA_ARGS__);			\
} while (0)

void jump_host_sort(void *base, size_t nr, size_t size,
		    int (*cmp)(const void *, const void *));

#define sort(base, nr, size, cmp, swap)	jump_host_sort(base, nr, size, cmp)

void *jump_host_alloc(size_t count, size_t size);
void jump_host_free(void *memory);

/*
 * The engine's own entry takes in one table of its own; a process has many, see
 * object.c, and the names are wanted for something else.
 */
#define jump_label_init		jump_engine_init
#define __start___jump_table	jump_engine_start
#define __stop___jump_table	jump_engine_stop

/*
 * A key may live in another object, out of reach of the 32 bits of an entry. So
 * entries of keys that are shared name a place in their own object that holds
 * the address of the key, and the accessor of the kernel is hidden by ours.
 */
#define jump_entry_key		jump_entry_near_key
#include <linux/jump_label.h>
#undef jump_entry_key

#define JUMP_ENTRY_SHARED	2UL

static __always_inline struct static_key *
jump_entry_key(const struct jump_entry *site)
{
	struct static_key *named = jump_entry_near_key(site);

	return site->key & JUMP_ENTRY_SHARED ? *(struct static_key **)named :
					       named;
}

/* Threads may run at any time, and text is never writable. */
static inline bool jump_host_early(void)
{
	return false;
}

static inline bool jump_host_key_sealed(const struct static_key *key, bool ro)
{
	return false;
}

/* Every object can be unloaded. */
static inline bool jump_host_text_stays(unsigned long code)
{
	return false;
}

/* No tracer; JUMP_LABEL_DEBUG prints each site. */
#define trace_jump_label_turn_enabled()	false
#define trace_jump_label_turn(key, on)	do { } while (0)
#define trace_jump_label_commit(keys, sites, steps, error) do { } while (0)

#endif /* _KERNEL_JUMP_LABEL_INTERNAL_H */
