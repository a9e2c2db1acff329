// SPDX-License-Identifier: GPL-2.0
/*
 * count.c - QEMU plugin that counts what runs between two markers
 *
 *	-plugin build/perf/count.so,out=FILE[,KEY=VALUE...]
 *
 *	out=FILE	where the result goes; report.h describes it
 *	symbols=FILE	System.map or a static program; may be repeated
 *	cache=NAME	model a geometry, or "all"; may be repeated
 *	memory=on	count loads and stores
 *	functions=off	no histogram
 *	hit=SYMBOL	count entries of a symbol; may be repeated
 *	region=NUMBER	heed the markers of this region only; may be repeated
 *	from=SYMBOL	region 0 begins when this symbol is first entered ...
 *	to=SYMBOL	... and ends when this one is; no marker is heeded
 *
 * The guest must not run its CPUs in parallel: -icount does that, or
 * -accel tcg,thread=single. The whole machine is counted. Regions are
 * delimited by the markers of workloads/region.h; see block.h for how the
 * counters work.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "block.h"
#include "insn.h"
#include "model.h"
#include "qemu_api.h"
#include "report.h"
#include "symbols.h"

#define VCPUS_MAX 256
#define PAGE_SHIFT 12
#define INSN_SIZE_MAX 15
#define NO_REGION -1

/* What a marker's callback gets: region number and which marker. */
#define MARKER_DATA(region, marker) \
	((void *)(uintptr_t)((region) | (marker) << 8))

int qemu_plugin_version = QEMU_API_VERSION;

struct block *blocks;

/* The block each CPU runs, while its last branch has not been followed. */
static struct block *current[VCPUS_MAX];
static int open_region = NO_REGION;
static uint64_t entered[256], ended;
static uint64_t from_address, to_address;
static bool chosen[256], choosing;
static pid_t self;

static void die(const char *what)
{
	fprintf(stderr, "count: %s\n", what);
	exit(1);
}

static void *zalloc(size_t n, size_t size)
{
	void *p = calloc(n, size);

	if (!p)
		die("out of memory");
	return p;
}

static void zero_block(struct block *block)
{
	struct fetch *fetch;

	memset(block->runs, 0, block->runs_count * sizeof(*block->runs));
	memset(&block->memory, 0, sizeof(block->memory));
	block->not_taken = 0;
	block->lost = 0;
	for (fetch = block->fetches; fetch; fetch = fetch->next) {
		memset(fetch->misses, 0, sizeof(fetch->misses));
		memset(fetch->tlb_misses, 0, sizeof(fetch->tlb_misses));
	}
}

static void begin(unsigned int region)
{
	struct block *block;

	if (open_region != NO_REGION) {
		fprintf(stderr, "count: region %u begins inside region %d\n",
			region, open_region);
		exit(1);
	}
	for (block = blocks; block; block = block->next)
		zero_block(block);
	model_reset();
	open_region = region;
	entered[region]++;
}

static void end(unsigned int region)
{
	if (open_region != (int)region) {
		fprintf(stderr, "count: region %u ends but was not begun\n",
			region);
		exit(1);
	}
	report_region(region, entered[region]);
	open_region = NO_REGION;
	ended++;
}

static void on_marker(unsigned int vcpu, void *data)
{
	unsigned int packed = (uintptr_t)data;

	(void)vcpu;
	if (packed >> 8 == MARKER_BEGIN)
		begin(packed & 0xff);
	else
		end(packed & 0xff);
}

/* The symbols of from= and to= may be met again: the first pair counts. */
static void on_symbol(unsigned int vcpu, void *data)
{
	bool is_begin = (uintptr_t)data == MARKER_BEGIN;

	(void)vcpu;
	if (is_begin && open_region == NO_REGION && !entered[0])
		begin(0);
	else if (!is_begin && open_region == 0)
		end(0);
}

static void on_block(unsigned int vcpu, void *data)
{
	struct block *last = current[vcpu % VCPUS_MAX], *block = data;
	uint64_t start = block->steps[0].address;

	current[vcpu % VCPUS_MAX] = block;
	if (!last || !last->conditional)
		return;
	if (start == last->fallthrough)
		last->not_taken++;
	else if (start != last->target &&
		 start != last->steps[last->steps_count - 1].address)
		last->lost++;
}

static void on_fetch(unsigned int vcpu, void *data)
{
	(void)vcpu;
	if (open_region != NO_REGION)
		model_fetch(data);
}

static void on_flush(unsigned int vcpu, void *data)
{
	(void)vcpu;
	(void)data;
	if (open_region != NO_REGION)
		model_flush();
}

static void add_fetch(struct block *block, struct qemu_plugin_insn *insn,
		      uint64_t address, uint64_t host, uint32_t symbol)
{
	uint64_t mask = (1 << CACHE_LINE_SHIFT) - 1;
	struct fetch *fetch = zalloc(1, sizeof(*fetch));

	fetch->next = block->fetches;
	fetch->address = address & ~mask;
	fetch->tag = (host ? host : address) & ~mask;
	fetch->symbol = symbol;
	block->fetches = fetch;
	qemu_plugin_register_vcpu_insn_exec_cb(insn, on_fetch,
					       QEMU_PLUGIN_CB_NO_REGS, fetch);
}

/*
 * A line is fetched by the first instruction of a block, by one that starts
 * a line and by one that reaches into a line. A page that is reached into is
 * not known by its place in memory and goes by its virtual address.
 */
static void add_fetches(struct block *block, struct qemu_plugin_insn *insn,
			const struct step *step, bool first)
{
	uint64_t start = step->address, last = start - 1 +
				qemu_plugin_insn_size(insn);
	uint64_t host = (uintptr_t)qemu_plugin_insn_haddr(insn);
	uint64_t line = start >> CACHE_LINE_SHIFT;

	if (first || !(start & ((1 << CACHE_LINE_SHIFT) - 1)))
		add_fetch(block, insn, start, host, step->symbol);
	if (last >> CACHE_LINE_SHIFT == line)
		return;
	if (last >> PAGE_SHIFT != start >> PAGE_SHIFT)
		host = 0;
	add_fetch(block, insn, last, host ? host + (last - start) : 0,
		  step->symbol);
}

static void on_memory(unsigned int vcpu, qemu_plugin_meminfo_t info,
		      uint64_t address, void *data)
{
	struct memory *memory = data;

	(void)vcpu;
	(void)address;
	if (qemu_plugin_mem_is_store(info))
		memory->stores++;
	else
		memory->loads++;
}

/* Returns whether the instruction is where a region begins or ends. */
static bool add_boundary(struct qemu_plugin_insn *handle,
			 const struct insn *insn, uint64_t address)
{
	enum insn_marker marker = MARKER_NONE;

	if (insn->marker && choosing && !chosen[insn->region])
		return false;
	if (insn->marker) {
		qemu_plugin_register_vcpu_insn_exec_cb(handle, on_marker,
			QEMU_PLUGIN_CB_NO_REGS,
			MARKER_DATA(insn->region, insn->marker));
		return true;
	}
	if (from_address && address == from_address)
		marker = MARKER_BEGIN;
	else if (to_address && address == to_address)
		marker = MARKER_END;
	else
		return false;
	qemu_plugin_register_vcpu_insn_exec_cb(handle, on_symbol,
					       QEMU_PLUGIN_CB_NO_REGS,
					       MARKER_DATA(0, 0) + marker);
	return true;
}

static struct block *new_block(unsigned int n)
{
	struct block *block = zalloc(1, sizeof(*block) +
				     n * sizeof(*block->steps));

	block->steps_count = n;
	block->runs = zalloc(n, sizeof(*block->runs));
	block->next = blocks;
	blocks = block;
	return block;
}

/*
 * Start a run where the one before may have been left, and at a boundary,
 * before which and after which different regions count.
 */
static void add_to_run(struct block *block, struct qemu_plugin_insn *handle,
		       struct step *step, bool fresh)
{
	if (fresh) {
		step->run = block->runs_count++;
		qemu_plugin_register_vcpu_insn_exec_inline(handle,
			QEMU_PLUGIN_INLINE_ADD_U64, block->runs + step->run, 1);
	} else {
		step->run = block->runs_count - 1;
	}
}

/*
 * An instruction that two pages share is a block of its own: the emulator takes
 * it back when it finds one in a block, but up to 8.0 still reports it as the
 * last of that block, with as many of its bytes as it had read. What is
 * registered for it has gone with it. So it must not share the counter of
 * those before; its own stays 0.
 */
static bool may_be_taken_back(const struct block *block, unsigned int i)
{
	uint64_t in_page = block->steps[i].address & ((1 << PAGE_SHIFT) - 1);

	return i && i == block->steps_count - 1u &&
	       in_page + INSN_SIZE_MAX > 1 << PAGE_SHIFT;
}

static void add_steps(struct block *block, struct qemu_plugin_tb *tb)
{
	bool fresh = true;
	unsigned int i;

	for (i = 0; i < block->steps_count; i++) {
		struct qemu_plugin_insn *handle = qemu_plugin_tb_get_insn(tb, i);
		struct step *step = block->steps + i;
		size_t size = qemu_plugin_insn_size(handle);
		struct memory *memory = &block->memory;
		bool boundary;
		struct insn insn;

		step->address = qemu_plugin_insn_vaddr(handle);
		insn_decode(&insn, qemu_plugin_insn_data(handle), size,
			    step->address);
		step->symbol = symbols_find(step->address);
		step->kind = insn.kind;
		step->repeat = insn.repeat;
		boundary = add_boundary(handle, &insn, step->address);
		if (models_count)
			add_fetches(block, handle, step, !i);
		if (insn.flush && models_count)
			qemu_plugin_register_vcpu_insn_exec_cb(handle, on_flush,
				QEMU_PLUGIN_CB_NO_REGS, NULL);
		if (insn.marker)
			step->run = NOT_COUNTED;
		else
			add_to_run(block, handle, step, fresh || boundary ||
				   may_be_taken_back(block, i));
		fresh = insn.marker || !insn.register_only;
		if (report_options.memory)
			qemu_plugin_register_vcpu_mem_cb(handle, on_memory,
				QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW,
				memory);
		block->conditional = insn.kind == INSN_COND;
		block->fallthrough = step->address + size;
		block->target = insn.target;
	}
}

static void on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	size_t n = qemu_plugin_tb_n_insns(tb);
	struct block *block;

	(void)id;
	if (!n)
		return;
	block = new_block(n);
	add_steps(block, tb);
	qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block,
					     QEMU_PLUGIN_CB_NO_REGS, block);
}

/* A forked child of a user program is not the one that is reported on. */
static void on_exit_guest(qemu_plugin_id_t id, void *data)
{
	(void)id;
	(void)data;
	if (getpid() != self)
		return;
	if (open_region != NO_REGION) {
		fprintf(stderr, "count: region %d was still open at the end\n",
			open_region);
		return;
	}
	report_close(ended);
}

static bool add_hit(const char *name)
{
	if (report_options.hits_count == HITS_MAX) {
		fprintf(stderr, "count: more than %d hits\n", HITS_MAX);
		return false;
	}
	report_options.hits[report_options.hits_count++] = name;
	return true;
}

static bool switched(const char *value, bool *on)
{
	*on = !strcmp(value, "on");
	return *on || !strcmp(value, "off");
}

static bool choose(const char *number)
{
	char *end;
	unsigned long n = strtoul(number, &end, 10);

	if (*end || end == number || n > 255)
		return false;
	chosen[n] = true;
	choosing = true;
	return true;
}

static const char *from_name, *to_name;

static bool set_option(char *option)
{
	char *value = strchr(option, '=');

	if (!value)
		return false;
	*value++ = 0;
	if (!strcmp(option, "symbols"))
		return symbols_load(value) >= 0;
	if (!strcmp(option, "cache"))
		return model_add(value);
	if (!strcmp(option, "region"))
		return choose(value);
	if (!strcmp(option, "memory"))
		return switched(value, &report_options.memory);
	if (!strcmp(option, "functions"))
		return switched(value, &report_options.functions);
	value = strdup(value);
	if (!value)
		return false;
	if (!strcmp(option, "hit"))
		return add_hit(value);
	if (!strcmp(option, "out"))
		report_options.path = value;
	else if (!strcmp(option, "from"))
		from_name = value;
	else if (!strcmp(option, "to"))
		to_name = value;
	else
		return false;
	return true;
}

static bool find_symbol(const char *name, uint64_t *address)
{
	if (!name)
		return true;
	*address = symbols_address(name);
	if (!*address)
		fprintf(stderr, "count: no symbol is called %s\n", name);
	return *address;
}

static bool check_options(void)
{
	unsigned int i;

	if (!report_options.path) {
		fprintf(stderr, "count: out=FILE is missing\n");
		return false;
	}
	if (!from_name != !to_name) {
		fprintf(stderr, "count: from= and to= go together\n");
		return false;
	}
	if (from_name)
		choosing = true;
	for (i = 0; i < report_options.hits_count; i++)
		if (!find_symbol(report_options.hits[i],
				 report_options.hit_addresses + i))
			return false;
	return find_symbol(from_name, &from_address) &&
	       find_symbol(to_name, &to_address);
}

int qemu_plugin_install(qemu_plugin_id_t id,
			const struct qemu_plugin_info *info, int argc,
			char **argv)
{
	int i;

	self = getpid();
	report_options.functions = true;
	if (strcmp(info->target_name, "x86_64")) {
		fprintf(stderr, "count: %s guests are not understood\n",
			info->target_name);
		return 1;
	}
	for (i = 0; i < argc; i++)
		if (!set_option(argv[i])) {
			fprintf(stderr, "count: cannot use option %s\n",
				argv[i]);
			return 1;
		}
	if (symbols_sort() || !check_options() ||
	    !report_open(info->system_emulation ? "system" : "user",
			 info->target_name))
		return 1;
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
	qemu_plugin_register_atexit_cb(id, on_exit_guest, NULL);
	return 0;
}
