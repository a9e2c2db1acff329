// SPDX-License-Identifier: GPL-2.0
/*
 * region - run a command as measured region 5
 *
 * usage: region COMMAND [ARGUMENT...]
 *
 * Counts what "perf stat COMMAND" would: the command from its exec to its
 * exit, with all the processes it starts. The markers are in the parent, so
 * that the fork and the wait are counted as well. The exit status is the
 * command's.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "region.h"

static int wait_for(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) != pid)
		if (errno != EINTR)
			return -1;
	return status;
}

int main(int argc, char **argv)
{
	int status;
	pid_t pid;

	if (argc < 2) {
		fprintf(stderr, "usage: region COMMAND [ARGUMENT...]\n");
		return 2;
	}
	region_begin(5);
	pid = fork();
	if (!pid) {
		execvp(argv[1], argv + 1);
		fprintf(stderr, "region: %s: %s\n", argv[1], strerror(errno));
		_exit(127);
	}
	status = pid < 0 ? -1 : wait_for(pid);
	region_end(5);

	if (status < 0) {
		fprintf(stderr, "region: %s\n", strerror(errno));
		return 1;
	}
	if (WIFSIGNALED(status)) {
		fprintf(stderr, "region: %s: killed by signal %d\n", argv[1],
			WTERMSIG(status));
		return 128 + WTERMSIG(status);
	}
	return WEXITSTATUS(status);
}
