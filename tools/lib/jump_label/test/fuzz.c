// SPDX-License-Identifier: GPL-2.0
/*
 * Random sequences of load, unload, toggle and fork:
 * fuzz PLUGIN-A PLUGIN-B SECONDS [SEED]
 *
 * Three threads do random things to a few keys and to plugins of their own; a
 * fourth runs sites. Each thread counts users of the common key, so that it is
 * known to be on while the thread is one. Children of fork() look at everything
 * and leave. The seed is printed, for another run.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "shared.h"

DEFINE_STATIC_KEY_FALSE_SHARED(distant);
static DEFINE_STATIC_KEY_FALSE(private);

int keys_run(void);

static const char *plugin_path[2];
static int failures, stop;
static unsigned long steps;

struct actor {
	unsigned int seed;
	int users;
	void *handle[2];
};

static void fail(const char *what)
{
	printf("fuzz: %s\n", what);
	fflush(stdout);
	__atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED);
}

static int call(void *handle, const char *name)
{
	int (*function)(void);

	*(void **)&function = dlsym(handle, name);
	return function();
}

static void step_plugin(struct actor *actor, int which)
{
	void **handle = &actor->handle[which];

	if (!*handle) {
		*handle = dlopen(plugin_path[which], RTLD_NOW | RTLD_LOCAL);
		if (!*handle)
			fail(dlerror());
	} else {
		dlclose(*handle);
		*handle = NULL;
	}
}

static void step_user(struct actor *actor)
{
	if (actor->users) {
		actor->users--;
		static_branch_dec(&common);
	} else {
		if (!static_branch_inc(&common))
			fail("inc was refused");
		actor->users++;
	}
}

static void step_fork(const struct actor *actor)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		static_branch_enable(&private);
		if (!static_branch_unlikely(&private))
			_exit(1);
		static_branch_disable(&private);
		if (static_branch_unlikely(&private))
			_exit(2);
		_exit(actor->users && !keys_run() ? 3 : 0);
	}
	if (waitpid(pid, &status, 0) != pid || status)
		fail("a child saw a wrong branch");
}

static void look(const struct actor *actor)
{
	int i;

	if (!actor->users)
		return;
	if (!keys_run() || !static_branch_unlikely(&common))
		fail("the key is on, but a site is not");
	for (i = 0; i < 2; i++)
		if (actor->handle[i] &&
		    (call(actor->handle[i], "plugin_run") & 0xa) != 0xa)
			fail("the key is on, but a site of a plugin is not");
}

static void *act(void *context)
{
	struct actor *actor = context;

	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		unsigned int dice = rand_r(&actor->seed) % 64;

		if (dice < 16)
			step_plugin(actor, dice & 1);
		else if (dice < 48)
			step_user(actor);
		else if (dice == 48)
			step_fork(actor);
		else if (dice < 56)
			static_branch_inc(&distant);
		else
			static_branch_enable_queued(&private);
		if (dice >= 49 && dice < 56)
			static_branch_dec(&distant);
		look(actor);
		__atomic_fetch_add(&steps, 1, __ATOMIC_RELAXED);
	}
	while (actor->users)
		step_user(actor);
	return NULL;
}

static void *run(void *unused)
{
	unsigned long sum = 0;

	(void)unused;
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED))
		sum += keys_run() + static_branch_unlikely(&private);
	return (void *)sum;
}

int main(int argc, char **argv)
{
	struct actor actors[3] = { { .users = 0 } };
	unsigned int seed = argc > 4 ? atoi(argv[4]) : time(NULL), i;
	pthread_t thread[4];

	if (argc < 4)
		return 2;
	plugin_path[0] = argv[1];
	plugin_path[1] = argv[2];
	printf("seed %u\n", seed);
	fflush(stdout);
	if (jump_label_init())
		return 1;
	pthread_create(&thread[3], NULL, run, NULL);
	for (i = 0; i < 3; i++) {
		actors[i].seed = seed + i;
		pthread_create(&thread[i], NULL, act, &actors[i]);
	}
	sleep(atoi(argv[3]));
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	for (i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	if (static_key_count(&common) || keys_run())
		fail("the count did not come back to 0");
	printf("steps %lu failures %d\n", steps, failures);
	return failures != 0;
}
