/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _KERNEL_SCHED_BANDWIDTH_CGROUP_H
#define _KERNEL_SCHED_BANDWIDTH_CGROUP_H

/*
 * The handlers of the control files, for the tables in core.c.
 */
#include <linux/types.h>

struct cftype;
struct cgroup_subsys_state;
struct kernfs_open_file;
struct seq_file;
struct task_group;

#ifdef CONFIG_CFS_BANDWIDTH
/* v1 */
s64 cpu_cfs_quota_read_s64(struct cgroup_subsys_state *css, struct cftype *cft);
ssize_t cpu_cfs_quota_write(struct kernfs_open_file *of, char *buf, size_t nbytes,
			    loff_t off);
u64 cpu_cfs_period_read_u64(struct cgroup_subsys_state *css, struct cftype *cft);
ssize_t cpu_cfs_period_write(struct kernfs_open_file *of, char *buf, size_t nbytes,
			     loff_t off);
int cpu_cfs_stat_show(struct seq_file *sf, void *v);
int cpu_cfs_local_stat_show(struct seq_file *sf, void *v);

/* v1 and v2 */
u64 cpu_cfs_burst_read_u64(struct cgroup_subsys_state *css, struct cftype *cft);
ssize_t cpu_cfs_burst_write(struct kernfs_open_file *of, char *buf, size_t nbytes,
			    loff_t off);

/* v2 */
int cpu_max_show(struct seq_file *sf, void *v);
ssize_t cpu_max_write(struct kernfs_open_file *of, char *buf, size_t nbytes, loff_t off);
void cfs_bandwidth_show_extra(struct seq_file *sf, struct task_group *tg);
void cfs_bandwidth_show_local(struct seq_file *sf, struct task_group *tg);
#else
static inline void cfs_bandwidth_show_extra(struct seq_file *sf, struct task_group *tg) { }
static inline void cfs_bandwidth_show_local(struct seq_file *sf, struct task_group *tg) { }
#endif

#endif /* _KERNEL_SCHED_BANDWIDTH_CGROUP_H */
