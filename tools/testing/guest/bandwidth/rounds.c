// SPDX-License-Identifier: GPL-2.0
/*
 * rounds.c - groups that come, get a limit, and go with it
 *
 *	rounds N DIR FILE TEXT
 *
 * N times: make the group DIR, write TEXT to its control file FILE, remove it. In
 * every tenth a task has run.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"

static void put(const char *dir, const char *file, const char *text)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	fd = open(path, O_WRONLY);
	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		err(1, "%s", path);
	close(fd);
}

static void run_task(const char *dir)
{
	pid_t child = fork();

	if (child < 0)
		err(1, "fork");
	if (!child) {
		uint64_t end;

		put(dir, "cgroup.procs", "0");
		end = clock_ns(CLOCK_MONOTONIC) + 2000000;
		while (clock_ns(CLOCK_MONOTONIC) < end)
			let_others_run();
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

int main(int argc, char **argv)
{
	int i, n;

	if (argc != 5)
		errx(1, "usage: rounds N DIR FILE TEXT");
	n = atoi(argv[1]);
	for (i = 0; i < n; i++) {
		if (mkdir(argv[2], 0755))
			err(1, "%s", argv[2]);
		put(argv[2], argv[3], argv[4]);
		if (i % 10 == 9)
			run_task(argv[2]);
		/* A task that has just ended may still be counted. */
		while (rmdir(argv[2])) {
			if (errno != EBUSY)
				err(1, "rmdir %s", argv[2]);
			usleep(1000);
		}
	}
	return 0;
}
