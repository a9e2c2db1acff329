/* SPDX-License-Identifier: GPL-2.0 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM cfs_bandwidth

#if !defined(_TRACE_CFS_BANDWIDTH_H) || defined(TRACE_HEADER_MULTI_READ)
#define _TRACE_CFS_BANDWIDTH_H

/*
 * What CFS bandwidth control does to a group. A group is named by the inode number
 * of its directory; times are in ns. Only files of the scheduler, which know its
 * structures, can include this.
 */
#include <linux/cgroup.h>
#include <linux/tracepoint.h>

struct bandwidth_limit;
struct cfs_rq;
struct task_group;

DECLARE_EVENT_CLASS(cfs_bandwidth_cfs_rq,

	TP_PROTO(struct cfs_rq *cfs_rq),

	TP_ARGS(cfs_rq),

	TP_STRUCT__entry(
		__field(u64,		group)
		__field(int,		cpu)
		__field(unsigned int,	tasks)
		__field(s64,		left)
	),

	TP_fast_assign(
		__entry->group = cgroup_id(cfs_rq->tg->css.cgroup);
		__entry->cpu = cpu_of(rq_of(cfs_rq));
		__entry->tasks = cfs_rq->h_nr_queued;
		__entry->left = bandwidth_local_limited(&cfs_rq->bandwidth.local) ?
				bandwidth_local_left(&cfs_rq->bandwidth.local,
						     cfs_rq_used(cfs_rq)) : 0;
	),

	TP_printk("group=%llu cpu=%d tasks=%u left=%lld",
		  __entry->group, __entry->cpu, __entry->tasks, __entry->left)
);

/* A group stops on a CPU; left is what it ran too long, as a negative number. */
DEFINE_EVENT(cfs_bandwidth_cfs_rq, cfs_bandwidth_throttle,
	TP_PROTO(struct cfs_rq *cfs_rq),
	TP_ARGS(cfs_rq)
);

/* A group goes on; left is what it was granted, 0 when its limit was removed. */
DEFINE_EVENT(cfs_bandwidth_cfs_rq, cfs_bandwidth_unthrottle,
	TP_PROTO(struct cfs_rq *cfs_rq),
	TP_ARGS(cfs_rq)
);

/* Periods ended, and the pool of a group was refilled. */
TRACE_EVENT(cfs_bandwidth_refill,

	TP_PROTO(struct task_group *tg, u64 periods),

	TP_ARGS(tg, periods),

	TP_STRUCT__entry(
		__field(u64,	group)
		__field(u64,	periods)
		__field(u64,	balance)
		__field(bool,	throttled)
	),

	TP_fast_assign(
		__entry->group = cgroup_id(tg->css.cgroup);
		__entry->periods = periods;
		__entry->balance = tg->cfs_bandwidth.pool.balance;
		__entry->throttled = !list_empty(&tg->cfs_bandwidth.parked);
	),

	TP_printk("group=%llu periods=%llu balance=%llu throttled=%d",
		  __entry->group, __entry->periods, __entry->balance,
		  __entry->throttled)
);

/* The period of a group was too short for its timer, and was doubled. */
TRACE_EVENT(cfs_bandwidth_stretch,

	TP_PROTO(struct task_group *tg, const struct bandwidth_limit *old,
		 const struct bandwidth_limit *now),

	TP_ARGS(tg, old, now),

	TP_STRUCT__entry(
		__field(u64,	group)
		__field(u64,	old_period)
		__field(u64,	old_quota)
		__field(u64,	period)
		__field(u64,	quota)
	),

	TP_fast_assign(
		__entry->group = cgroup_id(tg->css.cgroup);
		__entry->old_period = old->period;
		__entry->old_quota = old->quota;
		__entry->period = now->period;
		__entry->quota = now->quota;
	),

	TP_printk("group=%llu period=%llu->%llu quota=%llu->%llu",
		  __entry->group, __entry->old_period, __entry->period,
		  __entry->old_quota, __entry->quota)
);

#endif /* _TRACE_CFS_BANDWIDTH_H */

/* Read once more for each pass of the trace macros. */
#include <trace/define_trace.h>
