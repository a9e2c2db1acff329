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
#include <linux/compiler.h>

#define PAGE_SIZE		4096UL
#define PAGE_MASK		(~(PAGE_SIZE - 1))
#define ARRAY_SIZE(a)		(int)(sizeof(a) / sizeof((a)[0]))
#define swap(a, b)	\
	do { __typeof__(a) __a = (a); (a) = (b); (b) = __a; } while (0)
#define max(a, b)		((a) > (b) ? (a) : (b))
#define min(a, b)		((a) < (b) ? (a) : (b))
#define ATOMIC_INIT(n)		(n)
#define BUILD_BUG_ON(bad)	_Static_assert(!(bad), #bad)
#define EXPORT_SYMBOL_GPL(symbol)	\
	_Static_assert(sizeof(&symbol) > 0, "exported")
#define EXPORT_SYMBOL_IF_KUNIT(symbol)	EXPORT_SYMBOL_GPL(symbol)
#define MODULE_DESCRIPTION(text)	_Static_assert(1, text)
#define MODULE_LICENSE(text)		_Static_assert(1, text)
#define MODULE_IMPORT_NS(space)		_Static_assert(1, #space)

#define raw_atomic_read(v)	__atomic_load_n(&(v)->counter, __ATOMIC_RELAXED)
#define atomic_read(v)		raw_atomic_read(v)
#define atomic_set(v, n)	\
	__atomic_store_n(&(v)->counter, n, __ATOMIC_RELAXED)
#define atomic_set_release(v, n) \
	__atomic_store_n(&(v)->counter, n, __ATOMIC_RELEASE)
#define atomic_xchg(v, n)	\
	__atomic_exchange_n(&(v)->counter, n, __ATOMIC_SEQ_CST)
#define atomic_dec_and_test(v)	\
	(__atomic_sub_fetch(&(v)->counter, 1, __ATOMIC_SEQ_CST) == 0)
#define atomic_try_cmpxchg(v, old, new) \
	__atomic_compare_exchange_n(&(v)->counter, old, new, false, \
				    __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)
#define raw_atomic_dec(v)	\
	__atomic_sub_fetch(&(v)->counter, 1, __ATOMIC_RELEASE)
#define atomic_cond_read_acquire(v, done) abort()
#define smp_wmb()		__atomic_thread_fence(__ATOMIC_RELEASE)
#define smp_rmb()		__atomic_thread_fence(__ATOMIC_ACQUIRE)
#define smp_mb__before_atomic()	__atomic_thread_fence(__ATOMIC_SEQ_CST)

static inline int atomic_cmpxchg(atomic_t *v, int old, int new)
{
	(void)atomic_try_cmpxchg(v, &old, new);
	return old;
}

static inline bool raw_atomic_inc_not_zero(atomic_t *v)
{
	int old = atomic_read(v);

	return old && atomic_try_cmpxchg(v, &old, old + 1);
}

struct list_head {
	struct list_head *next, *prev;
};

#define LIST_HEAD(name)	struct list_head name = { &(name), &(name) }
#define list_entry(node, type, member) \
	((type *)((char *)(node) - offsetof(type, member)))

static inline void list_add_tail(struct list_head *node, struct list_head *head)
{
	node->next = head;
	node->prev = head->prev;
	head->prev->next = node;
	head->prev = node;
}

static inline void list_del(struct list_head *node)
{
	node->next->prev = node->prev;
	node->prev->next = node->next;
}

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

#define WARN(bad, fmt, ...)						\
({									\
	bool __bad = (bad);						\
	if (__bad && ++host_warnings)					\
		printf("# warning: " fmt, ##__VA_ARGS__);		\
	__bad;								\
})
#define WARN_ONCE(bad, fmt, ...)					\
({									\
	static bool __warned;						\
	bool __now = (bad);						\
	if (__now && !__warned) {					\
		__warned = true;					\
		WARN(1, fmt, ##__VA_ARGS__);				\
	}								\
	__now;								\
})
#define WARN_ON(bad)		WARN(bad, "%s\n", #bad)
#define pr_crit(fmt, ...)	(host_reports++, printf("# " fmt, __VA_ARGS__))
#define pr_err(fmt, ...)	printf("# " fmt, __VA_ARGS__)
#define pr_info(fmt, ...)	printf("# " fmt, ##__VA_ARGS__)

#define sort(base, nr, size, cmp, swap)	qsort(base, nr, size, cmp)

extern atomic_t jump_label_fail_alloc, jump_label_fail_write;

static inline bool jump_label_fails(atomic_t *countdown)
{
	return atomic_read(countdown) && atomic_dec_and_test(countdown);
}

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

#endif /* _KERNEL_JUMP_LABEL_INTERNAL_H */
