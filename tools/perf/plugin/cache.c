// SPDX-License-Identifier: GPL-2.0
/* cache.c - set-associative LRU model and the named geometries */
#include <stdlib.h>
#include <string.h>

#include "cache.h"

const struct geometry geometries[] = {
	/* name		  L1I size ways	 4K TLB ways  2M TLB */
	{ "core2",	  32 << 10,   8,    128,   4,	   8 },
	{ "westmere",	  32 << 10,   4,     64,   4,	   7 },
	{ "barcelona",	  64 << 10,   2,     32,  32,	  16 },
	{ "zen3",	  32 << 10,   8,     64,  64,	   0 },
};

const unsigned int geometries_count = sizeof(geometries) / sizeof(*geometries);

bool cache_init(struct cache *cache, uint32_t entries, uint32_t ways)
{
	uint32_t sets;

	if (!ways || !entries || entries % ways)
		return false;
	sets = entries / ways;
	if (sets & (sets - 1))
		return false;
	cache->sets = sets;
	cache->ways = ways;
	cache->tags = calloc(entries, sizeof(*cache->tags));
	return cache->tags;
}

void cache_clear(struct cache *cache)
{
	memset(cache->tags, 0,
	       (size_t)cache->sets * cache->ways * sizeof(*cache->tags));
}

/* What stays keeps its order and moves up, so that holes are filled first. */
void cache_drop(struct cache *cache, uint64_t keep)
{
	uint64_t *tags = cache->tags;
	uint32_t set, way, kept;

	for (set = 0; set < cache->sets; set++, tags += cache->ways) {
		for (way = 0, kept = 0; way < cache->ways; way++)
			if (tags[way] & keep)
				tags[kept++] = tags[way];
		memset(tags + kept, 0, (cache->ways - kept) * sizeof(*tags));
	}
}

bool cache_touch(struct cache *cache, uint64_t line, uint64_t tag)
{
	uint64_t *tags = cache->tags + (line & (cache->sets - 1)) * cache->ways;
	uint32_t way = 0;
	bool hit;

	if (tags[0] == tag)
		return true;
	while (way < cache->ways - 1 && tags[way] != tag)
		way++;
	hit = tags[way] == tag;
	memmove(tags + 1, tags, way * sizeof(*tags));
	tags[0] = tag;
	return hit;
}
