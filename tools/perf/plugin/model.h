/* SPDX-License-Identifier: GPL-2.0 */
/*
 * model.h - the processors whose instruction fetch is modelled
 */
#ifndef PERF_MODEL_H
#define PERF_MODEL_H

#include "block.h"
#include "cache.h"

/**
 * struct model - one processor
 * @geometry: its name and sizes
 * @l1i: instruction cache
 * @tlb: translations of small pages
 * @large: translations of 2M pages, unless @geometry shares them
 */
struct model {
	const struct geometry *geometry;
	struct cache l1i;
	struct cache tlb;
	struct cache large;
};

extern struct model models[MODELS_MAX];
extern unsigned int models_count;

/* Lines fetched in the region, one for each change of line. */
extern uint64_t model_fetches[2];

/**
 * model_add() - model one more processor
 * @name: of a geometry, or "all"
 *
 * Return: false after saying on stderr what is wrong.
 */
bool model_add(const char *name);

/**
 * model_reset() - empty all caches, as a region does when it begins
 */
void model_reset(void);

/**
 * model_fetch() - take instructions from a line
 * @fetch: the place; its miss counters are updated
 */
void model_fetch(struct fetch *fetch);

/**
 * model_flush() - another address space: drop translations of user addresses
 */
void model_flush(void);

#endif /* PERF_MODEL_H */
