/* SPDX-License-Identifier: GPL-2.0 */
/* jump_test.h - what jump_test_loop.S offers to jump_test.c */
#ifndef PERF_JUMP_TEST_H
#define PERF_JUMP_TEST_H

/* The five bytes of the site, and where it jumps to when it is on. */
extern unsigned char jump_test_site[], jump_test_on[];

/* Read in every iteration; never 0. */
extern unsigned long jump_test_flag;

/**
 * jump_test_loop() - the measured loop
 * @iterations: how often to pass the site, at least 1
 *
 * Return: a sum that depends on every iteration and on the site's state.
 */
unsigned long jump_test_loop(unsigned long iterations);

#endif /* PERF_JUMP_TEST_H */
