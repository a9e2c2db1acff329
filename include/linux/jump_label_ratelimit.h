/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_JUMP_LABEL_RATELIMIT_H
#define _LINUX_JUMP_LABEL_RATELIMIT_H

/*
 * Deferred keys: a key whose last user goes stays on for a while, so that the
 * next user finds it on. For keys that user space can flip at will.
 *
 *	DEFINE_STATIC_KEY_DEFERRED_FALSE(filter_on, HZ);
 *
 *	static_branch_deferred_inc(&filter_on);
 *	static_branch_slow_dec_deferred(&filter_on);	// off after HZ jiffies
 *	static_key_deferred_flush(&filter_on);		// on unload: off now
 *
 * At most one release is pending for a key, and it stands for exactly one
 * user: while it is pending the count is at least one, so that a further inc
 * and dec only count.
 */
#include <linux/jump_label.h>
#include <linux/workqueue.h>

#define __STRUCT_KEY_DEFERRED(kind)		\
struct kind##_deferred {			\
	struct kind key;			\
	unsigned long timeout;			\
	struct delayed_work work;		\
}

/*
 * @key:	the key
 * @timeout:	how long the last release is put off, in jiffies
 * @work:	that release
 *
 * The three have one layout; jump_label_update_timeout() relies on it.
 */
__STRUCT_KEY_DEFERRED(static_key);
__STRUCT_KEY_DEFERRED(static_key_true);
__STRUCT_KEY_DEFERRED(static_key_false);

#undef __STRUCT_KEY_DEFERRED

void jump_label_update_timeout(struct work_struct *work);
void jump_label_rate_limit(struct static_key_deferred *key, unsigned long rl);
void __static_key_slow_dec_deferred(struct static_key *key,
				    struct delayed_work *work,
				    unsigned long timeout);
void __static_key_deferred_flush(void *key, struct delayed_work *work);

#define __DEFINE_STATIC_KEY_DEFERRED(on, kind, name, rl)		\
	struct kind##_deferred name = {					\
		.key = { .key = __STATIC_KEY_INIT(on) },		\
		.timeout = (rl),					\
		.work = __DELAYED_WORK_INITIALIZER((name).work,		\
				jump_label_update_timeout, 0),		\
	}

#define DEFINE_STATIC_KEY_DEFERRED_FALSE(name, rl) \
	__DEFINE_STATIC_KEY_DEFERRED(0, static_key_false, name, rl)
#define DEFINE_STATIC_KEY_DEFERRED_TRUE(name, rl) \
	__DEFINE_STATIC_KEY_DEFERRED(1, static_key_true, name, rl)

#define static_branch_deferred_inc(x)	static_branch_inc(&(x)->key)

/**
 * static_key_slow_dec_deferred() - drop a user, later if it is the last
 * @x: pointer to a struct static_key_deferred
 *
 * Context: any in which schedule_delayed_work() is allowed.
 */
#define static_key_slow_dec_deferred(x) \
	__static_key_slow_dec_deferred(&(x)->key, &(x)->work, (x)->timeout)

/**
 * static_branch_slow_dec_deferred() - drop a user, later if it is the last
 * @x: pointer to a struct static_key_true_deferred or _false_deferred
 */
#define static_branch_slow_dec_deferred(x) \
	__static_key_slow_dec_deferred(&(x)->key.key, &(x)->work, (x)->timeout)

/**
 * static_key_deferred_flush() - carry out a pending release now
 * @x: pointer to a deferred key of any of the three kinds
 *
 * After it no work of @x is queued or running, provided nobody drops a user
 * meanwhile. A module must call it before its keys go.
 *
 * Context: may sleep.
 */
#define static_key_deferred_flush(x)	__static_key_deferred_flush(x, &(x)->work)

#endif /* _LINUX_JUMP_LABEL_RATELIMIT_H */
