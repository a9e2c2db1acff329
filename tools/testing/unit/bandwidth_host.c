// SPDX-License-Identifier: GPL-2.0
/*
 * bandwidth_host.c - the arithmetic of bandwidth control as a program
 *
 *	bandwidth_host [STEPS [SEED]]
 *
 * Tables of limits, and random sequences of STEPS operations on a pool and eight
 * local accounts, beside a model that keeps the books its own way. After each step
 * the two must agree, and the invariants hold. The first fault ends the program
 * with its line and step.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../../../kernel/sched/bandwidth_pool.h"

#define LOCALS	8
#define US	1000ull
#define MS	1000000ull
#define MAX_US	17592186044415ull
#define SLICE	(5 * MS)

static unsigned long step;
static u64 random_state;

#define must(condition) \
	do { \
		if (!(condition)) { \
			fprintf(stderr, "%s:%d: step %lu: %s does not hold\n", \
				__FILE__, __LINE__, step, #condition); \
			exit(1); \
		} \
	} while (0)

static u64 below(u64 n)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return n ? random_state % n : 0;
}

/* Limits in us, and what of them is refused: a word of the rule, or NULL. */
static const struct {
	u64 quota, period, burst;
	const char *rule;
} limit_table[] = {
	{ 1000, 1000, 0, NULL },
	{ 999, 1000, 0, "at least" },
	{ 0, 100000, 0, "at least" },
	{ 1000, 999, 0, "period" },
	{ 1000, 0, 0, "period" },
	{ 1000, 1000000, 0, NULL },
	{ 1000, 1000001, 0, "period" },
	{ MAX_US, 100000, 0, NULL },
	{ MAX_US + 1, 100000, 0, "at most" },
	{ 50000, 100000, 50000, NULL },
	{ 50000, 100000, 50001, "burst" },
	{ MAX_US / 2, 100000, MAX_US / 2, NULL },
	{ MAX_US / 2 + 1, 100000, MAX_US / 2 + 1, "together" },
};

static void limits_by_table(void)
{
	struct bandwidth_limit limit = { BANDWIDTH_UNLIMITED, 100 * MS, 0 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(limit_table); i++) {
		const char *rule;

		step = i;
		limit.quota = limit_table[i].quota * US;
		limit.period = limit_table[i].period * US;
		limit.burst = limit_table[i].burst * US;
		rule = bandwidth_limit_refused(&limit);
		must(!rule == !limit_table[i].rule);
		must(!rule || strstr(rule, limit_table[i].rule));
	}
	/* Without a quota the other two are still checked, or free. */
	limit = (struct bandwidth_limit){ BANDWIDTH_UNLIMITED, 1000001 * US, 0 };
	must(bandwidth_limit_refused(&limit));
	limit = (struct bandwidth_limit){ BANDWIDTH_UNLIMITED, MS, 5000 * MS };
	must(!bandwidth_limit_refused(&limit));
}

static void ratios_by_table(void)
{
	static const struct {
		u64 quota, period, ratio;
	} rows[] = {
		{ 100000, 100000, 1 << 20 },
		{ 50000, 100000, 1 << 19 },
		{ 1000, 1000000, 1048 },
		{ 350000, 100000, 7 << 19 },
		{ MAX_US, 1000, MAX_US / 1000 * (1 << 20) + 435159 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct bandwidth_limit limit = {
			rows[i].quota * US, rows[i].period * US, 0
		};

		step = i;
		must(bandwidth_ratio(&limit) == rows[i].ratio);
	}
}

/* A period in which nothing happens, one that is used up, burst, and rest. */
static void periods_by_hand(void)
{
	struct bandwidth_limit limit = { 10 * MS, 100 * MS, 0 };
	struct bandwidth_pool pool;

	step = 0;
	bandwidth_pool_init(&pool);
	must(bandwidth_pool_take(&pool, 123) == 123);
	must(bandwidth_pool_period(&pool, 1, false) == BANDWIDTH_STOP);
	bandwidth_pool_set(&pool, &limit);
	must(bandwidth_pool_take(&pool, 4 * MS) == 4 * MS);
	must(bandwidth_pool_take(&pool, 7 * MS) == 6 * MS);
	must(bandwidth_pool_take(&pool, 1) == 0);
	must(bandwidth_pool_period(&pool, 1, true) == BANDWIDTH_DISTRIBUTE);
	must(pool.balance == 10 * MS && pool.nr_periods == 1 && pool.nr_throttled == 1);
	must(bandwidth_pool_take(&pool, MS) == MS);
	must(bandwidth_pool_period(&pool, 1, false) == BANDWIDTH_WAIT);
	must(pool.balance == 10 * MS && pool.nr_throttled == 1);
	must(bandwidth_pool_period(&pool, 1, false) == BANDWIDTH_STOP);

	/* Saved in quiet periods, at most the burst; late timers save nothing more. */
	limit.burst = 5 * MS;
	bandwidth_pool_set(&pool, &limit);
	must(pool.balance == 10 * MS);
	bandwidth_pool_period(&pool, 7, false);
	must(pool.balance == 15 * MS && pool.nr_periods == 10);
	must(bandwidth_pool_take(&pool, 20 * MS) == 15 * MS);
	bandwidth_pool_period(&pool, 1, true);
	must(pool.nr_bursts == 1 && pool.burst_time == 5 * MS);
	must(pool.balance == 10 * MS);

	/* The same limit again hands out nothing, a larger one the difference. */
	must(bandwidth_pool_take(&pool, 10 * MS) == 10 * MS);
	bandwidth_pool_set(&pool, &limit);
	must(pool.balance == 0);
	limit.quota = 12 * MS;
	bandwidth_pool_set(&pool, &limit);
	must(pool.balance == 2 * MS);
	limit.quota = BANDWIDTH_UNLIMITED;
	bandwidth_pool_set(&pool, &limit);
	must(pool.balance == 0);
}

/* The books of the model; sums since the limit was last set from none. */
static struct {
	struct bandwidth_pool pool;
	struct bandwidth_local local[LOCALS];
	u64 clock[LOCALS];
	u64 balance;
	u64 granted, returned, used;
	bool idle;
} m;

static void books_agree(void)
{
	s64 left = 0;
	int i;

	must(m.pool.balance == m.balance);
	must(m.pool.nr_throttled <= m.pool.nr_periods);
	must(!bandwidth_limit_refused(&m.pool.limit));
	if (!bandwidth_limited(&m.pool.limit))
		return;
	must(m.pool.idle == m.idle);
	for (i = 0; i < LOCALS; i++) {
		must(bandwidth_local_may_run(&m.local[i], m.clock[i]) ==
		     (bandwidth_local_left(&m.local[i], m.clock[i]) > 0));
		left += bandwidth_local_left(&m.local[i], m.clock[i]);
	}
	must((s64)(m.granted - m.returned - m.used) == left);
}

static bool any_throttled(void)
{
	int i;

	for (i = 0; i < LOCALS; i++)
		if (!bandwidth_local_may_run(&m.local[i], m.clock[i]))
			return true;
	return false;
}

/* A CPU runs, and asks for more when it has nothing left. */
static void run(int i)
{
	u64 ran = below(8 * MS), before = m.balance, want, grant;

	m.clock[i] += ran;
	m.used += ran;
	if (bandwidth_local_may_run(&m.local[i], m.clock[i]))
		return;
	want = bandwidth_local_want(&m.local[i], m.clock[i], below(3) ? SLICE : 1);
	grant = bandwidth_pool_take(&m.pool, want);
	must(grant == (want < before ? want : before));
	bandwidth_local_credit(&m.local[i], grant);
	m.balance -= grant;
	m.granted += grant;
	m.idle &= !grant;
	/* A full grant pays the debt and leaves something to run with. */
	must(grant < want || bandwidth_local_may_run(&m.local[i], m.clock[i]));
}

static void rest(int i)
{
	u64 keep = below(2) * MS, surplus;
	s64 left = bandwidth_local_left(&m.local[i], m.clock[i]);

	surplus = bandwidth_local_surplus(&m.local[i], m.clock[i], keep);
	must(surplus == (left > (s64)keep ? left - keep : 0));
	if (!surplus)
		return;
	bandwidth_local_debit(&m.local[i], m.clock[i], surplus);
	bandwidth_pool_give(&m.pool, surplus);
	m.balance += surplus;
	m.returned += surplus;
	must(bandwidth_local_left(&m.local[i], m.clock[i]) == (s64)keep);
}

static void end_period(void)
{
	const struct bandwidth_pool before = m.pool;
	const struct bandwidth_limit *limit = &m.pool.limit;
	bool throttled = any_throttled();
	u64 periods = 1 + below(8) / 6 * below(5), over;
	enum bandwidth_action action;

	action = bandwidth_pool_period(&m.pool, periods, throttled);
	if (!bandwidth_limited(limit)) {
		must(action == BANDWIDTH_STOP);
		must(m.pool.nr_periods == before.nr_periods);
		return;
	}
	must(action == (throttled ? BANDWIDTH_DISTRIBUTE :
			m.idle ? BANDWIDTH_STOP : BANDWIDTH_WAIT));
	must(m.pool.nr_periods == before.nr_periods + periods);
	must(m.pool.nr_throttled == before.nr_throttled + (throttled ? periods : 0));
	must(m.pool.balance <= limit->quota + limit->burst);

	m.idle = !throttled;
	m.balance += limit->quota;
	over = before.snapshot > m.balance ? before.snapshot - m.balance : 0;
	must(over <= limit->burst);
	must(m.pool.burst_time == before.burst_time + over);
	must(m.pool.nr_bursts == before.nr_bursts + !!over);
	if (m.balance > limit->quota + limit->burst)
		m.balance = limit->quota + limit->burst;
}

static void set_limit(void)
{
	struct bandwidth_limit limit = m.pool.limit, old = limit;
	int i;

	limit.quota = below(5) ? below(300000) * US : BANDWIDTH_UNLIMITED;
	limit.period = below(1001000) * US;
	limit.burst = below(3) ? 0 : below(300000) * US;
	if (bandwidth_limit_refused(&limit))
		return;
	bandwidth_pool_set(&m.pool, &limit);
	must(!memcmp(&m.pool.limit, &limit, sizeof(limit)));
	if (!bandwidth_limited(&limit)) {
		m.balance = 0;
		for (i = 0; i < LOCALS; i++)
			bandwidth_local_close(&m.local[i]);
		return;
	}
	if (bandwidth_limited(&old)) {
		if (limit.quota > old.quota)
			m.balance += limit.quota - old.quota;
		if (m.balance > limit.quota + limit.burst)
			m.balance = limit.quota + limit.burst;
		return;
	}
	m.balance = limit.quota;
	m.granted = 0;
	m.returned = 0;
	m.used = 0;
	for (i = 0; i < LOCALS; i++)
		bandwidth_local_open(&m.local[i], m.clock[i]);
}

static void stretch(void)
{
	const struct bandwidth_limit old = m.pool.limit, *now = &m.pool.limit;
	bool fits = 2 * old.period <= 1000 * MS;

	if (!bandwidth_limited(&old))
		return;
	must(bandwidth_pool_stretch(&m.pool) == fits);
	must(bandwidth_ratio(now) == bandwidth_ratio(&old));
	must(now->quota == (fits ? 2 : 1) * old.quota);
	must(now->period == (fits ? 2 : 1) * old.period);
	must(now->burst == (fits ? 2 : 1) * old.burst);
}

static void random_steps(unsigned long steps)
{
	int i;

	bandwidth_pool_init(&m.pool);
	for (i = 0; i < LOCALS; i++) {
		m.clock[i] = below(1ull << 50);
		bandwidth_local_close(&m.local[i]);
	}
	for (step = 1; step <= steps; step++) {
		bool limited = bandwidth_limited(&m.pool.limit);
		unsigned int what = below(100);

		if (what < 2)
			set_limit();
		else if (what < 3)
			stretch();
		else if (what < 15)
			end_period();
		else if (what < 30 && limited)
			rest(below(LOCALS));
		else if (limited)
			run(below(LOCALS));
		else
			m.clock[below(LOCALS)] += below(8 * MS);
		books_agree();
	}
}

int main(int argc, char **argv)
{
	unsigned long steps = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000000;

	random_state = argc > 2 ? strtoul(argv[2], NULL, 10) : 88172645463325252ull;
	limits_by_table();
	ratios_by_table();
	periods_by_hand();
	random_steps(steps);
	printf("%lu steps\n", steps);
	return 0;
}
