/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _KERNEL_SCHED_BANDWIDTH_H
#define _KERNEL_SCHED_BANDWIDTH_H

/*
 * CFS bandwidth control: a group gets a quota of CPU time in each period, and
 * stops when it has used it up.
 *
 *	bandwidth_pool.c	policy: how much may be granted; pure arithmetic
 *	bandwidth.c		driver: timers, grants, distribution, the global key
 *	bandwidth_rq.c		mechanism: take a group off a run queue, put it back
 *	bandwidth_cgroup.c	control files
 *	bandwidth_hooks.h	what the scheduler calls
 *
 * Lock order:
 *
 *	cpus_read_lock
 *	  cfs_constraints_mutex		configuration
 *	    rq->lock			a cfs_rq, its local account, its throttling
 *	      cfs_bandwidth::lock	a pool, who waits for it, its timers
 *
 * A group on one CPU, a cfs_rq, is in one of these states, which change under
 * both locks:
 *
 *	running		not throttled
 *	parked		throttled, and on cfs_bandwidth::parked waiting for a grant
 *	kicked		throttled, paid for, and on rq::cfsb_csd_list until its CPU
 *			puts it back
 *
 * This header is included in the middle of sched.h, whose structures contain the
 * ones below.
 */
#include <linux/hrtimer_types.h>
#include <linux/list.h>
#include <linux/spinlock.h>

#include "bandwidth_pool.h"

struct cfs_rq;
struct rq;
struct task_group;

/**
 * struct cfs_bandwidth - the pool of a group, with what drives it
 * @lock: guards everything here; nests in rq->lock
 * @pool: the arithmetic
 * @period_active: @period_timer is queued, or running and about to be
 * @slack_started: @slack_timer is queued
 * @parked: cfs_rq that wait for a grant, the longest first
 * @period_timer: ends the periods while the group is active
 * @slack_timer: hands out what came back from CPUs that fell idle
 */
struct cfs_bandwidth {
#ifdef CONFIG_CFS_BANDWIDTH
	raw_spinlock_t		lock;
	struct bandwidth_pool	pool;
	bool			period_active;
	bool			slack_started;
	struct list_head	parked;
	struct hrtimer		period_timer;
	struct hrtimer		slack_timer;
#endif
};

#ifdef CONFIG_CFS_BANDWIDTH
/**
 * struct cfs_rq_bandwidth - the part of a cfs_rq; guarded by rq->lock
 * @local: the account; see cfs_rq_used() for its clock
 * @throttled: this cfs_rq itself is off its parent for want of quota
 * @throttle_count: how many of it and its ancestors are
 * @pelt_clock: what cfs_rq_clock_pelt() reads: the clock of the rq, or
 *	@pelt_frozen while @throttle_count is not zero
 * @pelt_offset: time for which that clock stood still so far
 * @pelt_frozen: where it stands
 * @pelt_idle: @pelt_offset for readers without the lock, or
 *	CFS_RQ_PELT_FROZEN
 * @pelt_idle_copy: lets a 32-bit machine read @pelt_idle in one piece
 * @throttled_clock: when tasks began to wait because of @throttled, or 0
 * @throttled_time: ns that they waited in all
 * @inherited_clock: the same for @throttle_count
 * @inherited_time: the same for @throttle_count
 * @parked: in cfs_bandwidth::parked; under both locks
 * @kicked: in rq::cfsb_csd_list
 */
struct cfs_rq_bandwidth {
	struct bandwidth_local	local;
	int			throttled;
	int			throttle_count;

	const u64		*pelt_clock;
	u64			pelt_offset;
	u64			pelt_frozen;
	u64			pelt_idle;
#ifndef CONFIG_64BIT
	u64			pelt_idle_copy;
#endif

	u64			throttled_clock;
	u64			throttled_time;
	u64			inherited_clock;
	u64			inherited_time;

	struct list_head	parked;
	struct list_head	kicked;
};

#define CFS_RQ_PELT_FROZEN	U64_MAX

/**
 * struct cfs_bandwidth_stat - counters of a group, as cpu.stat shows them
 * @nr_periods: periods that ended while the group was active
 * @nr_throttled: those in which it was throttled somewhere
 * @nr_bursts: those in which it used more than its quota
 * @throttled_time: ns, over all CPUs
 * @burst_time: ns used above the quota
 */
struct cfs_bandwidth_stat {
	u64			nr_periods;
	u64			nr_throttled;
	u64			nr_bursts;
	u64			throttled_time;
	u64			burst_time;
};

/* The sysctl kernel.sched_cfs_bandwidth_slice_us. */
extern unsigned int sysctl_sched_cfs_bandwidth_slice;

/* Driver, for the control files. */
void cfs_bandwidth_get(struct task_group *tg, struct bandwidth_limit *limit);
void cfs_bandwidth_apply(struct task_group *tg, const struct bandwidth_limit *limit);
void cfs_bandwidth_read_stat(struct task_group *tg, struct cfs_bandwidth_stat *stat);
u64 cfs_bandwidth_inherited_time(struct task_group *tg);

/* Driver, for the mechanism. */
bool cfs_bandwidth_extend(struct cfs_rq *cfs_rq, u64 used);
bool cfs_bandwidth_extend_or_park(struct cfs_rq *cfs_rq, u64 used);
void cfs_bandwidth_return(struct cfs_rq *cfs_rq);
void cfs_bandwidth_unpark(struct cfs_rq *cfs_rq);
void cfs_bandwidth_close(struct cfs_rq *cfs_rq);

/* Mechanism, for the driver. */
void unthrottle_cfs_rq(struct cfs_rq *cfs_rq);
void cfs_rq_update_used(struct cfs_rq *cfs_rq);

/* Life of a group, of a cfs_rq and of a run queue. */
void init_cfs_bandwidth(struct cfs_bandwidth *cfs_b);
void destroy_cfs_bandwidth(struct cfs_bandwidth *cfs_b);
void init_cfs_rq_bandwidth(struct cfs_rq *cfs_rq);
void init_rq_bandwidth(struct rq *rq);
void cfs_bandwidth_css_offline(struct task_group *tg);
#else
static inline void cfs_bandwidth_css_offline(struct task_group *tg) { }
#endif /* CONFIG_CFS_BANDWIDTH */

#endif /* _KERNEL_SCHED_BANDWIDTH_H */
