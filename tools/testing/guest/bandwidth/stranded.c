// SPDX-License-Identifier: GPL-2.0
/*
 * stranded.c - does a task of a group get to run, on every CPU?
 *
 *	stranded MS DIR...
 *
 * Starts a task in each group DIR on each CPU that is on line, and waits until all
 * have run, MS milliseconds at most: to enter a group takes a slow kernel its time,
 * one that is throttled and forgotten takes for ever. Prints how many did not run. This is
 * how a run queue shows that was throttled and forgotten: nothing else does, as
 * throttled run queues are on no list that can be read.
 */
#include <err.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "clock.h"

#define MAX_TASKS	1024

static void become_task(const char *dir, int cpu, volatile char *ran)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/cgroup.procs", dir);
	pin_to_cpu(cpu);
	fd = open(path, O_WRONLY);
	if (fd < 0 || write(fd, "0", 1) != 1)
		err(1, "%s", path);
	*ran = 1;
	_exit(0);
}

int main(int argc, char **argv)
{
	volatile char *ran = mmap(NULL, MAX_TASKS, PROT_READ | PROT_WRITE,
				  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	static pid_t child[MAX_TASKS];
	int cpus = sysconf(_SC_NPROCESSORS_CONF), tasks = 0, stranded = 0, i;
	cpu_set_t online;
	uint64_t end;

	if (argc < 3 || (argc - 2) * cpus > MAX_TASKS)
		errx(1, "usage: stranded MS DIR...");
	if (ran == MAP_FAILED || sched_getaffinity(0, sizeof(online), &online))
		err(1, "start");
	run_first();
	for (i = 0; i < (argc - 2) * cpus; i++) {
		if (!CPU_ISSET(i % cpus, &online))
			continue;
		child[tasks] = fork();
		if (child[tasks] < 0)
			err(1, "fork");
		if (!child[tasks])
			become_task(argv[2 + i / cpus], i % cpus, &ran[tasks]);
		tasks++;
	}
	end = clock_ns(CLOCK_MONOTONIC) + strtoull(argv[1], NULL, 10) * 1000000;
	do {
		sleep_ns_until(clock_ns(CLOCK_MONOTONIC) + 10000000);
		for (stranded = 0, i = 0; i < tasks; i++)
			stranded += !ran[i];
	} while (stranded && clock_ns(CLOCK_MONOTONIC) < end);
	for (i = 0; i < tasks; i++)
		kill(child[i], SIGKILL);
	printf("%d\n", stranded);
	return 0;
}
