/* SPDX-License-Identifier: GPL-2.0 */
/*
 * region.h - the two instructions that delimit a measured region
 *
 * A region is what runs between a begin and an end marker. Both are eight
 * byte NOPs, "nopl disp32(%rax,%rax,1)", whose displacement no compiler and
 * no padding table produces:
 *
 *	0f 1f 84 00  ii 'S' 'L' 'J'	region ii begins
 *	0f 1f 84 00  ii 'E' 'L' 'J'	region ii ends
 *
 * On a machine without the counting plugin they do nothing. The plugin counts
 * from the instruction after the begin marker to the one before the end
 * marker; the markers themselves are not counted. Regions do not nest. The
 * whole machine is counted, not only the process that ran the marker.
 *
 * With REGIONS defined as 0 both are empty: such a program can warm up.
 */
#ifndef PERF_REGION_H
#define PERF_REGION_H

#include <sys/cdefs.h>

#ifndef REGIONS
#define REGIONS 1
#endif

#define REGION_MARKER(letter) \
	".byte 0x0f, 0x1f, 0x84, 0x00, %c0, '" letter "', 'L', 'J'"

/**
 * region_begin() - start counting region @id
 * @id: a constant from 0 to 255
 */
static __always_inline void region_begin(const int id)
{
	if (REGIONS)
		asm volatile(REGION_MARKER("S") : : "i" (id) : "memory");
}

/**
 * region_end() - stop counting region @id
 * @id: the constant given to region_begin()
 */
static __always_inline void region_end(const int id)
{
	if (REGIONS)
		asm volatile(REGION_MARKER("E") : : "i" (id) : "memory");
}

#endif /* PERF_REGION_H */
