// SPDX-License-Identifier: GPL-2.0
/*
 * churn.c - everything that can happen to groups with limits, at once
 *
 *	churn SECONDS SEED DIR
 *
 * Below DIR, the root of a hierarchy with the cpu controller, stand two groups of
 * two groups of two groups. For SECONDS
 *
 *	four writers	set, change and lift limits and bursts anywhere, some of
 *			them refused
 *	a maker		removes groups with whatever limit they have, and makes
 *			them anew
 *	a keeper	forks tasks into the innermost groups, moves and kills them
 *	a plugger	takes CPUs off line and back
 *
 * Afterwards the tasks are gone, the CPUs are on line, all groups are there and no
 * limit is set. Prints how often each thing was done, as "name=count ...".
 */
#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"

#define WIDTH	2
#define GROUPS	(WIDTH + WIDTH * WIDTH + WIDTH * WIDTH * WIDTH)
#define TASKS	20
#define WRITERS	4

enum { LIMITED, LIFTED, BURSTS, REFUSED, MADE, REMOVED, FORKED, MOVED, KILLED,
	PLUGGED, COUNTS };

static const char * const count_names[COUNTS] = {
	"limited", "lifted", "bursts", "refused", "made", "removed", "forked",
	"moved", "killed", "plugged"
};

/* Parents stand before their children, the innermost groups last. */
static struct group {
	char	path[256];
	bool	innermost;
} groups[GROUPS];

static unsigned long *counts;	/* shared by all processes */
static uint64_t end_ns;
static bool v2;
static unsigned int seed;

static unsigned int below(unsigned int n)
{
	return rand_r(&seed) / 7 % n;
}

static bool over(void)
{
	let_others_run();
	return clock_ns(CLOCK_MONOTONIC) >= end_ns;
}

static void rest_ms(unsigned int ms)
{
	sleep_ns_until(clock_ns(CLOCK_MONOTONIC) + ms * 1000000ull);
}

static void did(int what)
{
	__atomic_add_fetch(&counts[what], 1, __ATOMIC_RELAXED);
}

/* Write to a file of a group, which may just be gone: 0 or the error. */
static int put(const char *dir, const char *file, const char *text)
{
	char path[512];
	int fd, error = 0;

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	fd = open(path, O_WRONLY);
	if (fd < 0)
		return errno;
	if (write(fd, text, strlen(text)) < 0)
		error = errno;
	close(fd);
	return error;
}

static int put_number(const char *dir, const char *file, long number)
{
	char text[32];

	snprintf(text, sizeof(text), "%ld", number);
	return put(dir, file, text);
}

static const struct group *any_innermost(void)
{
	return &groups[GROUPS - 1 - below(WIDTH * WIDTH * WIDTH)];
}

static int set_limit(const char *dir, long quota, long period)
{
	char text[64];
	int error;

	if (v2) {
		snprintf(text, sizeof(text), "%ld %ld", quota, period);
		return put(dir, "cpu.max", text);
	}
	error = put_number(dir, "cpu.cfs_period_us", period);
	return error ? error : put_number(dir, "cpu.cfs_quota_us", quota);
}

static int lift_limit(const char *dir)
{
	return v2 ? put(dir, "cpu.max", "max") : put(dir, "cpu.cfs_quota_us", "-1");
}

static void write_limits(void)
{
	static const long periods[] = { 1000, 4000, 10000, 50000, 100000, 1000000 };
	const char *burst_file = v2 ? "cpu.max.burst" : "cpu.cfs_burst_us";

	while (!over()) {
		const char *dir = groups[below(GROUPS)].path;
		long period = periods[below(6)];
		long quota = 1000 + below(period * 2);
		int error;

		switch (below(8)) {
		case 0:
		case 1:
			error = lift_limit(dir);
			did(error ? REFUSED : LIFTED);
			break;
		case 2:
			error = put_number(dir, burst_file, below(quota));
			did(error ? REFUSED : BURSTS);
			break;
		case 3:
			error = set_limit(dir, below(1000), period);
			did(REFUSED);
			if (!error)
				errx(1, "%s: a quota below 1 ms was accepted", dir);
			break;
		default:
			error = set_limit(dir, quota, period);
			did(error ? REFUSED : LIMITED);
		}
		rest_ms(below(12));
	}
}

static bool make_group(const struct group *g)
{
	if (mkdir(g->path, 0755))
		return false;
	if (v2 && !g->innermost && put(g->path, "cgroup.subtree_control", "+cpu"))
		err(1, "%s: subtree_control", g->path);
	did(MADE);
	return true;
}

/* Move all tasks of a group to another. */
static void evict(const struct group *g)
{
	char path[512], pid[32];
	FILE *f;

	snprintf(path, sizeof(path), "%s/cgroup.procs", g->path);
	f = fopen(path, "r");
	if (!f)
		return;
	while (fgets(pid, sizeof(pid), f)) {
		pid[strcspn(pid, "\n")] = '\0';
		if (!put(any_innermost()->path, "cgroup.procs", pid))
			did(MOVED);
	}
	fclose(f);
}

/* Take away some groups, innermost first, then put back whatever is missing. */
static void make_and_remove(void)
{
	int i;

	while (!over()) {
		int victim = below(GROUPS);

		/* A group goes with what is below it, whose path begins with its. */
		for (i = GROUPS - 1; i >= victim; i--) {
			size_t n = strlen(groups[victim].path);

			if (strncmp(groups[i].path, groups[victim].path, n))
				continue;
			if (groups[i].innermost)
				evict(&groups[i]);
			if (!rmdir(groups[i].path))
				did(REMOVED);
		}
		rest_ms(below(20));
		for (i = 0; i < GROUPS; i++)
			make_group(&groups[i]);
		rest_ms(below(40));
	}
}

static void spin_ms(unsigned int ms)
{
	uint64_t end = clock_ns(CLOCK_MONOTONIC) + ms * 1000000ull;

	while (clock_ns(CLOCK_MONOTONIC) < end)
		let_others_run();
}

/* What a task does until it is killed. */
static void be_task(void)
{
	unsigned int kind = below(4);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGCHLD, SIG_IGN);
	for (;;) {
		spin_ms(1 + below(10));
		if (kind == 1)
			rest_ms(1 + below(8));
		if (kind == 2 && !fork()) {
			spin_ms(below(6));
			_exit(0);
		}
		if (kind == 2)
			rest_ms(below(30));
	}
}

static void keep_tasks(void)
{
	static pid_t task[TASKS];
	int i;

	while (!over()) {
		i = below(TASKS);
		if (!task[i]) {
			task[i] = fork();
			if (task[i] < 0)
				err(1, "fork");
			if (!task[i]) {
				seed += getpid();
				put(any_innermost()->path, "cgroup.procs", "0");
				be_task();
			}
			did(FORKED);
		} else if (below(3)) {
			if (!put_number(any_innermost()->path, "cgroup.procs", task[i]))
				did(MOVED);
		} else {
			kill(task[i], SIGKILL);
			waitpid(task[i], NULL, 0);
			task[i] = 0;
			did(KILLED);
		}
		rest_ms(below(15));
	}
	for (i = 0; i < TASKS; i++) {
		if (task[i]) {
			kill(task[i], SIGKILL);
			waitpid(task[i], NULL, 0);
		}
	}
}

static void plug_cpus(void)
{
	int cpus = sysconf(_SC_NPROCESSORS_CONF), i;
	char dir[64];

	while (!over() && cpus > 1) {
		snprintf(dir, sizeof(dir), "/sys/devices/system/cpu/cpu%d",
			 1 + below(cpus - 1));
		if (!put(dir, "online", below(2) ? "0" : "1"))
			did(PLUGGED);
		rest_ms(20 + below(200));
	}
	for (i = 1; i < cpus; i++) {
		snprintf(dir, sizeof(dir), "/sys/devices/system/cpu/cpu%d", i);
		put(dir, "online", "1");
	}
}

static void start(void (*work)(void))
{
	seed = seed * 31 + 1;
	switch (fork()) {
	case -1:
		err(1, "fork");
	case 0:
		/* Limits are set and lifted in time, whatever the tasks do. */
		run_first();
		work();
		_exit(0);
	}
}

/* Children are made later than their parents, level by level. */
static void name_groups(const char *root)
{
	int i, n = 0, parent;

	for (i = 0; i < WIDTH; i++)
		snprintf(groups[n++].path, 256, "%.200s/c%d", root, i);
	for (parent = 0; n < GROUPS; parent++) {
		for (i = 0; i < WIDTH; i++, n++) {
			snprintf(groups[n].path, 256, "%.200s/c%d",
				 groups[parent].path, i);
			groups[n].innermost = n >= WIDTH + WIDTH * WIDTH;
		}
	}
}

int main(int argc, char **argv)
{
	int i, status, failed = 0;
	char path[512];

	if (argc != 4)
		errx(1, "usage: churn SECONDS SEED DIR");
	counts = mmap(NULL, sizeof(*counts) * COUNTS, PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (counts == MAP_FAILED)
		err(1, "mmap");
	seed = atoi(argv[2]);
	snprintf(path, sizeof(path), "%s/cgroup.controllers", argv[3]);
	v2 = !access(path, F_OK);
	name_groups(argv[3]);
	for (i = 0; i < GROUPS; i++)
		if (!make_group(&groups[i]))
			err(1, "%s", groups[i].path);

	end_ns = clock_ns(CLOCK_MONOTONIC) + strtoull(argv[1], NULL, 10) * 1000000000;
	for (i = 0; i < WRITERS; i++)
		start(write_limits);
	start(make_and_remove);
	start(keep_tasks);
	start(plug_cpus);
	while (wait(&status) > 0)
		failed |= status;

	/* v1 does not let a child have more than its parent: from the inside out. */
	for (i = GROUPS - 1; i >= 0; i--) {
		if (access(groups[i].path, F_OK))
			errx(1, "%s: missing", groups[i].path);
		if (lift_limit(groups[i].path))
			failed = 1;
	}
	for (i = 0; i < COUNTS; i++)
		printf("%s=%lu%c", count_names[i], counts[i],
		       i == COUNTS - 1 ? '\n' : ' ');
	return failed ? 1 : 0;
}
