// SPDX-License-Identifier: GPL-2.0
/*
 * What /proc/self/maps says while 10,000 sites of one key change: maps [ROUNDS]
 *
 * One thread looks at it all the time, another runs the sites. No mapping may
 * ever be writable and executable, and changes add none; jump_label_init() may
 * add one, for what it notes about the sites.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <jump_label.h>
#include "../bench/sites.h"

#define NR 10000

DEFINE_STATIC_KEY_FALSE(key_10000);
SITES(10000);

static int stop;
static unsigned long looks, rounds, bad;

/* No stdio: it would allocate. Return: how many mappings there are. */
static int look(char *text, size_t size)
{
	int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC), lines = 0;
	size_t len = 0;
	ssize_t n;
	char *at;

	while ((n = read(fd, text + len, size - 1 - len)) > 0)
		len += n;
	close(fd);
	if (len == size - 1)
		bad++;			/* too many to look at */
	text[len] = '\0';
	for (at = text; (at = strchr(at, '\n')); at++)
		lines++;
	if (strstr(text, " rwx") || strstr(text, " -wx"))
		__atomic_fetch_add(&bad, 1, __ATOMIC_RELAXED);
	return lines;
}

static void *look_always(void *unused)
{
	static char text[1 << 20];

	(void)unused;
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		look(text, sizeof(text));
		__atomic_fetch_add(&looks, 1, __ATOMIC_RELEASE);
	}
	return NULL;
}

static void *run_always(void *unused)
{
	(void)unused;
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		((void (*)(void))sites_10000)();
		__atomic_fetch_add(&rounds, 1, __ATOMIC_RELEASE);
	}
	return NULL;
}

/* Wait until @count has moved on by one at least. */
static void wait_for(unsigned long *count)
{
	unsigned long before = __atomic_load_n(count, __ATOMIC_ACQUIRE);

	while (__atomic_load_n(count, __ATOMIC_ACQUIRE) == before)
		usleep(100);
}

static int count_site(const struct jump_label_site *site, void *context)
{
	unsigned int *sites = context;

	if (site->key == &key_10000.key)
		sites[site->state]++;
	return 0;
}

/* Is every site in @state? */
static void check(enum jump_label_state state)
{
	unsigned int sites[3] = { 0, 0, 0 };

	jump_label_each_site(count_site, sites);
	if (sites[state] != NR) {
		printf("%u nop %u jump %u load\n", sites[0], sites[1],
		       sites[2]);
		bad++;
	}
}

int main(int argc, char **argv)
{
	int turns = argc > 1 ? atoi(argv[1]) : 6, i;
	int before, ready, after;
	static char text[1 << 20];
	pthread_t thread[2];

	pthread_create(&thread[0], NULL, look_always, NULL);
	pthread_create(&thread[1], NULL, run_always, NULL);
	wait_for(&looks);
	before = look(text, sizeof(text));
	if (jump_label_init()) {
		puts(jump_label_status());
		return 1;
	}
	ready = look(text, sizeof(text));
	for (i = 0; i < turns; i++) {
		static_branch_enable(&key_10000);
		check(JUMP_LABEL_SITE_JMP);
		wait_for(&rounds);
		static_branch_disable(&key_10000);
		check(JUMP_LABEL_SITE_NOP);
		wait_for(&looks);
	}
	after = look(text, sizeof(text));
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	for (i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	printf("%d sites, %d turns: %d mappings at first, %d when ready, %d at the end, looked at %lu times, %lu bad\n",
	       NR, 2 * turns, before, ready, after, looks, bad);
	return bad || after != ready || ready > before + 1;
}
