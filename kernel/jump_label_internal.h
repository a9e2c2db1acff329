/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _KERNEL_JUMP_LABEL_INTERNAL_H
#define _KERNEL_JUMP_LABEL_INTERNAL_H

/*
 * Everything the engine needs from its host, here the Linux kernel.
 *
 * kernel/jump_label*.c and arch/x86/kernel/jump_label*.c take every outside
 * name through this header. Another host offers its own header with the same
 * guard and the same functions; what each may assume and must return is said
 * here and holds for every host.
 */
#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/bsearch.h>
#include <linux/bug.h>
#include <linux/build_bug.h>
#include <linux/cleanup.h>
#include <linux/cpu.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/init.h>
#include <linux/jump_label.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/memory.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/perf_event.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>
#include <kunit/visibility.h>
#include <asm/sections.h>
#include <trace/events/jump_label.h>

/* Only a kernel with tests has places where they can make a step fail. */
#if IS_ENABLED(CONFIG_JUMP_LABEL_KUNIT_TEST)
#include "jump_label_fail.h"
#define jump_label_fails_alloc() jump_label_fails(&jump_label_fail_alloc)
#define jump_label_fails_write() jump_label_fails(&jump_label_fail_write)
#else
#define jump_label_fails_alloc() false
#define jump_label_fails_write() false
#endif

/**
 * jump_host_alloc() - memory for a larger queue
 * @count: elements
 * @size: bytes of one
 *
 * Never sleeps and never reclaims, as a caller of the engine may hold a lock
 * that reclaim takes. Return: NULL when there is none; the engine carries on
 * in smaller steps.
 */
static inline void *jump_host_alloc(size_t count, size_t size)
{
	if (!slab_is_available() || jump_label_fails_alloc())
		return NULL;
	return kmalloc_array(count, size, GFP_NOWAIT | __GFP_NOWARN);
}

static inline void jump_host_free(void *memory)
{
	kfree(memory);
}

/**
 * jump_host_early() - is this the only thread there is
 *
 * Return: true while one CPU runs, text is writable, and no mapping for the
 * writer exists yet; sites are then written in place.
 */
static inline bool jump_host_early(void)
{
	return system_state == SYSTEM_BOOTING;
}

/**
 * jump_host_key_sealed() - has the memory of a key become read-only
 * @key: any key
 * @ro: jump_label_init_ro() has run
 */
static inline bool jump_host_key_sealed(const struct static_key *key, bool ro)
{
	return ro && is_kernel_ro_after_init((unsigned long)key);
}

/**
 * jump_host_text_stays() - is this text that is never freed
 * @code: any address
 *
 * Asked of every site first, so it must be short. Return: false also when
 * that takes more to find out; see jump_host_text().
 */
static inline bool jump_host_text_stays(unsigned long code)
{
	return code >= (unsigned long)_stext && code < (unsigned long)_etext;
}

#endif /* _KERNEL_JUMP_LABEL_INTERNAL_H */
