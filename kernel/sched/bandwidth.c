// SPDX-License-Identifier: GPL-2.0
/*
 * Driver of CFS bandwidth control: the global key, the timers of the pools, grants
 * and their distribution, changes of a limit. See bandwidth.h for the whole.
 *
 * This is the only place where the locks of a pool and of a run queue meet. The
 * lock of the pool nests inside, so distribution gives it up before it takes a
 * group's run queue.
 */
#include <linux/sched.h>
#include <linux/cgroup.h>
#include <linux/cleanup.h>
#include <linux/cpu.h>
#include <linux/hrtimer.h>
#include <linux/jump_label.h>
#include <linux/limits.h>
#include <linux/list.h>
#include <linux/mmu_context.h>
#include <linux/random.h>
#include <linux/ratelimit.h>
#include <linux/rcupdate.h>
#include <linux/smp.h>

#include "sched.h"

#define CREATE_TRACE_POINTS
#include <trace/events/cfs_bandwidth.h>

/*
 * Counts the groups that have a quota; everything that only they need stands
 * behind it. A group is counted in cfs_bandwidth_apply() when its limit begins,
 * and no longer when it ends, be it by a write or because the group goes.
 */
DEFINE_STATIC_KEY_FALSE(__cfs_bandwidth_used);

/* What one CPU takes from a pool at a time, in us. */
unsigned int sysctl_sched_cfs_bandwidth_slice = 5000;

/* A CPU that falls idle keeps this much, in ns, for the next short run. */
#define LOCAL_KEEP		(1 * NSEC_PER_MSEC)
/* Surplus is collected for this long, in ns, before it is handed out. */
#define SLACK_DELAY		(5 * NSEC_PER_MSEC)
/* With less than this left of the period, in ns, the refill serves as well. */
#define SLACK_MIN_LEFT		(2 * NSEC_PER_MSEC)
/* Periods that may end during one run of the timer until the period is doubled. */
#define LATE_PERIODS		3

static u64 slice_ns(void)
{
	return (u64)READ_ONCE(sysctl_sched_cfs_bandwidth_slice) * NSEC_PER_USEC;
}

static struct cfs_bandwidth *pool_of(struct cfs_rq *cfs_rq)
{
	return &cfs_rq->tg->cfs_bandwidth;
}

static struct task_group *group_of(struct cfs_bandwidth *b)
{
	return container_of(b, struct task_group, cfs_bandwidth);
}

/* Periods run only while somebody asks for time; the timer stops by itself. */
static void period_start(struct cfs_bandwidth *b)
{
	lockdep_assert_held(&b->lock);
	if (b->period_active)
		return;
	b->period_active = true;
	hrtimer_forward_now(&b->period_timer, ns_to_ktime(b->pool.limit.period));
	hrtimer_start_expires(&b->period_timer, HRTIMER_MODE_ABS_PINNED);
}

/* Does a refill come within @ns, or is it at work already? */
static bool period_ends_within(struct cfs_bandwidth *b, s64 ns)
{
	lockdep_assert_held(&b->lock);
	return hrtimer_callback_running(&b->period_timer) ||
	       ktime_to_ns(hrtimer_expires_remaining(&b->period_timer)) < ns;
}

static void slack_start(struct cfs_bandwidth *b)
{
	if (b->slack_started || period_ends_within(b, SLACK_DELAY + SLACK_MIN_LEFT))
		return;
	b->slack_started = true;
	hrtimer_start(&b->slack_timer, ns_to_ktime(SLACK_DELAY), HRTIMER_MODE_REL);
}

/* Move time to a local account; true when the group may run on there. */
static bool grant(struct cfs_bandwidth *b, struct cfs_rq *cfs_rq, u64 used, u64 slice)
{
	struct bandwidth_local *local = &cfs_rq->bandwidth.local;
	u64 amount;

	lockdep_assert_held(&b->lock);
	amount = bandwidth_pool_take(&b->pool, bandwidth_local_want(local, used, slice));
	bandwidth_local_credit(local, amount);
	return bandwidth_local_left(local, used) > 0;
}

/**
 * cfs_bandwidth_extend() - ask for another slice
 * @cfs_rq: a limited one with nothing left; rq->lock is held
 * @used: its execution clock, ns
 *
 * Return: false when it must stop.
 */
bool cfs_bandwidth_extend(struct cfs_rq *cfs_rq, u64 used)
{
	struct cfs_bandwidth *b = pool_of(cfs_rq);
	bool more;

	raw_spin_lock(&b->lock);
	period_start(b);
	more = grant(b, cfs_rq, used, slice_ns());
	raw_spin_unlock(&b->lock);
	return more;
}

/**
 * cfs_bandwidth_extend_or_park() - ask for another slice, or wait for it
 * @cfs_rq: a limited one with nothing left that is not throttled; rq->lock is held
 * @used: its execution clock, ns
 *
 * One critical section decides, so that no refill slips in between and leaves the
 * group waiting for a whole period with time in the pool.
 *
 * Return: false when it waits now; the caller must throttle it.
 */
bool cfs_bandwidth_extend_or_park(struct cfs_rq *cfs_rq, u64 used)
{
	struct cfs_bandwidth *b = pool_of(cfs_rq);
	bool more;

	raw_spin_lock(&b->lock);
	period_start(b);
	more = grant(b, cfs_rq, used, slice_ns());
	if (!more)
		list_add_tail(&cfs_rq->bandwidth.parked, &b->parked);
	raw_spin_unlock(&b->lock);
	return more;
}

/**
 * cfs_bandwidth_unpark() - wait no longer, whatever the balance
 * @cfs_rq: a throttled one; rq->lock is held
 */
void cfs_bandwidth_unpark(struct cfs_rq *cfs_rq)
{
	struct cfs_bandwidth *b = pool_of(cfs_rq);

	raw_spin_lock(&b->lock);
	list_del_init(&cfs_rq->bandwidth.parked);
	raw_spin_unlock(&b->lock);
}

/* Take what a local account has above @keep; the caller gives it to the pool. */
static u64 take_surplus(struct cfs_rq *cfs_rq, u64 keep)
{
	struct bandwidth_local *local = &cfs_rq->bandwidth.local;
	const u64 used = cfs_rq_used(cfs_rq);
	const u64 surplus = bandwidth_local_surplus(local, used, keep);

	if (surplus)
		bandwidth_local_debit(local, used, surplus);
	return surplus;
}

/**
 * cfs_bandwidth_return() - give back what a CPU that falls idle does not need
 * @cfs_rq: a limited one without entities; rq->lock is held
 *
 * Those who wait are served by a timer: their run queues cannot be locked here.
 */
void cfs_bandwidth_return(struct cfs_rq *cfs_rq)
{
	struct cfs_bandwidth *b = pool_of(cfs_rq);
	const u64 surplus = take_surplus(cfs_rq, LOCAL_KEEP);

	if (!surplus)
		return;
	raw_spin_lock(&b->lock);
	bandwidth_pool_give(&b->pool, surplus);
	if (b->pool.balance > slice_ns() && !list_empty(&b->parked))
		slack_start(b);
	raw_spin_unlock(&b->lock);
}

#ifdef CONFIG_SMP
/* Put back what other CPUs have paid for. */
static void kicked(void *arg)
{
	struct cfs_rq *cfs_rq, *next;
	struct rq *rq = arg;
	struct rq_flags rf;

	rq_lock(rq, &rf);
	update_rq_clock(rq);
	rq_clock_start_loop_update(rq);
	/* A group is on this list only while it is throttled, and so not freed. */
	list_for_each_entry_safe(cfs_rq, next, &rq->cfsb_csd_list, bandwidth.kicked)
		unthrottle_cfs_rq(cfs_rq);
	rq_clock_stop_loop_update(rq);
	rq_unlock(rq, &rf);
}

/* Have its CPU put a group back; false when that is this one. */
static bool kick(struct rq *rq, struct cfs_rq *cfs_rq)
{
	const bool first = list_empty(&rq->cfsb_csd_list);

	if (rq == this_rq())
		return false;
	list_add_tail(&cfs_rq->bandwidth.kicked, &rq->cfsb_csd_list);
	if (first)
		smp_call_function_single_async(cpu_of(rq), &rq->cfsb_csd);
	return true;
}

/**
 * init_rq_bandwidth() - the part of a run queue
 * @rq: the run queue
 */
void init_rq_bandwidth(struct rq *rq)
{
	INIT_CSD(&rq->cfsb_csd, kicked, rq);
	INIT_LIST_HEAD(&rq->cfsb_csd_list);
}
#else
static bool kick(struct rq *rq, struct cfs_rq *cfs_rq)
{
	return false;
}

void init_rq_bandwidth(struct rq *rq) { }
#endif

/* Who is served next; nobody when there is nothing to give. */
static struct cfs_rq *next_parked(struct cfs_bandwidth *b)
{
	lockdep_assert_held(&b->lock);
	if (!b->pool.balance)
		return NULL;
	return list_first_entry_or_null(&b->parked, struct cfs_rq, bandwidth.parked);
}

/*
 * Pay for one that waits, and return the next. It may have been unparked since it
 * was chosen. One that cannot be paid in full leaves no balance for others, so a
 * walk over the first of the list ends.
 */
static struct cfs_rq *serve(struct cfs_bandwidth *b, struct cfs_rq *cfs_rq)
{
	struct rq *rq = rq_of(cfs_rq);
	struct cfs_rq *next;
	struct rq_flags rf;
	bool paid;

	rq_lock(rq, &rf);
	raw_spin_lock(&b->lock);
	/* One ns more than the debt: others may wait, and slices are for who runs. */
	paid = !list_empty(&cfs_rq->bandwidth.parked) && grant(b, cfs_rq, cfs_rq_used(cfs_rq), 1);
	if (paid)
		list_del_init(&cfs_rq->bandwidth.parked);
	next = next_parked(b);
	raw_spin_unlock(&b->lock);

	if (paid && !kick(rq, cfs_rq))
		unthrottle_cfs_rq(cfs_rq);
	rq_unlock(rq, &rf);
	return next;
}

/*
 * Hand the balance to those who wait. Called with the lock of the pool, which is
 * given up meanwhile, and interrupts off. RCU keeps a chosen cfs_rq in memory.
 */
static void distribute(struct cfs_bandwidth *b) __must_hold(&b->lock)
{
	struct cfs_rq *cfs_rq;

	guard(rcu)();
	cfs_rq = next_parked(b);
	if (!cfs_rq)
		return;
	raw_spin_unlock(&b->lock);
	while (cfs_rq)
		cfs_rq = serve(b, cfs_rq);
	raw_spin_lock(&b->lock);
}

static enum hrtimer_restart sched_cfs_slack_timer(struct hrtimer *timer)
{
	struct cfs_bandwidth *b = container_of(timer, struct cfs_bandwidth, slack_timer);
	unsigned long flags;

	raw_spin_lock_irqsave(&b->lock, flags);
	b->slack_started = false;
	/* More may have been taken since, or the refill is near. */
	if (b->pool.balance > slice_ns() && !period_ends_within(b, SLACK_MIN_LEFT))
		distribute(b);
	raw_spin_unlock_irqrestore(&b->lock, flags);
	return HRTIMER_NORESTART;
}

/*
 * The timer cannot keep up: periods ended while it served one. Doubling leaves the
 * ratio of quota to period as it is, and the group is limited as before.
 */
static void stretch(struct cfs_bandwidth *b)
{
	struct task_group *tg = group_of(b);
	const struct bandwidth_limit old = b->pool.limit;
	const struct bandwidth_limit *now = &b->pool.limit;
	const u64 group = cgroup_id(tg->css.cgroup);
	static DEFINE_RATELIMIT_STATE(say, 5 * HZ, 10);

	/* Deferred: the console wakes tasks, which takes the locks that are held here. */
	if (!bandwidth_pool_stretch(&b->pool)) {
		if (__ratelimit(&say))
			printk_deferred("cfs_period_timer[cpu%d]: group with inode %llu: period too short, but cannot be doubled (cfs_period_us %llu, cfs_quota_us %llu)\n",
					smp_processor_id(), group,
					div_u64(old.period, NSEC_PER_USEC),
					div_u64(old.quota, NSEC_PER_USEC));
		return;
	}
	trace_cfs_bandwidth_stretch(tg, &old, now);
	if (__ratelimit(&say))
		printk_deferred("cfs_period_timer[cpu%d]: group with inode %llu: period too short, doubling (cfs_period_us %llu -> %llu, cfs_quota_us %llu -> %llu)\n",
				smp_processor_id(), group,
				div_u64(old.period, NSEC_PER_USEC),
				div_u64(now->period, NSEC_PER_USEC),
				div_u64(old.quota, NSEC_PER_USEC),
				div_u64(now->quota, NSEC_PER_USEC));
}

/* End the periods that are over. */
static enum hrtimer_restart end_periods(struct cfs_bandwidth *b)
{
	enum bandwidth_action action;
	unsigned int late = 0;
	u64 periods;

	while ((periods = hrtimer_forward_now(&b->period_timer,
					      ns_to_ktime(b->pool.limit.period)))) {
		action = bandwidth_pool_period(&b->pool, periods, !list_empty(&b->parked));
		trace_cfs_bandwidth_refill(group_of(b), periods);
		if (action == BANDWIDTH_STOP) {
			b->period_active = false;
			return HRTIMER_NORESTART;
		}
		/* That took no time, so the timer cannot be late again. */
		if (action == BANDWIDTH_WAIT && !late)
			return HRTIMER_RESTART;
		if (action == BANDWIDTH_DISTRIBUTE)
			distribute(b);
		/* The limit may have gone while the lock was given up. */
		if (++late > LATE_PERIODS && bandwidth_limited(&b->pool.limit)) {
			stretch(b);
			late = 0;
		}
	}
	return HRTIMER_RESTART;
}

static enum hrtimer_restart sched_cfs_period_timer(struct hrtimer *timer)
{
	struct cfs_bandwidth *b = container_of(timer, struct cfs_bandwidth, period_timer);
	enum hrtimer_restart restart;
	unsigned long flags;

	raw_spin_lock_irqsave(&b->lock, flags);
	restart = end_periods(b);
	raw_spin_unlock_irqrestore(&b->lock, flags);
	return restart;
}

/**
 * cfs_bandwidth_get() - read the limit of a group
 * @tg: the group
 * @limit: where to put it
 */
void cfs_bandwidth_get(struct task_group *tg, struct bandwidth_limit *limit)
{
	raw_spin_lock_irq(&tg->cfs_bandwidth.lock);
	*limit = tg->cfs_bandwidth.pool.limit;
	raw_spin_unlock_irq(&tg->cfs_bandwidth.lock);
}

/* Take back all that a CPU has; a debt stays. */
static void reclaim(struct cfs_rq *cfs_rq)
{
	struct cfs_bandwidth *b = pool_of(cfs_rq);
	u64 surplus;

	cfs_rq_update_used(cfs_rq);
	surplus = take_surplus(cfs_rq, 0);
	if (!surplus)
		return;
	raw_spin_lock(&b->lock);
	bandwidth_pool_give(&b->pool, surplus);
	raw_spin_unlock(&b->lock);
}

/* A limit begins. */
static void open(struct cfs_rq *cfs_rq)
{
	cfs_rq_update_used(cfs_rq);
	bandwidth_local_open(&cfs_rq->bandwidth.local, cfs_rq_used(cfs_rq));
}

/**
 * cfs_bandwidth_close() - a limit ends on one CPU
 * @cfs_rq: the run queue of the group there; rq->lock is held
 */
void cfs_bandwidth_close(struct cfs_rq *cfs_rq)
{
	bandwidth_local_close(&cfs_rq->bandwidth.local);
	if (cfs_rq_throttled(cfs_rq))
		unthrottle_cfs_rq(cfs_rq);
}

/* Do something to the local accounts of a group. */
static void change_locals(struct task_group *tg, void (*change)(struct cfs_rq *cfs_rq))
{
	struct rq_flags rf;
	int cpu;

	for_each_online_cpu(cpu) {
		rq_lock_irq(cpu_rq(cpu), &rf);
		update_rq_clock(cpu_rq(cpu));
		change(tg->cfs_rq[cpu]);
		rq_unlock_irq(cpu_rq(cpu), &rf);
	}
}

/*
 * Bring the timers in line with a new limit. A callback that is running waits for
 * the lock and then sees the limit, so it is left alone.
 */
static void set_timers(struct cfs_bandwidth *b, bool restart)
{
	if (!bandwidth_limited(&b->pool.limit)) {
		if (hrtimer_try_to_cancel(&b->period_timer) >= 0)
			b->period_active = false;
		if (hrtimer_try_to_cancel(&b->slack_timer) >= 0)
			b->slack_started = false;
	} else if (!restart) {
		period_start(b);
	} else if (hrtimer_try_to_cancel(&b->period_timer) >= 0) {
		hrtimer_start(&b->period_timer,
			      ktime_add_ns(ktime_get(), b->pool.limit.period),
			      HRTIMER_MODE_ABS_PINNED);
	}
}

static void set_pool(struct cfs_bandwidth *b, const struct bandwidth_limit *limit)
{
	bool restart;

	raw_spin_lock_irq(&b->lock);
	restart = b->period_active && b->pool.limit.period != limit->period;
	bandwidth_pool_set(&b->pool, limit);
	set_timers(b, restart);
	distribute(b);
	raw_spin_unlock_irq(&b->lock);
}

/**
 * cfs_bandwidth_apply() - change the limit of a group
 * @tg: the group, not the root
 * @limit: a limit that bandwidth_limit_refused() let pass
 *
 * Changing a limit pardons no debt and grants nothing twice; removing it lets all
 * tasks run at once.
 *
 * Context: may sleep; cpus_read_lock and cfs_constraints_mutex are held.
 */
void cfs_bandwidth_apply(struct task_group *tg, const struct bandwidth_limit *limit)
{
	struct cfs_bandwidth *b = &tg->cfs_bandwidth;
	const bool was = bandwidth_limited(&b->pool.limit);
	const bool is = bandwidth_limited(limit);

	lockdep_assert_cpus_held();
	/* The hooks must be there before there is something to do for them. */
	if (is && !was)
		static_branch_inc_cpuslocked(&__cfs_bandwidth_used);
	if (is && was)
		change_locals(tg, reclaim);
	set_pool(b, limit);
	if (is != was)
		change_locals(tg, is ? open : cfs_bandwidth_close);
	if (was && !is)
		static_branch_dec_cpuslocked(&__cfs_bandwidth_used);
}

/**
 * cfs_bandwidth_read_stat() - read the counters of a group
 * @tg: the group
 * @stat: where to put them
 */
void cfs_bandwidth_read_stat(struct task_group *tg, struct cfs_bandwidth_stat *stat)
{
	struct cfs_bandwidth *b = &tg->cfs_bandwidth;
	u64 throttled = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		throttled += READ_ONCE(tg->cfs_rq[cpu]->bandwidth.throttled_time);

	raw_spin_lock_irq(&b->lock);
	*stat = (struct cfs_bandwidth_stat) {
		.nr_periods = b->pool.nr_periods,
		.nr_throttled = b->pool.nr_throttled,
		.nr_bursts = b->pool.nr_bursts,
		.throttled_time = throttled,
		.burst_time = b->pool.burst_time,
	};
	raw_spin_unlock_irq(&b->lock);
}

/**
 * cfs_bandwidth_inherited_time() - how long tasks of a group had to wait
 * @tg: the group
 *
 * Return: ns over all CPUs, for want of quota of the group or of an ancestor.
 */
u64 cfs_bandwidth_inherited_time(struct task_group *tg)
{
	u64 total = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		total += READ_ONCE(tg->cfs_rq[cpu]->bandwidth.inherited_time);
	return total;
}

/**
 * init_cfs_bandwidth() - a new group, without a limit
 * @cfs_b: its pool
 */
void init_cfs_bandwidth(struct cfs_bandwidth *cfs_b)
{
	raw_spin_lock_init(&cfs_b->lock);
	bandwidth_pool_init(&cfs_b->pool);
	INIT_LIST_HEAD(&cfs_b->parked);
	cfs_b->period_active = false;
	cfs_b->slack_started = false;

	hrtimer_init(&cfs_b->period_timer, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_PINNED);
	cfs_b->period_timer.function = sched_cfs_period_timer;
	/* Each group starts at another point, so that their timers do not meet. */
	hrtimer_set_expires(&cfs_b->period_timer,
			    get_random_u32_below(BANDWIDTH_DEFAULT_PERIOD));
	hrtimer_init(&cfs_b->slack_timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
	cfs_b->slack_timer.function = sched_cfs_slack_timer;
}

/**
 * destroy_cfs_bandwidth() - a group goes
 * @cfs_b: its pool, which has no limit any more
 *
 * Context: any; waits for a timer that runs.
 */
void destroy_cfs_bandwidth(struct cfs_bandwidth *cfs_b)
{
	SCHED_WARN_ON(!list_empty(&cfs_b->parked));
	hrtimer_cancel(&cfs_b->period_timer);
	hrtimer_cancel(&cfs_b->slack_timer);
}

/**
 * init_cfs_rq_bandwidth() - the part of a new cfs_rq
 * @cfs_rq: zeroed, with its group and run queue set
 */
void init_cfs_rq_bandwidth(struct cfs_rq *cfs_rq)
{
	bandwidth_local_close(&cfs_rq->bandwidth.local);
	cfs_rq->bandwidth.pelt_clock = &rq_of(cfs_rq)->clock_pelt;
	INIT_LIST_HEAD(&cfs_rq->bandwidth.parked);
	INIT_LIST_HEAD(&cfs_rq->bandwidth.kicked);
}
