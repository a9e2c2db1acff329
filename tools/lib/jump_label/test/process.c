// SPDX-License-Identifier: GPL-2.0
/*
 * What else happens in a process while keys change: process NAME [ROUNDS]
 *
 * Each test is a process of its own, as jump_label_init() works once. The exit
 * status is the verdict. What may end in a signal runs in a child.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <jump_label.h>
#include "process.h"

DEFINE_STATIC_KEY_FALSE(key);
static DEFINE_STATIC_KEY_TRUE(true_key);

int failures, stop;

static int rounds = 100;	/* where something is done again and again */

__attribute__((__noinline__)) int run_key(void)
{
	return static_branch_unlikely(&key) ? 1 : 0;
}

static __attribute__((__noinline__)) int run_true_key(void)
{
	return static_branch_likely(&true_key) ? 1 : 0;
}

static int at_start, at_start_on;

/* Constructors run before jump_label_init(), in whatever order. */
__attribute__((__constructor__)) static void start(void)
{
	at_start = run_key();
	static_branch_enable(&key);
	at_start_on = run_key();
	static_branch_disable(&true_key);
}

/* Destructors run when the sites load their keys again, or still follow. */
static int destructor_wanted = -1;

__attribute__((__destructor__)) static void finish(void)
{
	if (destructor_wanted < 0)
		return;
	static_branch_disable(&key);
	if (run_key())
		_exit(3);
	static_branch_enable(&key);
	if (!run_key())
		_exit(3);
}

static void test_early(void)
{
	CHECK(at_start == 0);
	CHECK(at_start_on == 1);
	CHECK(run_key() == 1);
	CHECK(run_true_key() == 0);
	CHECK(jump_label_init() == 0);
	CHECK(jump_label_init() == 0);
	CHECK(run_key() == 1);
	CHECK(run_true_key() == 0);
	static_branch_disable(&key);
	static_branch_enable(&true_key);
	CHECK(run_key() == 0);
	CHECK(run_true_key() == 1);
	destructor_wanted = 0;
}

static void test_counts(void)
{
	CHECK(jump_label_init() == 0);
	static_branch_disable(&key);
	CHECK(static_branch_inc(&key) && static_branch_inc(&key));
	CHECK(static_key_count(&key) == 2 && run_key() == 1);
	static_branch_dec(&key);
	CHECK(static_key_enabled(&key) && run_key() == 1);
	static_branch_dec(&key);
	CHECK(!static_key_enabled(&key) && run_key() == 0);
	static_branch_dec(&key);	/* refused, with a warning */
	CHECK(static_key_count(&key) == 0 && run_key() == 0);
}

static void *toggler(void *unused)
{
	(void)unused;
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		static_branch_enable(&key);
		static_branch_disable(&key);
	}
	return NULL;
}

void with_toggler(void (*body)(void))
{
	pthread_t thread;

	pthread_create(&thread, NULL, toggler, NULL);
	body();
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	static_branch_disable(&key);
	CHECK(run_key() == 0);
}

/* In a child: the sites are whole, and a change stays in the child. */
static int child_body(void)
{
	int i;

	for (i = 0; i < 4; i++) {
		static_branch_disable(&true_key);
		if (run_true_key() != 0)
			return 1;
		static_branch_enable(&true_key);
		if (run_true_key() != 1)
			return 2;
		static_branch_enable(&key);
		if (run_key() != 1)
			return 3;
		static_branch_disable(&key);
		if (run_key() != 0)
			return 4;
	}
	static_branch_disable(&true_key);
	return 0;
}

static void fork_once(void)
{
	int status = -1;
	pid_t pid = fork();

	if (!pid)
		_exit(child_body());
	CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
	CHECK(status == 0);
	CHECK(run_true_key() == 1);
}

static void fork_many(void)
{
	int i;

	for (i = 0; i < rounds; i++)
		fork_once();
}

static void test_fork(void)
{
	int status;
	pid_t pid;

	static_branch_enable(&true_key);
	pid = fork();			/* before jump_label_init() */
	if (!pid)
		_exit(jump_label_init() ? 9 : child_body());
	CHECK(waitpid(pid, &status, 0) == pid && status == 0);

	CHECK(jump_label_init() == 0);
	fork_once();
	with_toggler(fork_many);	/* during a toggle */
	fork_once();			/* after */
}

static void *short_life(void *unused)
{
	int i;

	(void)unused;
	for (i = 0; i < 100; i++)
		run_key();
	return NULL;
}

static void threads_many(void)
{
	pthread_t thread[8];
	int i, round;

	for (round = 0; round < rounds; round++) {
		for (i = 0; i < 8; i++)
			pthread_create(&thread[i], NULL, short_life, NULL);
		for (i = 0; i < 8; i++)
			pthread_join(thread[i], NULL);
	}
}

static void *toggle_until_cancelled(void *unused)
{
	(void)unused;
	for (;;) {
		static_branch_inc(&true_key);
		static_branch_dec(&true_key);
		pthread_testcancel();
	}
	return NULL;
}

/* A thread that is cancelled does not leave a change half done. */
static void test_threads(void)
{
	pthread_t thread;
	int i;

	CHECK(jump_label_init() == 0);
	with_toggler(threads_many);
	for (i = 0; i < rounds / 2; i++) {
		pthread_create(&thread, NULL, toggle_until_cancelled, NULL);
		usleep(500);
		pthread_cancel(thread);
		pthread_join(thread, NULL);
	}
	static_branch_enable(&key);
	CHECK(run_key() == 1);
}

static int count_site(const struct jump_label_site *site, void *context)
{
	int *sites = context;

	CHECK(site->object && strstr(site->object, "process"));
	if (site->key == &key.key)
		CHECK(site->state == (site->likely ? JUMP_LABEL_SITE_JMP :
						     JUMP_LABEL_SITE_NOP));
	++*sites;
	return 0;
}

static int count_key(struct static_key *which, const char *object,
		     unsigned int sites, void *context)
{
	int *keys = context;

	(void)object;
	CHECK(which != &true_key.key || sites == 1);
	++*keys;
	return *keys == 2 ? 77 : 0;
}

static void test_walk(void)
{
	int sites = 0, keys = 0;

	CHECK(jump_label_init() == 0);
	static_branch_disable(&key);
	CHECK(jump_label_each_site(count_site, &sites) == 0);
	CHECK(sites >= 2);
	CHECK(jump_label_each_key(count_key, &keys) == 77);
	CHECK(keys == 2);
}

/* Descriptors that are closed behind our back are opened again. */
static void test_closed(void)
{
	struct rlimit limit = { 1024, 1024 };
	int fd;

	CHECK(jump_label_init() == 0);
	for (fd = 3; fd < 1024; fd++)
		close(fd);
	CHECK(child_body() == 0);
	for (fd = 3; fd < 1024; fd++)
		close(fd);
	/* Its number is somebody else's now. */
	setrlimit(RLIMIT_NOFILE, &limit);
	while (dup(2) >= 0)
		;
	static_branch_enable(&key);	/* cannot: no descriptor is free */
	CHECK(static_key_count(&key) == run_key());
	close(600);
	CHECK(child_body() == 0);
}

static const struct {
	const char *name;
	void (*run)(void);
} tests[] = {
	{ "early", test_early }, { "counts", test_counts },
	{ "fork", test_fork }, { "threads", test_threads },
	{ "walk", test_walk }, { "closed", test_closed },
	{ "signals", test_signals }, { "masks", test_masks },
#ifdef HAS_TRAPS
	{ "chain", test_chain }, { "chain-die", test_chain_die },
#endif
	{ "sealed", test_sealed }, { "sealed-late", test_sealed_late },
	{ "fallback", test_fallback }, { "traced", test_traced },
};

int main(int argc, char **argv)
{
	unsigned int i;

	if (argc > 2)
		rounds = atoi(argv[2]);
	for (i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		if (argc > 1 && !strcmp(argv[1], tests[i].name)) {
			tests[i].run();
			return failures ? 1 : 0;
		}
	}
	fprintf(stderr, "process: no test \"%s\"\n", argc > 1 ? argv[1] : "");
	return 2;
}
