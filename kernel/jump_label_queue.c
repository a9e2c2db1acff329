// SPDX-License-Identifier: GPL-2.0
/*
 * Static keys: transactions
 *
 * Keys that turn put their sites in one queue; a commit has the architecture
 * write the whole queue at once, and only then do the keys settle. The cost of
 * a commit is three rounds of interrupts, however many keys and sites there
 * are.
 *
 * The queue grows while there is memory. Without memory the full queue is
 * written and the rest follows in further steps: slower, but complete. A key
 * whose sites were split that way settles with its last step, and if that one
 * fails its earlier sites are written back.
 *
 * A site is queued only when its bytes are those of the other type (seam J3).
 * Anything else is reported and left alone: whoever changed the text behind our
 * back may still be running it.
 */
#include "jump_label_internal.h"
#include "jump_label.h"

/* Enough for nearly every key; lets a commit do without memory. */
#define JUMP_QUEUE_RESERVE	256

/*
 * All guarded by jump_label_mutex. The queue has room for queue_max patches,
 * and as much again behind them to sort into.
 */
static struct jump_patch queue_reserve[2 * JUMP_QUEUE_RESERVE];
static struct jump_patch *queue = queue_reserve;
static unsigned int queue_nr, queue_max = JUMP_QUEUE_RESERVE;

struct jump_label_stats jump_label_stats;
EXPORT_SYMBOL_IF_KUNIT(jump_label_stats);

/**
 * jump_site_read() - what stands at a site
 * @site: the site; its text must be there
 * @found: where its bytes go, JUMP_LABEL_INSN_MAX of them
 * @len: where its length goes, 2 for a bad site
 *
 * Only as many bytes as the site has are read: it may be the last instruction
 * of the last page.
 */
enum jump_site_state jump_site_read(const struct jump_entry *site, u8 *found,
				    unsigned int *len)
{
	unsigned long code = jump_entry_code(site);
	unsigned long target = jump_entry_target(site);
	u8 want[JUMP_LABEL_INSN_MAX];
	int n;

	*len = 2;
	memcpy(found, (void *)code, 2);
	n = arch_jump_label_length(found);
	if (n < 0)
		return JUMP_SITE_BAD;

	*len = n;
	memcpy(found, (void *)code, n);
	if (arch_jump_label_encode(want, code, target, JUMP_LABEL_JMP, n) < 0)
		return JUMP_SITE_BAD;
	if (!memcmp(found, want, n))
		return JUMP_SITE_JMP;

	arch_jump_label_encode(want, code, target, JUMP_LABEL_NOP, n);
	if (!memcmp(found, want, n))
		return JUMP_SITE_NOP;
	return arch_jump_label_is_nop(found, n) ? JUMP_SITE_OTHER_NOP :
						  JUMP_SITE_BAD;
}
EXPORT_SYMBOL_IF_KUNIT(jump_site_read);

static void site_report(const struct jump_entry *site, const u8 *found,
			unsigned int len, enum jump_label_type type)
{
	unsigned long code = jump_entry_code(site);
	unsigned long target = jump_entry_target(site);
	u8 expected[JUMP_LABEL_INSN_MAX] = { }, new[JUMP_LABEL_INSN_MAX] = { };

	arch_jump_label_encode(expected, code, target, !type, len);
	arch_jump_label_encode(new, code, target, type, len);
	pr_crit("jump_label: %pS [0x%lx] of key %pS: found %*ph, expected %*ph to write %*ph; the site is left alone\n",
		(void *)code, code, jump_entry_key(site),
		len, found, len, expected, len, new);
	WARN_ONCE(1, "jump_label: text at a site was changed by somebody else, see the line above\n");
	jump_label_stats.sites_refused++;
}

/* Only two lengths: constant ones are compared without calling a function. */
static bool bytes_equal(const u8 *a, const u8 *b, int len)
{
	return len == 2 ? !memcmp(a, b, 2) :
			  !memcmp(a, b, JUMP_LABEL_INSN_MAX);
}

/* Is @type what stands at the site? Its bytes go to @bytes if so. */
static bool site_holds(const struct jump_entry *site, enum jump_label_type type,
		       int len, u8 *bytes)
{
	unsigned long code = jump_entry_code(site);

	return arch_jump_label_encode(bytes, code, jump_entry_target(site),
				      type, len) > 0 &&
	       bytes_equal((u8 *)code, bytes, len);
}

/*
 * Does the site have to be written to become @type? Fills in @patch if so.
 * When it starts or comes back (@lenient), it may be right already or hold the
 * NOP of the build.
 */
static bool site_wants(const struct jump_entry *site,
		       enum jump_label_type type, bool lenient,
		       struct jump_patch *patch)
{
	unsigned long code = jump_entry_code(site);
	int len = arch_jump_label_length((u8 *)code);
	enum jump_site_state state;
	unsigned int n;

	/* The way of nearly all sites: the bytes are those of the other type. */
	if (len < 0 || !site_holds(site, !type, len, patch->old)) {
		if (len > 0 && lenient && site_holds(site, type, len, patch->old))
			return false;
		state = jump_site_read(site, patch->old, &n);
		if (!lenient || state != JUMP_SITE_OTHER_NOP) {
			site_report(site, patch->old, n, type);
			return false;
		}
		len = n;
	}
	patch->site = site;
	patch->len = len;
	patch->type = type;
	arch_jump_label_encode(patch->new, code, jump_entry_target(site), type,
			       len);
	return true;
}

static bool queue_grow(void)
{
	struct jump_patch *larger;

	larger = jump_host_alloc(4 * queue_max, sizeof(*larger));
	if (!larger)
		return false;
	memcpy(larger, queue, queue_nr * sizeof(*larger));
	if (queue != queue_reserve)
		jump_host_free(queue);
	queue = larger;
	queue_max *= 2;
	return true;
}

static unsigned long patch_code(const struct jump_patch *patch)
{
	return jump_entry_code(patch->site);
}

static int patch_cmp(const void *a, const void *b)
{
	unsigned long left = patch_code(a), right = patch_code(b);

	return left < right ? -1 : left > right;
}

/*
 * One pass of a radix sort: order by eight bits of the distance from @base,
 * keeping the order of equals.
 */
static void radix_pass(const struct jump_patch *from, struct jump_patch *to,
		       unsigned long base, unsigned int shift)
{
	static unsigned int place[256];	/* guarded as the queue is */
	unsigned int i, sum = 0;

	memset(place, 0, sizeof(place));
	for (i = 0; i < queue_nr; i++)
		place[(patch_code(&from[i]) - base) >> shift & 0xff]++;
	for (i = 0; i < 256; i++) {
		unsigned int nr = place[i];

		place[i] = sum;
		sum += nr;
	}
	for (i = 0; i < queue_nr; i++)
		to[place[(patch_code(&from[i]) - base) >> shift & 0xff]++] =
			from[i];
}

/* Below this a comparison sort is cheaper than clearing radix tables. */
#define RADIX_FROM	64

static void queue_sort(void)
{
	struct jump_patch *from = queue, *to = queue + queue_max;
	unsigned long low = patch_code(queue), high = low;
	unsigned int i, shift;
	bool sorted = true;

	/* The sites of one key come sorted out of their table. */
	for (i = 1; i < queue_nr; i++) {
		unsigned long code = patch_code(&queue[i]);

		sorted = sorted && code > high;
		low = min(low, code);
		high = max(high, code);
	}
	if (sorted)
		return;
	if (queue_nr < RADIX_FROM) {
		sort(queue, queue_nr, sizeof(*queue), patch_cmp, NULL);
		return;
	}
	/* All text is within 31 bits, so this ends. */
	for (shift = 0; shift < 32 && (high - low) >> shift; shift += 8) {
		radix_pass(from, to, low, shift);
		swap(from, to);
	}
	if (from != queue)
		memcpy(queue, from, queue_nr * sizeof(*queue));
}

/* Write what is queued. On failure every site is as it was. */
static int queue_write(enum jump_text_mode mode)
{
	int err;

	if (!queue_nr)
		return 0;

	queue_sort();
	err = arch_jump_label_write(queue, queue_nr, mode);
	if (err) {
		pr_err("jump_label: %u sites could not be written, error %d; they and their keys stay as they were\n",
		       queue_nr, err);
		return err;
	}
	jump_label_stats.transactions++;
	jump_label_stats.sites_written += queue_nr;
	return 0;
}

/* Empty the queue; keys of which it held sites settle, except @split. */
static void queue_clear(bool done, const struct static_key *split)
{
	while (queue_nr) {
		struct static_key *key = jump_entry_key(queue[--queue_nr].site);

		if (key != split)
			jump_key_settle(key, done);
	}
	if (queue != queue_reserve) {
		jump_host_free(queue);
		queue = queue_reserve;
		queue_max = JUMP_QUEUE_RESERVE;
	}
}

/*
 * Queue one site. When the queue cannot grow it is written first; @split is the
 * key whose sites are being queued and must not settle with that.
 */
static int queue_site(const struct jump_entry *site, enum jump_label_type type,
		      bool lenient, enum jump_text_mode mode,
		      const struct static_key *split)
{
	int err;

	if (queue_nr == queue_max && !queue_grow()) {
		err = queue_write(mode);
		queue_clear(!err, split);
		if (mode != JUMP_MODE_EARLY)
			jump_label_stats.steps_split++;
		if (err)
			return err;
	}
	if (site_wants(site, type, lenient, &queue[queue_nr]))
		queue_nr++;
	return 0;
}

static bool table_has_text(const struct jump_table *table,
			   const struct jump_entry *site)
{
	unsigned long code = jump_entry_code(site);
	enum jump_text text = jump_host_text(table, code);

	WARN_ONCE(text == JUMP_TEXT_FOREIGN,
		  "jump_label: entry of key %pS names %pS [0x%lx], which is no text\n",
		  jump_entry_key(site), (void *)code, code);
	return text == JUMP_TEXT_GOOD;
}

static enum jump_text_mode live_mode(void)
{
	return jump_host_early() ? JUMP_MODE_EARLY : JUMP_MODE_LIVE;
}

/* Queue the sites of @key for the direction the key has or turns to. */
static int queue_key_sites(struct static_key *key, bool lenient)
{
	enum jump_text_mode mode = live_mode();
	bool on = jump_key_is_on(key);
	struct jump_table *table;
	struct jump_entry *site;
	int err;

	for_each_jump_table(table) {
		for_each_jump_site(site, table, key) {
			if (!table_has_text(table, site))
				continue;
			err = queue_site(site,
					 jump_type(on, jump_entry_likely(site)),
					 lenient, mode, key);
			if (err)
				return err;
		}
		if (site)
			table->next_run = site;
	}
	return 0;
}

/*
 * A key whose sites were split could not be written to the end: settle it where
 * it was and write the sites of the earlier steps back.
 */
static void key_go_back(struct static_key *key)
{
	int err;

	jump_key_settle(key, false);
	err = queue_key_sites(key, true);
	if (!err)
		err = queue_write(live_mode());
	queue_clear(!err, NULL);
	WARN(err, "jump_label: sites of key %pS disagree, as text cannot be written: error %d\n",
	     key, err);
}

/**
 * jump_queue_key() - queue the sites of a key that turns
 * @key: a key in one of the turning states
 *
 * A key without sites settles at once.
 *
 * Return: 0, or a negative errno with the key settled where it was.
 */
int jump_queue_key(struct static_key *key)
{
	unsigned long splits = jump_label_stats.steps_split;
	int err = queue_key_sites(key, false);

	if (err)
		key_go_back(key);
	else if (!queue_nr || jump_entry_key(queue[queue_nr - 1].site) != key)
		jump_key_settle(key, true);
	else if (splits != jump_label_stats.steps_split)
		/* Do not leave the key half written until somebody applies. */
		err = jump_queue_commit(key);
	return err;
}

/**
 * jump_queue_commit() - write what is queued and settle its keys
 * @key: the key this is done for, or NULL
 *
 * Return: 0, or a negative errno with all keys and sites as they were.
 */
int jump_queue_commit(struct static_key *key)
{
	bool split = key && atomic_read(&key->enabled) < 0;
	int err = queue_write(live_mode());

	queue_clear(!err, NULL);
	if (err && split)
		key_go_back(key);
	return err;
}

/**
 * jump_queue_flush() - carry out changes queued earlier
 *
 * Return: as jump_queue_commit().
 */
int jump_queue_flush(void)
{
	return queue_nr ? jump_queue_commit(NULL) : 0;
}

/**
 * jump_table_sync() - bring all sites of a table in line with their keys
 * @table: a table whose text nobody runs yet
 * @mode: JUMP_MODE_EARLY or JUMP_MODE_COLD; the queue must be empty
 *
 * Also replaces the NOP of the build by the chosen one.
 * Return: 0 or a negative errno.
 */
int jump_table_sync(struct jump_table *table, enum jump_text_mode mode)
{
	struct jump_entry *site;
	int err = 0;

	for (site = table->start; !err && site < table->stop; site++)
		if (table_has_text(table, site))
			err = queue_site(site, jump_site_type(site), true, mode,
					 NULL);
	if (!err)
		err = queue_write(mode);
	queue_clear(!err, NULL);
	return err;
}
