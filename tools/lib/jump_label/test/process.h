/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _TEST_PROCESS_H
#define _TEST_PROCESS_H

#include <stdio.h>
#include <jump_label.h>

DECLARE_STATIC_KEY_FALSE(key);
extern int failures, stop;

/* Does the library use SIGTRAP here? */
#if defined(__x86_64__) || defined(__i386__)
#define HAS_TRAPS
#endif

#define CHECK(claim)							\
do {									\
	if (!(claim)) {							\
		printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #claim); \
		fflush(stdout);						\
		__atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED);	\
	}								\
} while (0)

/* Does the branch on @key say so? */
int run_key(void);

/* Run @body while another thread toggles @key; it ends off. */
void with_toggler(void (*body)(void));

void test_signals(void);
void test_masks(void);
void test_chain(void);
void test_chain_die(void);
void test_sealed(void);
void test_sealed_late(void);
void test_fallback(void);
void test_traced(void);

#endif /* _TEST_PROCESS_H */
