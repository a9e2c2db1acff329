// SPDX-License-Identifier: GPL-2.0
/*
 * pipe-test - two processes hand one byte back and forth
 *
 * usage: pipe-test ROUND_TRIPS
 *
 * Each round trip is two writes, two blocking reads and, on one CPU, two
 * context switches: little but the scheduler and the pipe. Region 1 is the
 * loop; fork, exec and exit are outside it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "region.h"

/* The four ends: the parent writes to there[1], the child to back[1]. */
static int there[2], back[2];

static void die(const char *what)
{
	fprintf(stderr, "pipe-test: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void child(void)
{
	char byte;

	close(there[1]);
	close(back[0]);
	while (read(there[0], &byte, 1) == 1)
		if (write(back[1], &byte, 1) != 1)
			_exit(1);
	_exit(0);
}

static void round_trip(void)
{
	char byte = 'x';

	if (write(there[1], &byte, 1) != 1)
		die("write");
	if (read(back[0], &byte, 1) != 1)
		die("read");
}

static double seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static unsigned long parse_count(const char *text)
{
	char *end;
	unsigned long n;

	errno = 0;
	n = strtoul(text, &end, 10);
	if (errno || *end || end == text || *text == '-' || !n) {
		fprintf(stderr, "pipe-test: %s: not a number of round trips\n",
			text);
		exit(2);
	}
	return n;
}

int main(int argc, char **argv)
{
	unsigned long n, i;
	double start, took;
	int status;
	pid_t pid;

	if (argc != 2) {
		fprintf(stderr, "usage: pipe-test ROUND_TRIPS\n");
		return 2;
	}
	n = parse_count(argv[1]);
	if (pipe(there) || pipe(back))
		die("pipe");
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid)
		child();
	close(there[0]);
	close(back[1]);

	start = seconds();
	region_begin(1);
	for (i = 0; i < n; i++)
		round_trip();
	region_end(1);
	took = seconds() - start;

	close(there[1]);
	if (waitpid(pid, &status, 0) != pid || status)
		die("the other process failed");
	printf("pipe-test: round_trips=%lu seconds=%.6f us_per_round_trip=%.3f\n",
	       n, took, took * 1e6 / n);
	return 0;
}
