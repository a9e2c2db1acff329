// SPDX-License-Identifier: GPL-2.0
/*
 * Static keys: counts, states and the calls that change them
 *
 * A key is a count of users. Asking for a change (a row) of a key with some
 * count (a column) comes to one step:
 *
 *		0		1		2 ...		INT_MAX
 *	inc	turn on		count up	count up	refuse
 *	dec	refuse		turn off	count down	count down
 *	enable	turn on		stay		refuse		refuse
 *	disable	stay		turn off	refuse		refuse
 *
 * Counting needs no lock: a compare-and-exchange moves between two positive
 * counts. Turning does, as the sites have to follow:
 *
 *	0 --> KEY_TURNING_ON --> 1		1 --> KEY_TURNING_OFF --> 0
 *
 * In between the count is negative, so that counting callers wait for the
 * mutex; by the time they hold it the key has settled. The positive count is
 * stored with release order after the last site was written: whoever counts up
 * from it also sees the sites. When the sites cannot be written the key goes
 * back to where it came from. A refused step warns once and changes nothing.
 *
 * Queued changes (static_key_enable_queued() and its twin) leave the key
 * turning until static_key_apply_queued(), or until any other key turns, which
 * takes what is queued along in its own transaction. So no change overtakes one
 * that was asked for earlier.
 *
 * Lock order, outermost first:
 *
 *	cpus_read_lock()		no CPU comes or goes during a change
 *	  jump_label_mutex		tables, the queue, negative counts
 *	    text_mutex			the bytes of kernel text
 */
#include "jump_label_internal.h"
#include "jump_label.h"

static DEFINE_MUTEX(jump_label_mutex);

/* See key_take_step(). */
#define KEY_TURNS	1

/* A key was turned before jump_label_init(). */
bool jump_keys_changed_early;

/* Keys in __ro_after_init memory can no longer be written. */
static bool static_keys_sealed __ro_after_init;

/**
 * jump_label_lock() - keep tables and sites as they are
 *
 * For code that writes kernel text by other means and asks
 * jump_label_text_reserved(). Context: may sleep; nests outside text_mutex.
 */
void jump_label_lock(void)
{
	mutex_lock(&jump_label_mutex);
}
EXPORT_SYMBOL_IF_KUNIT(jump_label_lock);

/**
 * jump_label_unlock() - the end of jump_label_lock()
 */
void jump_label_unlock(void)
{
	mutex_unlock(&jump_label_mutex);
}
EXPORT_SYMBOL_IF_KUNIT(jump_label_unlock);

static const u8 key_steps[NR_KEY_OPS][4] = {
	/*		  0		1		2 ...	INT_MAX */
	[KEY_INC] = {
		KEY_TURN_ON, KEY_COUNT_UP, KEY_COUNT_UP, KEY_REFUSE,
	},
	[KEY_DEC] = {
		KEY_REFUSE, KEY_TURN_OFF, KEY_COUNT_DOWN, KEY_COUNT_DOWN,
	},
	[KEY_ENABLE] = {
		KEY_TURN_ON, KEY_STAY, KEY_REFUSE, KEY_REFUSE,
	},
	[KEY_DISABLE] = {
		KEY_STAY, KEY_TURN_OFF, KEY_REFUSE, KEY_REFUSE,
	},
};

/**
 * jump_key_step() - the table at the top of this file
 * @op: what is asked for
 * @count: static_key::enabled
 *
 * Pure. Return: the step to take.
 */
enum key_step jump_key_step(enum key_op op, int count)
{
	if (count < 0)
		return KEY_WAIT;
	return key_steps[op][count == INT_MAX ? 3 : min(count, 2)];
}
EXPORT_SYMBOL_IF_KUNIT(jump_key_step);

/* Each kind of imbalance warns once: a caller in a loop must not flood. */
static int key_refuse(struct static_key *key, enum key_op op, int count)
{
	switch (op) {
	case KEY_INC:
		WARN_ONCE(1, "static key %pS: inc refused, the count is at its limit %d\n",
			  key, count);
		return -EOVERFLOW;
	case KEY_DEC:
		WARN_ONCE(1, "static key %pS: dec refused, the count is %d: more dec than inc\n",
			  key, count);
		return -ERANGE;
	case KEY_ENABLE:
		WARN_ONCE(1, "static key %pS: enable refused, %d users count it: do not mix enable with inc\n",
			  key, count);
		return -EBUSY;
	default:
		WARN_ONCE(1, "static key %pS: disable refused, %d users count it: do not mix disable with inc\n",
			  key, count);
		return -EBUSY;
	}
}

/**
 * jump_key_sealed() - can a key no longer change
 * @key: the key
 *
 * Context: any.
 */
bool jump_key_sealed(const struct static_key *key)
{
	return jump_host_key_sealed(key, static_keys_sealed);
}
EXPORT_SYMBOL_IF_KUNIT(jump_key_sealed);

static int key_refuse_sealed(struct static_key *key)
{
	WARN_ONCE(1, "static key %pS: change refused, the key is read-only after boot: define it without _RO\n",
		  key);
	return -EROFS;
}

/* What a key turns to that has a count of 0 (@on) or 1. */
static int key_turning(bool on)
{
	/* Before the tables are known, jump_label_init() does the rest. */
	if (!static_key_initialized)
		jump_keys_changed_early = true;
	if (!IS_ENABLED(CONFIG_JUMP_LABEL) || !static_key_initialized)
		return on;
	return on ? KEY_TURNING_ON : KEY_TURNING_OFF;
}

/*
 * Take one step. Counting needs no lock. A turn does: without it -EAGAIN asks
 * the caller to come again with the mutex held, and @locked. Then no key turns
 * that is not listed; but others still count, so the step is looked up again
 * whenever the count has moved.
 *
 * Return: a negative errno with the key as it was; 0 when it is as asked for;
 * KEY_TURNS when its sites have yet to follow.
 */
static __always_inline int key_take_step(struct static_key *key,
					 enum key_op op, bool locked)
{
	int count = atomic_read(&key->enabled);
	enum key_step step;
	int next;

	do {
		step = jump_key_step(op, count);
		if (step == KEY_STAY)
			return 0;
		if (step == KEY_REFUSE)
			return key_refuse(key, op, count);
		if (step >= KEY_TURN_ON && !locked)
			return -EAGAIN;
		if (step >= KEY_TURN_ON)
			next = key_turning(step == KEY_TURN_ON);
		else
			next = step == KEY_COUNT_UP ? count + 1 : count - 1;
		if (jump_host_key_sealed(key, static_keys_sealed))
			return key_refuse_sealed(key);
	} while (!atomic_try_cmpxchg(&key->enabled, &count, next));

	return next < 0 ? KEY_TURNS : 0;
}

static void key_check_early(struct static_key *key)
{
	WARN_ONCE(!static_key_initialized,
		  "static key %pS: used before jump_label_init(); its sites follow there\n",
		  key);
}

static int key_change_cpuslocked(struct static_key *key, enum key_op op)
{
	int err;

	key_check_early(key);
	lockdep_assert_cpus_held();

	err = key_take_step(key, op, false);
	if (err != -EAGAIN)
		return err;

	jump_label_lock();
	/* What is queued turns with it; but a key turns once at a time. */
	if (atomic_read(&key->enabled) < 0)
		jump_queue_flush();
	err = key_take_step(key, op, true);
	if (err == KEY_TURNS) {
		jump_queue_key(key);
		err = jump_queue_commit();
	}
	jump_label_unlock();
	return err;
}

static int key_change(struct static_key *key, enum key_op op)
{
	int err;

	cpus_read_lock();
	err = key_change_cpuslocked(key, op);
	cpus_read_unlock();
	return err;
}

/*
 * A queued change writes nothing, so the mutex will do. Only a key that is
 * queued already, or no memory to queue more, makes an apply necessary.
 */
static __always_inline void key_queue(struct static_key *key, enum key_op op)
{
	bool room = true;

	key_check_early(key);
	jump_label_lock();
	while (atomic_read(&key->enabled) < 0) {
		jump_label_unlock();
		static_key_apply_queued();
		jump_label_lock();
	}
	if (key_take_step(key, op, true) == KEY_TURNS)
		room = jump_queue_key(key);
	jump_label_unlock();
	if (!room)
		static_key_apply_queued();
}

#ifdef CONFIG_JUMP_LABEL
/**
 * static_key_count() - how many users a key has
 * @key: the key
 *
 * Return: the count; 1 for a key that is being turned on, 0 for one that is
 * being turned off. Context: any.
 */
int static_key_count(struct static_key *key)
{
	int count = atomic_read(&key->enabled);

	return count < 0 ? count == KEY_TURNING_ON : count;
}
EXPORT_SYMBOL_GPL(static_key_count);
#endif

/**
 * static_key_fast_inc_not_disabled() - count one more user of a key that is on
 * @key: a key whose direction cannot change meanwhile, as the caller is a user
 *
 * Never turns the key, never sleeps, never warns.
 *
 * Return: true when counted; false when the key is off, turning, or at its
 * limit.
 */
bool static_key_fast_inc_not_disabled(struct static_key *key)
{
	int count = atomic_read(&key->enabled);

	do {
		if (jump_key_step(KEY_INC, count) != KEY_COUNT_UP)
			return false;
	} while (!atomic_try_cmpxchg(&key->enabled, &count, count + 1));

	return true;
}
EXPORT_SYMBOL_GPL(static_key_fast_inc_not_disabled);

/**
 * static_key_slow_inc_cpuslocked() - count one more user, turn the key on if
 *	it is the first
 * @key: the key
 *
 * Context: may sleep; the caller holds cpus_read_lock().
 * Return: true when counted, and then every site of the key is on; false when
 * the count is at its limit, the key is sealed, or text could not be written.
 */
bool static_key_slow_inc_cpuslocked(struct static_key *key)
{
	return !key_change_cpuslocked(key, KEY_INC);
}
EXPORT_SYMBOL_GPL(static_key_slow_inc_cpuslocked);

/**
 * static_key_slow_inc() - static_key_slow_inc_cpuslocked(), lock included
 * @key: the key
 *
 * Context: may sleep.
 */
bool static_key_slow_inc(struct static_key *key)
{
	return !key_change(key, KEY_INC);
}
EXPORT_SYMBOL_GPL(static_key_slow_inc);

/**
 * static_key_slow_dec_cpuslocked() - count one user less, turn the key off if
 *	it was the last
 * @key: the key
 *
 * A dec without an inc is refused with one warning.
 * Context: may sleep; the caller holds cpus_read_lock().
 */
void static_key_slow_dec_cpuslocked(struct static_key *key)
{
	key_change_cpuslocked(key, KEY_DEC);
}
EXPORT_SYMBOL_GPL(static_key_slow_dec_cpuslocked);

/**
 * static_key_slow_dec() - static_key_slow_dec_cpuslocked(), lock included
 * @key: the key
 *
 * Context: may sleep.
 */
void static_key_slow_dec(struct static_key *key)
{
	key_change(key, KEY_DEC);
}
EXPORT_SYMBOL_GPL(static_key_slow_dec);

/**
 * static_key_enable_cpuslocked() - turn a key on, unless it is
 * @key: a key that nobody counts with inc and dec
 *
 * Context: may sleep; the caller holds cpus_read_lock().
 */
void static_key_enable_cpuslocked(struct static_key *key)
{
	key_change_cpuslocked(key, KEY_ENABLE);
}
EXPORT_SYMBOL_GPL(static_key_enable_cpuslocked);

/**
 * static_key_enable() - static_key_enable_cpuslocked(), lock included
 * @key: the key
 *
 * Context: may sleep.
 */
void static_key_enable(struct static_key *key)
{
	key_change(key, KEY_ENABLE);
}
EXPORT_SYMBOL_GPL(static_key_enable);

/**
 * static_key_disable_cpuslocked() - turn a key off, unless it is
 * @key: a key that nobody counts with inc and dec
 *
 * Context: may sleep; the caller holds cpus_read_lock().
 */
void static_key_disable_cpuslocked(struct static_key *key)
{
	key_change_cpuslocked(key, KEY_DISABLE);
}
EXPORT_SYMBOL_GPL(static_key_disable_cpuslocked);

/**
 * static_key_disable() - static_key_disable_cpuslocked(), lock included
 * @key: the key
 *
 * Context: may sleep.
 */
void static_key_disable(struct static_key *key)
{
	key_change(key, KEY_DISABLE);
}
EXPORT_SYMBOL_GPL(static_key_disable);

/**
 * static_key_enable_queued() - turn a key on with the next apply
 * @key: a key that nobody counts with inc and dec
 *
 * Many keys queued and applied once cost what one key costs: three rounds of
 * interrupts. static_key_enabled() tells the key as on from here; its sites
 * follow with static_key_apply_queued() or with any other change of a key.
 *
 * Context: may sleep.
 */
void static_key_enable_queued(struct static_key *key)
{
	key_queue(key, KEY_ENABLE);
}
EXPORT_SYMBOL_GPL(static_key_enable_queued);

/**
 * static_key_disable_queued() - turn a key off with the next apply
 * @key: a key that nobody counts with inc and dec
 *
 * See static_key_enable_queued(). Context: may sleep.
 */
void static_key_disable_queued(struct static_key *key)
{
	key_queue(key, KEY_DISABLE);
}
EXPORT_SYMBOL_GPL(static_key_disable_queued);

/**
 * static_key_apply_queued() - carry out all queued changes
 *
 * Context: may sleep.
 */
void static_key_apply_queued(void)
{
	cpus_read_lock();
	jump_label_lock();
	jump_queue_flush();
	jump_label_unlock();
	cpus_read_unlock();
}
EXPORT_SYMBOL_GPL(static_key_apply_queued);

/**
 * jump_label_init_ro() - from here on keys in __ro_after_init memory are sealed
 *
 * Called once, before that memory is write-protected.
 */
void jump_label_init_ro(void)
{
	BUILD_BUG_ON((int)ATOMIC_INIT(0) != 0 || (int)ATOMIC_INIT(1) != 1);
	static_keys_sealed = true;
}
