// SPDX-License-Identifier: GPL-2.0
/*
 * getppid - a loop of the shortest system call
 *
 * usage: getppid CALLS
 *
 * One system call an iteration: the kernel's entry and exit paths with
 * whatever static branches stand in them. Region 2 is the loop.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "region.h"

static double seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	unsigned long n, i;
	double start, took;
	char *end;

	if (argc != 2) {
		fprintf(stderr, "usage: getppid CALLS\n");
		return 2;
	}
	errno = 0;
	n = strtoul(argv[1], &end, 10);
	if (errno || *end || *argv[1] == '-' || !n) {
		fprintf(stderr, "getppid: %s: not a number of calls\n",
			argv[1]);
		return 2;
	}

	start = seconds();
	region_begin(2);
	for (i = 0; i < n; i++)
		syscall(SYS_getppid);
	region_end(2);
	took = seconds() - start;
	printf("getppid: calls=%lu seconds=%.6f ns_per_call=%.1f\n",
	       n, took, took * 1e9 / n);
	return 0;
}
