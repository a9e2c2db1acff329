// SPDX-License-Identifier: GPL-2.0
/*
 * load.c - work for a group, and what became of it
 *
 *	load [-g DIR]... [-n THREADS] [-p CPU] [-r US -s US] -d MS
 *
 * Joins each group DIR (the directory of a cgroup), starts THREADS threads and
 * runs for MS milliseconds: spinning, or with -r and -s in turns of using US
 * microseconds of CPU time and sleeping US. -p ties the threads to CPU, and the
 * following ones to the CPUs after it.
 *
 * Ends with one line that a shell can evaluate:
 *
 *	cpu_us=... wall_us=... gap_us=... turns=...
 *
 * with the CPU time of all threads, the time from start to end, the longest
 * time in which a thread that wanted to run saw nothing of the world, and the
 * turns of all threads.
 */
#include <err.h>
#include <fcntl.h>
#include <getopt.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"

#define MAX_THREADS	256

struct worker {
	pthread_t	thread;
	int		cpu;		/* or -1 */
	uint64_t	cpu_ns;
	uint64_t	gap_ns;
	uint64_t	turns;
};

static uint64_t run_ns, sleep_ns, end_ns;

/* Spin until the clock ID is at UNTIL, or the end; note the longest gap. */
static void spin(struct worker *w, clockid_t id, uint64_t until)
{
	uint64_t last = clock_ns(CLOCK_MONOTONIC), now;

	do {
		let_others_run();
		now = clock_ns(CLOCK_MONOTONIC);
		if (now - last > w->gap_ns)
			w->gap_ns = now - last;
		last = now;
	} while (now < end_ns &&
		 (id == CLOCK_MONOTONIC || clock_ns(id) < until));
}

static void *work(void *arg)
{
	struct worker *w = arg;

	if (w->cpu >= 0)
		pin_to_cpu(w->cpu);
	while (clock_ns(CLOCK_MONOTONIC) < end_ns) {
		if (!run_ns) {
			spin(w, CLOCK_MONOTONIC, end_ns);
			continue;
		}
		spin(w, CLOCK_THREAD_CPUTIME_ID,
		     clock_ns(CLOCK_THREAD_CPUTIME_ID) + run_ns);
		w->turns++;
		sleep_ns_until(clock_ns(CLOCK_MONOTONIC) + sleep_ns);
	}
	w->cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	return NULL;
}

static void join_group(const char *dir)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/cgroup.procs", dir);
	fd = open(path, O_WRONLY);
	if (fd < 0 || write(fd, "0", 1) != 1)
		err(1, "%s", path);
	close(fd);
}

static uint64_t parse(const char *text)
{
	char *end;
	uint64_t n = strtoull(text, &end, 10);

	if (end == text || *end)
		errx(1, "%s: not a number", text);
	return n;
}

int main(int argc, char **argv)
{
	static struct worker workers[MAX_THREADS];
	struct worker sum = { 0 };
	uint64_t duration_ns = 0, start_ns;
	int threads = 1, cpu = -1, opt, i;

	while ((opt = getopt(argc, argv, "g:n:p:r:s:d:")) != -1) {
		switch (opt) {
		case 'g':
			join_group(optarg);
			break;
		case 'n':
			threads = parse(optarg);
			break;
		case 'p':
			cpu = parse(optarg);
			break;
		case 'r':
			run_ns = parse(optarg) * 1000;
			break;
		case 's':
			sleep_ns = parse(optarg) * 1000;
			break;
		case 'd':
			duration_ns = parse(optarg) * 1000000;
			break;
		default:
			return 1;
		}
	}
	if (!duration_ns || threads < 1 || threads > MAX_THREADS)
		errx(1, "needs -d MS, and 1 to %d threads", MAX_THREADS);

	start_ns = clock_ns(CLOCK_MONOTONIC);
	end_ns = start_ns + duration_ns;
	for (i = 0; i < threads; i++) {
		workers[i].cpu = cpu < 0 ? -1 : cpu + i;
		if (pthread_create(&workers[i].thread, NULL, work, &workers[i]))
			err(1, "thread %d", i);
	}
	for (i = 0; i < threads; i++) {
		pthread_join(workers[i].thread, NULL);
		sum.cpu_ns += workers[i].cpu_ns;
		sum.turns += workers[i].turns;
		if (workers[i].gap_ns > sum.gap_ns)
			sum.gap_ns = workers[i].gap_ns;
	}
	printf("cpu_us=%llu wall_us=%llu gap_us=%llu turns=%llu\n",
	       (unsigned long long)sum.cpu_ns / 1000,
	       (unsigned long long)(clock_ns(CLOCK_MONOTONIC) - start_ns) / 1000,
	       (unsigned long long)sum.gap_ns / 1000,
	       (unsigned long long)sum.turns);
	return 0;
}
