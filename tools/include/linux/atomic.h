/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _TOOLS_LINUX_ATOMIC_H
#define _TOOLS_LINUX_ATOMIC_H

/*
 * Atomic counters by the compiler's built-ins. Who includes this provides
 * cpu_relax(), called while waiting for another thread.
 */
#include <linux/types.h>

#define ATOMIC_INIT(n)		(n)

#define raw_atomic_read(v)	__atomic_load_n(&(v)->counter, __ATOMIC_RELAXED)
#define atomic_read(v)		raw_atomic_read(v)
#define atomic_set(v, n) \
	__atomic_store_n(&(v)->counter, n, __ATOMIC_RELAXED)
#define atomic_set_release(v, n) \
	__atomic_store_n(&(v)->counter, n, __ATOMIC_RELEASE)
#define atomic_xchg(v, n) \
	__atomic_exchange_n(&(v)->counter, n, __ATOMIC_SEQ_CST)
#define atomic_dec_and_test(v) \
	(__atomic_sub_fetch(&(v)->counter, 1, __ATOMIC_SEQ_CST) == 0)
#define atomic_try_cmpxchg(v, old, new) \
	__atomic_compare_exchange_n(&(v)->counter, old, new, false, \
				    __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)
#define raw_atomic_dec(v) \
	__atomic_sub_fetch(&(v)->counter, 1, __ATOMIC_RELEASE)

/*
 * Each of these stands beside an atomic access that orders for the processor,
 * and for a sanitizer, which knows no fences.
 */
#define smp_wmb()		__asm__ __volatile__("" : : : "memory")
#define smp_rmb()		__asm__ __volatile__("" : : : "memory")
#define smp_mb__before_atomic()	__asm__ __volatile__("" : : : "memory")

#define atomic_cond_read_acquire(v, done)				\
({									\
	int VAL;							\
	for (;;) {							\
		VAL = __atomic_load_n(&(v)->counter, __ATOMIC_ACQUIRE);	\
		if (done)						\
			break;						\
		cpu_relax();						\
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

#endif /* _TOOLS_LINUX_ATOMIC_H */
