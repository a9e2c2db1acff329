// SPDX-License-Identifier: GPL-2.0
/*
 * Mechanism of CFS bandwidth control: take a group off a run queue, put it back,
 * and stop the clock of its load averages in between. See bandwidth.h.
 *
 * Compiled inside fair.c, as the functions that queue entities are static there;
 * no other file of ours is included like this.
 *
 * rq->lock is held everywhere.
 */
#include <trace/events/cfs_bandwidth.h>

/* The tasks below a group, as the run queues above it count them. */
struct group_tasks {
	unsigned int queued;
	unsigned int runnable;
	unsigned int idle;
	unsigned int delayed;
};

static __always_inline struct group_tasks tasks_below(const struct cfs_rq *cfs_rq)
{
	return (struct group_tasks) {
		.queued = cfs_rq->h_nr_queued,
		.runnable = cfs_rq->h_nr_runnable,
		.idle = cfs_rq->idle_h_nr_running,
		.delayed = cfs_rq->h_nr_delayed,
	};
}

/* One level up: all tasks below a group that is idle count as idle. */
static void tasks_pass(struct group_tasks *tasks, struct sched_entity *se)
{
	if (cfs_rq_is_idle(group_cfs_rq(se)))
		tasks->idle = tasks->queued;
}

static void tasks_add(struct cfs_rq *cfs_rq, const struct group_tasks *tasks)
{
	cfs_rq->h_nr_queued += tasks->queued;
	cfs_rq->h_nr_runnable += tasks->runnable;
	cfs_rq->idle_h_nr_running += tasks->idle;
	cfs_rq->h_nr_delayed += tasks->delayed;
}

static void tasks_sub(struct cfs_rq *cfs_rq, const struct group_tasks *tasks)
{
	cfs_rq->h_nr_queued -= tasks->queued;
	cfs_rq->h_nr_runnable -= tasks->runnable;
	cfs_rq->idle_h_nr_running -= tasks->idle;
	cfs_rq->h_nr_delayed -= tasks->delayed;
}

/**
 * cfs_rq_update_used() - bring the execution clock of a group up to date
 * @cfs_rq: its run queue, not the root; the clock of the rq is updated
 */
void cfs_rq_update_used(struct cfs_rq *cfs_rq)
{
	update_curr(cfs_rq_of(cfs_rq_entity(cfs_rq)));
}

/*
 * Stop the clock by which load is averaged, so that waiting for quota does not
 * look like having nothing to do, nor like running.
 */
static void freeze_clock(struct cfs_rq *cfs_rq, struct rq *rq)
{
	struct cfs_rq_bandwidth *bw = &cfs_rq->bandwidth;

	bw->pelt_frozen = rq->clock_pelt;
	bw->pelt_clock = &bw->pelt_frozen;
	u64_u32_store(bw->pelt_idle, CFS_RQ_PELT_FROZEN);
}

/*
 * Let it go on where it stood. Readers of pelt_idle rely on the order. The clocks of
 * the rq are read as they are: unthrottle_cfs_rq() has just updated them.
 */
static void thaw_clock(struct cfs_rq *cfs_rq, struct rq *rq)
{
	struct cfs_rq_bandwidth *bw = &cfs_rq->bandwidth;

	bw->pelt_offset += rq->clock_pelt - bw->pelt_frozen;
	bw->pelt_clock = &rq->clock_pelt;
	smp_wmb(); /* after rq->clock_pelt_idle; see cfs_rq_pelt_idle() */
	u64_u32_store(bw->pelt_idle, bw->pelt_offset);
}

static int tg_freeze(struct task_group *tg, void *data)
{
	struct rq *rq = data;
	struct cfs_rq *cfs_rq = tg->cfs_rq[cpu_of(rq)];
	struct cfs_rq_bandwidth *bw = &cfs_rq->bandwidth;

	if (bw->throttle_count++)
		return 0;
	freeze_clock(cfs_rq, rq);
	list_del_leaf_cfs_rq(cfs_rq);
	bandwidth_assert(!bw->inherited_clock);
	if (cfs_rq->nr_running)
		bw->inherited_clock = rq->clock;
	return 0;
}

/* End a time of waiting that began at *@clock, if one did. */
static __always_inline void add_waited(struct rq *rq, u64 *clock, u64 *total)
{
	u64 now;

	if (!*clock)
		return;
	now = rq->clock;
	bandwidth_assert(now >= *clock);
	WRITE_ONCE(*total, *total + (now - *clock));
	*clock = 0;
}

static int tg_thaw(struct task_group *tg, void *data)
{
	struct rq *rq = data;
	struct cfs_rq *cfs_rq = tg->cfs_rq[cpu_of(rq)];
	struct cfs_rq_bandwidth *bw = &cfs_rq->bandwidth;

	if (--bw->throttle_count)
		return 0;
	thaw_clock(cfs_rq, rq);
	/* Load to decay, or entities: the balancer must see it. */
	if (!cfs_rq_is_decayed(cfs_rq))
		list_add_leaf_cfs_rq(cfs_rq);
	add_waited(rq, &bw->inherited_clock, &bw->inherited_time);
	return 0;
}

/*
 * Group entities come and go rarely; these keep the scheduler's own calls, which do
 * not, the only other ones, so that they stay inlined.
 */
static noinline void enqueue_group(struct cfs_rq *cfs_rq, struct sched_entity *se)
{
	enqueue_entity(cfs_rq, se, ENQUEUE_WAKEUP);
}

static noinline void dequeue_group(struct cfs_rq *cfs_rq, struct sched_entity *se,
				   int flags)
{
	dequeue_entity(cfs_rq, se, DEQUEUE_SLEEP | flags);
}

/* Take the entity of a group off its parent, and its tasks off every count above. */
static void take_off(struct rq *rq, struct cfs_rq *group)
{
	struct group_tasks tasks = tasks_below(group);
	struct sched_entity *se = cfs_rq_entity(group);
	bool empty = true;

	for_each_sched_entity(se) {
		struct cfs_rq *cfs_rq = cfs_rq_of(se);

		/* Not on: it was throttled on its way in, or an ancestor is off. */
		if (!se->on_rq)
			return;

		if (empty) {
			/* SPECIAL: what is throttled goes now, not when it is eligible. */
			dequeue_group(cfs_rq, se, DEQUEUE_SPECIAL |
				      (se->sched_delayed ? DEQUEUE_DELAYED : 0));
		} else {
			update_load_avg(cfs_rq, se, 0);
			se_update_runnable(se);
		}
		tasks_pass(&tasks, se);
		tasks_sub(cfs_rq, &tasks);
		if (cfs_rq->load.weight)
			empty = false;
		else if (cfs_rq != &rq->cfs)
			cfs_bandwidth_last_dequeue(cfs_rq);
	}
	sub_nr_running(rq, tasks.queued);
}

/* The reverse; ends at an ancestor that is throttled itself. */
static void put_back(struct rq *rq, struct cfs_rq *group)
{
	struct group_tasks tasks = tasks_below(group);
	struct sched_entity *se = cfs_rq_entity(group);
	const unsigned int before = rq->cfs.h_nr_queued;
	bool enqueue = true;

	for_each_sched_entity(se) {
		struct cfs_rq *cfs_rq = cfs_rq_of(se);

		/* A delayed entity must leave first; another one is there to stay. */
		if (enqueue && se->sched_delayed)
			dequeue_group(cfs_rq, se, DEQUEUE_DELAYED);
		else if (se->on_rq)
			enqueue = false;

		if (enqueue) {
			enqueue_group(cfs_rq, se);
		} else {
			update_load_avg(cfs_rq, se, UPDATE_TG);
			se_update_runnable(se);
		}
		tasks_pass(&tasks, se);
		tasks_add(cfs_rq, &tasks);
		if (cfs_rq_throttled(cfs_rq))
			return;
	}
	/* The server guards fair tasks against others, from the first one on. */
	if (!before && rq->cfs.h_nr_queued)
		dl_server_start(&rq->fair_server);
	add_nr_running(rq, tasks.queued);
}

/* Nothing to run, but load to decay: the branch must be on the leaf list whole. */
static void complete_branch(struct cfs_rq *cfs_rq)
{
	struct sched_entity *se = cfs_rq_entity(cfs_rq);

	if (!cfs_rq->on_list)
		return;
	for_each_sched_entity(se)
		if (list_add_leaf_cfs_rq(cfs_rq_of(se)))
			break;
}

/* Stop a group on one CPU: it is parked, and the clock of the rq is updated. */
static void throttle_cfs_rq(struct cfs_rq *cfs_rq)
{
	struct rq *rq = rq_of(cfs_rq);
	struct cfs_rq_bandwidth *bw = &cfs_rq->bandwidth;

	/* Once for all who read the clocks of the rq below. */
	assert_clock_updated(rq);
	rcu_read_lock();
	walk_tg_tree_from(cfs_rq->tg, tg_freeze, tg_nop, rq);
	rcu_read_unlock();
	take_off(rq, cfs_rq);

	bw->throttled = 1;
	bandwidth_assert(!bw->throttled_clock);
	if (cfs_rq->nr_running)
		bw->throttled_clock = rq->clock;
	trace_cfs_bandwidth_throttle(cfs_rq);
}

/**
 * unthrottle_cfs_rq() - let a group run again on one CPU
 * @cfs_rq: its run queue there, throttled; paid for, or without a limit now
 *
 * Context: rq->lock.
 */
void unthrottle_cfs_rq(struct cfs_rq *cfs_rq)
{
	struct rq *rq = rq_of(cfs_rq);
	struct cfs_rq_bandwidth *bw = &cfs_rq->bandwidth;

	if (!list_empty(&bw->kicked))
		list_del_init(&bw->kicked);
	if (!list_empty(&bw->parked))
		cfs_bandwidth_unpark(cfs_rq);

	update_rq_clock(rq);
	bw->throttled = 0;
	trace_cfs_bandwidth_unthrottle(cfs_rq);
	add_waited(rq, &bw->throttled_clock, &bw->throttled_time);
	rcu_read_lock();
	walk_tg_tree_from(cfs_rq->tg, tg_nop, tg_thaw, rq);
	rcu_read_unlock();

	if (cfs_rq->load.weight)
		put_back(rq, cfs_rq);
	else
		complete_branch(cfs_rq);
	assert_list_leaf_cfs_rq(rq);

	if (rq->curr == rq->idle && rq->cfs.nr_running)
		resched_curr(rq);
}

/* Get time for a group that has used up what it had, or stop it. */
static bool extend_or_throttle(struct cfs_rq *cfs_rq, u64 used)
{
	if (cfs_bandwidth_extend_or_park(cfs_rq, used))
		return true;
	throttle_cfs_rq(cfs_rq);
	return false;
}

bool __cfs_bandwidth_first_enqueue(struct cfs_rq *cfs_rq)
{
	struct cfs_rq_bandwidth *bw = &cfs_rq->bandwidth;
	struct rq *rq = rq_of(cfs_rq);
	u64 used;

	/* Not the root, which has no clock; one that runs is stopped when picked. */
	if (!bw->throttled && !cfs_rq->curr && bandwidth_local_limited(&bw->local)) {
		used = cfs_rq_used(cfs_rq);
		if (!bandwidth_local_may_run(&bw->local, used))
			extend_or_throttle(cfs_rq, used);
	}

	if (!bw->throttle_count)
		return false;
	if (bw->throttled && !bw->throttled_clock)
		bw->throttled_clock = rq_clock(rq);
	if (!bw->inherited_clock)
		bw->inherited_clock = rq_clock(rq);
	return true;
}

bool __cfs_bandwidth_last_dequeue(struct cfs_rq *cfs_rq)
{
	if (bandwidth_local_limited(&cfs_rq->bandwidth.local)) {
		/* The parent has not yet been told how long this ran. */
		cfs_rq_update_used(cfs_rq);
		cfs_bandwidth_return(cfs_rq);
	}
	return cfs_rq->bandwidth.throttled;
}

bool __cfs_bandwidth_pick(struct cfs_rq *cfs_rq, u64 used)
{
	/* A task can be made to run in a group that is throttled already. */
	if (cfs_rq->bandwidth.throttled)
		return true;
	return !extend_or_throttle(cfs_rq, used);
}

/*
 * What is used up is noticed here; the group stops when it is picked next, once
 * its task is off the CPU.
 */
void __cfs_bandwidth_tick(struct rq *rq, struct sched_entity *se)
{
	while ((se = parent_entity(se))) {
		struct cfs_rq *cfs_rq = group_cfs_rq(se);
		struct cfs_rq_bandwidth *bw = &cfs_rq->bandwidth;

		if (!bandwidth_local_may_run(&bw->local, se->sum_exec_runtime) &&
		    !bw->throttled && !cfs_bandwidth_extend(cfs_rq, se->sum_exec_runtime))
			resched_curr(rq);
	}
}

/**
 * cfs_bandwidth_rq_online() - a CPU comes: its local accounts open
 * @rq: its run queue, locked
 */
void cfs_bandwidth_rq_online(struct rq *rq)
{
	struct task_group *tg;

	lockdep_assert_rq_held(rq);
	if (!cfs_bandwidth_used())
		return;

	guard(rcu)();
	list_for_each_entry_rcu(tg, &task_groups, list) {
		struct cfs_rq *cfs_rq = tg->cfs_rq[cpu_of(rq)];

		/* The lock of the pool: a limit is not changed while it is read. */
		guard(raw_spinlock)(&tg->cfs_bandwidth.lock);
		if (bandwidth_limited(&tg->cfs_bandwidth.pool.limit))
			bandwidth_local_open(&cfs_rq->bandwidth.local, cfs_rq_used(cfs_rq));
	}
}

/**
 * cfs_bandwidth_rq_offline() - a CPU goes: its local accounts close
 * @rq: its run queue, locked, clock updated
 *
 * What is left on it must be able to run until it is moved away, and nothing may
 * stay throttled where no timer will free it.
 */
void cfs_bandwidth_rq_offline(struct rq *rq)
{
	struct task_group *tg;

	lockdep_assert_rq_held(rq);
	if (!cfs_bandwidth_used())
		return;

	rq_clock_start_loop_update(rq);
	rcu_read_lock();
	list_for_each_entry_rcu(tg, &task_groups, list) {
		struct cfs_rq *cfs_rq = tg->cfs_rq[cpu_of(rq)];

		if (!bandwidth_local_limited(&cfs_rq->bandwidth.local))
			continue;
		cfs_rq_update_used(cfs_rq);
		cfs_bandwidth_return(cfs_rq);
		cfs_bandwidth_close(cfs_rq);
	}
	rcu_read_unlock();
	rq_clock_stop_loop_update(rq);
}

/* A group that is made below a throttled one is born throttled with it. */
void __cfs_bandwidth_group_online(struct task_group *tg, int cpu)
{
	struct cfs_rq *cfs_rq = tg->cfs_rq[cpu];

	if (!tg->parent)
		return;
	cfs_rq->bandwidth.throttle_count = tg->parent->cfs_rq[cpu]->bandwidth.throttle_count;
	if (cfs_rq->bandwidth.throttle_count)
		freeze_clock(cfs_rq, cpu_rq(cpu));
}

/**
 * cfs_task_bw_constrained() - does a task run under any limit
 * @p: a task on a run queue that is locked
 *
 * A tickless CPU keeps its tick for such a task, as the tick is what ends it.
 */
bool cfs_task_bw_constrained(struct task_struct *p)
{
	struct sched_entity *se;

	if (!cfs_bandwidth_used())
		return false;
	for (se = parent_entity(&p->se); se; se = parent_entity(se))
		if (bandwidth_local_limited(&group_cfs_rq(se)->bandwidth.local))
			return true;
	return false;
}

#ifdef CONFIG_NO_HZ_FULL
/* One task was picked, alone on a tickless CPU: keep the tick if it is limited. */
static void sched_fair_update_stop_tick(struct rq *rq, struct task_struct *p)
{
	const int cpu = cpu_of(rq);

	if (cfs_bandwidth_used() && tick_nohz_full_cpu(cpu) && rq->nr_running == 1 &&
	    cfs_task_bw_constrained(p))
		tick_nohz_dep_set_cpu(cpu, TICK_DEP_BIT_SCHED);
}
#endif
