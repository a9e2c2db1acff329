/* SPDX-License-Identifier: GPL-2.0 */
#ifndef JUMP_LABEL_H
#define JUMP_LABEL_H

/*
 * Static keys for programs: branches that cost one NOP until somebody needs them
 * ==============================================================================
 *
 * A key is a flag that changes rarely; a site is a place in the code that asks
 * for it. The answer is not loaded from memory: it is the instruction at the
 * site, a NOP or a jump, and changing the key rewrites that instruction at every
 * site of the key, under any number of running threads.
 *
 * API
 * ---
 *
 *   DEFINE_STATIC_KEY_FALSE(name)	a key that starts off
 *   DEFINE_STATIC_KEY_TRUE(name)	a key that starts on
 *   DECLARE_STATIC_KEY_{FALSE,TRUE}(name)	the same, for another file
 *   DECLARE_STATIC_KEY_{FALSE,TRUE}_SHARED(name)	a key that other shared
 *					objects use too: in a header
 *   DEFINE_STATIC_KEY_{FALSE,TRUE}_SHARED(name)	... and in one file
 *
 *   static_branch_unlikely(&name)	the body is out of line
 *   static_branch_likely(&name)	the body follows in line
 *
 *   static_branch_inc(&name), static_branch_dec(&name)		count users
 *   static_branch_enable(&name), static_branch_disable(&name)	set a flag
 *   static_key_count(&name), static_key_enabled(&name)
 *
 *   jump_label_init()			from here on sites are rewritten
 *   jump_label_status()		what became of it, in words
 *   jump_label_each_site(), jump_label_each_key()	what there is
 *
 * Example
 * -------
 *
 *	#include <stdio.h>
 *	#include <jump_label.h>
 *
 *	static DEFINE_STATIC_KEY_FALSE(verbose);
 *
 *	int main(int argc, char **argv)
 *	{
 *		jump_label_init();
 *		if (argc > 1)
 *			static_branch_enable(&verbose);
 *		if (static_branch_unlikely(&verbose))
 *			puts("verbose");
 *		return 0;
 *	}
 *
 *	cc prog.c $(pkg-config --cflags --libs jump_label)
 *
 * Implementation
 * --------------
 *
 * The compiler leaves at each site a jump to a piece of cold code that loads the
 * key. jump_label_init() replaces it by what the key says:
 *
 *	key	hint		instruction
 *	off	unlikely	NOP
 *	off	likely		jump
 *	on	unlikely	jump
 *	on	likely		NOP
 *
 * So a site is right at any time: before jump_label_init(), in constructors and
 * destructors, and where text cannot be written at all. Then it is slower, not
 * wrong.
 *
 * Context and cost
 * ----------------
 *
 * Every function that changes a key takes a mutex and writes text; call it from
 * any thread, also from a signal handler other than one for SIGTRAP. While a
 * site changes, a thread that runs it may take a SIGTRAP, which the library
 * handles and nobody else sees.
 *
 * Odd cases
 * ---------
 *
 * - A key is hidden: visible in its own program or shared object only. One that
 *   crosses that border is declared with _SHARED.
 * - While a debugger is attached sites are not written: a change is refused,
 *   with a message, and the key stays as it was.
 * - Two sites of one key may disagree for a moment while the key changes.
 * - The argument of a branch is the address of a key, not a variable.
 * - On processors the library does not know, on 32-bit x86 with -fPIC or -fPIE,
 *   and with JUMP_LABEL_NO_SITES defined, every branch loads its key.
 *
 * See jump_label(3) and jump_label(7).
 */

/* Compilers warn of statement expressions, and of visibility on a static key. */
#pragma GCC system_header

#ifndef __cplusplus
#include <stdbool.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The library itself, when it is built, has these types from the kernel side. */
#ifndef JUMP_LABEL_BUILD

/**
 * struct static_key - a count of users; the branch is on while it is above zero
 * @enabled: read it with static_key_count()
 */
struct static_key {
	int enabled;
};

#define __jl_hidden	__attribute__((__visibility__("hidden")))
#define __jl_default	__attribute__((__visibility__("default")))

struct static_key_true {
	struct static_key key;
};

struct static_key_false {
	struct static_key key;
};

/**
 * struct static_key_ref - how an object refers to a key that is shared
 * @to: the key; filled in by the dynamic linker
 * @reserved: zero
 *
 * Each object has its own. Use the wrappers below.
 */
struct static_key_ref {
	struct static_key *to;
	long reserved;
};

struct static_key_true_ref {
	struct static_key_ref ref;
};

struct static_key_false_ref {
	struct static_key_ref ref;
};

#define DEFINE_STATIC_KEY_FALSE(name) \
	struct static_key_false name __jl_hidden = { { 0 } }
#define DEFINE_STATIC_KEY_TRUE(name) \
	struct static_key_true name __jl_hidden = { { 1 } }
#define DECLARE_STATIC_KEY_FALSE(name) \
	extern struct static_key_false name __jl_hidden
#define DECLARE_STATIC_KEY_TRUE(name) \
	extern struct static_key_true name __jl_hidden

#define __jl_declare_shared(name, type)					     \
	extern struct static_key name##_static_key __jl_default;	     \
	static struct type name __attribute__((__unused__)) =		     \
		{ { &name##_static_key, 0 } }
#define DECLARE_STATIC_KEY_FALSE_SHARED(name) \
	__jl_declare_shared(name, static_key_false_ref)
#define DECLARE_STATIC_KEY_TRUE_SHARED(name) \
	__jl_declare_shared(name, static_key_true_ref)
#define DEFINE_STATIC_KEY_FALSE_SHARED(name) \
	struct static_key name##_static_key = { 0 }
#define DEFINE_STATIC_KEY_TRUE_SHARED(name) \
	struct static_key name##_static_key = { 1 }

/* Is x the address of a reference? Of which key? The types differ in size. */
#define __jl_shared(x)	(sizeof(*(x)) == sizeof(struct static_key_ref))
#define __jl_key(x)							     \
	(__jl_shared(x) ? ((struct static_key_ref *)(void *)(x))->to :	     \
			  (struct static_key *)(void *)(x))

#ifdef __cplusplus
}
/* Never called: which types there are, for the compiler to choose from. */
char a_static_branch_takes_a_static_key(struct static_key_true *x);
char a_static_branch_takes_a_static_key(struct static_key_false *x);
char a_static_branch_takes_a_static_key(struct static_key_true_ref *x);
char a_static_branch_takes_a_static_key(struct static_key_false_ref *x);
#define __jl_assert(x)	((void)sizeof(a_static_branch_takes_a_static_key(x)))
extern "C" {
#else
#define __jl_is(x, type) \
	__builtin_types_compatible_p(__typeof__(*(x)), struct type)
#define __jl_assert(x)							     \
	_Static_assert(__jl_is(x, static_key_true) ||			     \
		       __jl_is(x, static_key_false) ||			     \
		       __jl_is(x, static_key_true_ref) ||		     \
		       __jl_is(x, static_key_false_ref),		     \
		       "a static branch takes a pointer to a static key")
#endif

#define __jl_load(x) \
	(__atomic_load_n(&__jl_key(x)->enabled, __ATOMIC_RELAXED) > 0)

/* A jump of fixed length to the cold code that loads the key. */
#if defined(JUMP_LABEL_NO_SITES) || (defined(__i386__) && defined(__PIC__))
/* no sites */
#elif defined(__x86_64__) || defined(__i386__)
#define __JL_ASM_SITE	".byte 0xe9\n\t.long %l[jl_cold] - (. + 4)\n\t"
#define __JL_SYMBOL(x)	"i"(x)
#elif defined(__aarch64__)
#define __JL_ASM_SITE	"b %l[jl_cold]\n\t"
/* gcc takes no symbol for "i" in code that is position independent. */
#ifdef __clang__
#define __JL_SYMBOL(x)	"i"(x)
#else
#define __JL_SYMBOL(x)	"S"(x)
#endif
#endif

/*
 * One entry: distances to the site, to where it jumps, and to the key. The
 * section goes where its function goes, if the linker drops one of two.
 */
#define __JL_ASM_ENTRY							     \
	".pushsection __jump_table, \"aw?\"\n\t"			     \
	".balign 4\n\t"							     \
	".long 661b - ., %l[jl_far] - ., %c[key] + %c[flags] - .\n\t"	     \
	".popsection\n\t"

#ifdef __clang__
#define __jl_cold
#else
#define __jl_cold	__attribute__((__cold__))
#endif

#define __jl_hint_likely	1
#define __jl_hint_unlikely	0

#ifdef __JL_ASM_SITE
#define __jl_branch(x, hint)						     \
(__extension__ ({							     \
	__label__ jl_far, jl_cold, jl_done;				     \
	bool __jl_on;							     \
	__jl_assert(x);							     \
	__asm__ goto("661:\t" __JL_ASM_SITE __JL_ASM_ENTRY		     \
		     : : [key] __JL_SYMBOL(x),				     \
			 [flags] "i"(__jl_hint_##hint |			     \
				     (__jl_shared(x) ? 2 : 0))		     \
		     : : jl_far, jl_cold);				     \
	__jl_on = __jl_hint_##hint;					     \
	goto jl_done;							     \
jl_far:									     \
	__jl_on = !__jl_hint_##hint;					     \
	goto jl_done;							     \
jl_cold: __jl_cold;							     \
	__jl_on = __jl_load(x);						     \
jl_done:								     \
	__jl_on;							     \
}))
#else
#define __jl_branch(x, hint)						     \
	(__extension__ ({ __jl_assert(x); __jl_load(x); }))
#endif

/**
 * static_branch_likely() - is the key on, with the body in line
 * @x: address of a key
 *
 * Context: any, signal handlers included.
 */
#define static_branch_likely(x)		__builtin_expect(__jl_branch(x, likely), 1)

/**
 * static_branch_unlikely() - is the key on, with the body out of line
 * @x: address of a key
 *
 * Context: any, signal handlers included.
 */
#define static_branch_unlikely(x)	__builtin_expect(__jl_branch(x, unlikely), 0)

bool static_key_slow_inc(struct static_key *key);
void static_key_slow_dec(struct static_key *key);
void static_key_enable(struct static_key *key);
void static_key_disable(struct static_key *key);
int static_key_count(struct static_key *key);
void static_key_enable_queued(struct static_key *key);
void static_key_disable_queued(struct static_key *key);
void static_key_apply_queued(void);

/**
 * static_branch_inc() - count one more user; the first turns the key on
 * @x: address of a key
 *
 * Return: true when counted, and then every site of the key is on; false when
 * the count is at its limit or text could not be written.
 */
#define static_branch_inc(x)		static_key_slow_inc(__jl_key(x))

/**
 * static_branch_dec() - count one user less; the last turns the key off
 * @x: address of a key
 *
 * A dec without an inc is refused with one warning.
 */
#define static_branch_dec(x)		static_key_slow_dec(__jl_key(x))

/**
 * static_branch_enable() - turn a key on, unless it is
 * @x: address of a key that nobody counts with inc and dec
 */
#define static_branch_enable(x)		static_key_enable(__jl_key(x))

/**
 * static_branch_disable() - turn a key off, unless it is
 * @x: address of a key that nobody counts with inc and dec
 */
#define static_branch_disable(x)	static_key_disable(__jl_key(x))

/* Many keys for the price of one: queue the changes, then apply. */
#define static_branch_enable_queued(x)	static_key_enable_queued(__jl_key(x))
#define static_branch_disable_queued(x)	static_key_disable_queued(__jl_key(x))
#define static_branch_apply_queued()	static_key_apply_queued()

/* The count, and whether it is above zero; they load it. */
#define static_key_count(x)		static_key_count(__jl_key(x))
#define static_key_enabled(x)		(static_key_count(x) > 0)

#endif /* JUMP_LABEL_BUILD */

/**
 * jump_label_init() - from here on sites are rewritten
 *
 * Call it once, from main() or later, also when threads run already. Until then
 * every site loads its key. Further calls return what the first returned.
 *
 * Environment: JUMP_LABEL=off leaves the sites as they are; JUMP_LABEL=on writes
 * text even under a tracer; JUMP_LABEL=remap replaces pages instead of writing
 * them, for emulators; JUMP_LABEL_DEBUG=1 prints each change on stderr.
 *
 * Return: 0; -EPERM when text cannot be written here; -ENOSYS when the kernel
 * lacks membarrier() with SYNC_CORE; -EOPNOTSUPP when what is written is not
 * what runs, as under valgrind; -EBUSY under a tracer; -ECANCELED when the
 * environment says off. After an error every site loads its key, for good, and
 * all calls work as before.
 */
int jump_label_init(void);

/**
 * jump_label_status() - what became of jump_label_init()
 *
 * Return: one line without a newline, never NULL.
 */
const char *jump_label_status(void);

enum jump_label_state {
	JUMP_LABEL_SITE_NOP,	/* falls through */
	JUMP_LABEL_SITE_JMP,	/* jumps */
	JUMP_LABEL_SITE_LOAD,	/* loads its key */
};

/**
 * struct jump_label_site - a site, for jump_label_each_site()
 * @code: address of the instruction
 * @target: where it goes when it jumps
 * @key: whose it is
 * @object: path of the program or shared object it is in
 * @likely: written as static_branch_likely()
 * @state: what stands there
 */
struct jump_label_site {
	const void *code;
	const void *target;
	struct static_key *key;
	const char *object;
	bool likely;
	enum jump_label_state state;
};

/**
 * jump_label_each_site() - walk all sites of all objects
 * @visit: called for each; a return value other than 0 ends the walk
 * @context: handed to @visit
 *
 * @visit must not change a key and must not load or unload objects.
 * Return: what @visit returned last, or 0.
 */
int jump_label_each_site(int (*visit)(const struct jump_label_site *site,
				      void *context), void *context);

/**
 * jump_label_each_key() - walk all keys that have sites, object by object
 * @visit: called with the key, the object and how many sites it has there
 * @context: handed to @visit
 *
 * As jump_label_each_site().
 */
int jump_label_each_key(int (*visit)(struct static_key *key, const char *object,
				     unsigned int sites, void *context),
			void *context);

/* For the constructor and destructor below. */
void jump_label_register(void *start, void *stop);
void jump_label_unregister(void *start);

#ifdef __JL_ASM_SITE
/* The sites of this program or shared object; null when it has none. */
extern char __start___jump_table[] __attribute__((__weak__)) __jl_hidden;
extern char __stop___jump_table[] __attribute__((__weak__)) __jl_hidden;

/* One pair for each object, however many files include this header. */
__attribute__((__weak__, __constructor__(101))) __jl_hidden
void __jump_label_object_start(void);
__attribute__((__weak__, __destructor__(101))) __jl_hidden
void __jump_label_object_stop(void);

void __jump_label_object_start(void)
{
	jump_label_register(__start___jump_table, __stop___jump_table);
}

void __jump_label_object_stop(void)
{
	jump_label_unregister(__start___jump_table);
}
#endif /* __JL_ASM_SITE */

#ifdef __cplusplus
}
#endif

#endif /* JUMP_LABEL_H */
