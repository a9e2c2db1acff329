// SPDX-License-Identifier: GPL-2.0
/*
 * Time of a toggle: bench
 *
 * For 1, 100 and 10,000 sites of one key and 1 and 8 threads: a toggle of ours,
 * the same sites written with one pair of mprotect() each, which is what a
 * program does that knows nothing better (and is not safe while threads run the
 * sites), and the store to a plain atomic flag. Medians of one run, in ns:
 *
 *	sites,threads,ours,mprotect,flag
 *
 * Of more than 1000 sites mprotect() does 1000, and its time is scaled.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <jump_label.h>
#include "sites.h"

#define ROUNDS		15
#define MPROTECT_MAX	1000

DEFINE_STATIC_KEY_FALSE(key_1);
DEFINE_STATIC_KEY_FALSE(key_100);
DEFINE_STATIC_KEY_FALSE(key_10000);

SITES(1);
SITES(100);
SITES(10000);
ROOM(1);
ROOM(100);
ROOM(10000);

static int flag, stop;

static void *spin(void *sites)
{
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED))
		((void (*)(void))sites)();
	return NULL;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1e9 + time.tv_nsec;
}

static void toggle_flag(void)
{
	__atomic_store_n(&flag, !flag, __ATOMIC_SEQ_CST);
}

static void toggle_mprotect(char *sites, int nr)
{
	int i;

	for (i = 0; i < nr; i++) {
		char *at = sites + i * SITE_DISTANCE;
		void *page = (void *)((unsigned long)at & ~4095UL);

		if (mprotect(page, 4096, PROT_READ | PROT_WRITE | PROT_EXEC))
			exit(1);
		memset(at, 0x90, 5);
		if (mprotect(page, 4096, PROT_READ | PROT_EXEC))
			exit(1);
	}
}

static int compare(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return left < right ? -1 : left > right;
}

struct row {
	int nr;
	struct static_key_false *key;
	char *sites;
	char *other;
};

static void measure(const struct row *row, int threads)
{
	double ours[ROUNDS], slow[ROUNDS], plain[ROUNDS], start;
	int few = row->nr < MPROTECT_MAX ? row->nr : MPROTECT_MAX, i;
	pthread_t thread[8];

	__atomic_store_n(&stop, 0, __ATOMIC_RELAXED);
	for (i = 1; i < threads; i++)
		pthread_create(&thread[i], NULL, spin, row->sites);
	for (i = 0; i < ROUNDS; i++) {
		start = now();
		if (i & 1)
			static_branch_disable(row->key);
		else
			static_branch_enable(row->key);
		ours[i] = now() - start;
		start = now();
		if (i < 3)
			toggle_mprotect(row->other, few);
		slow[i] = (now() - start) * row->nr / few;
		start = now();
		toggle_flag();
		plain[i] = now() - start;
	}
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	for (i = 1; i < threads; i++)
		pthread_join(thread[i], NULL);
	static_branch_disable(row->key);
	qsort(ours, ROUNDS, sizeof(*ours), compare);
	qsort(slow, 3, sizeof(*slow), compare);
	qsort(plain, ROUNDS, sizeof(*plain), compare);
	printf("%d,%d,%.0f,%.0f,%.0f\n", row->nr, threads, ours[ROUNDS / 2],
	       slow[1], plain[ROUNDS / 2]);
	fflush(stdout);
}

int main(void)
{
	const struct row rows[] = {
		{ 1, &key_1, sites_1, room_1 },
		{ 100, &key_100, sites_100, room_100 },
		{ 10000, &key_10000, sites_10000, room_10000 },
	};
	unsigned int i;

	if (jump_label_init()) {
		fprintf(stderr, "bench: %s\n", jump_label_status());
		return 1;
	}
	puts("sites,threads,ours,mprotect,flag");
	for (i = 0; i < 3; i++) {
		measure(&rows[i], 1);
		measure(&rows[i], 8);
	}
	return 0;
}
