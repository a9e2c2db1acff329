/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _KERNEL_SCHED_BANDWIDTH_POOL_H
#define _KERNEL_SCHED_BANDWIDTH_POOL_H

/*
 * The arithmetic of CFS bandwidth control, without a clock, a lock or a CPU.
 *
 * A group has one pool. Each period the pool is refilled with the quota; what is
 * left over may be kept up to the burst. Each CPU on which the group runs has a
 * local account, filled from the pool a slice at a time:
 *
 *	pool --take--> local account --time passes--> used
 *	  ^                 |
 *	  +-----give--------+
 *
 * All amounts are CPU time in ns. Callers serialise: the lock of the pool guards
 * a pool, the lock of the run queue a local account.
 *
 * The local account needs no charging. The scheduler keeps, for every group on
 * every CPU, the time that the group has run there since it exists; the account
 * is the value of that clock at which the group must stop. To run is to draw near
 * to it, and "may it run on" is one comparison.
 *
 * Invariants, checked in debug builds and by the tests:
 *
 *	a grant is never larger than the balance was
 *	granted - returned - used = sum of what is left in the local accounts
 *	balance <= quota + burst after a refill
 */
#include "bandwidth_internal.h"

/*
 * What timers and the scheduler do stands here, so that it can be inlined; what only
 * a change of configuration does, in bandwidth_pool.c.
 */

/* A quota or a local account without a limit. */
#define BANDWIDTH_UNLIMITED	U64_MAX

/*
 * The bounds of what can be configured. A group whose quota is below what a tick
 * can tell apart would run up large debts, hence the lower ones. A period of at
 * most a second keeps a throttled group from seeming dead, and the ratio of quota
 * to period within 64 bits. The upper one is some 203 days.
 */
#define BANDWIDTH_MIN_QUOTA	(1 * NSEC_PER_MSEC)
#define BANDWIDTH_MIN_PERIOD	(1 * NSEC_PER_MSEC)
#define BANDWIDTH_MAX_PERIOD	(1 * NSEC_PER_SEC)
#define BANDWIDTH_MAX_RUNTIME	(((1ULL << 44) - 1) * NSEC_PER_USEC)
#define BANDWIDTH_DEFAULT_PERIOD (100 * NSEC_PER_MSEC)

/* Binary digits after the point in bandwidth_ratio(). */
#define BANDWIDTH_RATIO_SHIFT	20

/**
 * struct bandwidth_limit - what an operator configures
 * @quota: ns that a group may run in a period, over all CPUs; or
 *	BANDWIDTH_UNLIMITED
 * @period: ns
 * @burst: ns of unused quota that may be kept for later periods
 */
struct bandwidth_limit {
	u64 quota;
	u64 period;
	u64 burst;
};

/**
 * struct bandwidth_pool - what a group may still run in this period
 * @limit: the configuration
 * @balance: ns that can still be granted
 * @snapshot: @balance after the last refill
 * @idle: nothing was granted since the last end of a period
 * @nr_periods: periods that ended while the group was active
 * @nr_throttled: those at whose end the group was throttled somewhere
 * @nr_bursts: periods in which more than the quota was used
 * @burst_time: ns used above the quota, in all
 */
struct bandwidth_pool {
	struct bandwidth_limit limit;
	u64 balance;
	u64 snapshot;
	bool idle;

	u64 nr_periods;
	u64 nr_throttled;
	u64 nr_bursts;
	u64 burst_time;
};

/**
 * struct bandwidth_local - the local account of a group on one CPU
 * @until: reading of the group's execution clock on this CPU, in ns, at which
 *	the group has used up what it was granted; BANDWIDTH_UNLIMITED when it
 *	needs no grant
 */
struct bandwidth_local {
	u64 until;
};

/* What to do at the end of a period. */
enum bandwidth_action {
	BANDWIDTH_STOP,		/* the period timer may rest */
	BANDWIDTH_WAIT,		/* nobody is throttled */
	BANDWIDTH_DISTRIBUTE,	/* let throttled accounts have the balance */
};

static inline bool bandwidth_limited(const struct bandwidth_limit *limit)
{
	return limit->quota != BANDWIDTH_UNLIMITED;
}

const char *bandwidth_limit_refused(const struct bandwidth_limit *limit);
u64 bandwidth_ratio(const struct bandwidth_limit *limit);

void bandwidth_pool_init(struct bandwidth_pool *pool);
void bandwidth_pool_set(struct bandwidth_pool *pool, const struct bandwidth_limit *limit);
void bandwidth_pool_give(struct bandwidth_pool *pool, u64 amount);
bool bandwidth_pool_stretch(struct bandwidth_pool *pool);

static inline void bandwidth_pool_check(const struct bandwidth_pool *pool)
{
	bandwidth_assert(!bandwidth_limit_refused(&pool->limit));
	bandwidth_assert(pool->nr_throttled <= pool->nr_periods);
	bandwidth_assert(bandwidth_limited(&pool->limit) || !pool->balance);
}

/* A new period: add the quota, and note how much more than it the last one took. */
static inline void bandwidth_pool_refill(struct bandwidth_pool *pool)
{
	const struct bandwidth_limit *limit = &pool->limit;

	pool->balance += limit->quota;
	if (pool->snapshot > pool->balance) {
		pool->burst_time += pool->snapshot - pool->balance;
		pool->nr_bursts++;
	}
	pool->balance = min(pool->balance, limit->quota + limit->burst);
	pool->snapshot = pool->balance;
}

/**
 * bandwidth_pool_period() - a period has ended
 * @pool: the pool
 * @periods: how many have ended since the last call, at least one
 * @throttled: is the group throttled on any CPU
 *
 * The quota is added once even when the timer came late by several periods: what
 * nobody could have used in time is not saved up.
 *
 * Return: what is to be done.
 */
static inline enum bandwidth_action bandwidth_pool_period(struct bandwidth_pool *pool,
							  u64 periods, bool throttled)
{
	if (!bandwidth_limited(&pool->limit))
		return BANDWIDTH_STOP;

	pool->nr_periods += periods;
	bandwidth_pool_refill(pool);
	bandwidth_assert(pool->balance <= pool->limit.quota + pool->limit.burst);
	if (throttled)
		pool->nr_throttled += periods;
	bandwidth_pool_check(pool);
	if (pool->idle && !throttled)
		return BANDWIDTH_STOP;
	/* Idle unless something is granted before the next end. */
	pool->idle = !throttled;
	return throttled ? BANDWIDTH_DISTRIBUTE : BANDWIDTH_WAIT;
}

/**
 * bandwidth_pool_take() - grant time to a local account
 * @pool: the pool
 * @want: ns
 *
 * Return: ns granted, at most @want; all of it when there is no limit.
 */
static inline u64 bandwidth_pool_take(struct bandwidth_pool *pool, u64 want)
{
	u64 grant;

	if (!bandwidth_limited(&pool->limit))
		return want;
	grant = min(pool->balance, want);
	if (grant) {
		pool->balance -= grant;
		pool->idle = false;
	}
	return grant;
}

/**
 * bandwidth_local_left() - what is left of the grants
 * @local: the account, limited
 * @used: the execution clock, ns
 *
 * Return: ns; zero or less when the group must stop, and then its debt.
 */
static inline s64 bandwidth_local_left(const struct bandwidth_local *local, u64 used)
{
	return (s64)(local->until - used);
}

/**
 * bandwidth_local_may_run() - is there anything left
 * @local: the account
 * @used: the execution clock, ns
 *
 * The one comparison of the fast path; an unlimited account always may.
 */
static inline bool bandwidth_local_may_run(const struct bandwidth_local *local, u64 used)
{
	return used < local->until;
}

static inline bool bandwidth_local_limited(const struct bandwidth_local *local)
{
	return local->until != BANDWIDTH_UNLIMITED;
}

/**
 * bandwidth_local_open() - begin to limit, with nothing granted
 * @local: the account
 * @used: the execution clock, ns
 */
static inline void bandwidth_local_open(struct bandwidth_local *local, u64 used)
{
	local->until = used;
}

/**
 * bandwidth_local_close() - cease to limit
 * @local: the account
 */
static inline void bandwidth_local_close(struct bandwidth_local *local)
{
	local->until = BANDWIDTH_UNLIMITED;
}

/**
 * bandwidth_local_want() - how much to ask for
 * @local: the account, limited, with nothing left
 * @used: the execution clock, ns
 * @slice: ns that shall be there afterwards
 *
 * Return: ns, which pay the debt first.
 */
static inline u64 bandwidth_local_want(const struct bandwidth_local *local, u64 used,
				       u64 slice)
{
	const s64 left = bandwidth_local_left(local, used);

	bandwidth_assert(left <= 0);
	return slice - left;
}

/**
 * bandwidth_local_surplus() - how much a CPU that falls idle can do without
 * @local: the account, limited
 * @used: the execution clock, ns
 * @keep: ns that it keeps, so that a short sleep does not cost a new grant
 *
 * Return: ns, zero when there is no surplus.
 */
static inline u64 bandwidth_local_surplus(const struct bandwidth_local *local, u64 used,
					  u64 keep)
{
	const s64 left = bandwidth_local_left(local, used);

	return left > (s64)keep ? left - keep : 0;
}

/**
 * bandwidth_local_credit() - add a grant
 * @local: the account, limited
 * @amount: ns, taken from the pool
 */
static inline void bandwidth_local_credit(struct bandwidth_local *local, u64 amount)
{
	bandwidth_assert(bandwidth_local_limited(local));
	local->until += amount;
}

/**
 * bandwidth_local_debit() - remove a surplus
 * @local: the account, limited
 * @used: the execution clock, ns
 * @amount: ns, no more than is left; to be given to the pool
 */
static inline void bandwidth_local_debit(struct bandwidth_local *local, u64 used,
					 u64 amount)
{
	bandwidth_assert(bandwidth_local_left(local, used) >= (s64)amount);
	local->until -= amount;
}

#endif /* _KERNEL_SCHED_BANDWIDTH_POOL_H */
