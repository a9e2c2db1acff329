/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _JUMP_LABEL_HOST_H
#define _JUMP_LABEL_HOST_H

/*
 * What the files of the library know of each other.
 *
 *	api.c		jump_label_init(), status, walks
 *	object.c	programs and shared objects as tables of the engine
 *	text.c		how text is written and cores are synchronised
 *	remap.c		another way to write text, for emulators
 *	lock.c		the mutex, memory, sorting
 *	print.c		messages
 *	x86.c arm64.c	what differs between processors
 *	signal.c	x86: SIGTRAP, and calls of the program that would mask it
 */
#include "jump_label_internal.h"
#include "../../../../kernel/jump_label.h"

/**
 * struct site_home - what a site was when its object was loaded
 * @code: address of the site
 * @cold: the code that loads the key; the site jumps there when not written
 */
struct site_home {
	unsigned long code;
	unsigned long cold;
};

/**
 * struct jump_object - a program or shared object with sites
 * @table: the sites of keys that are the object's own; owner is the object
 * @shared: the sites of keys that may be another's; likewise
 * @start: first entry, as registered
 * @stop: one past the last
 * @bias: what was added to the addresses of its file
 * @base: its memory starts here
 * @end: ... and ends here
 * @text: its executable memory starts here
 * @text_end: ... and ends here
 * @homes: for each entry, sorted by address
 * @active: the tables are known to the engine
 * @used: this element holds an object
 * @next: all objects there ever were, in order of appearance
 * @name: path, for messages
 *
 * Elements are never freed but used again, so that a message can name an object
 * without a lock. All else is guarded by jump_label_lock().
 */
struct jump_object {
	struct jump_table table;
	struct jump_table shared;
	struct jump_entry *start;
	struct jump_entry *stop;
	unsigned long bias;
	unsigned long base;
	unsigned long end;
	unsigned long text;
	unsigned long text_end;
	struct site_home *homes;
	bool active;
	bool used;
	struct jump_object *next;
	char name[160];
};

/* All objects in use, in order of appearance; NULL starts and ends. */
struct jump_object *jump_object_next(const struct jump_object *object);

#define for_each_jump_object(object)					\
	for ((object) = jump_object_next(NULL); (object);		\
	     (object) = jump_object_next(object))

/**
 * jump_objects_activate() - bring the sites of all objects in line
 *
 * Holds jump_label_lock(). Return: 0 or the first error.
 */
int jump_objects_activate(void);

/* Is text being written? Guarded by jump_label_lock(). */
extern bool jump_host_active;

/**
 * jump_text_start() - find out whether text can be written and cores follow
 * @wary: do not write text while a debugger is attached
 * @remap: write by jump_text_remap()
 *
 * Holds jump_label_lock(). Return: 0 or a negative errno as jump_label_init().
 */
int jump_text_start(bool wary, bool remap);

/**
 * jump_text_remap() - write text by putting new pages in the place of the old
 * @start: where
 * @bytes: what
 * @len: how many
 *
 * Holds jump_label_lock(). Return: 0, or a negative errno with nothing written.
 */
int jump_text_remap(unsigned long start, const u8 *bytes, size_t len);

/* In a child after fork(). Holds jump_label_lock(). */
void jump_text_fork(void);

/* Odd while text is being written; for handlers of a late trap. */
extern unsigned int jump_text_generation;

/**
 * jump_text_put() - write a few bytes of text
 * @code: where
 * @bytes: what
 * @len: how many
 *
 * Holds jump_label_lock(). Return: 0 or a negative errno.
 */
int jump_text_put(unsigned long code, const u8 *bytes, size_t len);

/* Ready for the traps of sites that change. Holds jump_label_lock(). */
int jump_signal_start(void);

/* The system's sigaction(), not ours. */
int jump_real_sigaction(int nr, const struct sigaction *new,
			struct sigaction *old);

/* Set and get the mask without ever touching errno. */
void jump_signal_mask(int how, const uint64_t *new, uint64_t *old);

/* Processor: see x86.c and arm64.c. */

/**
 * jump_arch_cold() - where does a fresh site jump
 * @code: its address
 *
 * Return: address of the cold code, or 0 when no fresh site stands there.
 */
unsigned long jump_arch_cold(unsigned long code);

/* A function with one site, to try whether writing works; 1 when it jumps. */
int jump_arch_probe(void);
extern const struct jump_entry jump_arch_probe_entry[];

/* Define the two: the site is at 661, a NOP, and jumps to 662. */
#define JUMP_ARCH_PROBE(body)						\
__asm__(".pushsection .text\n"						\
	".balign 16\n"							\
	".hidden jump_arch_probe\n"					\
	".globl jump_arch_probe\n"					\
	".type jump_arch_probe, %function\n"				\
	"jump_arch_probe:\n\t"						\
	body								\
	".size jump_arch_probe, . - jump_arch_probe\n"			\
	".popsection\n"							\
	".pushsection .data\n"						\
	".balign 4\n"							\
	".hidden jump_arch_probe_entry\n"				\
	".globl jump_arch_probe_entry\n"				\
	"jump_arch_probe_entry:\n\t"					\
	".long 661b - ., 662b - ., 0\n"					\
	".popsection\n")

/**
 * jump_arch_trap() - look at a SIGTRAP
 * @info: as the handler got it
 * @context: ucontext_t of the interrupted thread
 *
 * Return: true when it was a site, and @context goes on; else false with
 * @context untouched.
 */
bool jump_arch_trap(const siginfo_t *info, void *context);

/* Run the trapping instruction again when the handler returns. */
void jump_arch_trap_again(const siginfo_t *info, void *context);

#endif /* _JUMP_LABEL_HOST_H */
