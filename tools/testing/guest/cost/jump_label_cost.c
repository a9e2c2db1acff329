// SPDX-License-Identifier: GPL-2.0
/*
 * What turning keys costs, for any kernel with static keys.
 *
 * Built against the stock and against the grafted kernel, and loaded where one
 * nanosecond is one instruction and nothing else runs. Prints instructions for
 * one turn of a key with one site, of a key with WIDE sites, and of WIDE keys
 * with one site each, which are turned in one transaction where there is such a
 * thing.
 */
#include <linux/jump_label.h>
#include <linux/ktime.h>
#include <linux/module.h>

#define TURNS	64
#define WIDE	10000

#ifndef static_branch_apply_queued
#define static_branch_enable_queued(x)	static_branch_enable(x)
#define static_branch_disable_queued(x)	static_branch_disable(x)
#define static_branch_apply_queued()	((void)0)
#endif

static DEFINE_STATIC_KEY_FALSE(narrow_key);
static DEFINE_STATIC_KEY_FALSE(wide_key);
static DEFINE_STATIC_KEY_ARRAY_FALSE(wide_keys, WIDE);

static noinline int narrow_site(void)
{
	return static_branch_unlikely(&narrow_key);
}

/* 125 sites a function: objtool follows each path of a function by recursion. */
#define FUNCTIONS	80

#define TIMES_5(one, n) \
	do { one(n); one(n); one(n); one(n); one(n); } while (0)
#define TIMES_25(one, n) \
	do { TIMES_5(one, n); TIMES_5(one, n); TIMES_5(one, n); \
	     TIMES_5(one, n); TIMES_5(one, n); } while (0)
#define TIMES_125(one, n) \
	do { TIMES_25(one, n); TIMES_25(one, n); TIMES_25(one, n); \
	     TIMES_25(one, n); TIMES_25(one, n); } while (0)

#define WIDE_SITE(n)	((n) += static_branch_unlikely(&wide_key))

/* The counter numbers the keys. */
enum { FIRST = __COUNTER__ + 1 };

#define KEYED_SITE(n) \
	((n) += static_branch_unlikely(&wide_keys[__COUNTER__ - FIRST]))

/*
 * functions.h is FUNCTION(0) to FUNCTION(79), one a line; the test writes it.
 * First the functions, then what they are called.
 */
#define FUNCTION(id)				\
static noinline int wide_##id(void)		\
{						\
	int n = 0;				\
						\
	TIMES_125(WIDE_SITE, n);		\
	return n;				\
}						\
						\
static noinline int keyed_##id(void)		\
{						\
	int n = 0;				\
						\
	TIMES_125(KEYED_SITE, n);		\
	return n;				\
}
#include "functions.h"
#undef FUNCTION

#define FUNCTION(id)	wide_##id,
static int (*const wide_functions[FUNCTIONS])(void) = {
#include "functions.h"
};
#undef FUNCTION

#define FUNCTION(id)	keyed_##id,
static int (*const keyed_functions[FUNCTIONS])(void) = {
#include "functions.h"
};
#undef FUNCTION

static int sites_taken(int (*const functions[FUNCTIONS])(void))
{
	int i, n = 0;

	for (i = 0; i < FUNCTIONS; i++)
		n += functions[i]();
	return n;
}

static u64 turn_cost(struct static_key *key, int turns)
{
	u64 start;
	int i;

	/* Once before: what runs for the first time is not counted. */
	static_key_slow_inc(key);
	static_key_slow_dec(key);

	start = ktime_get_ns();
	for (i = 0; i < turns / 2; i++) {
		static_key_slow_inc(key);
		static_key_slow_dec(key);
	}
	return div_u64(ktime_get_ns() - start, turns);
}

static u64 keys_cost(int *seen)
{
	u64 start = ktime_get_ns();
	int i;

	for (i = 0; i < WIDE; i++)
		static_branch_enable_queued(&wide_keys[i]);
	static_branch_apply_queued();
	*seen = sites_taken(keyed_functions);
	for (i = 0; i < WIDE; i++)
		static_branch_disable_queued(&wide_keys[i]);
	static_branch_apply_queued();
	return (ktime_get_ns() - start) / 2;
}

static int __init jump_label_cost_init(void)
{
	u64 narrow = turn_cost(&narrow_key.key, TURNS);
	u64 wide = turn_cost(&wide_key.key, 2), keys;
	int seen;

	keys = keys_cost(&seen);
	if (seen != WIDE || narrow_site() ||
	    sites_taken(wide_functions) || sites_taken(keyed_functions))
		return -EIO;
	pr_info("jump_label_cost: one_site %llu wide_key %llu wide_keys %llu\n",
		narrow, wide, keys);
	return 0;
}
module_init(jump_label_cost_init);

static void __exit jump_label_cost_exit(void)
{
}
module_exit(jump_label_cost_exit);

MODULE_DESCRIPTION("Cost of turning static keys");
MODULE_LICENSE("GPL");
