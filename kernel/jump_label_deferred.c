// SPDX-License-Identifier: GPL-2.0
/*
 * Static keys: release put off, see linux/jump_label_ratelimit.h
 *
 * A pending release stands for one user, so the count is at least one while it
 * is pending. Two releases can therefore only meet when somebody released what
 * nobody held.
 */
#include <linux/jump_label_ratelimit.h>
#include "jump_label_internal.h"
#include "jump_label.h"

/**
 * jump_label_update_timeout() - the pending release falls due
 * @work: inside a deferred key of any of the three kinds
 */
void jump_label_update_timeout(struct work_struct *work)
{
	struct static_key_deferred *deferred =
		container_of(work, struct static_key_deferred, work.work);

	BUILD_BUG_ON(offsetof(struct static_key_true_deferred, work) !=
		     offsetof(struct static_key_deferred, work));
	static_key_slow_dec(&deferred->key);
}
EXPORT_SYMBOL_GPL(jump_label_update_timeout);

/**
 * __static_key_slow_dec_deferred() - drop a user, later if it is the last
 * @key: the key
 * @work: its pending release
 * @timeout: jiffies until the last release takes effect
 */
void __static_key_slow_dec_deferred(struct static_key *key,
				    struct delayed_work *work,
				    unsigned long timeout)
{
	int count = atomic_read(&key->enabled);

	while (jump_key_step(KEY_DEC, count) == KEY_COUNT_DOWN)
		if (atomic_try_cmpxchg(&key->enabled, &count, count - 1))
			return;

	WARN_ONCE(!schedule_delayed_work(work, timeout),
		  "static key %pS: deferred dec refused, one is pending and nobody else holds the key\n",
		  key);
}
EXPORT_SYMBOL_GPL(__static_key_slow_dec_deferred);

/**
 * __static_key_deferred_flush() - carry out a pending release now
 * @key: the key
 * @work: its pending release
 *
 * Context: may sleep.
 */
void __static_key_deferred_flush(void *key, struct delayed_work *work)
{
	flush_delayed_work(work);
}
EXPORT_SYMBOL_GPL(__static_key_deferred_flush);

/**
 * jump_label_rate_limit() - make a key deferred at run time
 * @key: the key; nobody has used its deferred calls yet
 * @rl: jiffies until the last release takes effect
 */
void jump_label_rate_limit(struct static_key_deferred *key, unsigned long rl)
{
	key->timeout = rl;
	INIT_DELAYED_WORK(&key->work, jump_label_update_timeout);
}
EXPORT_SYMBOL_GPL(jump_label_rate_limit);
