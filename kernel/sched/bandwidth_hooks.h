/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _KERNEL_SCHED_BANDWIDTH_HOOKS_H
#define _KERNEL_SCHED_BANDWIDTH_HOOKS_H

/*
 * What the scheduler asks of CFS bandwidth control, and when. Included at the end
 * of sched.h.
 *
 * Each hook is one static branch while no group has a quota, and none stands
 * where only the root group passes, which has no quota ever:
 *
 *	cfs_bandwidth_first_enqueue()	a cfs_rq got its first entity
 *	cfs_bandwidth_last_dequeue()	a cfs_rq lost its last entity
 *	cfs_bandwidth_pick()		a cfs_rq is about to be run
 *	cfs_bandwidth_tick()		the tick found a task of ours running
 *	cfs_bandwidth_rq_online()	a CPU comes
 *	cfs_bandwidth_rq_offline()	a CPU goes
 *	cfs_bandwidth_group_online()	a group was added to the tree
 *
 * There is no hook that charges: the execution clock of a group is kept by the
 * scheduler anyway, see bandwidth_pool.h.
 *
 * All are called with rq->lock held and its clock updated.
 */

#ifdef CONFIG_CFS_BANDWIDTH

DECLARE_STATIC_KEY_FALSE(__cfs_bandwidth_used);

/* Has any group a quota? */
static __always_inline bool cfs_bandwidth_used(void)
{
	return static_branch_unlikely(&__cfs_bandwidth_used);
}

/**
 * cfs_rq_throttled() - is this group stopped on this CPU for want of quota
 * @cfs_rq: its run queue there
 *
 * It has no entity on its parent then, and what is enqueued to it goes no further.
 */
static inline bool cfs_rq_throttled(const struct cfs_rq *cfs_rq)
{
	return cfs_bandwidth_used() && cfs_rq->bandwidth.throttled;
}

/**
 * throttled_hierarchy() - is it, or any ancestor, stopped
 * @cfs_rq: its run queue
 */
static inline bool throttled_hierarchy(const struct cfs_rq *cfs_rq)
{
	return cfs_bandwidth_used() && cfs_rq->bandwidth.throttle_count;
}

/* Would a task move between CPUs of which the group is stopped on one? */
static inline bool throttled_lb_pair(const struct task_group *tg, int src_cpu, int dst_cpu)
{
	return throttled_hierarchy(tg->cfs_rq[src_cpu]) ||
	       throttled_hierarchy(tg->cfs_rq[dst_cpu]);
}

/* The entity by which a group takes part in its parent; NULL for the root. */
static inline struct sched_entity *cfs_rq_entity(const struct cfs_rq *cfs_rq)
{
	return cfs_rq->tg->se[cpu_of(cfs_rq->rq)];
}

/*
 * The execution clock of a group on one CPU: what its entity ran there. It is
 * exact after update_curr() of the parent.
 */
static inline u64 cfs_rq_used(const struct cfs_rq *cfs_rq)
{
	return cfs_rq_entity(cfs_rq)->sum_exec_runtime;
}

bool __cfs_bandwidth_first_enqueue(struct cfs_rq *cfs_rq);
bool __cfs_bandwidth_last_dequeue(struct cfs_rq *cfs_rq);
bool __cfs_bandwidth_pick(struct cfs_rq *cfs_rq, u64 used);
void __cfs_bandwidth_tick(struct rq *rq, struct sched_entity *se);
void cfs_bandwidth_rq_online(struct rq *rq);
void cfs_bandwidth_rq_offline(struct rq *rq);
void __cfs_bandwidth_group_online(struct task_group *tg, int cpu);
bool cfs_task_bw_constrained(struct task_struct *p);

/**
 * cfs_bandwidth_first_enqueue() - a cfs_rq got its first entity
 * @cfs_rq: the run queue; its own entity is not on its parent yet
 *
 * Return: true when it belongs to a hierarchy that is stopped, or stops now.
 */
static __always_inline bool cfs_bandwidth_first_enqueue(struct cfs_rq *cfs_rq)
{
	return cfs_bandwidth_used() && __cfs_bandwidth_first_enqueue(cfs_rq);
}

/**
 * cfs_bandwidth_last_dequeue() - a cfs_rq lost its last entity
 * @cfs_rq: the run queue of a group
 *
 * Return: true when it is throttled, so that its own entity is off already.
 */
static __always_inline bool cfs_bandwidth_last_dequeue(struct cfs_rq *cfs_rq)
{
	return cfs_bandwidth_used() && __cfs_bandwidth_last_dequeue(cfs_rq);
}

/**
 * cfs_bandwidth_pick() - a cfs_rq is about to be run
 * @cfs_rq: the run queue of a group
 * @se: its entity
 *
 * Return: true when it may not run and is off its parent now; pick again.
 */
static __always_inline bool cfs_bandwidth_pick(struct cfs_rq *cfs_rq,
					       const struct sched_entity *se)
{
	return cfs_bandwidth_used() &&
	       unlikely(!bandwidth_local_may_run(&cfs_rq->bandwidth.local,
						 se->sum_exec_runtime)) &&
	       __cfs_bandwidth_pick(cfs_rq, se->sum_exec_runtime);
}

/**
 * cfs_bandwidth_tick() - the tick found a task of ours running
 * @rq: the run queue
 * @se: its entity; update_curr() was done at every level
 */
static __always_inline void cfs_bandwidth_tick(struct rq *rq, struct sched_entity *se)
{
	if (cfs_bandwidth_used())
		__cfs_bandwidth_tick(rq, se);
}

/**
 * cfs_bandwidth_group_online() - a group was added to the tree
 * @tg: the group, without a quota
 * @cpu: a possible CPU; the lock of its run queue is held
 */
static inline void cfs_bandwidth_group_online(struct task_group *tg, int cpu)
{
	if (cfs_bandwidth_used())
		__cfs_bandwidth_group_online(tg, cpu);
}

#else /* !CONFIG_CFS_BANDWIDTH */

static inline bool cfs_bandwidth_used(void) { return false; }
static inline bool cfs_rq_throttled(const struct cfs_rq *cfs_rq) { return false; }
static inline bool throttled_hierarchy(const struct cfs_rq *cfs_rq) { return false; }

static inline bool throttled_lb_pair(const struct task_group *tg, int src_cpu, int dst_cpu)
{
	return false;
}

static inline bool cfs_bandwidth_first_enqueue(struct cfs_rq *cfs_rq) { return false; }
static inline bool cfs_bandwidth_last_dequeue(struct cfs_rq *cfs_rq) { return false; }

static inline bool cfs_bandwidth_pick(struct cfs_rq *cfs_rq, const struct sched_entity *se)
{
	return false;
}

static inline void cfs_bandwidth_tick(struct rq *rq, struct sched_entity *se) { }
static inline void cfs_bandwidth_rq_online(struct rq *rq) { }
static inline void cfs_bandwidth_rq_offline(struct rq *rq) { }
static inline void cfs_bandwidth_group_online(struct task_group *tg, int cpu) { }
static inline bool cfs_task_bw_constrained(struct task_struct *p) { return false; }

static inline void init_cfs_bandwidth(struct cfs_bandwidth *cfs_b) { }
static inline void destroy_cfs_bandwidth(struct cfs_bandwidth *cfs_b) { }
static inline void init_cfs_rq_bandwidth(struct cfs_rq *cfs_rq) { }
static inline void init_rq_bandwidth(struct rq *rq) { }

#endif /* CONFIG_CFS_BANDWIDTH */

#endif /* _KERNEL_SCHED_BANDWIDTH_HOOKS_H */
