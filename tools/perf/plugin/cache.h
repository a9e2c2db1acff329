/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cache.h - model of a set-associative cache or TLB with LRU replacement
 *
 * The set is chosen by the virtual address, the tag names the physical line
 * (virtually indexed, physically tagged), as in the processors modelled. Of
 * a model only misses are known: no prefetch, no second level, no time.
 */
#ifndef PERF_CACHE_H
#define PERF_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#define CACHE_LINE_SHIFT 6	/* 64 byte lines in every geometry */

/**
 * struct geometry - a processor's first-level instruction cache and TLB
 * @name: the name it is asked for by
 * @size: bytes of instruction cache
 * @ways: its associativity
 * @tlb_entries: entries for small pages
 * @tlb_ways: their associativity; as many as entries means full
 * @tlb_large: entries for 2M pages, 0 when they share the small ones
 */
struct geometry {
	const char *name;
	uint32_t size;
	uint32_t ways;
	uint32_t tlb_entries;
	uint32_t tlb_ways;
	uint32_t tlb_large;
};

extern const struct geometry geometries[];
extern const unsigned int geometries_count;

/**
 * struct cache - state of one model
 * @sets: number of sets, a power of two
 * @ways: lines in a set
 * @tags: for each set its tags, most recently used first; 0 is empty
 */
struct cache {
	uint32_t sets;
	uint32_t ways;
	uint64_t *tags;
};

/**
 * cache_init() - make an empty cache
 * @cache: to initialise
 * @entries: lines in all
 * @ways: lines in a set, a divisor of @entries
 *
 * Return: false when out of memory or when the geometry is impossible.
 */
bool cache_init(struct cache *cache, uint32_t entries, uint32_t ways);

/**
 * cache_clear() - empty it
 * @cache: an initialised cache
 */
void cache_clear(struct cache *cache);

/**
 * cache_drop() - drop every line whose tag has none of these bits
 * @cache: an initialised cache
 * @keep: bits that save a line
 */
void cache_drop(struct cache *cache, uint64_t keep);

/**
 * cache_touch() - use one line
 * @cache: an initialised cache
 * @line: line number that selects the set
 * @tag: identity of the line, not 0
 *
 * Return: true on a hit; on a miss the least recently used line has gone.
 */
bool cache_touch(struct cache *cache, uint64_t line, uint64_t tag);

#endif /* PERF_CACHE_H */
