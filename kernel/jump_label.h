/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _KERNEL_JUMP_LABEL_H
#define _KERNEL_JUMP_LABEL_H

/*
 * What the parts of the engine know of each other.
 *
 *	jump_label.c		keys: counts, states, the public calls
 *	jump_label_table.c	tables: which sites a key has
 *	jump_label_queue.c	transactions: check the sites, have them written
 *	jump_label_module.c	loadable modules as tables
 *	arch/.../jump_label.c	the bytes of a site
 *	arch/.../jump_label_patch.c	the order in which bytes are written
 *	arch/.../jump_label_text.c	how the host writes text
 */
#include "jump_label_internal.h"

struct dentry;

/*
 * Values of static_key::enabled below zero: the key is changing direction and
 * its sites are on their way. Only the holder of jump_label_mutex sets and
 * clears them, and the counting fast paths leave them alone.
 */
#define KEY_TURNING_ON		(-1)
#define KEY_TURNING_OFF		(-2)

/* What callers ask of a key. */
enum key_op {
	KEY_INC,
	KEY_DEC,
	KEY_ENABLE,
	KEY_DISABLE,
	NR_KEY_OPS,
};

/* What that means for a key in the state it is in. */
enum key_step {
	KEY_STAY,	/* already so */
	KEY_COUNT_UP,	/* one user more; sites stay */
	KEY_COUNT_DOWN,	/* one user less; sites stay */
	KEY_REFUSE,	/* an imbalance: warn, change nothing */
	/* From here on the mutex is needed. */
	KEY_TURN_ON,	/* 0 -> turning on -> 1; sites change */
	KEY_TURN_OFF,	/* 1 -> turning off -> 0; sites change */
	KEY_WAIT,	/* a change is under way: ask again under the mutex */
};

enum key_step jump_key_step(enum key_op op, int count);
extern bool jump_keys_changed_early;
bool jump_key_sealed(const struct static_key *key);

static inline bool jump_key_is_on(const struct static_key *key)
{
	int n = atomic_read(&key->enabled);

	return n > 0 || n == KEY_TURNING_ON;
}

/* The one rule that ties a site to its key; see linux/jump_label.h. */
static inline enum jump_label_type jump_type(bool on, bool likely)
{
	return on != likely ? JUMP_LABEL_JMP : JUMP_LABEL_NOP;
}

#ifdef CONFIG_JUMP_LABEL

/**
 * enum jump_table_state - where in its life a table is
 * @JUMP_TABLE_COMING: its text is in place but nothing runs it yet, except
 *	that its init text runs before the table turns live
 * @JUMP_TABLE_LIVE: its init text is gone, the rest runs
 */
enum jump_table_state {
	JUMP_TABLE_COMING,
	JUMP_TABLE_LIVE,
};

/**
 * struct jump_table - the sites of the kernel, a module or a shared object
 * @node: link in the list of tables; guarded by jump_label_mutex
 * @start: first entry
 * @stop: one past the last entry
 * @owner: struct module, NULL for the kernel itself
 * @state: guarded by jump_label_mutex
 * @next_run: the run after the one whose sites were queued last, at first
 *	@start; guarded by jump_label_mutex
 *
 * Entries are sorted by key, then by code, from jump_table_add() on.
 */
struct jump_table {
	struct list_head node;
	struct jump_entry *start;
	struct jump_entry *stop;
	void *owner;
	enum jump_table_state state;
	struct jump_entry *next_run;
};

/* Whether a site can be written; see jump_host_text(). */
enum jump_text {
	JUMP_TEXT_GOOD,
	JUMP_TEXT_GONE,		/* init text that was freed, or never kept */
	JUMP_TEXT_FOREIGN,	/* not text at all: the table is wrong */
};

/**
 * enum jump_text_mode - who else may run the text that is written
 * @JUMP_MODE_EARLY: nobody, and it is writable where it stands
 * @JUMP_MODE_COLD: nobody yet, and it is write-protected
 * @JUMP_MODE_LIVE: every CPU, at any moment
 */
enum jump_text_mode {
	JUMP_MODE_EARLY,
	JUMP_MODE_COLD,
	JUMP_MODE_LIVE,
};

/**
 * struct jump_patch - a site on its way to another instruction
 * @code: its address
 * @next: where a CPU goes on that runs it meanwhile
 * @run: how many sites from this one on start in the same page; kept by the
 *	writer
 * @len: bytes of the site
 * @old: its bytes before
 * @new: its bytes after
 */
struct jump_patch {
	unsigned long code;
	unsigned long next;
	unsigned int run;
	u8 len;
	u8 old[JUMP_LABEL_INSN_MAX];
	u8 new[JUMP_LABEL_INSN_MAX];
};

/**
 * struct jump_label_stats - what the engine has done since boot
 * @transactions: times that queued sites were written
 * @sync_rounds: times that every CPU was made to serialise
 * @sites_written: sites that changed
 * @sites_refused: sites left alone as their bytes were wrong
 * @steps_split: transactions cut in several for want of memory
 *
 * Guarded by jump_label_mutex.
 */
struct jump_label_stats {
	unsigned long transactions;
	unsigned long sync_rounds;
	unsigned long sites_written;
	unsigned long sites_refused;
	unsigned long steps_split;
};

extern struct jump_label_stats jump_label_stats;

static inline enum jump_label_type
jump_site_type(const struct jump_entry *site)
{
	return jump_type(jump_key_is_on(jump_entry_key(site)),
			 jump_entry_likely(site));
}

/* Constant lengths are compared without calling a function. */
static inline bool jump_bytes_equal(const u8 *a, const u8 *b, unsigned int len)
{
	return len == 2 ? !memcmp(a, b, 2) :
			  !memcmp(a, b, JUMP_LABEL_INSN_MAX);
}

/* What stands at a site, see jump_site_read(). */
enum jump_site_state {
	JUMP_SITE_NOP,		/* the chosen NOP */
	JUMP_SITE_JMP,		/* the jump to the target */
	JUMP_SITE_OTHER_NOP,	/* a NOP, but not the chosen one */
	JUMP_SITE_BAD,
};

enum jump_site_state jump_site_read(const struct jump_entry *site, u8 *found,
				    unsigned int *len);
bool jump_site_right(const struct jump_table *table,
		     const struct jump_entry *site);

/**
 * struct jump_turning - the keys that turn with the next commit
 * @key: them
 * @nr: how many
 * @max: how many @key has room for; @nr is below that
 *
 * Guarded by jump_label_mutex.
 */
extern struct jump_turning {
	struct static_key **key;
	unsigned int nr;
	unsigned int max;
} jump_turning;

/* Transactions. All need jump_label_mutex, all but the first cpus_read_lock(). */
bool jump_queue_grow(void);
int jump_queue_commit(void);
int jump_queue_flush(void);
int jump_table_sync(struct jump_table *table, enum jump_text_mode mode);

/**
 * jump_queue_key() - list a key for the next commit
 * @key: a key in one of the turning states, not listed yet
 *
 * Return: false when a commit has to follow before the next key, as there is no
 * memory to list more. Needs jump_label_mutex.
 */
static inline bool jump_queue_key(struct static_key *key)
{
	unsigned int nr = jump_turning.nr;

	jump_turning.key[nr++] = key;
	jump_turning.nr = nr;
	return nr < jump_turning.max || jump_queue_grow();
}

/* Tables. All need jump_label_mutex. */
int jump_table_add(struct jump_table *table, enum jump_text_mode mode);
void jump_table_remove(struct jump_table *table);
struct jump_table *jump_table_of(const void *owner);
struct jump_entry *jump_table_search(const struct jump_table *table,
				     const struct static_key *key);

extern struct list_head jump_tables;

/**
 * jump_table_find() - where the sites of a key start in a table
 * @table: the table
 * @key: the key
 *
 * Who turns many keys in one go mostly takes them in the order of their
 * addresses, which is that of the table; so the next run is tried before the
 * search.
 *
 * Return: the entry with the lowest code, or NULL when the key has no site
 * there.
 */
static inline struct jump_entry *
jump_table_find(const struct jump_table *table, const struct static_key *key)
{
	struct jump_entry *site = table->next_run;

	if (site < table->stop && jump_entry_key(site) == key)
		return site;
	return jump_table_search(table, key);
}

#define for_each_jump_table(table) \
	list_for_each_entry(table, &jump_tables, node)

struct static_key *jump_key_next(const struct static_key *key);

/* Each key that has sites once, whatever tables they are in. */
#define for_each_jump_key(key)						\
	for ((key) = jump_key_next(NULL); (key); (key) = jump_key_next(key))

#define for_each_jump_site(site, table, sk)				\
	for ((site) = jump_table_find(table, sk);			\
	     (site) && (site) < (table)->stop &&			\
	     jump_entry_key(site) == (sk); (site)++)

/**
 * jump_host_text() - may this address be patched
 * @table: the table its site is in; its state decides about init text
 * @code: address of the site
 *
 * Holds jump_label_mutex. Does not sleep.
 */
enum jump_text jump_host_text(const struct jump_table *table,
			      unsigned long code);

/**
 * jump_host_text_of() - can this address belong to a table at all
 * @table: the table
 * @addr: any address
 *
 * Return: false only when no site of @table can be at @addr.
 */
bool jump_host_text_of(const struct jump_table *table, unsigned long addr);

/**
 * arch_jump_label_prepare() - the bytes of a site that turns (seams J2 and J3)
 * @patch: its @code is set; all but @run is filled in
 * @target: where the site jumps
 * @type: what the site is to become
 *
 * What arch_jump_label_length() and arch_jump_label_encode() say, in one call,
 * as this is asked of every site that turns.
 *
 * Return: true when what stands there is the encoding of the other type; false
 * otherwise, and then the bytes of @patch mean nothing.
 */
bool arch_jump_label_prepare(struct jump_patch *patch, unsigned long target,
			     enum jump_label_type type);

/**
 * arch_jump_label_write() - write queued sites (seam J4)
 * @patch: sites, sorted by address, no address twice; their bytes are those
 *	of the other type
 * @nr: how many, at least one
 * @mode: who else may run them
 *
 * Holds jump_label_mutex and cpus_read_lock(). May sleep unless @mode is
 * JUMP_MODE_EARLY. However many sites there are, every CPU is made to
 * serialise at most three times. The bytes in @patch mean nothing afterwards.
 *
 * Return: 0, or a negative errno with every site as it was.
 */
int arch_jump_label_write(struct jump_patch *patch, unsigned int nr,
			  enum jump_text_mode mode);

/* Is this a NOP of ours, of whatever family? Pure. */
bool arch_jump_label_is_nop(const u8 *insn, unsigned int len);

#ifndef arch_jump_label_init
static inline void arch_jump_label_init(void) { }
#endif

/**
 * arch_jump_label_init_nops() - put the chosen NOP where the build left its own
 * @start: first entry of a table
 * @stop: one past the last
 *
 * Called once, early, for a table none of whose keys has changed. What is not
 * the NOP of the build is left alone. Belongs to the host, which knows how to
 * write text early; empty where the NOP of the build is the only one.
 */
void arch_jump_label_init_nops(const struct jump_entry *start,
			       const struct jump_entry *stop);

/* Files of the architecture beside those of kernel/jump_label_debugfs.c. */
#ifndef arch_jump_label_debugfs
static inline void arch_jump_label_debugfs(struct dentry *dir) { }
#endif

#else /* !CONFIG_JUMP_LABEL: a key has no sites */

static inline bool jump_queue_key(struct static_key *key)
{
	return true;
}

static inline int jump_queue_commit(void)
{
	return 0;
}

static inline int jump_queue_flush(void)
{
	return 0;
}

#endif /* CONFIG_JUMP_LABEL */

#endif /* _KERNEL_JUMP_LABEL_H */
