/* SPDX-License-Identifier: GPL-2.0 */
/*
 * report.h - sums of a region and the file they are written to
 *
 * The file is text, one record a line, fields separated by tabs. The first
 * field names the record:
 *
 *	counts		1 (format), "system" or "user", target architecture
 *	begin		region, how often it has been entered
 *	count		region, name, "kernel" or "user", number
 *	fetches		region, "kernel" or "user", number of lines fetched
 *	misses		region, geometry, "l1i" or "itlb", "kernel" or "user",
 *			number
 *	set		region, geometry, set, misses of the instruction cache
 *	fight		region, geometry, set, function, misses
 *	function	region, "kernel" or "user", name, instructions, branches
 *	hit		region, symbol, number of times it was entered
 *	end		region
 *	closed		how many regions ended
 *
 * Numbers that were not asked for are absent, never 0. A file without
 * "closed" is that of a guest that died.
 */
#ifndef PERF_REPORT_H
#define PERF_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#define HITS_MAX 32

/**
 * struct report_options - what to write
 * @path: of the result file
 * @memory: loads and stores were counted
 * @functions: write the histogram
 * @hits: symbols whose entries are counted
 * @hit_addresses: where these lie
 * @hits_count: number of @hits
 */
struct report_options {
	const char *path;
	bool memory;
	bool functions;
	const char *hits[HITS_MAX];
	uint64_t hit_addresses[HITS_MAX];
	unsigned int hits_count;
};

extern struct report_options report_options;

/**
 * report_open() - create the result file
 * @mode: "system" or "user"
 * @target: architecture of the guest
 *
 * Return: false after saying on stderr what is wrong.
 */
bool report_open(const char *mode, const char *target);

/**
 * report_region() - write the counters of a region that has just ended
 * @region: its number
 * @entered: how often it has been entered
 */
void report_region(unsigned int region, uint64_t entered);

/**
 * report_close() - the guest came to an orderly end
 * @ended: how many regions were written
 */
void report_close(uint64_t ended);

#endif /* PERF_REPORT_H */
