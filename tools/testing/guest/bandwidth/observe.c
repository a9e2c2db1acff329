// SPDX-License-Identifier: GPL-2.0
/*
 * observe.c - what a group did in a stretch of time
 *
 *	observe [-t] MS DIR...
 *
 * Reads the counters of each group DIR, sleeps MS milliseconds, reads them again
 * and prints, for each group, one line of differences that a shell can evaluate:
 *
 *	wall_us=... use_us=... periods=... throttled=... throttled_us=...
 *	bursts=... burst_us=...
 *
 * With -t it prints what each group did since it was made, up to the first end of a
 * period of the first DIR that comes MS milliseconds from now: at that point nothing
 * is left of what was granted, but what a CPU holds.
 *
 * wall_us is the time that really passed. For either hierarchy; runs before all
 * normal tasks, so that the busiest machine does not delay it.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"

#define MAX_GROUPS	64

enum { USE, PERIODS, THROTTLED, THROTTLED_US, BURSTS, BURST_US, COUNTERS };

/* Each counter by its names; the v1 names in ns. */
static const struct counter {
	const char *label, *v2, *v1;
	int v1_per_unit;
} counters[COUNTERS] = {
	[USE]		= { "use_us", "usage_usec", NULL, 0 },
	[PERIODS]	= { "periods", "nr_periods", "nr_periods", 1 },
	[THROTTLED]	= { "throttled", "nr_throttled", "nr_throttled", 1 },
	[THROTTLED_US]	= { "throttled_us", "throttled_usec", "throttled_time", 1000 },
	[BURSTS]	= { "bursts", "nr_bursts", "nr_bursts", 1 },
	[BURST_US]	= { "burst_us", "burst_usec", "burst_time", 1000 },
};

struct snapshot {
	long long at_us;
	long long value[COUNTERS];
};

static void read_stat(const char *dir, struct snapshot *s)
{
	char path[4096], name[64];
	unsigned long long value;
	FILE *f;
	int i;

	snprintf(path, sizeof(path), "%s/cpu.stat", dir);
	f = fopen(path, "r");
	if (!f)
		err(1, "%s", path);
	while (fscanf(f, "%63s %llu", name, &value) == 2) {
		for (i = 0; i < COUNTERS; i++) {
			if (!strcmp(name, counters[i].v2))
				s->value[i] = value;
			else if (counters[i].v1 && !strcmp(name, counters[i].v1))
				s->value[i] = value / counters[i].v1_per_unit;
		}
	}
	fclose(f);

	/* With v1 the time used is in a file of its own. */
	snprintf(path, sizeof(path), "%s/cpuacct.usage", dir);
	f = fopen(path, "r");
	if (f) {
		if (fscanf(f, "%llu", &value) == 1)
			s->value[USE] = value / 1000;
		fclose(f);
	}
	s->at_us = clock_ns(CLOCK_MONOTONIC) / 1000;
}

/* Wait until a period of a group has ended; gives up after the longest there is. */
static void await_period(const char *dir)
{
	const uint64_t start = clock_ns(CLOCK_MONOTONIC);
	struct snapshot first, now;
	uint64_t at = start;

	read_stat(dir, &first);
	do {
		at += 500000;
		sleep_ns_until(at);
		read_stat(dir, &now);
	} while (now.value[PERIODS] == first.value[PERIODS] && at < start + 1000000000);
}

int main(int argc, char **argv)
{
	static struct snapshot before[MAX_GROUPS], after[MAX_GROUPS];
	const int total = argc > 1 && !strcmp(argv[1], "-t");
	int groups, i, c;
	uint64_t start;

	argc -= total;
	argv += total;
	groups = argc - 2;
	if (groups < 1 || groups > MAX_GROUPS)
		errx(1, "usage: observe [-t] MS DIR...");
	run_first();
	start = clock_ns(CLOCK_MONOTONIC);
	for (i = 0; i < groups && !total; i++)
		read_stat(argv[i + 2], &before[i]);
	sleep_ns_until(start + strtoull(argv[1], NULL, 10) * 1000000);
	if (total)
		await_period(argv[2]);
	for (i = 0; i < groups; i++)
		read_stat(argv[i + 2], &after[i]);
	for (i = 0; i < groups; i++) {
		printf("wall_us=%lld", after[i].at_us - before[i].at_us);
		for (c = 0; c < COUNTERS; c++)
			printf(" %s=%lld", counters[c].label,
			       after[i].value[c] - before[i].value[c]);
		putchar('\n');
	}
	return 0;
}
