// SPDX-License-Identifier: GPL-2.0
/*
 * Static keys: tests of the engine
 *
 * The same file runs as KUnit in the kernel and as a program on the host; there
 * the host offers <kunit/test.h>. Keys and sites are real ones of this file.
 */
#include <kunit/test.h>
#include "jump_label_internal.h"
#include "jump_label.h"

/* More sites than the queue holds without memory. */
#define MANY_SITES	600

static DEFINE_STATIC_KEY_FALSE(off_key);
static DEFINE_STATIC_KEY_TRUE(on_key);
static DEFINE_STATIC_KEY_FALSE(many_key);
static DEFINE_STATIC_KEY_FALSE(no_site_key);
static DEFINE_STATIC_KEY_ARRAY_FALSE(key_row, 3);

static noinline bool off_unlikely(void)
{
	return static_branch_unlikely(&off_key);
}

static noinline bool off_likely(void)
{
	return static_branch_likely(&off_key);
}

static noinline bool on_unlikely(void)
{
	return static_branch_unlikely(&on_key);
}

static noinline bool on_likely(void)
{
	return static_branch_likely(&on_key);
}

static noinline int row_count(void)
{
	return static_branch(&key_row[0]) + static_branch(&key_row[1]) * 10 +
	       static_branch(&key_row[2]) * 100;
}

#define SITE_1(n)	((n) += static_branch_unlikely(&many_key))
#define SITES_5(n) \
	do { SITE_1(n); SITE_1(n); SITE_1(n); SITE_1(n); SITE_1(n); } while (0)
#define SITES_25(n) \
	do { SITES_5(n); SITES_5(n); SITES_5(n); SITES_5(n); SITES_5(n); } while (0)
#define SITES_100(n) \
	do { SITES_25(n); SITES_25(n); SITES_25(n); SITES_25(n); } while (0)

static noinline int many_count(void)
{
	int n = 0;

	SITES_100(n);
	SITES_100(n);
	SITES_100(n);
	SITES_100(n);
	SITES_100(n);
	SITES_100(n);
	return n;
}

/*
 * One site for each of many keys, more than are listed without memory; the
 * counter numbers them.
 */
#define WIDE_KEYS	300

static DEFINE_STATIC_KEY_ARRAY_FALSE(wide_row, WIDE_KEYS);

enum { WIDE_FIRST = __COUNTER__ + 1 };

#define WIDE_1(n) \
	((n) += static_branch_unlikely(&wide_row[__COUNTER__ - WIDE_FIRST]))
#define WIDE_5(n) \
	do { WIDE_1(n); WIDE_1(n); WIDE_1(n); WIDE_1(n); WIDE_1(n); } while (0)
#define WIDE_25(n) \
	do { WIDE_5(n); WIDE_5(n); WIDE_5(n); WIDE_5(n); WIDE_5(n); } while (0)
#define WIDE_100(n) \
	do { WIDE_25(n); WIDE_25(n); WIDE_25(n); WIDE_25(n); } while (0)

static noinline int wide_count(void)
{
	int n = 0;

	WIDE_100(n);
	WIDE_100(n);
	WIDE_100(n);
	return n;
}

/* How many sites the key has, or -1 if one does not hold what it should. */
static int sites_of(struct static_key *key)
{
	struct jump_table *table;
	struct jump_entry *site;
	int nr = 0;

	jump_label_lock();
	for_each_jump_table(table)
		for_each_jump_site(site, table, key)
			nr = nr >= 0 && jump_site_right(table, site) ? nr + 1 : -1;
	jump_label_unlock();
	return nr;
}

static void set_count(struct static_key *key, int count)
{
	atomic_set(&key->enabled, count);
}

/* Spelled out once more, so that a slip in the engine's table shows. */
static void test_steps(struct kunit *test)
{
	static const struct {
		enum key_op op;
		int count;
		enum key_step step;
	} rows[] = {
		{ KEY_INC, 0, KEY_TURN_ON },
		{ KEY_INC, 1, KEY_COUNT_UP },
		{ KEY_INC, 2, KEY_COUNT_UP },
		{ KEY_INC, INT_MAX - 1, KEY_COUNT_UP },
		{ KEY_INC, INT_MAX, KEY_REFUSE },
		{ KEY_DEC, 0, KEY_REFUSE },
		{ KEY_DEC, 1, KEY_TURN_OFF },
		{ KEY_DEC, 2, KEY_COUNT_DOWN },
		{ KEY_DEC, INT_MAX, KEY_COUNT_DOWN },
		{ KEY_ENABLE, 0, KEY_TURN_ON },
		{ KEY_ENABLE, 1, KEY_STAY },
		{ KEY_ENABLE, 2, KEY_REFUSE },
		{ KEY_ENABLE, INT_MAX, KEY_REFUSE },
		{ KEY_DISABLE, 0, KEY_STAY },
		{ KEY_DISABLE, 1, KEY_TURN_OFF },
		{ KEY_DISABLE, 2, KEY_REFUSE },
		{ KEY_DISABLE, INT_MAX, KEY_REFUSE },
		{ KEY_INC, KEY_TURNING_ON, KEY_WAIT },
		{ KEY_DEC, KEY_TURNING_OFF, KEY_WAIT },
		{ KEY_ENABLE, KEY_TURNING_OFF, KEY_WAIT },
		{ KEY_DISABLE, KEY_TURNING_ON, KEY_WAIT },
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		KUNIT_EXPECT_EQ_MSG(test, jump_key_step(rows[i].op,
							rows[i].count),
				    rows[i].step, "row %d", i);
}

static void key_do(struct static_key *key, enum key_op op)
{
	switch (op) {
	case KEY_INC:
		static_key_slow_inc(key);
		break;
	case KEY_DEC:
		static_key_slow_dec(key);
		break;
	case KEY_ENABLE:
		static_key_enable(key);
		break;
	default:
		static_key_disable(key);
		break;
	}
}

/* Every cell of the table of states, with a key that has sites. */
static void walk_cells(struct kunit *test, bool refused)
{
	static const int counts[] = { 0, 1, 2, INT_MAX - 1, INT_MAX };
	struct static_key *key = &off_key.key;
	int op, i, count, want;
	unsigned long written;
	enum key_step step;

	for (op = 0; op < NR_KEY_OPS; op++) {
		for (i = 0; i < ARRAY_SIZE(counts); i++) {
			count = counts[i];
			step = jump_key_step(op, count);
			if ((step == KEY_REFUSE) != refused)
				continue;
			if (count)
				static_key_slow_inc(key);
			set_count(key, count);

			written = jump_label_stats.sites_written;
			key_do(key, op);
			written = jump_label_stats.sites_written - written;

			want = step == KEY_TURN_ON ? 1 :
			       step == KEY_TURN_OFF ? 0 :
			       step == KEY_COUNT_UP ? count + 1 :
			       step == KEY_COUNT_DOWN ? count - 1 : count;
			KUNIT_EXPECT_EQ(test, static_key_count(key), want);
			KUNIT_EXPECT_EQ(test, off_unlikely(), want > 0);
			KUNIT_EXPECT_EQ(test, off_likely(), want > 0);
			KUNIT_EXPECT_EQ(test, sites_of(key), 2);
			KUNIT_EXPECT_EQ(test, written,
					!want == !count ? 0UL : 2UL);

			if (want) {
				set_count(key, 1);
				static_key_slow_dec(key);
			}
		}
	}
}

static void test_cells(struct kunit *test)
{
	walk_cells(test, false);
}

/* Warns, once for each kind; the log has to be read with that in mind. */
static void test_refused_cells(struct kunit *test)
{
	walk_cells(test, true);
}

static void test_defaults(struct kunit *test)
{
	int round;

	for (round = 0; round < 3; round++) {
		KUNIT_EXPECT_FALSE(test, off_unlikely());
		KUNIT_EXPECT_FALSE(test, off_likely());
		KUNIT_EXPECT_TRUE(test, on_unlikely());
		KUNIT_EXPECT_TRUE(test, on_likely());
		static_branch_enable(&off_key);
		static_branch_disable(&on_key);
		KUNIT_EXPECT_TRUE(test, off_unlikely());
		KUNIT_EXPECT_TRUE(test, off_likely());
		KUNIT_EXPECT_FALSE(test, on_unlikely());
		KUNIT_EXPECT_FALSE(test, on_likely());
		static_branch_disable(&off_key);
		static_branch_enable(&on_key);
	}
	KUNIT_EXPECT_EQ(test, sites_of(&off_key.key), 2);
	KUNIT_EXPECT_EQ(test, sites_of(&on_key.key), 2);
}

static void test_no_site(struct kunit *test)
{
	unsigned long transactions = jump_label_stats.transactions;

	KUNIT_EXPECT_TRUE(test, static_branch_inc(&no_site_key));
	KUNIT_EXPECT_EQ(test, static_key_count(&no_site_key.key), 1);
	static_branch_dec(&no_site_key);
	KUNIT_EXPECT_FALSE(test, static_key_enabled(&no_site_key));
	KUNIT_EXPECT_EQ(test, jump_label_stats.transactions, transactions);
}

static void test_fast_inc(struct kunit *test)
{
	struct static_key *key = &off_key.key;

	KUNIT_EXPECT_FALSE(test, static_key_fast_inc_not_disabled(key));
	static_key_slow_inc(key);
	KUNIT_EXPECT_TRUE(test, static_key_fast_inc_not_disabled(key));
	KUNIT_EXPECT_EQ(test, static_key_count(key), 2);
	set_count(key, INT_MAX);
	KUNIT_EXPECT_FALSE(test, static_key_fast_inc_not_disabled(key));
	set_count(key, 2);
	static_key_slow_dec(key);
	static_key_slow_dec(key);
	KUNIT_EXPECT_EQ(test, sites_of(key), 2);
}

/* Three rounds for one key with one site and for one key with many. */
static void test_sync_rounds(struct kunit *test)
{
	unsigned long rounds = jump_label_stats.sync_rounds;

	static_branch_enable(&off_key);
	KUNIT_EXPECT_EQ(test, jump_label_stats.sync_rounds - rounds, 3UL);
	static_branch_inc(&many_key);
	KUNIT_EXPECT_EQ(test, jump_label_stats.sync_rounds - rounds, 6UL);
	KUNIT_EXPECT_EQ(test, many_count(), MANY_SITES);
	static_branch_dec(&many_key);
	KUNIT_EXPECT_EQ(test, jump_label_stats.sync_rounds - rounds, 9UL);
	static_branch_disable(&off_key);
	KUNIT_EXPECT_EQ(test, jump_label_stats.sync_rounds - rounds, 12UL);
	KUNIT_EXPECT_EQ(test, sites_of(&many_key.key), MANY_SITES);
}

/*
 * The n-th write fails: the key and all its sites stay as they were. @on says
 * which turn is tried, and @alloc that there is no memory to queue all sites.
 */
static void fail_writes(struct kunit *test, bool on, bool alloc)
{
	struct static_key *key = &many_key.key;
	int nth, failed = 0;
	bool turned;

	for (nth = 1; nth < 200; nth++) {
		if (!on)
			static_key_slow_inc(key);
		if (alloc)
			atomic_set(&jump_label_fail_alloc, 1);
		atomic_set(&jump_label_fail_write, nth);
		if (on)
			static_key_slow_inc(key);
		else
			static_key_slow_dec(key);
		turned = atomic_xchg(&jump_label_fail_write, 0) > 0;
		atomic_set(&jump_label_fail_alloc, 0);

		KUNIT_EXPECT_EQ(test, static_key_count(key), turned == on);
		KUNIT_EXPECT_EQ(test, many_count(),
				turned == on ? MANY_SITES : 0);
		KUNIT_EXPECT_EQ(test, sites_of(key), MANY_SITES);
		if (static_key_count(key))
			static_key_slow_dec(key);
		if (turned)
			break;
		failed++;
	}
	/* Three steps over one page at least; and it does end. */
	KUNIT_EXPECT_GE(test, failed, 3);
	KUNIT_EXPECT_LT(test, nth, 200);
	KUNIT_EXPECT_EQ(test, static_key_count(key), 0);
}

static void test_fail_write(struct kunit *test)
{
	fail_writes(test, true, false);
	fail_writes(test, false, false);
}

static void test_fail_alloc(struct kunit *test)
{
	unsigned long split = jump_label_stats.steps_split;

	atomic_set(&jump_label_fail_alloc, 1);
	static_branch_inc(&many_key);
	KUNIT_EXPECT_EQ(test, atomic_read(&jump_label_fail_alloc), 0);
	KUNIT_EXPECT_GT(test, jump_label_stats.steps_split, split);
	KUNIT_EXPECT_EQ(test, many_count(), MANY_SITES);
	KUNIT_EXPECT_EQ(test, sites_of(&many_key.key), MANY_SITES);
	static_branch_dec(&many_key);
	KUNIT_EXPECT_EQ(test, many_count(), 0);
	KUNIT_EXPECT_EQ(test, sites_of(&many_key.key), MANY_SITES);
}

static void test_fail_both(struct kunit *test)
{
	fail_writes(test, true, true);
	fail_writes(test, false, true);
}

static void test_queued(struct kunit *test)
{
	unsigned long rounds = jump_label_stats.sync_rounds;
	int i;

	for (i = 0; i < 3; i++)
		static_branch_enable_queued(&key_row[i]);
	static_branch_enable_queued(&many_key);
	KUNIT_EXPECT_TRUE(test, static_key_enabled(&key_row[1]));
	KUNIT_EXPECT_EQ(test, jump_label_stats.sync_rounds, rounds);
	static_branch_apply_queued();
	KUNIT_EXPECT_EQ(test, jump_label_stats.sync_rounds, rounds + 3);
	KUNIT_EXPECT_EQ(test, row_count(), 111);
	KUNIT_EXPECT_EQ(test, many_count(), MANY_SITES);

	/* A second change of a queued key waits for the first. */
	static_branch_disable_queued(&key_row[0]);
	static_branch_enable_queued(&key_row[0]);
	static_branch_disable_queued(&key_row[1]);
	KUNIT_EXPECT_FALSE(test, static_key_enabled(&key_row[1]));
	/* An ordinary change carries the queued ones out first. */
	static_branch_disable(&key_row[2]);
	KUNIT_EXPECT_EQ(test, row_count(), 1);

	static_branch_disable_queued(&many_key);
	static_branch_disable_queued(&key_row[0]);
	static_branch_apply_queued();
	static_branch_apply_queued();
	KUNIT_EXPECT_EQ(test, row_count(), 0);
	KUNIT_EXPECT_EQ(test, many_count(), 0);
	for (i = 0; i < 3; i++)
		KUNIT_EXPECT_EQ(test, sites_of(&key_row[i].key), 1);
}

/* Queue the first @some of the many keys, in an order unlike that of sites. */
static void wide_queue(int some, bool on)
{
	int i;

	for (i = 0; i < some; i++) {
		struct static_key_false *key = &wide_row[i * 37 % WIDE_KEYS];

		if (on)
			static_branch_enable_queued(key);
		else
			static_branch_disable_queued(key);
	}
}

static void expect_wide_sites(struct kunit *test)
{
	int i, right = 0;

	for (i = 0; i < WIDE_KEYS; i++)
		right += sites_of(&wide_row[i].key) == 1;
	KUNIT_EXPECT_EQ(test, right, WIDE_KEYS);
}

static void test_queued_order(struct kunit *test)
{
	unsigned long rounds = jump_label_stats.sync_rounds;
	int some;

	/* Sorted in three ways: not at all, by comparing, by radix. */
	for (some = 1; some < WIDE_KEYS; some += 33) {
		wide_queue(some, true);
		static_branch_apply_queued();
		KUNIT_EXPECT_EQ(test, wide_count(), some);
		wide_queue(some, false);
		static_branch_apply_queued();
		KUNIT_EXPECT_EQ(test, wide_count(), 0);
	}
	KUNIT_EXPECT_EQ(test, jump_label_stats.sync_rounds, rounds + 10 * 6);
	expect_wide_sites(test);
}

/* Without memory for more keys those that are listed turn early. */
static void test_queued_fail_alloc(struct kunit *test)
{
	unsigned long split = jump_label_stats.steps_split;
	int i;

	for (i = 1; i <= 2; i++) {
		/* First the list of keys cannot grow, then that of sites. */
		if (i == 1)
			atomic_set(&jump_label_fail_alloc, 1);
		wide_queue(WIDE_KEYS, true);
		KUNIT_EXPECT_EQ(test, wide_count() > 0, i == 1);
		if (i == 2)
			atomic_set(&jump_label_fail_alloc, -1);
		static_branch_apply_queued();
		atomic_set(&jump_label_fail_alloc, 0);
		KUNIT_EXPECT_EQ(test, wide_count(), WIDE_KEYS);
		KUNIT_EXPECT_EQ(test, jump_label_stats.steps_split, split + i);
		wide_queue(WIDE_KEYS, false);
		static_branch_apply_queued();
		KUNIT_EXPECT_EQ(test, wide_count(), 0);
	}
	expect_wide_sites(test);
}

/* One step of several fails: all keys stay as they were, and their sites. */
static void test_queued_fail_step(struct kunit *test)
{
	int nth, failed = 0, on = 0;

	for (nth = 1; nth < 200 && !on; nth++) {
		wide_queue(WIDE_KEYS, true);
		atomic_set(&jump_label_fail_alloc, -1);
		atomic_set(&jump_label_fail_write, nth);
		static_branch_apply_queued();
		on = atomic_xchg(&jump_label_fail_write, 0) > 0 ? WIDE_KEYS : 0;
		atomic_set(&jump_label_fail_alloc, 0);
		KUNIT_EXPECT_EQ(test, wide_count(), on);
		KUNIT_EXPECT_EQ(test, static_key_enabled(&wide_row[0]), !!on);
		expect_wide_sites(test);
		failed += !on;
	}
	/* Two steps of three writes at least; and it does end. */
	KUNIT_EXPECT_GE(test, failed, 6);
	KUNIT_EXPECT_EQ(test, on, WIDE_KEYS);
	wide_queue(WIDE_KEYS, false);
	static_branch_apply_queued();
}

/* A key that is queued is judged by where it still is. */
static void test_queued_right(struct kunit *test)
{
	static_branch_enable_queued(&key_row[0]);
	KUNIT_EXPECT_EQ(test, sites_of(&key_row[0].key), 1);
	static_branch_apply_queued();
	KUNIT_EXPECT_EQ(test, sites_of(&key_row[0].key), 1);
	static_branch_disable_queued(&key_row[0]);
	KUNIT_EXPECT_EQ(test, sites_of(&key_row[0].key), 1);
	static_branch_apply_queued();
}

/* Each key once, although some have many sites and several tables. */
static void test_walk_keys(struct kunit *test)
{
	int many = 0, wide = 0, no_site = 0;
	struct static_key *key, *last = NULL;
	bool ascending = true;

	jump_label_lock();
	for_each_jump_key(key) {
		ascending = ascending && key > last;
		last = key;
		many += key == &many_key.key;
		no_site += key == &no_site_key.key;
		wide += key >= &wide_row[0].key &&
			key <= &wide_row[WIDE_KEYS - 1].key;
	}
	jump_label_unlock();
	KUNIT_EXPECT_TRUE(test, ascending);
	KUNIT_EXPECT_EQ(test, many, 1);
	KUNIT_EXPECT_EQ(test, no_site, 0);
	KUNIT_EXPECT_EQ(test, wide, WIDE_KEYS);
}

/* A queue that cannot be written leaves every key of it where it was. */
static void test_queued_fail(struct kunit *test)
{
	int nth;

	for (nth = 1; nth <= 3; nth++) {
		static_branch_enable_queued(&key_row[0]);
		static_branch_enable_queued(&key_row[2]);
		atomic_set(&jump_label_fail_write, nth);
		static_branch_apply_queued();
		atomic_set(&jump_label_fail_write, 0);
		KUNIT_EXPECT_EQ(test, row_count(), 0);
		KUNIT_EXPECT_FALSE(test, static_key_enabled(&key_row[0]));
		KUNIT_EXPECT_FALSE(test, static_key_enabled(&key_row[2]));
		KUNIT_EXPECT_EQ(test, sites_of(&key_row[0].key), 1);
	}
}

static void test_text_reserved(struct kunit *test)
{
	struct jump_table *table;
	struct jump_entry *site = NULL;
	u8 found[JUMP_LABEL_INSN_MAX];
	unsigned int len;
	char *code;

	jump_label_lock();
	for_each_jump_table(table)
		if (!site)
			site = jump_table_find(table, &off_key.key);
	KUNIT_EXPECT_NOT_NULL(test, site);
	if (site) {
		code = (char *)jump_entry_code(site);
		jump_site_read(site, found, &len);
		KUNIT_EXPECT_EQ(test, jump_label_text_reserved(code, code), 1);
		KUNIT_EXPECT_EQ(test, jump_label_text_reserved(code - 1, code),
				1);
		KUNIT_EXPECT_EQ(test, jump_label_text_reserved(code + len - 1,
							       code + len), 1);
		KUNIT_EXPECT_EQ(test, jump_label_text_reserved(code - 1,
							       code - 1), 0);
		KUNIT_EXPECT_EQ(test, jump_label_text_reserved(code + len,
							       code + len), 0);
	}
	jump_label_unlock();
}

static struct kunit_case jump_label_cases[] = {
	KUNIT_CASE(test_steps),
	KUNIT_CASE(test_cells),
	KUNIT_CASE(test_defaults),
	KUNIT_CASE(test_no_site),
	KUNIT_CASE(test_fast_inc),
	KUNIT_CASE(test_sync_rounds),
	KUNIT_CASE(test_fail_write),
	KUNIT_CASE(test_fail_alloc),
	KUNIT_CASE(test_fail_both),
	KUNIT_CASE(test_queued),
	KUNIT_CASE(test_queued_order),
	KUNIT_CASE(test_queued_fail),
	KUNIT_CASE(test_queued_fail_alloc),
	KUNIT_CASE(test_queued_fail_step),
	KUNIT_CASE(test_queued_right),
	KUNIT_CASE(test_walk_keys),
	KUNIT_CASE(test_text_reserved),
	KUNIT_CASE(test_refused_cells),
	{}
};

static struct kunit_suite jump_label_suite = {
	.name = "jump_label",
	.test_cases = jump_label_cases,
};
kunit_test_suite(jump_label_suite);

MODULE_DESCRIPTION("KUnit tests of static keys");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(EXPORTED_FOR_KUNIT_TESTING);
