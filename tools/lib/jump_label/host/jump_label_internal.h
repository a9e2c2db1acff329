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
#include <linux/compiler.h>

/* Some C libraries have it too, as a call. */
#undef PAGE_SIZE
#define PAGE_SIZE		4096UL
#define PAGE_MASK		(~(PAGE_SIZE - 1))
#define min(a, b)		((a) < (b) ? (a) : (b))
#define max(a, b)		((a) > (b) ? (a) : (b))
#define swap(a, b)							\
do {									\
	__typeof__(a) __was_a = (a);					\
									\
	(a) = (b);							\
	(b) = __was_a;							\
} while (0)
#define ATOMIC_INIT(n)		(n)
#define BUILD_BUG_ON(bad)	_Static_assert(!(bad), #bad)
#define EXPORT_SYMBOL_GPL(symbol) \
	_Static_assert(sizeof(&symbol) > 0, "exported")
#define EXPORT_SYMBOL_IF_KUNIT(symbol)	EXPORT_SYMBOL_GPL(symbol)

#define raw_atomic_read(v)	__atomic_load_n(&(v)->counter, __ATOMIC_RELAXED)
#define atomic_read(v)		raw_atomic_read(v)
#define atomic_set_release(v, n) \
	__atomic_store_n(&(v)->counter, n, __ATOMIC_RELEASE)
#define atomic_dec_and_test(v) \
	(__atomic_sub_fetch(&(v)->counter, 1, __ATOMIC_SEQ_CST) == 0)
#define atomic_try_cmpxchg(v, old, new) \
	__atomic_compare_exchange_n(&(v)->counter, old, new, false, \
				    __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)
#define raw_atomic_dec(v) \
	__atomic_sub_fetch(&(v)->counter, 1, __ATOMIC_RELEASE)

/* Each of these stands beside an atomic access that orders for the sanitizer. */
#define smp_wmb()		__asm__ __volatile__("" : : : "memory")
#define smp_rmb()		__asm__ __volatile__("" : : : "memory")
#define smp_mb__before_atomic()	__asm__ __volatile__("" : : : "memory")

void jump_host_relax(void);

#define atomic_cond_read_acquire(v, done)				\
({									\
	int VAL;							\
	for (;;) {							\
		VAL = __atomic_load_n(&(v)->counter, __ATOMIC_ACQUIRE);	\
		if (done)						\
			break;						\
		jump_host_relax();					\
	}								\
	VAL;								\
})

static inline int atomic_cmpxchg(atomic_t *v, int old, int new)
{
	(void)atomic_try_cmpxchg(v, &old, new);
	return old;
}

static inline bool raw_atomic_inc_not_zero(atomic_t *v)
{
	int old = atomic_read(v);

	do {
		if (!old)
			return false;
	} while (!atomic_try_cmpxchg(v, &old, old + 1));
	return true;
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

#define WARN(bad, fmt, ...)						\
({									\
	bool __bad = (bad);						\
	if (__bad)							\
		jump_host_print(fmt, ##__VA_ARGS__);			\
	__bad;								\
})
#define WARN_ONCE(bad, fmt, ...)					\
({									\
	static bool __warned;						\
	bool __now = (bad);						\
	if (__now && !__atomic_exchange_n(&__warned, true, __ATOMIC_RELAXED)) \
		jump_host_print(fmt, ##__VA_ARGS__);			\
	__now;								\
})
#define WARN_ON(bad)		WARN(bad, "jump_label: %s\n", #bad)
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
#include <linux/jump_label.h>

/* Threads may run at any time, and text is never writable. */
static inline bool jump_host_early(void)
{
	return false;
}

static inline bool jump_host_key_sealed(const struct static_key *key, bool ro)
{
	return false;
}

#endif /* _KERNEL_JUMP_LABEL_INTERNAL_H */
