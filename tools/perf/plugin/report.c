// SPDX-License-Identifier: GPL-2.0
/* report.c - adds up the counters of all blocks and writes them down */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "insn.h"
#include "model.h"
#include "report.h"
#include "symbols.h"

/* Sums of one privilege level. */
struct sums {
	uint64_t kinds[INSN_KINDS];
	uint64_t not_taken;
	uint64_t lost;
	uint64_t repeats;
	uint64_t loads;
	uint64_t stores;
};

struct function {
	uint64_t instructions;
	uint64_t branches;
};

struct report_options report_options;

static const char *const level[2] = { "user", "kernel" };
static FILE *out;
static unsigned int levels;	/* a user program has no kernel to count */

bool report_open(const char *mode, const char *target)
{
	out = fopen(report_options.path, "w");
	if (!out) {
		fprintf(stderr, "count: %s: %s\n", report_options.path,
			strerror(errno));
		return false;
	}
	levels = strcmp(mode, "user") ? 2 : 1;
	fprintf(out, "counts\t1\t%s\t%s\n", mode, target);
	fflush(out);
	return true;
}

static bool is_branch(uint8_t kind)
{
	return kind == INSN_COND || kind == INSN_JUMP || kind == INSN_CALL ||
	       kind == INSN_RET;
}

/* Entry 2 * symbol + kernel: the two levels may share [unknown]. */
static void add_block(const struct block *block, struct sums sums[2],
		      struct function *functions, uint64_t *entries)
{
	unsigned int i;

	for (i = 0; i < block->steps_count; i++) {
		const struct step *step = block->steps + i;
		bool kernel = is_kernel(step->address);
		uint64_t n;

		if (step->run == NOT_COUNTED)
			continue;
		n = block->runs[step->run];
		sums[kernel].kinds[step->kind] += n;
		sums[kernel].repeats += step->repeat ? n : 0;
		functions[2 * step->symbol + kernel].instructions += n;
		if (is_branch(step->kind))
			functions[2 * step->symbol + kernel].branches += n;
	}
	i = is_kernel(block->fallthrough);
	sums[i].not_taken += block->not_taken;
	sums[i].lost += block->lost;
	sums[i].loads += block->memory.loads;
	sums[i].stores += block->memory.stores;
	for (i = 0; i < report_options.hits_count; i++) {
		uint64_t address = report_options.hit_addresses[i];
		unsigned int j;

		for (j = 0; j < block->steps_count; j++)
			if (block->steps[j].address == address &&
			    block->steps[j].run != NOT_COUNTED)
				entries[i] += block->runs[block->steps[j].run];
	}
}

static void write_count(unsigned int region, const char *name, int kernel,
			uint64_t n)
{
	fprintf(out, "count\t%u\t%s\t%s\t%" PRIu64 "\n", region, name,
		level[kernel], n);
}

static void write_sums(unsigned int region, int kernel, const struct sums *s)
{
	uint64_t all = 0, branches = 0;
	int kind;

	for (kind = 0; kind < INSN_KINDS; kind++) {
		all += s->kinds[kind];
		branches += is_branch(kind) ? s->kinds[kind] : 0;
	}
	write_count(region, "instructions", kernel, all);
	write_count(region, "branches", kernel, branches);
	write_count(region, "conditional", kernel, s->kinds[INSN_COND]);
	write_count(region, "conditional-taken", kernel,
		    s->kinds[INSN_COND] - s->not_taken - s->lost);
	write_count(region, "conditional-lost", kernel, s->lost);
	write_count(region, "taken", kernel,
		    branches - s->not_taken - s->lost);
	write_count(region, "unconditional", kernel, s->kinds[INSN_JUMP]);
	write_count(region, "calls", kernel, s->kinds[INSN_CALL]);
	write_count(region, "returns", kernel, s->kinds[INSN_RET]);
	write_count(region, "far", kernel, s->kinds[INSN_FAR]);
	write_count(region, "string-elements", kernel, s->repeats);
	if (report_options.memory) {
		write_count(region, "loads", kernel, s->loads);
		write_count(region, "stores", kernel, s->stores);
	}
}

/* One row of @fights a set: misses by function. */
static void write_sets(unsigned int region, unsigned int m, uint64_t *fights)
{
	const char *name = models[m].geometry->name;
	uint32_t set, symbol, symbols = symbols_count();
	const struct block *block;
	const struct fetch *fetch;

	for (set = 0; set < models[m].l1i.sets; set++) {
		uint64_t sum = 0;

		memset(fights, 0, symbols * sizeof(*fights));
		for (block = blocks; block; block = block->next)
			for (fetch = block->fetches; fetch; fetch = fetch->next)
				if (((fetch->address >> CACHE_LINE_SHIFT) &
				     (models[m].l1i.sets - 1)) == set) {
					fights[fetch->symbol] +=
						fetch->misses[m];
					sum += fetch->misses[m];
				}
		fprintf(out, "set\t%u\t%s\t%u\t%" PRIu64 "\n", region, name,
			set, sum);
		for (symbol = 0; symbol < symbols; symbol++)
			if (fights[symbol])
				fprintf(out, "fight\t%u\t%s\t%u\t%s\t%" PRIu64
					"\n", region, name, set,
					symbols_name(symbol), fights[symbol]);
	}
}

static void write_model(unsigned int region, unsigned int m)
{
	uint64_t misses[2] = { 0, 0 }, tlb_misses[2] = { 0, 0 };
	const char *name = models[m].geometry->name;
	const struct block *block;
	const struct fetch *fetch;
	int kernel;

	for (block = blocks; block; block = block->next)
		for (fetch = block->fetches; fetch; fetch = fetch->next) {
			misses[is_kernel(fetch->address)] += fetch->misses[m];
			tlb_misses[is_kernel(fetch->address)] +=
				fetch->tlb_misses[m];
		}
	for (kernel = 0; kernel < (int)levels; kernel++) {
		fprintf(out, "misses\t%u\t%s\tl1i\t%s\t%" PRIu64 "\n", region,
			name, level[kernel], misses[kernel]);
		fprintf(out, "misses\t%u\t%s\titlb\t%s\t%" PRIu64 "\n", region,
			name, level[kernel], tlb_misses[kernel]);
	}
}

static void write_models(unsigned int region)
{
	uint64_t *fights = calloc(symbols_count(), sizeof(*fights));
	unsigned int m;

	if (!fights) {
		fprintf(stderr, "count: out of memory\n");
		exit(1);
	}
	for (m = 0; m < levels && models_count; m++)
		fprintf(out, "fetches\t%u\t%s\t%" PRIu64 "\n", region, level[m],
			model_fetches[m]);
	for (m = 0; m < models_count; m++) {
		write_model(region, m);
		write_sets(region, m, fights);
	}
	free(fights);
}

static void write_functions(unsigned int region, const struct function *f)
{
	uint32_t symbol;
	int kernel;

	for (symbol = 0; symbol < symbols_count(); symbol++)
		for (kernel = 0; kernel < 2; kernel++, f++)
			if (f->instructions)
				fprintf(out, "function\t%u\t%s\t%s\t%" PRIu64
					"\t%" PRIu64 "\n", region,
					level[kernel], symbols_name(symbol),
					f->instructions, f->branches);
}

void report_region(unsigned int region, uint64_t entered)
{
	struct function *functions;
	struct sums sums[2] = { 0 };
	uint64_t entries[HITS_MAX] = { 0 };
	const struct block *block;
	unsigned int i;

	functions = calloc(2 * symbols_count(), sizeof(*functions));
	if (!functions) {
		fprintf(stderr, "count: out of memory\n");
		exit(1);
	}
	for (block = blocks; block; block = block->next)
		add_block(block, sums, functions, entries);
	fprintf(out, "begin\t%u\t%" PRIu64 "\n", region, entered);
	for (i = 0; i < levels; i++)
		write_sums(region, i, sums + i);
	for (i = 0; i < report_options.hits_count; i++)
		fprintf(out, "hit\t%u\t%s\t%" PRIu64 "\n", region,
			report_options.hits[i], entries[i]);
	write_models(region);
	if (report_options.functions)
		write_functions(region, functions);
	fprintf(out, "end\t%u\n", region);
	fflush(out);
	free(functions);
}

void report_close(uint64_t ended)
{
	fprintf(out, "closed\t%" PRIu64 "\n", ended);
	if (fclose(out)) {
		fprintf(stderr, "count: %s: %s\n", report_options.path,
			strerror(errno));
		_Exit(1);
	}
}
