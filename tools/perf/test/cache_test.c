// SPDX-License-Identifier: GPL-2.0
/* cache_test.c - LRU, sets and geometries */
#include <stdio.h>

#include "../plugin/cache.c"

static int failed, count;

static void check(int good, const char *what)
{
	count++;
	printf("%sok %d - %s\n", good ? "" : "not ", count, what);
	failed += !good;
}

/* Misses of @rounds passes over @lines lines that all fall into one set. */
static unsigned int pass(struct cache *cache, unsigned int lines,
			 unsigned int rounds)
{
	unsigned int misses = 0, round, i;

	cache_clear(cache);
	for (round = 0; round < rounds; round++)
		for (i = 0; i < lines; i++) {
			uint64_t line = 5 + (uint64_t)i * cache->sets;

			misses += !cache_touch(cache, line, line + 1);
		}
	return misses;
}

static void check_geometry(const struct geometry *g)
{
	unsigned int lines = g->size >> CACHE_LINE_SHIFT;
	struct cache cache;
	char what[100];

	snprintf(what, sizeof(what), "%s: %u sets of %u", g->name,
		 lines / g->ways, g->ways);
	check(cache_init(&cache, lines, g->ways) &&
	      cache.sets * g->ways * 64 == g->size, what);
	snprintf(what, sizeof(what), "%s: %u lines of a set all stay", g->name,
		 g->ways);
	check(pass(&cache, g->ways, 10) == g->ways, what);
	snprintf(what, sizeof(what), "%s: one more and LRU loses every time",
		 g->name);
	check(pass(&cache, g->ways + 1, 10) == 10 * (g->ways + 1), what);
	free(cache.tags);
}

static void check_order(void)
{
	struct cache cache;

	cache_init(&cache, 3, 3);
	cache_touch(&cache, 0, 1);
	cache_touch(&cache, 0, 2);
	cache_touch(&cache, 0, 3);
	check(cache_touch(&cache, 0, 1), "the oldest line is still there");
	cache_touch(&cache, 0, 4);
	check(cache_touch(&cache, 0, 1), "a line that was used again stays");
	check(!cache_touch(&cache, 0, 2), "the least recently used has gone");
	free(cache.tags);
}

static void check_drop(void)
{
	struct cache cache;

	cache_init(&cache, 4, 4);
	cache_touch(&cache, 0, 8 | 1);
	cache_touch(&cache, 0, 2);
	cache_touch(&cache, 0, 8 | 3);
	cache_drop(&cache, 8);
	check(cache_touch(&cache, 0, 8 | 1) && cache_touch(&cache, 0, 8 | 3),
	      "global entries survive a flush");
	check(!cache_touch(&cache, 0, 2), "others do not");
	cache_touch(&cache, 0, 4);
	check(cache_touch(&cache, 0, 8 | 1),
	      "the room of the dropped is used before anything is evicted");
	free(cache.tags);
}

int main(void)
{
	struct cache cache;
	unsigned int i;

	for (i = 0; i < geometries_count; i++)
		check_geometry(geometries + i);
	check_order();
	check_drop();
	check(!cache_init(&cache, 96, 4), "24 sets are refused");
	check(!cache_init(&cache, 10, 4), "half a set is refused");
	check(!cache_init(&cache, 8, 0), "no ways are refused");
	printf("1..%d\n", count);
	return !!failed;
}
