/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_JUMP_LABEL_H
#define _LINUX_JUMP_LABEL_H

/*
 * Static keys: branches that cost one NOP until somebody needs them
 * =================================================================
 *
 * A key is a flag that changes rarely; a site is a place in the code that
 * asks for it. The answer is not loaded from memory: it is the instruction at
 * the site, a NOP or a jump, and changing the key rewrites that instruction at
 * every site of the key.
 *
 * API
 * ---
 *
 *   DEFINE_STATIC_KEY_FALSE(name)		a key that starts off
 *   DEFINE_STATIC_KEY_TRUE(name)		a key that starts on
 *   DEFINE_STATIC_KEY_{FALSE,TRUE}_RO(name)	... and never changes after boot
 *   DEFINE_STATIC_KEY_ARRAY_{FALSE,TRUE}(name, n)
 *   DEFINE_STATIC_KEY_MAYBE{,_RO}(CONFIG_X, name)	starts as CONFIG_X is set
 *   DECLARE_STATIC_KEY_...(name)		the same, for another file
 *
 *   static_branch_unlikely(&name)	the body is out of line
 *   static_branch_likely(&name)	the body follows in line
 *   static_branch_maybe(CONFIG_X, &name)	likely when CONFIG_X is set
 *   static_branch(&name)		a key that is off by default
 *
 *   static_branch_inc(&name), static_branch_dec(&name)		count users
 *   static_branch_enable(&name), static_branch_disable(&name)	set a flag
 *   ..._cpuslocked			when cpus_read_lock() is held already
 *   static_key_count(&name.key), static_key_enabled(&name)
 *
 * Usage
 * -----
 *
 *	static DEFINE_STATIC_KEY_FALSE(trace_on);
 *
 *	void hot(void)
 *	{
 *		if (static_branch_unlikely(&trace_on))
 *			trace_it();
 *	}
 *
 *	static_branch_inc(&trace_on);		// may sleep; hot() now traces
 *	static_branch_dec(&trace_on);
 *
 * Implementation
 * --------------
 *
 * A site emits one instruction and one entry in the section __jump_table:
 * where the site is, where it jumps to, and whose key it obeys. What stands at
 * a site follows from the key and from the hint the site was written with:
 *
 *	key	hint		instruction
 *	off	unlikely	NOP
 *	off	likely		JMP
 *	on	unlikely	JMP
 *	on	likely		NOP
 *
 * that is: JMP when (key is on) differs from (hint is likely). The default
 * of a key decides only which of the two the compiler emits.
 *
 * Context and cost
 * ----------------
 *
 * Every function that changes a key may sleep: it takes cpus_read_lock() and a
 * mutex, and a change of direction interrupts every CPU three times. Do not
 * change keys from a hot path or at the whim of an unprivileged user; see
 * <linux/jump_label_ratelimit.h> for keys that are released often.
 *
 * Odd cases
 * ---------
 *
 * - Two sites of one key may disagree for a moment while the key changes, and
 *   one CPU may see the new direction before another. A begin / retry pair
 *   built on one key can therefore spin for ever when interrupts are off and
 *   the pair straddles the change. Use two keys for such a pair, and enable
 *   the one of the retry before the one of the begin (disable in the reverse
 *   order).
 * - A change that has returned is seen by every CPU. The count turns positive
 *   only after all sites follow, so a caller whose inc found the key on already
 *   may rely on the branch.
 * - A key changed before jump_label_init() warns once; the value is kept and
 *   the sites follow at jump_label_init().
 * - A key in __ro_after_init memory is sealed after boot: a change is refused.
 * - Without CONFIG_JUMP_LABEL the same interface loads the count and branches.
 *
 * See Documentation/static-keys.rst for the long form.
 */

#ifndef __ASSEMBLY__

#include <linux/types.h>
#include <linux/compiler.h>

/**
 * struct static_key - a count of users; the branch is on while it is not zero
 * @enabled: 0 off, n > 0 on with n users; negative values are transitions,
 *	known to kernel/jump_label.c alone
 *
 * Use the wrappers struct static_key_true and struct static_key_false, which
 * let a site know the default of its key.
 */
struct static_key {
	atomic_t enabled;
};

struct static_key_true {
	struct static_key key;
};

struct static_key_false {
	struct static_key key;
};

/**
 * enum jump_label_type - what stands at a site
 * @JUMP_LABEL_NOP: fall through
 * @JUMP_LABEL_JMP: go to the target
 */
enum jump_label_type {
	JUMP_LABEL_NOP	= 0,
	JUMP_LABEL_JMP	= 1,
};

/* Nothing here needs it, but <linux/once.h> and others count on its being known. */
struct module;

/* Set by jump_label_init(): from here on a change of a key reaches its sites. */
extern bool static_key_initialized;

#endif /* __ASSEMBLY__ */

#ifdef CONFIG_JUMP_LABEL
#include <asm/jump_label.h>
#endif

#ifndef __ASSEMBLY__

#ifdef CONFIG_JUMP_LABEL

/* Flags in the low bits of jump_entry::key; a key is aligned to four bytes. */
#define JUMP_ENTRY_LIKELY	1UL	/* the site was written as likely */
#define JUMP_ENTRY_FLAGS	3UL	/* bit 1 is read by the build alone */

/**
 * struct jump_entry - one site, 12 bytes
 * @code: distance from this field to the instruction
 * @target: distance from this field to where the site jumps
 * @key: distance from this field to the key, plus JUMP_ENTRY_* flags
 *
 * Distances fit 32 bits because a table, its code and its keys are all within
 * the reach of a near call of each other.
 */
struct jump_entry {
	s32 code;
	s32 target;
	s32 key;
};

static __always_inline unsigned long
jump_entry_code(const struct jump_entry *site)
{
	return (unsigned long)&site->code + site->code;
}

static __always_inline unsigned long
jump_entry_target(const struct jump_entry *site)
{
	return (unsigned long)&site->target + site->target;
}

static __always_inline struct static_key *
jump_entry_key(const struct jump_entry *site)
{
	unsigned long tagged = (unsigned long)&site->key + site->key;

	return (struct static_key *)(tagged & ~JUMP_ENTRY_FLAGS);
}

static __always_inline bool jump_entry_likely(const struct jump_entry *site)
{
	return site->key & JUMP_ENTRY_LIKELY;
}

extern struct jump_entry __start___jump_table[], __stop___jump_table[];

void jump_label_init(void);
int jump_label_text_reserved(void *start, void *end);

#else /* !CONFIG_JUMP_LABEL */

#include <linux/atomic.h>
#include <linux/bug.h>

static __always_inline void jump_label_init(void)
{
	static_key_initialized = true;
}

static inline int jump_label_text_reserved(void *start, void *end)
{
	return 0;
}

#endif /* CONFIG_JUMP_LABEL */

void jump_label_init_ro(void);
void jump_label_lock(void);
void jump_label_unlock(void);

bool static_key_fast_inc_not_disabled(struct static_key *key);
bool static_key_slow_inc_cpuslocked(struct static_key *key);
bool static_key_slow_inc(struct static_key *key);
void static_key_slow_dec_cpuslocked(struct static_key *key);
void static_key_slow_dec(struct static_key *key);
void static_key_enable_cpuslocked(struct static_key *key);
void static_key_enable(struct static_key *key);
void static_key_disable_cpuslocked(struct static_key *key);
void static_key_disable(struct static_key *key);

void static_key_enable_queued(struct static_key *key);
void static_key_disable_queued(struct static_key *key);
void static_key_apply_queued(void);

/*
 * Initial values. The count is written without ATOMIC_INIT(), as this header is
 * included by headers that <linux/atomic.h> needs; kernel/jump_label.c asserts
 * that the two are the same.
 */
#define __STATIC_KEY_INIT(on)	{ .enabled = { (on) } }
#define STATIC_KEY_INIT_FALSE	__STATIC_KEY_INIT(0)
#define STATIC_KEY_INIT_TRUE	__STATIC_KEY_INIT(1)
#define STATIC_KEY_INIT		STATIC_KEY_INIT_FALSE

#define STATIC_KEY_FALSE_INIT \
	((struct static_key_false){ .key = __STATIC_KEY_INIT(0) })
#define STATIC_KEY_TRUE_INIT \
	((struct static_key_true){ .key = __STATIC_KEY_INIT(1) })

#define __DEFINE_STATIC_KEY(on, type, name, attr...) \
	struct type name attr = { .key = __STATIC_KEY_INIT(on) }
#define __DEFINE_STATIC_KEYS(on, type, name, count)			\
	struct type name[count] = {					\
		[0 ... (count) - 1] = { .key = __STATIC_KEY_INIT(on) }	\
	}

#define DEFINE_STATIC_KEY_FALSE(name)	\
	__DEFINE_STATIC_KEY(0, static_key_false, name)
#define DEFINE_STATIC_KEY_FALSE_RO(name) \
	__DEFINE_STATIC_KEY(0, static_key_false, name, __ro_after_init)
#define DEFINE_STATIC_KEY_ARRAY_FALSE(name, count) \
	__DEFINE_STATIC_KEYS(0, static_key_false, name, count)
#define DECLARE_STATIC_KEY_FALSE(name)	extern struct static_key_false name

#define DEFINE_STATIC_KEY_TRUE(name)	\
	__DEFINE_STATIC_KEY(1, static_key_true, name)
#define DEFINE_STATIC_KEY_TRUE_RO(name) \
	__DEFINE_STATIC_KEY(1, static_key_true, name, __ro_after_init)
#define DEFINE_STATIC_KEY_ARRAY_TRUE(name, count) \
	__DEFINE_STATIC_KEYS(1, static_key_true, name, count)
#define DECLARE_STATIC_KEY_TRUE(name)	extern struct static_key_true name

/* IS_ENABLED() gives 0 or 1, which picks one of two macros. */
#define __STATIC_KEY_PICK_0(yes, no)	no
#define __STATIC_KEY_PICK_1(yes, no)	yes
#define __STATIC_KEY_PICK(cfg, yes, no) \
	__PASTE(__STATIC_KEY_PICK_, IS_ENABLED(cfg))(yes, no)

#define DEFINE_STATIC_KEY_MAYBE(cfg, name)				\
	__STATIC_KEY_PICK(cfg, DEFINE_STATIC_KEY_TRUE,			\
			  DEFINE_STATIC_KEY_FALSE)(name)
#define DEFINE_STATIC_KEY_MAYBE_RO(cfg, name)				\
	__STATIC_KEY_PICK(cfg, DEFINE_STATIC_KEY_TRUE_RO,		\
			  DEFINE_STATIC_KEY_FALSE_RO)(name)
#define DECLARE_STATIC_KEY_MAYBE(cfg, name)				\
	__STATIC_KEY_PICK(cfg, DECLARE_STATIC_KEY_TRUE,			\
			  DECLARE_STATIC_KEY_FALSE)(name)

/* Which of the three types does the pointer x point to? */
#define __static_key_is(x, type) \
	__builtin_types_compatible_p(typeof(*(x)), struct type)

#define __static_key_assert_default(x)					  \
	_Static_assert(__static_key_is(x, static_key_true) ||		  \
		       __static_key_is(x, static_key_false),		  \
		       "a static branch takes a pointer to struct "	  \
		       "static_key_true or struct static_key_false")

#ifdef CONFIG_JUMP_LABEL

int static_key_count(struct static_key *key);

static __always_inline bool static_key_false(struct static_key *key)
{
	return arch_static_branch(key, false);
}

static __always_inline bool static_key_true(struct static_key *key)
{
	return !arch_static_branch(key, true);
}

/* A site starts as a NOP when the default of its key agrees with its hint. */
#define __static_branch(x, hint)					  \
({									  \
	__static_key_assert_default(x);					  \
	(__builtin_choose_expr(__static_key_is(x, static_key_true) ==	  \
			       (hint), arch_static_branch,		  \
			       arch_static_branch_jump)			  \
	 (&(x)->key, hint)) != (hint);					  \
})

#else /* !CONFIG_JUMP_LABEL */

static __always_inline int static_key_count(struct static_key *key)
{
	return raw_atomic_read(&key->enabled);
}

#define static_key_false(sk)	unlikely_notrace(static_key_count(sk) > 0)
#define static_key_true(sk)	likely_notrace(static_key_count(sk) > 0)

#define __static_branch(x, hint)					  \
({									  \
	__static_key_assert_default(x);					  \
	static_key_count(&(x)->key) > 0;				  \
})

#endif /* CONFIG_JUMP_LABEL */

/**
 * static_branch_likely() - is the key on, with the body in line
 * @x: pointer to a struct static_key_true or static_key_false
 *
 * Context: any, NMI included.
 */
#define static_branch_likely(x)		likely_notrace(__static_branch(x, true))

/**
 * static_branch_unlikely() - is the key on, with the body out of line
 * @x: pointer to a struct static_key_true or static_key_false
 *
 * Context: any, NMI included.
 */
#define static_branch_unlikely(x)	unlikely_notrace(__static_branch(x, false))

/**
 * static_branch_maybe() - likely or unlikely as a configuration option says
 * @config: the option, as for IS_ENABLED()
 * @x: pointer to a struct static_key_true or static_key_false
 */
#define static_branch_maybe(config, x) \
	(IS_ENABLED(config) ? static_branch_likely(x) : static_branch_unlikely(x))

/**
 * static_branch() - is the key on, for a key that is off by default
 * @x: pointer to a struct static_key_false
 *
 * The form in which this interface was first proposed.
 */
#define static_branch(x)						   \
({									   \
	_Static_assert(__static_key_is(x, static_key_false),		   \
		       "static_branch() takes a key that is off by default: " \
		       "struct static_key_false");			   \
	static_branch_unlikely(x);					   \
})

/**
 * static_key_enabled() - is the key on, by its count
 * @x: pointer to any of the three key types
 *
 * For slow paths: it loads the count, and tells a key that is being turned on
 * as on already.
 */
#define static_key_enabled(x)						   \
({									   \
	_Static_assert(__static_key_is(x, static_key) ||		   \
		       __static_key_is(x, static_key_true) ||		   \
		       __static_key_is(x, static_key_false),		   \
		       "static_key_enabled() takes a pointer to a static key"); \
	static_key_count((struct static_key *)(x)) > 0;			   \
})
#define jump_label_enabled		static_key_enabled

#define static_branch_inc(x)		static_key_slow_inc(&(x)->key)
#define static_branch_inc_cpuslocked(x)	static_key_slow_inc_cpuslocked(&(x)->key)
#define static_branch_dec(x)		static_key_slow_dec(&(x)->key)
#define static_branch_dec_cpuslocked(x)	static_key_slow_dec_cpuslocked(&(x)->key)

#define static_branch_enable(x)		static_key_enable(&(x)->key)
#define static_branch_enable_cpuslocked(x) \
	static_key_enable_cpuslocked(&(x)->key)
#define static_branch_enable_queued(x)	static_key_enable_queued(&(x)->key)
#define static_branch_disable(x)	static_key_disable(&(x)->key)
#define static_branch_disable_cpuslocked(x) \
	static_key_disable_cpuslocked(&(x)->key)
#define static_branch_disable_queued(x)	static_key_disable_queued(&(x)->key)
#define static_branch_apply_queued()	static_key_apply_queued()

#endif /* __ASSEMBLY__ */

#endif /* _LINUX_JUMP_LABEL_H */
