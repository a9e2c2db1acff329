// SPDX-License-Identifier: GPL-2.0
/*
 * Static keys: tables
 *
 * The kernel, each module and, in other hosts, each shared object brings one
 * table of sites. A table is sorted by key, so the sites of a key are one run
 * in each table, found by binary search; a key keeps no list of its own, which
 * is why it is no larger than its count and why a module can come and go
 * without touching the keys it uses.
 */
#include "jump_label_internal.h"
#include "jump_label.h"

/* All tables, in the order in which they came. */
struct list_head jump_tables = { &jump_tables, &jump_tables };
EXPORT_SYMBOL_IF_KUNIT(jump_tables);

static struct jump_table core_table;

/**
 * jump_table_of() - the table that somebody added
 * @owner: as in struct jump_table
 *
 * Return: NULL when there is none.
 */
struct jump_table *jump_table_of(const void *owner)
{
	struct jump_table *table;

	for_each_jump_table(table)
		if (table->owner == owner)
			return table;
	return NULL;
}

/*
 * Sorting moves entries, and an entry holds distances from itself. So the
 * distances are first made to start at the table, then plain entries are
 * moved, then the distances are made to start at their fields again.
 */
static void table_rebase(struct jump_table *table, int sign)
{
	struct jump_entry *site;

	for (site = table->start; site < table->stop; site++) {
		s32 shift = sign * ((char *)site - (char *)table->start);

		site->code += shift;
		site->target += shift;
		site->key += shift;
	}
}

/*
 * Where the table that is being sorted starts; guarded by jump_label_mutex. What
 * is compared is addresses, as those who search do: in a 32-bit address space
 * distances wrap around.
 */
static unsigned long sort_base;

static int entry_cmp(const void *a, const void *b)
{
	const struct jump_entry *left = a, *right = b;
	unsigned long left_key = (sort_base + left->key) & ~JUMP_ENTRY_FLAGS;
	unsigned long right_key = (sort_base + right->key) & ~JUMP_ENTRY_FLAGS;

	if (left_key != right_key)
		return left_key < right_key ? -1 : 1;
	return left->code < right->code ? -1 : left->code > right->code;
}

static bool table_is_sorted(const struct jump_table *table)
{
	const struct jump_entry *site = table->start;
	struct static_key *key = NULL;
	unsigned long code = 0;

	for (; site < table->stop; site++) {
		struct static_key *next_key = jump_entry_key(site);
		unsigned long next_code = jump_entry_code(site);

		if (next_key < key || (next_key == key && next_code < code))
			return false;
		key = next_key;
		code = next_code;
	}
	return true;
}

static void table_sort(struct jump_table *table)
{
	if (table_is_sorted(table))
		return;
	/* The build sorts the kernel's own; modules come as they are. */
	if (!table->owner)
		pr_info("jump_label: table of the kernel was not sorted by the build\n");
	table_rebase(table, 1);
	sort_base = (unsigned long)table->start;
	sort(table->start, table->stop - table->start, sizeof(*table->start),
	     entry_cmp, NULL);
	table_rebase(table, -1);
}

static void table_enter(struct jump_table *table)
{
	table_sort(table);
	table->next_run = table->start;
	list_add_tail(&table->node, &jump_tables);
}

/**
 * jump_table_add() - take in a table and bring its sites in line
 * @table: filled in but for @node; its text is writable to the host, and nobody
 *	runs it yet
 * @mode: JUMP_MODE_EARLY or JUMP_MODE_COLD
 *
 * Return: 0, or a negative errno with the table not taken in.
 */
int jump_table_add(struct jump_table *table, enum jump_text_mode mode)
{
	int err;

	table_enter(table);
	err = jump_table_sync(table, mode);
	if (err)
		list_del(&table->node);
	return err;
}

/**
 * jump_table_remove() - forget a table
 * @table: a table that was added; the queue holds none of its sites
 */
void jump_table_remove(struct jump_table *table)
{
	list_del(&table->node);
}

/* The first entry of which the key is not below @key; maybe the end. */
static struct jump_entry *table_from(const struct jump_table *table,
				     const void *key)
{
	struct jump_entry *low = table->start, *high = table->stop;

	while (low < high) {
		struct jump_entry *mid = low + (high - low) / 2;

		if ((void *)jump_entry_key(mid) < key)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/**
 * jump_table_search() - jump_table_find() without the good guess
 * @table: the table
 * @key: the key
 */
struct jump_entry *jump_table_search(const struct jump_table *table,
				     const struct static_key *key)
{
	struct jump_entry *site;

	/* Most keys have sites in one table only. */
	if (table->start == table->stop ||
	    key < jump_entry_key(table->start) ||
	    key > jump_entry_key(table->stop - 1))
		return NULL;

	site = table_from(table, key);
	return jump_entry_key(site) == key ? site : NULL;
}
EXPORT_SYMBOL_IF_KUNIT(jump_table_search);

/**
 * jump_key_next() - walk the keys that have sites, in order of their addresses
 * @key: the key before, which may be gone by now, or NULL
 *
 * Return: NULL at the end.
 */
struct static_key *jump_key_next(const struct static_key *key)
{
	const char *after = key ? (const char *)key + 1 : NULL;
	struct static_key *next = NULL;
	struct jump_table *table;
	struct jump_entry *site;

	for_each_jump_table(table) {
		site = table_from(table, after);
		if (site < table->stop &&
		    (!next || jump_entry_key(site) < next))
			next = jump_entry_key(site);
	}
	return next;
}
EXPORT_SYMBOL_IF_KUNIT(jump_key_next);

/**
 * jump_label_init() - from here on keys and sites move together
 *
 * Called once by the boot CPU, before there are others. Sites of keys that were
 * changed earlier catch up here.
 */
void __init jump_label_init(void)
{
	if (static_key_initialized)
		return;

	arch_jump_label_init();
	core_table.start = __start___jump_table;
	core_table.stop = __stop___jump_table;
	core_table.state = JUMP_TABLE_LIVE;

	cpus_read_lock();
	jump_label_lock();
	if (jump_keys_changed_early) {
		WARN_ON(jump_table_add(&core_table, JUMP_MODE_EARLY));
	} else {
		/* Every site is as built, so none has to be looked at alone. */
		table_enter(&core_table);
		arch_jump_label_init_nops(core_table.start, core_table.stop);
	}
	static_key_initialized = true;
	jump_label_unlock();
	cpus_read_unlock();
}

static bool site_overlaps(const struct jump_table *table,
			  const struct jump_entry *site,
			  unsigned long start, unsigned long end)
{
	unsigned long code = jump_entry_code(site);
	u8 found[JUMP_LABEL_INSN_MAX];
	unsigned int len;

	/* Cheap first: most sites are far away. */
	if (code > end || code + JUMP_LABEL_INSN_MAX <= start)
		return false;
	if (jump_host_text(table, code) != JUMP_TEXT_GOOD)
		return false;
	if (jump_site_read(site, found, &len) == JUMP_SITE_BAD)
		len = JUMP_LABEL_INSN_MAX;
	return code + len > start;
}

/**
 * jump_label_text_reserved() - does a range of text hold a site
 * @start: first byte of the range
 * @end: last byte of the range
 *
 * Whoever wants to write text must stay away from sites: the engine checks
 * their bytes and would refuse to touch them again.
 *
 * Context: holds jump_label_lock().
 * Return: 1 when the range overlaps a site, else 0.
 */
int jump_label_text_reserved(void *start, void *end)
{
	unsigned long first = (unsigned long)start, last = (unsigned long)end;
	struct jump_table *table;
	struct jump_entry *site;

	for_each_jump_table(table) {
		if (!jump_host_text_of(table, first) &&
		    !jump_host_text_of(table, last))
			continue;
		for (site = table->start; site < table->stop; site++)
			if (site_overlaps(table, site, first, last))
				return 1;
	}
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(jump_label_text_reserved);
