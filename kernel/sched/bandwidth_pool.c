// SPDX-License-Identifier: GPL-2.0
/*
 * The arithmetic of CFS bandwidth control; the model is in bandwidth_pool.h.
 *
 * Everything here is pure: time comes in as an argument, nothing sleeps, nothing
 * is locked. Each function that changes a pool leaves its invariants true.
 */
#include "bandwidth_internal.h"
#include "bandwidth_pool.h"

/* The rules that a limit must obey, in the order in which they are checked. */
static bool quota_too_small(const struct bandwidth_limit *limit)
{
	return limit->quota < BANDWIDTH_MIN_QUOTA;
}

static bool period_too_short(const struct bandwidth_limit *limit)
{
	return limit->period < BANDWIDTH_MIN_PERIOD;
}

static bool period_too_long(const struct bandwidth_limit *limit)
{
	return limit->period > BANDWIDTH_MAX_PERIOD;
}

static bool quota_too_large(const struct bandwidth_limit *limit)
{
	return bandwidth_limited(limit) && limit->quota > BANDWIDTH_MAX_RUNTIME;
}

static bool burst_above_quota(const struct bandwidth_limit *limit)
{
	return bandwidth_limited(limit) && limit->burst > limit->quota;
}

static bool burst_too_large(const struct bandwidth_limit *limit)
{
	return bandwidth_limited(limit) &&
	       limit->burst + limit->quota > BANDWIDTH_MAX_RUNTIME;
}

static const struct {
	bool (*broken)(const struct bandwidth_limit *limit);
	const char *rule;
} bandwidth_rules[] = {
	{ quota_too_small,   "the quota must be at least 1000 us" },
	{ period_too_short,  "the period must be at least 1000 us" },
	{ period_too_long,   "the period must be at most 1000000 us" },
	{ quota_too_large,   "the quota must be at most 17592186044415 us" },
	{ burst_above_quota, "the burst must not exceed the quota; lower the burst first" },
	{ burst_too_large,   "quota and burst together must be at most 17592186044415 us" },
};

/**
 * bandwidth_limit_refused() - may a limit be set
 * @limit: what an operator asks for
 *
 * Return: NULL when it may, else the rule that it breaks, in words.
 */
const char *bandwidth_limit_refused(const struct bandwidth_limit *limit)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bandwidth_rules); i++)
		if (bandwidth_rules[i].broken(limit))
			return bandwidth_rules[i].rule;
	return NULL;
}

/**
 * bandwidth_ratio() - the share of CPU time that a limit allows
 * @limit: a valid limit
 *
 * Computed from whole us, as limits are configured, so that equal ratios
 * compare equal.
 *
 * Return: CPUs, with BANDWIDTH_RATIO_SHIFT binary digits after the point;
 * BANDWIDTH_UNLIMITED when there is no limit.
 */
u64 bandwidth_ratio(const struct bandwidth_limit *limit)
{
	if (!bandwidth_limited(limit))
		return BANDWIDTH_UNLIMITED;
	return div64_u64(div_u64(limit->quota, NSEC_PER_USEC) << BANDWIDTH_RATIO_SHIFT,
			 div_u64(limit->period, NSEC_PER_USEC));
}

/**
 * bandwidth_pool_init() - a pool without a limit
 * @pool: any memory
 */
void bandwidth_pool_init(struct bandwidth_pool *pool)
{
	memset(pool, 0, sizeof(*pool));
	pool->limit.quota = BANDWIDTH_UNLIMITED;
	pool->limit.period = BANDWIDTH_DEFAULT_PERIOD;
	bandwidth_pool_check(pool);
}

/**
 * bandwidth_pool_set() - change the limit
 * @pool: the pool
 * @limit: a limit that bandwidth_limit_refused() let pass
 *
 * A pool that becomes limited starts with a full quota. One that was limited
 * keeps its balance, and gains what the quota gained: writing a limit again and
 * again hands out nothing.
 */
void bandwidth_pool_set(struct bandwidth_pool *pool, const struct bandwidth_limit *limit)
{
	const u64 old = pool->limit.quota;
	const u64 quota = limit->quota;

	bandwidth_assert(!bandwidth_limit_refused(limit));
	if (!bandwidth_limited(limit))
		pool->balance = 0;
	else if (!bandwidth_limited(&pool->limit))
		pool->balance = quota;
	else
		pool->balance = min(pool->balance + (quota > old ? quota - old : 0),
				    quota + limit->burst);
	pool->snapshot = pool->balance;
	pool->limit = *limit;
	bandwidth_pool_check(pool);
}

/**
 * bandwidth_pool_give() - take back what a local account does not need
 * @pool: the pool
 * @amount: ns, granted earlier
 */
void bandwidth_pool_give(struct bandwidth_pool *pool, u64 amount)
{
	if (bandwidth_limited(&pool->limit))
		pool->balance += amount;
}

/**
 * bandwidth_pool_stretch() - make a period longer that is too short to serve
 * @pool: the pool, limited
 *
 * Quota, period and burst are doubled: their ratios, by which a child is compared
 * with its parent, stay exactly what they were.
 *
 * Return: false, with nothing changed, when that would break a rule.
 */
bool bandwidth_pool_stretch(struct bandwidth_pool *pool)
{
	const struct bandwidth_limit twice = {
		.quota = 2 * pool->limit.quota,
		.period = 2 * pool->limit.period,
		.burst = 2 * pool->limit.burst,
	};

	bandwidth_assert(bandwidth_limited(&pool->limit));
	if (bandwidth_limit_refused(&twice))
		return false;
	pool->limit = twice;
	bandwidth_pool_check(pool);
	return true;
}
