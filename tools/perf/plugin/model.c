// SPDX-License-Identifier: GPL-2.0
/*
 * model.c - instruction fetch through the modelled caches and TLBs
 *
 * Kernel text is taken to be mapped by global 2M pages and all else by 4K
 * pages, as x86-64 Linux does without page-table isolation.
 */
#include <stdio.h>
#include <string.h>

#include "model.h"

#define PAGE_SHIFT 12
#define LARGE_SHIFT 21
/* Marks a translation that a change of the address space leaves alone. */
#define TAG_GLOBAL (1ULL << 63)

struct model models[MODELS_MAX];
unsigned int models_count;
uint64_t model_fetches[2];

static uint64_t last_line;

static bool add(const struct geometry *geometry)
{
	struct model *model = models + models_count;

	if (models_count == MODELS_MAX) {
		fprintf(stderr, "count: more than %d geometries\n", MODELS_MAX);
		return false;
	}
	model->geometry = geometry;
	if (!cache_init(&model->l1i, geometry->size >> CACHE_LINE_SHIFT,
			geometry->ways) ||
	    !cache_init(&model->tlb, geometry->tlb_entries,
			geometry->tlb_ways) ||
	    (geometry->tlb_large &&
	     !cache_init(&model->large, geometry->tlb_large,
			 geometry->tlb_large))) {
		fprintf(stderr, "count: %s: impossible geometry\n",
			geometry->name);
		return false;
	}
	models_count++;
	return true;
}

bool model_add(const char *name)
{
	bool all = !strcmp(name, "all"), found = false;
	unsigned int i;

	for (i = 0; i < geometries_count; i++) {
		if (!all && strcmp(name, geometries[i].name))
			continue;
		found = true;
		if (!add(geometries + i))
			return false;
	}
	if (!found)
		fprintf(stderr, "count: %s: no such geometry\n", name);
	return found;
}

void model_reset(void)
{
	unsigned int i;

	for (i = 0; i < models_count; i++) {
		cache_clear(&models[i].l1i);
		cache_clear(&models[i].tlb);
		if (models[i].geometry->tlb_large)
			cache_clear(&models[i].large);
	}
	memset(model_fetches, 0, sizeof(model_fetches));
	last_line = 0;
}

static bool translate(struct model *model, uint64_t address)
{
	struct cache *large = &model->large;
	uint64_t page;

	if (!is_kernel(address)) {
		page = address >> PAGE_SHIFT;
		return cache_touch(&model->tlb, page, page + 1);
	}
	page = address >> LARGE_SHIFT;
	if (!model->geometry->tlb_large)
		large = &model->tlb;
	return cache_touch(large, page, page | TAG_GLOBAL);
}

void model_fetch(struct fetch *fetch)
{
	struct model *model = models;
	unsigned int i;

	if (fetch->tag == last_line)
		return;
	last_line = fetch->tag;
	model_fetches[is_kernel(fetch->address)]++;
	for (i = 0; i < models_count; i++, model++) {
		if (!translate(model, fetch->address))
			fetch->tlb_misses[i]++;
		if (!cache_touch(&model->l1i,
				 fetch->address >> CACHE_LINE_SHIFT,
				 fetch->tag))
			fetch->misses[i]++;
	}
}

void model_flush(void)
{
	unsigned int i;

	for (i = 0; i < models_count; i++)
		cache_drop(&models[i].tlb, TAG_GLOBAL);
}
