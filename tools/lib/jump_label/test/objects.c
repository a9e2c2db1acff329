// SPDX-License-Identifier: GPL-2.0
/*
 * Objects that come and go while keys change: objects PLUGIN-A PLUGIN-B [ROUNDS]
 *
 * The two plugins are loaded and unloaded by one thread each, while the first
 * thread toggles a key that all objects use. In between everything is looked at
 * while nothing changes.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include "shared.h"

DEFINE_STATIC_KEY_FALSE_SHARED(distant);

int keys_run(void);

static int failures, stop;

#define CHECK(claim)							\
do {									\
	if (!(claim)) {							\
		printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #claim); \
		__atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED);	\
	}								\
} while (0)

struct plugin {
	const char *path;
	void *handle;
	int (*run)(void);
	int (*start_run)(void);
	void (*own)(int on);
};

static void plugin_load(struct plugin *plugin)
{
	plugin->handle = dlopen(plugin->path, RTLD_NOW | RTLD_LOCAL);
	if (!plugin->handle) {
		puts(dlerror());
		exit(1);
	}
	*(void **)&plugin->run = dlsym(plugin->handle, "plugin_run");
	*(void **)&plugin->start_run = dlsym(plugin->handle,
					     "plugin_start_run");
	*(void **)&plugin->own = dlsym(plugin->handle, "plugin_own");
}

/* What plugin_run() should say. */
static int expected(int own)
{
	return own | (static_key_enabled(&common) ? 0xa : 0) |
		(static_key_enabled(&common_true) ? 0x14 : 0) |
		(static_key_enabled(&distant) ? 0x20 : 0);
}

static void look(struct plugin *plugin, int own)
{
	int want = expected(own);

	CHECK(plugin->run() == want);
	CHECK(keys_run() == static_key_enabled(&common));
	CHECK((static_branch_unlikely(&common) ? 1 : 0) ==
	      static_key_enabled(&common));
	CHECK((static_branch_likely(&common_true) ? 1 : 0) ==
	      static_key_enabled(&common_true));
}

static void combinations(struct plugin *a, struct plugin *b)
{
	int i;

	for (i = 0; i < 8; i++) {
		if (i & 1)
			static_branch_enable(&common);
		else
			static_branch_disable(&common);
		if (i & 2)
			static_branch_enable(&common_true);
		else
			static_branch_disable(&common_true);
		if (i & 4)
			static_branch_enable(&distant);
		else
			static_branch_disable(&distant);
		a->own(i & 1);
		b->own(!(i & 1));
		look(a, i & 1);
		look(b, !(i & 1));
	}
}

static void *churn(void *context)
{
	struct plugin plugin = *(struct plugin *)context;
	int i, result = 0;

	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		plugin_load(&plugin);
		plugin.own(1);
		for (i = 0; i < 200; i++)
			result |= ~plugin.run() & 1;
		plugin.own(0);
		for (i = 0; i < 200; i++)
			result |= plugin.run() & 1;
		dlclose(plugin.handle);
	}
	CHECK(result == 0);
	return NULL;
}

/* By state, and in the last place those more than 2 GB away from their key. */
static int count(const struct jump_label_site *site, void *context)
{
	long distance = (char *)site->key - (char *)site->code;
	unsigned int *sites = context;

	sites[site->state]++;
	sites[3] += distance != (int)distance;
	return 0;
}

int main(int argc, char **argv)
{
	struct plugin a = { .path = argv[1] }, b = { .path = argv[2] };
	int rounds = argc > 3 ? atoi(argv[3]) : 300, i;
	unsigned int sites[4] = { 0, 0, 0, 0 };
	pthread_t thread[2];

	plugin_load(&a);		/* before jump_label_init() ... */
	static_branch_enable(&common);
	look(&a, 0);
	CHECK(jump_label_init() == 0 || getenv("JUMP_LABEL"));
	look(&a, 0);
	plugin_load(&b);		/* ... and after */
	CHECK(b.start_run() == expected(0));
	look(&b, 0);
	combinations(&a, &b);
	jump_label_each_site(count, sites);
	printf("sites: %u nop, %u jump, %u load, %u far from their key\n",
	       sites[0], sites[1], sites[2], sites[3]);
	dlclose(a.handle);
	dlclose(b.handle);

	pthread_create(&thread[0], NULL, churn, &a);
	pthread_create(&thread[1], NULL, churn, &b);
	for (i = 0; i < rounds; i++) {
		static_branch_inc(&common_true);
		static_branch_dec(&common_true);
		static_branch_disable(&common);
		CHECK(keys_run() == 0);
		static_branch_enable(&common);
		CHECK(keys_run() == 1);
	}
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	pthread_join(thread[0], NULL);
	pthread_join(thread[1], NULL);
	plugin_load(&a);
	look(&a, 0);
	return failures != 0;
}
