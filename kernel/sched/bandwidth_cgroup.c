// SPDX-License-Identifier: GPL-2.0
/*
 * Control files of CFS bandwidth control: cpu.max, cpu.max.burst and the counters
 * of cpu.stat on cgroup v2; cpu.cfs_quota_us, cpu.cfs_period_us, cpu.cfs_burst_us
 * and cpu.stat on v1. Amounts in files are in us, except in the cpu.stat of v1.
 *
 * Every write ends in configure(), which checks everything before it changes
 * anything, and says in the log why it refused.
 */
#include <linux/sched.h>
#include <linux/cgroup.h>
#include <linux/cleanup.h>
#include <linux/cpu.h>
#include <linux/ctype.h>
#include <linux/kstrtox.h>
#include <linux/mmu_context.h>
#include <linux/mutex.h>
#include <linux/ratelimit.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "sched.h"
#include "bandwidth_cgroup.h"

/* Serialises changes of limits, so that the check of a hierarchy holds. */
static DEFINE_MUTEX(cfs_constraints_mutex);

/* Room for the path of a group in a message; a longer one is cut. */
#define PATH_LENGTH	128

/*
 * Say in the log why a write was refused; the writer itself only gets an errno. One
 * line, and no more than ten in five seconds.
 */
static int refuse(struct kernfs_open_file *of, const char *rule, const char *what)
{
	static DEFINE_RATELIMIT_STATE(limit, 5 * HZ, 10);
	char path[PATH_LENGTH];

	if (!__ratelimit(&limit))
		return -EINVAL;
	if (cgroup_path(of_css(of)->cgroup, path, sizeof(path)) < 0)
		strscpy(path, "(a path too long to show)", sizeof(path));
	pr_notice("cgroup: %s: %s: refused %s: %s\n", of->kn->name, path, what, rule);
	return -EINVAL;
}

/* The same for what could not even be read as numbers. */
static int refuse_text(struct kernfs_open_file *of, const char *rule, char *text)
{
	char what[40];

	snprintf(what, sizeof(what), "\"%.32s\"", strim(text));
	return refuse(of, rule, what);
}

static int refuse_limit(struct kernfs_open_file *of, const char *rule,
			const struct bandwidth_limit *limit)
{
	char what[96], quota[24] = "max";

	if (bandwidth_limited(limit))
		snprintf(quota, sizeof(quota), "%llu us",
			 div_u64(limit->quota, NSEC_PER_USEC));
	snprintf(what, sizeof(what), "quota %s, period %llu us, burst %llu us", quota,
		 div_u64(limit->period, NSEC_PER_USEC),
		 div_u64(limit->burst, NSEC_PER_USEC));
	return refuse(of, rule, what);
}

/* us from a file, as ns; false when they are more than 64 bits hold. */
static bool us_to_ns(u64 us, u64 *ns)
{
	return !check_mul_overflow(us, NSEC_PER_USEC, ns);
}

/* A change that is being checked against the hierarchy. */
struct proposal {
	struct task_group *tg;
	const struct bandwidth_limit *limit;
};

static u64 proposed_ratio(const struct proposal *p, struct task_group *tg)
{
	struct bandwidth_limit limit;

	if (tg == p->tg)
		return bandwidth_ratio(p->limit);
	/* Its timer may be doubling it. */
	cfs_bandwidth_get(tg, &limit);
	return bandwidth_ratio(&limit);
}

/* Does a group have more than an ancestor has in all? */
static int exceeds_ancestor(struct task_group *tg, void *data)
{
	const struct proposal *p = data;
	const u64 ratio = proposed_ratio(p, tg);
	struct task_group *ancestor;

	if (ratio == BANDWIDTH_UNLIMITED)
		return 0;
	for (ancestor = tg->parent; ancestor; ancestor = ancestor->parent)
		if (ratio > proposed_ratio(p, ancestor))
			return 1;
	return 0;
}

/*
 * On v1 no child may have a larger share than its parent. On v2 it may, and gets
 * what its ancestors let through.
 */
static bool fits_hierarchy(struct task_group *tg, const struct bandwidth_limit *limit)
{
	struct proposal p = { .tg = tg, .limit = limit };

	if (cgroup_subsys_on_dfl(cpu_cgrp_subsys))
		return true;
	guard(rcu)();
	return !walk_tg_tree_from(tg, exceeds_ancestor, tg_nop, &p);
}

/* The one way to change a limit by a file. */
static int configure(struct kernfs_open_file *of, const struct bandwidth_limit *limit)
{
	struct task_group *tg = css_tg(of_css(of));
	const char *rule = bandwidth_limit_refused(limit);

	if (tg == &root_task_group)
		rule = "the root group cannot be limited";
	if (rule)
		return refuse_limit(of, rule, limit);

	guard(cpus_read_lock)();
	guard(mutex)(&cfs_constraints_mutex);
	if (!fits_hierarchy(tg, limit))
		return refuse_limit(of, "quota / period must not exceed that of a group above",
				    limit);
	cfs_bandwidth_apply(tg, limit);
	return 0;
}

/**
 * cfs_bandwidth_css_offline() - a group is being removed
 * @tg: the group
 *
 * Its limit ends here, where it is possible to sleep, and not when its memory is
 * freed: the global key must not count a group that is gone. Tasks on their last
 * steps inside run on freely.
 */
void cfs_bandwidth_css_offline(struct task_group *tg)
{
	struct bandwidth_limit limit;

	guard(cpus_read_lock)();
	guard(mutex)(&cfs_constraints_mutex);
	cfs_bandwidth_get(tg, &limit);
	if (!bandwidth_limited(&limit))
		return;
	limit.quota = BANDWIDTH_UNLIMITED;
	cfs_bandwidth_apply(tg, &limit);
}

/* A number was written; these files take any base, as kstrtou64() does. */
static int configure_number(struct kernfs_open_file *of, char *buf, size_t offset)
{
	struct bandwidth_limit limit;
	u64 us, ns;
	int ret;

	ret = kstrtou64(buf, 0, &us);
	if (ret) {
		refuse_text(of, "expected a number of us", buf);
		return ret;
	}
	if (!us_to_ns(us, &ns))
		return refuse_text(of, "the number is too large", buf);
	cfs_bandwidth_get(css_tg(of_css(of)), &limit);
	*(u64 *)((void *)&limit + offset) = ns;
	return configure(of, &limit);
}

/* A number of a limit, in us; the twin of configure_number(). */
static u64 read_number(struct cgroup_subsys_state *css, size_t offset)
{
	struct bandwidth_limit limit;

	cfs_bandwidth_get(css_tg(css), &limit);
	return div_u64(*(u64 *)((void *)&limit + offset), NSEC_PER_USEC);
}

ssize_t cpu_cfs_quota_write(struct kernfs_open_file *of, char *buf, size_t nbytes,
			    loff_t off)
{
	struct bandwidth_limit limit;
	s64 us;
	int ret;

	/* Every negative number means that there is no limit. */
	if (!kstrtos64(buf, 0, &us) && us < 0) {
		cfs_bandwidth_get(css_tg(of_css(of)), &limit);
		limit.quota = BANDWIDTH_UNLIMITED;
		ret = configure(of, &limit);
	} else {
		ret = configure_number(of, buf, offsetof(struct bandwidth_limit, quota));
	}
	return ret ?: nbytes;
}

s64 cpu_cfs_quota_read_s64(struct cgroup_subsys_state *css, struct cftype *cft)
{
	struct bandwidth_limit limit;

	cfs_bandwidth_get(css_tg(css), &limit);
	return bandwidth_limited(&limit) ? div_u64(limit.quota, NSEC_PER_USEC) : -1;
}

ssize_t cpu_cfs_period_write(struct kernfs_open_file *of, char *buf, size_t nbytes,
			     loff_t off)
{
	return configure_number(of, buf, offsetof(struct bandwidth_limit, period)) ?: nbytes;
}

u64 cpu_cfs_period_read_u64(struct cgroup_subsys_state *css, struct cftype *cft)
{
	return read_number(css, offsetof(struct bandwidth_limit, period));
}

ssize_t cpu_cfs_burst_write(struct kernfs_open_file *of, char *buf, size_t nbytes,
			    loff_t off)
{
	return configure_number(of, buf, offsetof(struct bandwidth_limit, burst)) ?: nbytes;
}

u64 cpu_cfs_burst_read_u64(struct cgroup_subsys_state *css, struct cftype *cft)
{
	return read_number(css, offsetof(struct bandwidth_limit, burst));
}

/* Digits at *@text, as us; moves behind them. */
static bool parse_us(const char **text, u64 *ns)
{
	char digits[21];	/* no u64 is longer */
	size_t length = 0;
	u64 us;

	while (isdigit((*text)[length]))
		length++;
	if (!length || length >= sizeof(digits))
		return false;
	strscpy(digits, *text, length + 1);
	*text += length;
	return !kstrtou64(digits, 10, &us) && us_to_ns(us, ns);
}

/*
 * "QUOTA|max [PERIOD]". What follows a number that is not one is ignored, as
 * scripts rely on that; so is the rest of the line behind the period.
 *
 * Return: NULL, or what was expected.
 */
static const char *parse_max(const char *text, struct bandwidth_limit *limit)
{
	text = skip_spaces(text);
	if (isdigit(*text)) {
		if (!parse_us(&text, &limit->quota))
			return "the quota is too large a number";
		while (*text && !isspace(*text))
			text++;
	} else if (!strncmp(text, "max", 3) && (!text[3] || isspace(text[3]))) {
		text += 3;
		limit->quota = BANDWIDTH_UNLIMITED;
	} else {
		return "expected \"QUOTA [PERIOD]\" or \"max [PERIOD]\", in us";
	}

	text = skip_spaces(text);
	if (isdigit(*text) && !parse_us(&text, &limit->period))
		return "the period is too large a number";
	return NULL;
}

ssize_t cpu_max_write(struct kernfs_open_file *of, char *buf, size_t nbytes, loff_t off)
{
	struct bandwidth_limit limit;
	const char *rule;
	int ret;

	cfs_bandwidth_get(css_tg(of_css(of)), &limit);
	rule = parse_max(buf, &limit);
	ret = rule ? refuse_text(of, rule, buf) : configure(of, &limit);
	return ret ?: nbytes;
}

int cpu_max_show(struct seq_file *sf, void *v)
{
	struct bandwidth_limit limit;

	cfs_bandwidth_get(css_tg(seq_css(sf)), &limit);
	if (bandwidth_limited(&limit))
		seq_printf(sf, "%llu", div_u64(limit.quota, NSEC_PER_USEC));
	else
		seq_puts(sf, "max");
	seq_printf(sf, " %llu\n", div_u64(limit.period, NSEC_PER_USEC));
	return 0;
}

/* The time that the entities of a group waited for a CPU, throttled or not. */
static void show_wait_sum(struct seq_file *sf, struct task_group *tg)
{
	u64 sum = 0;
	int cpu;

	if (!schedstat_enabled() || tg == &root_task_group)
		return;
	for_each_possible_cpu(cpu)
		sum += schedstat_val(__schedstats_from_se(tg->se[cpu])->wait_sum);
	seq_printf(sf, "wait_sum %llu\n", sum);
}

/* cpu.stat of v1; times in ns. */
int cpu_cfs_stat_show(struct seq_file *sf, void *v)
{
	struct task_group *tg = css_tg(seq_css(sf));
	struct cfs_bandwidth_stat stat;

	cfs_bandwidth_read_stat(tg, &stat);
	seq_printf(sf, "nr_periods %llu\nnr_throttled %llu\nthrottled_time %llu\n",
		   stat.nr_periods, stat.nr_throttled, stat.throttled_time);
	show_wait_sum(sf, tg);
	seq_printf(sf, "nr_bursts %llu\nburst_time %llu\n",
		   stat.nr_bursts, stat.burst_time);
	return 0;
}

/* cpu.stat.local of v1; in ns. */
int cpu_cfs_local_stat_show(struct seq_file *sf, void *v)
{
	seq_printf(sf, "throttled_time %llu\n",
		   cfs_bandwidth_inherited_time(css_tg(seq_css(sf))));
	return 0;
}

/* Our lines of cpu.stat of v2; times in us. */
void cfs_bandwidth_show_extra(struct seq_file *sf, struct task_group *tg)
{
	struct cfs_bandwidth_stat stat;

	cfs_bandwidth_read_stat(tg, &stat);
	seq_printf(sf, "nr_periods %llu\nnr_throttled %llu\nthrottled_usec %llu\n",
		   stat.nr_periods, stat.nr_throttled,
		   div_u64(stat.throttled_time, NSEC_PER_USEC));
	seq_printf(sf, "nr_bursts %llu\nburst_usec %llu\n",
		   stat.nr_bursts, div_u64(stat.burst_time, NSEC_PER_USEC));
}

/* cpu.stat.local of v2; in us. */
void cfs_bandwidth_show_local(struct seq_file *sf, struct task_group *tg)
{
	seq_printf(sf, "throttled_usec %llu\n",
		   div_u64(cfs_bandwidth_inherited_time(tg), NSEC_PER_USEC));
}
