// SPDX-License-Identifier: GPL-2.0
/*
 * What turning keys costs, for any kernel with static keys.
 *
 * Built against the stock and against the grafted kernel, and loaded where one
 * nanosecond is one instruction and nothing else runs. The load prints the
 * instructions of one turn, and how often it turned, for
 *
 *	one_site	a key with one site
 *	one_page	a key with PAGE_SITES sites, all in one page
 *	wide_key	a key with WIDE sites
 *	wide_keys	WIDE keys with one site each, turned in one transaction
 *			where there is such a thing
 *
 * or only for the one that the parameter "only" names.
 */
#include <linux/jump_label.h>
#include <linux/ktime.h>
#include <linux/module.h>

#define TURNS		64
#define WIDE		10000
#define PAGE_SITES	600

static char *only = "all";
module_param(only, charp, 0400);
MODULE_PARM_DESC(only, "one_site, one_page, wide_key, wide_keys, all or none");

#ifndef static_branch_apply_queued
#define static_branch_enable_queued(x)	static_branch_enable(x)
#define static_branch_disable_queued(x)	static_branch_disable(x)
#define static_branch_apply_queued()	((void)0)
#endif

static DEFINE_STATIC_KEY_FALSE(narrow_key);
static DEFINE_STATIC_KEY_FALSE(page_key);
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

#define PAGE_SITE(n) \
	do { if (static_branch_unlikely(&page_key)) (n)++; } while (0)

/* What is not taken costs one NOP of five bytes, so all are in the first page. */
static noinline __aligned(PAGE_SIZE) int page_sites(void)
{
	int n = 0;

	TIMES_125(PAGE_SITE, n);
	TIMES_125(PAGE_SITE, n);
	TIMES_125(PAGE_SITE, n);
	TIMES_125(PAGE_SITE, n);
	TIMES_25(PAGE_SITE, n);
	TIMES_25(PAGE_SITE, n);
	TIMES_25(PAGE_SITE, n);
	TIMES_25(PAGE_SITE, n);
	return n;
}

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

static void report(const char *what, u64 start, int turns)
{
	pr_info("jump_label_cost: %s %llu %d\n", what,
		div_u64(ktime_get_ns() - start, turns), turns);
}

static bool wanted(const char *what)
{
	return !strcmp(only, "all") || !strcmp(only, what);
}

static void turn_key(const char *what, struct static_key *key, int turns)
{
	u64 start;
	int i;

	if (!wanted(what))
		return;
	start = ktime_get_ns();
	for (i = 0; i < turns / 2; i++) {
		static_key_slow_inc(key);
		static_key_slow_dec(key);
	}
	report(what, start, turns);
}

static bool turn_keys(const char *what)
{
	int i, seen;
	u64 start;

	if (!wanted(what))
		return true;
	start = ktime_get_ns();
	for (i = 0; i < WIDE; i++)
		static_branch_enable_queued(&wide_keys[i]);
	static_branch_apply_queued();
	seen = sites_taken(keyed_functions);
	for (i = 0; i < WIDE; i++)
		static_branch_disable_queued(&wide_keys[i]);
	static_branch_apply_queued();
	report(what, start, 2);
	return seen == WIDE;
}

static int __init jump_label_cost_init(void)
{
	bool right;

	/* More turns make less of what runs for the first time. */
	turn_key("one_site", &narrow_key.key, TURNS);
	turn_key("one_page", &page_key.key, 2);
	turn_key("wide_key", &wide_key.key, 2);
	right = turn_keys("wide_keys");
	return right && !narrow_site() && !page_sites() &&
	       !sites_taken(wide_functions) && !sites_taken(keyed_functions) ?
		0 : -EIO;
}
module_init(jump_label_cost_init);

static void __exit jump_label_cost_exit(void)
{
}
module_exit(jump_label_cost_exit);

MODULE_DESCRIPTION("Cost of turning static keys");
MODULE_LICENSE("GPL");
