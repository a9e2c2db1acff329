// SPDX-License-Identifier: GPL-2.0
/*
 * jump_test - what one jump label costs in a tight loop
 *
 * usage: jump_test ITERATIONS
 *
 * The loop holds, inlined, a function made of a jump label, a return, a
 * condition and a return:
 *
 *	if (the site is on) {
 *		mix value in another way;
 *		return value ? mixed : iteration;
 *	}
 *	mix value;
 *	return value ? mixed : iteration;
 *
 * It runs once with the site off (region 3) and once with it on (region 4).
 * Both runs execute the same text but for the five bytes of the site, which
 * the program patches itself while nothing else runs.
 *
 * The loop is written in assembly (jump_test_loop.S) so that the count is
 * known beforehand and no compiler can change it: 15 instructions and 3
 * branches an iteration with the site off, 20 and 4 with it on, as in the
 * measurement of 2011.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "jump_test.h"
#include "region.h"

#define SITE_LEN 5

unsigned long jump_test_flag = 1;

static const unsigned char nop[SITE_LEN] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };

static void die(const char *what)
{
	fprintf(stderr, "jump_test: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* Two pages, since the site may straddle a boundary. */
static void protect_site(int prot)
{
	unsigned long page = sysconf(_SC_PAGESIZE);
	unsigned long start = (unsigned long)jump_test_site & -page;

	if (mprotect((void *)start, 2 * page, prot))
		die("mprotect");
}

static void write_site(const unsigned char *bytes)
{
	protect_site(PROT_READ | PROT_WRITE | PROT_EXEC);
	memcpy(jump_test_site, bytes, SITE_LEN);
	protect_site(PROT_READ | PROT_EXEC);
}

static void site_on(void)
{
	unsigned char jump[SITE_LEN] = { 0xe9 };
	int distance = jump_test_on - (jump_test_site + SITE_LEN);

	memcpy(jump + 1, &distance, sizeof(distance));
	write_site(jump);
}

static double seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static void report(const char *state, unsigned long n, double took,
		   unsigned long sum)
{
	printf("jump_test: site=%s iterations=%lu seconds=%.6f ns_per_iteration=%.3f sum=%lu\n",
	       state, n, took, took * 1e9 / n, sum);
}

int main(int argc, char **argv)
{
	unsigned long n, sum;
	double start;
	char *end;

	if (argc != 2) {
		fprintf(stderr, "usage: jump_test ITERATIONS\n");
		return 2;
	}
	errno = 0;
	n = strtoul(argv[1], &end, 10);
	if (errno || *end || *argv[1] == '-' || !n) {
		fprintf(stderr, "jump_test: %s: not a number of iterations\n",
			argv[1]);
		return 2;
	}

	write_site(nop);
	start = seconds();
	region_begin(3);
	sum = jump_test_loop(n);
	region_end(3);
	report("off", n, seconds() - start, sum);

	site_on();
	start = seconds();
	region_begin(4);
	sum = jump_test_loop(n);
	region_end(4);
	report("on", n, seconds() - start, sum);
	return 0;
}
