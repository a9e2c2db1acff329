// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the engine that need a host to play with: text that somebody else
 * changed, a look at the text between two steps, keys changed too early, tables
 * that come unsorted and go.
 */
#include <sys/mman.h>
#include <kunit/test.h>
#include "host/jump_label_internal.h"
#include "../../../kernel/jump_label.h"
#include "../../../arch/x86/kernel/jump_label_text.h"
#include "host/host.h"
#include <asm/jump_label_nops.h>

static DEFINE_STATIC_KEY_FALSE(early_key);
static DEFINE_STATIC_KEY_TRUE(early_on_key);
static DEFINE_STATIC_KEY_FALSE(bad_key);
static DEFINE_STATIC_KEY_FALSE(step_key);
static DEFINE_STATIC_KEY_FALSE_RO(sealed_key);
static DEFINE_STATIC_KEY_TRUE_RO(sealed_on_key);

/* Two sites each, so that one can be bad and the other must still follow. */
static noinline int bad_first(void)
{
	return static_branch_unlikely(&bad_key);
}

static noinline int bad_second(void)
{
	return static_branch_unlikely(&bad_key);
}

static noinline int step_sites(void)
{
	return static_branch_unlikely(&step_key) +
	       static_branch_likely(&step_key);
}

static noinline int early_sites(void)
{
	return static_branch_unlikely(&early_key) +
	       2 * static_branch_likely(&early_on_key);
}

static struct jump_table *core(void)
{
	return list_entry(jump_tables.next, struct jump_table, node);
}

static void text_set(unsigned long code, u8 byte)
{
	jump_text_write_early(code, &byte, 1);
}

static void test_changed_text(struct kunit *test)
{
	struct jump_entry *site = jump_table_find(core(), &bad_key.key);
	unsigned long code = jump_entry_code(site);
	u8 saved = ((u8 *)code)[1], nop[JUMP_LABEL_INSN_MAX];
	int reports = host_reports;

	text_set(code + 1, 0x0b);
	KUNIT_EXPECT_TRUE(test, static_branch_inc(&bad_key));
	KUNIT_EXPECT_EQ(test, host_reports, reports + 1);
	KUNIT_EXPECT_EQ(test, ((u8 *)code)[1], (u8)0x0b);
	text_set(code + 1, saved);
	/* The good site follows; the bad one was left alone. */
	KUNIT_EXPECT_EQ(test, bad_first() + bad_second(), 1);

	static_branch_dec(&bad_key);
	/* It held the NOP that a dec writes: also not what it should be. */
	KUNIT_EXPECT_EQ(test, host_reports, reports + 2);
	KUNIT_EXPECT_EQ(test, bad_first() + bad_second(), 0);

	static_branch_inc(&bad_key);
	KUNIT_EXPECT_EQ(test, bad_first() + bad_second(), 2);
	KUNIT_EXPECT_EQ(test, host_reports, reports + 2);

	/* What a dec is about to write stands there already. */
	arch_jump_label_encode(nop, code, code, JUMP_LABEL_NOP, 5);
	jump_text_write_early(code, nop, 5);
	static_branch_dec(&bad_key);
	KUNIT_EXPECT_EQ(test, host_reports, reports + 3);
	KUNIT_EXPECT_EQ(test, bad_first() + bad_second(), 0);
}

static int steps_seen, steps_wrong;
static bool step_on;

/* Between steps: each site traps, and the trap goes where the key turns. */
static void step_look(void)
{
	struct jump_entry *site;

	steps_seen++;
	for_each_jump_site(site, core(), &step_key.key) {
		u8 *code = (u8 *)jump_entry_code(site);
		unsigned long next = jump_label_trap((unsigned long)code);
		bool jumps = step_on != jump_entry_likely(site);

		if (jump_label_trap((unsigned long)code + 1))
			steps_wrong++;
		/* After the third step the first byte is back. */
		if ((*code == 0xcc) != (steps_seen < 3))
			steps_wrong++;
		if (jumps && next != jump_entry_target(site))
			steps_wrong++;
		if (!jumps && next != (unsigned long)code + 2 &&
		    next != (unsigned long)code + 5)
			steps_wrong++;
	}
}

static void test_steps_between(struct kunit *test)
{
	int round;

	host_on_sync = step_look;
	for (round = 0; round < 4; round++) {
		step_on = !step_on;
		steps_seen = 0;
		if (step_on)
			static_branch_enable(&step_key);
		else
			static_branch_disable(&step_key);
		KUNIT_EXPECT_EQ(test, steps_seen, 3);
		KUNIT_EXPECT_EQ(test, steps_wrong, 0);
		KUNIT_EXPECT_EQ(test, step_sites(), step_on ? 2 : 0);
	}
	host_on_sync = NULL;
	KUNIT_EXPECT_EQ(test, jump_label_trap((unsigned long)step_sites), 0UL);
}

static int early_warnings;

static void test_too_early(struct kunit *test)
{
	/* main() turned both keys before jump_label_init(). */
	KUNIT_EXPECT_EQ(test, early_warnings, 1);
	KUNIT_EXPECT_EQ(test, early_sites(), 1);
	static_branch_disable(&early_key);
	static_branch_enable(&early_on_key);
	KUNIT_EXPECT_EQ(test, early_sites(), 2);
}

static void test_sealed(struct kunit *test)
{
	int warnings = host_warnings;

	jump_label_init_ro();
	host_sealed_key = &sealed_key.key;
	KUNIT_EXPECT_FALSE(test, static_branch_inc(&sealed_key));
	KUNIT_EXPECT_EQ(test, host_warnings, warnings + 1);
	static_branch_disable(&sealed_key);
	KUNIT_EXPECT_FALSE(test, static_branch_unlikely(&sealed_key));
	host_sealed_key = &sealed_on_key.key;
	/* Already so: nothing to write, nothing to refuse. */
	static_branch_enable(&sealed_on_key);
	KUNIT_EXPECT_EQ(test, host_warnings, warnings + 1);
	static_branch_disable(&sealed_on_key);
	KUNIT_EXPECT_TRUE(test, static_branch_unlikely(&sealed_on_key));
	host_sealed_key = NULL;
}

static void test_sorted(struct kunit *test)
{
	struct jump_entry *site = core()->start;

	KUNIT_EXPECT_GT(test, core()->stop - site, 600L);
	for (site++; site < core()->stop; site++) {
		struct static_key *left = jump_entry_key(site - 1);
		struct static_key *right = jump_entry_key(site);

		KUNIT_EXPECT_TRUE(test, left < right || (left == right &&
				  jump_entry_code(site - 1) <
				  jump_entry_code(site)));
	}
}

/*
 * A second table with a site of its own, laid out by hand in a page of text:
 * comes in line with a key that is on, follows it, and goes.
 */
static void test_second_table(struct kunit *test)
{
	struct {
		u8 text[64];
		struct jump_entry site[2];
	} *module;
	struct jump_table table = { .owner = test };
	unsigned long written;
	int i;

	module = mmap((void *)((unsigned long)&step_key & ~0xfffUL) + (16 << 20),
		      PAGE_SIZE, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memset(module->text, 0x90, 64);
	for (i = 0; i < 2; i++) {
		struct jump_entry *site = &module->site[i];
		/* The second site has the lower address: unsorted. */
		u8 *code = module->text + 32 - 16 * i;

		memcpy(code, x86_nop_built->insn[5], 5);
		site->code = code - (u8 *)&site->code;
		site->target = module->text + 48 - (u8 *)&site->target;
		site->key = (u8 *)&step_key - (u8 *)&site->key;
	}
	table.start = module->site;
	table.stop = module->site + 2;

	static_branch_enable(&step_key);
	jump_label_lock();
	KUNIT_EXPECT_EQ(test, jump_table_add(&table, JUMP_MODE_COLD), 0);
	KUNIT_EXPECT_TRUE(test, jump_table_of(test) == &table);
	KUNIT_EXPECT_LT(test, jump_entry_code(&module->site[0]),
			jump_entry_code(&module->site[1]));
	jump_label_unlock();
	KUNIT_EXPECT_EQ(test, module->text[16], (u8)0xe9);
	KUNIT_EXPECT_EQ(test, module->text[32], (u8)0xe9);
	KUNIT_EXPECT_EQ(test, module->text[33], (u8)11);

	static_branch_disable(&step_key);
	KUNIT_EXPECT_EQ(test, module->text[16], x86_nop_built->insn[5][0]);
	KUNIT_EXPECT_EQ(test, module->text[32], x86_nop_built->insn[5][0]);

	/* Init text that is gone is not touched. */
	host_gone_start = (unsigned long)module->text;
	host_gone_end = host_gone_start + 24;
	written = jump_label_stats.sites_written;
	static_branch_enable(&step_key);
	KUNIT_EXPECT_EQ(test, jump_label_stats.sites_written - written, 3UL);
	KUNIT_EXPECT_EQ(test, module->text[16], x86_nop_built->insn[5][0]);
	KUNIT_EXPECT_EQ(test, module->text[32], (u8)0xe9);
	static_branch_disable(&step_key);
	host_gone_end = 0;

	jump_label_lock();
	jump_table_remove(&table);
	KUNIT_EXPECT_NULL(test, jump_table_of(test));
	jump_label_unlock();
	static_branch_enable(&step_key);
	KUNIT_EXPECT_EQ(test, module->text[32], x86_nop_built->insn[5][0]);
	static_branch_disable(&step_key);
	munmap(module, PAGE_SIZE);
}

/*
 * In a 32-bit address space a module can be further from a key than a signed
 * distance reaches. The address is right all the same, and so must the order be:
 * keys are found by their addresses.
 */
static void test_far_table(struct kunit *test)
{
	struct {
		u8 text[64];
		struct jump_entry site[2];
		struct static_key key;
	} *module;
	struct jump_table table = { .owner = test };
	int i;

	if (X86_NOP_WIDE)
		return;
	module = mmap((void *)((unsigned long)&step_key + 0x90000000UL),
		      PAGE_SIZE, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	KUNIT_EXPECT_TRUE(test, (unsigned long)module > 0x88000000UL);
	for (i = 0; i < 2; i++) {
		struct jump_entry *site = &module->site[i];
		struct static_key *key = i ? &step_key.key : &module->key;
		u8 *code = module->text + 16 * i;

		memcpy(code, x86_nop_built->insn[5], 5);
		site->code = code - (u8 *)&site->code;
		site->target = module->text + 48 - (u8 *)&site->target;
		site->key = (unsigned long)key - (unsigned long)&site->key;
	}
	table.start = module->site;
	table.stop = module->site + 2;

	jump_label_lock();
	KUNIT_EXPECT_EQ(test, jump_table_add(&table, JUMP_MODE_COLD), 0);
	KUNIT_EXPECT_TRUE(test, jump_table_find(&table, &step_key.key) ==
			  table.start);
	KUNIT_EXPECT_TRUE(test, jump_table_find(&table, &module->key) ==
			  table.start + 1);
	jump_label_unlock();
	static_branch_enable(&step_key);
	KUNIT_EXPECT_EQ(test, module->text[0], x86_nop_built->insn[5][0]);
	KUNIT_EXPECT_EQ(test, module->text[16], (u8)0xe9);
	static_branch_disable(&step_key);
	jump_label_lock();
	jump_table_remove(&table);
	jump_label_unlock();
	munmap(module, PAGE_SIZE);
}

/* A table whose sites cannot be written is not taken in. */
static void test_table_refused(struct kunit *test)
{
	struct jump_table copy = *core();

	copy.owner = &copy;
	static_branch_enable(&step_key);
	jump_label_lock();
	/* All sites are right already: nothing to write, nothing to fail. */
	atomic_set(&jump_label_fail_write, 1);
	KUNIT_EXPECT_EQ(test, jump_table_add(&copy, JUMP_MODE_COLD), 0);
	jump_table_remove(&copy);
	/* One site that has to follow. */
	atomic_set(&step_key.key.enabled, 0);
	KUNIT_EXPECT_EQ(test, jump_table_add(&copy, JUMP_MODE_COLD), -EIO);
	KUNIT_EXPECT_NULL(test, jump_table_of(&copy));
	atomic_set(&step_key.key.enabled, 1);
	jump_label_unlock();
	static_branch_disable(&step_key);
}

/* Tracepoints name keys that turned, and what a transaction took, also in vain. */
static void test_traced(struct kunit *test)
{
	host_trace.turns = 0;
	static_branch_enable(&step_key);
	KUNIT_EXPECT_EQ(test, host_trace.turns, 1);
	KUNIT_EXPECT_TRUE(test, host_trace.key == &step_key.key && host_trace.on);
	KUNIT_EXPECT_EQ(test, host_trace.keys, 1U);
	KUNIT_EXPECT_EQ(test, host_trace.sites, 2UL);
	KUNIT_EXPECT_EQ(test, host_trace.steps, 1UL);
	KUNIT_EXPECT_EQ(test, host_trace.error, 0);

	atomic_set(&jump_label_fail_write, 1);
	static_branch_disable(&step_key);
	KUNIT_EXPECT_EQ(test, host_trace.turns, 1);
	KUNIT_EXPECT_EQ(test, host_trace.keys, 1U);
	KUNIT_EXPECT_EQ(test, host_trace.sites, 0UL);
	KUNIT_EXPECT_EQ(test, host_trace.error, -EIO);

	/* Keys that turn together are named one by one. */
	static_branch_disable_queued(&step_key);
	static_branch_enable_queued(&bad_key);
	static_branch_apply_queued();
	KUNIT_EXPECT_EQ(test, host_trace.turns, 3);
	KUNIT_EXPECT_TRUE(test, host_trace.key == &bad_key.key && host_trace.on);
	KUNIT_EXPECT_EQ(test, host_trace.keys, 2U);
	KUNIT_EXPECT_EQ(test, host_trace.sites, 4UL);
	static_branch_disable(&bad_key);
	KUNIT_EXPECT_FALSE(test, host_trace.on);
}

static struct kunit_case host_cases[] = {
	KUNIT_CASE(test_too_early),
	KUNIT_CASE(test_sorted),
	KUNIT_CASE(test_steps_between),
	KUNIT_CASE(test_changed_text),
	KUNIT_CASE(test_second_table),
	KUNIT_CASE(test_far_table),
	KUNIT_CASE(test_table_refused),
	KUNIT_CASE(test_traced),
	KUNIT_CASE(test_sealed),
	{}
};

static struct kunit_suite host_suite = {
	.name = "jump_label_host",
	.test_cases = host_cases,
};
kunit_test_suite(host_suite);

int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	host_early = true;
	static_branch_enable(&early_key);
	static_branch_disable(&early_on_key);
	early_warnings = host_warnings;
	jump_label_init();
	host_early = false;
	return kunit_run();
}
