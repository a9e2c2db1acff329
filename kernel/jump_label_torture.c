// SPDX-License-Identifier: GPL-2.0
/*
 * Static keys: what only a running kernel can show
 *
 *	insmod jump_label_torture.ko action=storm flips=N seconds=N
 *	insmod jump_label_torture.ko action=toggle_all
 *	insmod jump_label_torture.ko action=inc_race
 *	insmod jump_label_torture.ko action=deferred
 *	insmod jump_label_torture.ko action=init_text
 *	insmod jump_label_torture.ko action=fail_load
 *
 * The action runs while the module loads, prints one line that starts with
 * "jump_label_torture:", and the load fails when the action did. A load that
 * succeeded leaves nothing behind; rmmod at will.
 */
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/jump_label_ratelimit.h>
#include <linux/kthread.h>
#include <linux/moduleparam.h>
#include <linux/prandom.h>
#include <linux/random.h>
#include "jump_label_internal.h"
#include "jump_label.h"

static char *action = "storm";
module_param(action, charp, 0400);
MODULE_PARM_DESC(action, "storm, toggle_all, inc_race, deferred, init_text or fail_load");

static unsigned int flips = 1000;
module_param(flips, uint, 0400);
MODULE_PARM_DESC(flips, "storm: how often keys change");

static unsigned int readers = 4;
module_param(readers, uint, 0400);
MODULE_PARM_DESC(readers, "storm: threads that run sites without pause");

static bool inject;
module_param(inject, bool, 0400);
MODULE_PARM_DESC(inject, "storm: make allocations and writes of text fail");

#define NR_KEYS		8

static DEFINE_STATIC_KEY_ARRAY_FALSE(keys, NR_KEYS);

/*
 * What readers may rely on. The sequence of a key is odd while the key changes;
 * while it is even and does not move, every site must agree with the state.
 */
static struct {
	unsigned int seq;
	bool on;
} published[NR_KEYS];

static atomic_t wrong_branches;
static atomic_long_t branches_seen;
static bool storm_over;

/* One function a key: sites of both lengths, and at hard places of a cache line. */
#define DEFINE_READER(k)						\
static noinline unsigned int read_key_##k(void)				\
{									\
	unsigned int seen = 0;						\
									\
	if (static_branch_unlikely(&keys[k]))				\
		seen |= 1;						\
	asm volatile(".balign 64, 0x90; .skip 60, 0x90");		\
	if (static_branch_unlikely(&keys[k]))				\
		seen |= 2;						\
	asm volatile(".balign 64, 0x90; .skip 62, 0x90");		\
	if (static_branch_likely(&keys[k]))				\
		seen |= 4;						\
	asm volatile(".balign 64, 0x90; .skip 63, 0x90");		\
	if (static_branch_likely(&keys[k]))				\
		seen |= 8;						\
	return seen;							\
}

DEFINE_READER(0)
DEFINE_READER(1)
DEFINE_READER(2)
DEFINE_READER(3)
DEFINE_READER(4)
DEFINE_READER(5)
DEFINE_READER(6)
DEFINE_READER(7)

static unsigned int (*const read_key[NR_KEYS])(void) = {
	read_key_0, read_key_1, read_key_2, read_key_3,
	read_key_4, read_key_5, read_key_6, read_key_7,
};

/*
 * More keys than are listed without memory, so that a transaction of many of
 * them needs some, or is done in steps. Only who turns them runs their sites.
 */
#define NR_CROWD	1024

static DEFINE_STATIC_KEY_ARRAY_FALSE(crowd, NR_CROWD);

#define CROWD_1(i)	(!!static_branch_unlikely(&crowd[i]))
#define CROWD_4(i)	(CROWD_1(i) + CROWD_1((i) + 1) + CROWD_1((i) + 2) + \
			 CROWD_1((i) + 3))
#define CROWD_16(i)	(CROWD_4(i) + CROWD_4((i) + 4) + CROWD_4((i) + 8) + \
			 CROWD_4((i) + 12))
#define CROWD_64(i)	(CROWD_16(i) + CROWD_16((i) + 16) + \
			 CROWD_16((i) + 32) + CROWD_16((i) + 48))

/* One function for some keys, so that their sites lie in several pages. */
#define DEFINE_CROWD(n)							\
static noinline unsigned int crowd_taken_##n(void)			\
{									\
	return CROWD_64(128 * (n)) + CROWD_64(128 * (n) + 64);		\
}

DEFINE_CROWD(0)
DEFINE_CROWD(1)
DEFINE_CROWD(2)
DEFINE_CROWD(3)
DEFINE_CROWD(4)
DEFINE_CROWD(5)
DEFINE_CROWD(6)
DEFINE_CROWD(7)

/* How many branches of the crowd are taken. */
static unsigned int crowd_taken(void)
{
	return crowd_taken_0() + crowd_taken_1() + crowd_taken_2() +
	       crowd_taken_3() + crowd_taken_4() + crowd_taken_5() +
	       crowd_taken_6() + crowd_taken_7();
}

static void check_key(int k)
{
	unsigned int before, seen, want;

	/* As a seqcount: pairs with publish_begin() and publish_end(). */
	before = smp_load_acquire(&published[k].seq);
	want = READ_ONCE(published[k].on) ? 15 : 0;
	seen = read_key[k]();
	/* The sites were run before the sequence is looked at again. */
	smp_rmb();
	if (before & 1 || READ_ONCE(published[k].seq) != before)
		return;
	atomic_long_inc(&branches_seen);
	if (seen != want) {
		atomic_inc(&wrong_branches);
		pr_err_ratelimited("jump_label_torture: key %d: sites say %#x, expected %#x\n",
				   k, seen, want);
	}
}

static int storm_reader(void *unused)
{
	unsigned int i;

	while (!READ_ONCE(storm_over)) {
		for (i = 0; i < 64 * NR_KEYS; i++)
			check_key(i % NR_KEYS);
		/* An emulator that runs CPUs in turn hands over here. */
		cpu_relax();
		cond_resched();
	}
	while (!kthread_should_stop())
		schedule_timeout_interruptible(1);
	return 0;
}

static void publish_begin(int k)
{
	WRITE_ONCE(published[k].seq, published[k].seq + 1);
	/* Odd before the first site changes; pairs with check_key(). */
	smp_wmb();
}

static void publish_end(int k)
{
	WRITE_ONCE(published[k].on, static_key_enabled(&keys[k]));
	/* Even after the state is out; pairs with check_key(). */
	smp_store_release(&published[k].seq, published[k].seq + 1);
}

/* Count the sites of a key that do not hold what they should. */
static int key_bad_sites(struct static_key *key)
{
	struct jump_table *table;
	struct jump_entry *site;
	int bad = 0;

	jump_label_lock();
	for_each_jump_table(table)
		for_each_jump_site(site, table, key)
			bad += !jump_site_right(table, site);
	jump_label_unlock();
	return bad;
}

static void inject_faults(u32 random)
{
	if (!inject)
		return;
	if (random % 3 == 0)
		atomic_set(&jump_label_fail_write, 1 + random % 7);
	if (random % 5 == 0)
		atomic_set(&jump_label_fail_alloc, random % 2 ? -1 : 1);
}

/* Queue the other direction for each of the crowd from @start to @stop. */
static void crowd_turn(unsigned int start, unsigned int stop)
{
	for (; start < stop; start++) {
		if (static_key_enabled(&crowd[start]))
			static_branch_disable_queued(&crowd[start]);
		else
			static_branch_enable_queued(&crowd[start]);
	}
}

/* Nothing is queued: how many of the crowd do not do what their keys say? */
static unsigned int crowd_bad(void)
{
	unsigned int on = 0, bad = 0, i;

	for (i = 0; i < NR_CROWD; i++) {
		on += static_key_enabled(&crowd[i]);
		bad += key_bad_sites(&crowd[i].key);
	}
	if (crowd_taken() != on) {
		atomic_inc(&wrong_branches);
		pr_err_ratelimited("jump_label_torture: %u of the crowd are on, %u branches taken\n",
				   on, crowd_taken());
	}
	return bad;
}

/*
 * Change the keys in @mask: one at a time, or all in one transaction, then maybe
 * with some of the crowd. Return: how many sites of the crowd are wrong.
 */
static unsigned int storm_flip(unsigned int mask, bool queued, u32 random)
{
	unsigned int start = random % NR_CROWD;
	/* Rarely, as it takes as long as all else. */
	bool with_crowd = queued && !(random >> 29);
	int k;

	for (k = 0; k < NR_KEYS; k++)
		if (mask & BIT(k))
			publish_begin(k);
	inject_faults(random);
	for (k = 0; k < NR_KEYS; k++) {
		if (!(mask & BIT(k)))
			continue;
		if (published[k].on && queued)
			static_branch_disable_queued(&keys[k]);
		else if (published[k].on)
			static_branch_dec(&keys[k]);
		else if (queued)
			static_branch_enable_queued(&keys[k]);
		else
			static_branch_inc(&keys[k]);
	}
	if (with_crowd)
		crowd_turn(start, start + (random >> 10) % (NR_CROWD - start));
	if (queued)
		static_branch_apply_queued();
	atomic_set(&jump_label_fail_write, 0);
	atomic_set(&jump_label_fail_alloc, 0);
	for (k = 0; k < NR_KEYS; k++)
		if (mask & BIT(k))
			publish_end(k);
	return with_crowd ? crowd_bad() : 0;
}

static int storm_run(void)
{
	unsigned int done, bad = 0, mask;
	struct rnd_state rnd;
	u32 random;
	int k;

	prandom_seed_state(&rnd, get_random_u64());
	for (done = 0; done < flips; done += hweight32(mask)) {
		random = prandom_u32_state(&rnd);
		if (random & 1)
			mask = BIT((random >> 8) % NR_KEYS);
		else
			mask = random >> 8 & (BIT(NR_KEYS) - 1);
		bad += storm_flip(mask, random & 2, prandom_u32_state(&rnd));
		for (k = 0; k < NR_KEYS; k++)
			bad += key_bad_sites(&keys[k].key);
		cond_resched();
	}
	for (k = 0; k < NR_KEYS; k++)
		while (static_key_enabled(&keys[k]))
			storm_flip(BIT(k), false, 1);
	for (k = 0; k < NR_CROWD; k++)
		static_branch_disable_queued(&crowd[k]);
	static_branch_apply_queued();
	return bad + crowd_bad();
}

static int storm(void)
{
	struct task_struct **tasks;
	unsigned int i, bad;
	int left = 0;

	tasks = kcalloc(readers, sizeof(*tasks), GFP_KERNEL);
	if (!tasks)
		return -ENOMEM;
	for (i = 0; i < readers; i++) {
		tasks[i] = kthread_run(storm_reader, NULL, "jl_reader/%u", i);
		if (IS_ERR(tasks[i]))
			readers = i;
	}

	bad = storm_run();
	WRITE_ONCE(storm_over, true);
	for (i = 0; i < readers; i++)
		kthread_stop(tasks[i]);
	kfree(tasks);

	for (i = 0; i < NR_KEYS; i++)
		left += static_key_count(&keys[i].key);
	pr_info("jump_label_torture: %s: %u flips %u readers %ld branches %d wrong %u bad sites count %d\n",
		action, flips, readers, atomic_long_read(&branches_seen),
		atomic_read(&wrong_branches), bad, left);
	return atomic_read(&wrong_branches) || bad || left ? -EIO : 0;
}

/*
 * Keys that must not be turned the wrong way even for a moment, each with the
 * reason. Everything else survives a turn and back: the code behind a key has
 * to work at any time it is on.
 */
static const char *const toggle_not[] = {
	NULL,
};

static bool toggle_allowed(const char *name)
{
	const char *const *not;

	for (not = toggle_not; *not; not++)
		if (!strcmp(*not, name))
			return false;
	return true;
}

struct toggle_result {
	unsigned int toggled, sealed, counted, excepted, bad;
};

static void toggle_key(struct static_key *key, struct toggle_result *result)
{
	int count = static_key_count(key);
	char name[KSYM_SYMBOL_LEN];

	snprintf(name, sizeof(name), "%ps", key);
	if (jump_key_sealed(key)) {
		result->sealed++;
	} else if (count > 1) {
		result->counted++;
	} else if (!toggle_allowed(name)) {
		result->excepted++;
	} else {
		pr_debug("jump_label_torture: %s\n", name);
		if (count)
			static_key_slow_dec(key);
		else
			static_key_slow_inc(key);
		if (static_key_count(key) != !count || key_bad_sites(key))
			result->bad++;
		if (count)
			static_key_slow_inc(key);
		else
			static_key_slow_dec(key);
		if (static_key_count(key) != count || key_bad_sites(key))
			result->bad++;
		result->toggled++;
	}
}

static struct static_key *next_key(const struct static_key *key)
{
	struct static_key *next;

	jump_label_lock();
	next = jump_key_next(key);
	jump_label_unlock();
	return next;
}

static int toggle_all(void)
{
	struct toggle_result result = { };
	struct static_key *key;
	unsigned int nr = 0;

	/* Keys are turned without the lock; no module comes or goes meanwhile. */
	for (key = next_key(NULL); key; key = next_key(key), nr++)
		toggle_key(key, &result);
	pr_info("jump_label_torture: %s: %u keys %u toggled %u sealed %u counted %u excepted %u bad\n",
		action, nr, result.toggled, result.sealed, result.counted,
		result.excepted, result.bad);
	return result.bad || !result.toggled ? -EIO : 0;
}

#define RACE_THREADS	4
#define RACE_ROUNDS	300

static DEFINE_STATIC_KEY_FALSE(race_key);
static DECLARE_COMPLETION(race_start);

static noinline bool race_branch(void)
{
	return static_branch_unlikely(&race_key);
}

/* After an inc has returned the branch is taken, whoever turned the key. */
static int race_thread(void *unused)
{
	int i;

	wait_for_completion(&race_start);
	for (i = 0; i < RACE_ROUNDS; i++) {
		if (!static_branch_inc(&race_key) || !race_branch())
			atomic_inc(&wrong_branches);
		static_branch_dec(&race_key);
	}
	while (!kthread_should_stop())
		schedule_timeout_interruptible(1);
	return 0;
}

static int inc_race(void)
{
	struct task_struct *tasks[RACE_THREADS];
	int i, started;

	for (started = 0; started < RACE_THREADS; started++) {
		tasks[started] = kthread_run(race_thread, NULL, "jl_race/%d",
					     started);
		if (IS_ERR(tasks[started]))
			break;
	}
	complete_all(&race_start);
	/* A thread that is told to stop finishes its rounds first. */
	for (i = 0; i < started; i++)
		kthread_stop(tasks[i]);
	pr_info("jump_label_torture: %s: %d threads %d rounds %d wrong count %d branch %s\n",
		action, started, RACE_ROUNDS, atomic_read(&wrong_branches),
		static_key_count(&race_key.key), race_branch() ? "on" : "off");
	return started < RACE_THREADS || atomic_read(&wrong_branches) ||
	       static_key_count(&race_key.key) || race_branch() ? -EIO : 0;
}

/* So long that no machine is too slow for the pairs; the flush does not wait. */
static DEFINE_STATIC_KEY_DEFERRED_FALSE(deferred_key, 600 * HZ);

/* 200 pairs: one turn on, one turn off, the rest only counts. */
static int deferred(void)
{
	unsigned long before, pairs, flush;
	bool taken;
	int i;

	jump_label_lock();
	before = jump_label_stats.transactions;
	jump_label_unlock();
	for (i = 0; i < 200; i++) {
		static_branch_deferred_inc(&deferred_key);
		static_branch_slow_dec_deferred(&deferred_key);
	}
	taken = static_branch_unlikely(&deferred_key.key);
	pairs = jump_label_stats.transactions - before;
	static_key_deferred_flush(&deferred_key);
	flush = jump_label_stats.transactions - before;
	pr_info("jump_label_torture: %s: 200 pairs %lu turns, %lu after flush, count %d, work %s\n",
		action, pairs, flush, static_key_count(&deferred_key.key.key),
		delayed_work_pending(&deferred_key.work) ? "pending" : "idle");
	return taken && pairs == 1 && flush == 2 &&
	       !static_key_count(&deferred_key.key.key) &&
	       !delayed_work_pending(&deferred_key.work) ? 0 : -EIO;
}

static DEFINE_STATIC_KEY_FALSE(init_key);

/* A site in text that is freed when the module has loaded. */
static noinline bool __init init_branch(void)
{
	return static_branch_unlikely(&init_key);
}

static noinline bool core_branch(void)
{
	return static_branch_unlikely(&init_key);
}

/* The key stays on; unloading turns it off, when its init text is gone. */
static int __init init_text(void)
{
	bool right = !init_branch();

	static_branch_inc(&init_key);
	right = right && init_branch() && core_branch();
	static_branch_dec(&init_key);
	right = right && !init_branch() && !core_branch();
	static_branch_inc(&init_key);
	pr_info("jump_label_torture: %s: %s\n", action,
		right ? "followed" : "did not follow");
	return right && init_branch() ? 0 : -EIO;
}

/* Until this one goes, no module finds memory for its table. */
static int fail_load(void)
{
	atomic_set(&jump_label_fail_alloc, -1);
	return 0;
}

struct torture_action {
	const char *name;
	int (*run)(void);
};

static int __init jump_label_torture_init(void)
{
	static const struct torture_action actions[] __initconst = {
		{ "storm", storm },
		{ "toggle_all", toggle_all },
		{ "inc_race", inc_race },
		{ "deferred", deferred },
		{ "init_text", init_text },
		{ "fail_load", fail_load },
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(actions); i++)
		if (!strcmp(actions[i].name, action))
			return actions[i].run();
	pr_err("jump_label_torture: action=%s: must be storm, toggle_all, inc_race, deferred, init_text or fail_load\n",
	       action);
	return -EINVAL;
}
module_init(jump_label_torture_init);

/* Leave a release pending: the flush on unload must take care of it. */
static void __exit jump_label_torture_exit(void)
{
	static_branch_deferred_inc(&deferred_key);
	static_branch_slow_dec_deferred(&deferred_key);
	static_key_deferred_flush(&deferred_key);

	if (static_key_enabled(&init_key)) {
		static_branch_dec(&init_key);
		WARN_ON(core_branch());
	}
	atomic_set(&jump_label_fail_alloc, 0);
}
module_exit(jump_label_torture_exit);

MODULE_DESCRIPTION("Torture test of static keys");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(EXPORTED_FOR_KUNIT_TESTING);
