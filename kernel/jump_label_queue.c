// SPDX-License-Identifier: GPL-2.0
/*
 * Static keys: transactions
 *
 * Keys that turn are listed. A commit finds the sites of all of them, has the
 * architecture write those at once, and only then do the keys settle. The cost
 * is three rounds of interrupts, however many keys and sites there are.
 *
 * Both lists grow while there is memory. Without memory a full list of keys is
 * committed early, and a full list of sites is written and the rest follows in
 * further steps: slower, but complete. If one step fails, the sites of the
 * earlier ones are written back, so a transaction is done whole or not at all.
 *
 * A site is written only when its bytes are those of the other type (seam J3).
 * Anything else is reported and left alone: whoever changed the text behind our
 * back may still be running it.
 */
#include "jump_label_internal.h"
#include "jump_label.h"

/* Enough for nearly every change; lets a commit do without memory. */
#define JUMP_QUEUE_RESERVE	256

static struct static_key *keys_reserve[JUMP_QUEUE_RESERVE];
struct jump_turning jump_turning = {
	.key = keys_reserve,
	.max = JUMP_QUEUE_RESERVE,
};

/*
 * The sites of these keys while they are committed; guarded by jump_label_mutex.
 * They stand from queue up to queue_next, and there is room up to queue_end, and
 * for as many again behind that to sort into.
 */
static struct jump_patch queue_reserve[2 * JUMP_QUEUE_RESERVE];
static struct jump_patch *queue = queue_reserve;
static struct jump_patch *queue_next = queue_reserve;
static struct jump_patch *queue_end = queue_reserve + JUMP_QUEUE_RESERVE;

/* The bits in which the addresses of these sites differ. */
static unsigned long queue_differ;

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
	if (jump_bytes_equal(found, want, n))
		return JUMP_SITE_JMP;

	arch_jump_label_encode(want, code, target, JUMP_LABEL_NOP, n);
	if (jump_bytes_equal(found, want, n))
		return JUMP_SITE_NOP;
	return arch_jump_label_is_nop(found, n) ? JUMP_SITE_OTHER_NOP :
						  JUMP_SITE_BAD;
}
EXPORT_SYMBOL_IF_KUNIT(jump_site_read);

/* What stands at a site that is of this type. */
static enum jump_site_state state_of(enum jump_label_type type)
{
	return type == JUMP_LABEL_JMP ? JUMP_SITE_JMP : JUMP_SITE_NOP;
}

/**
 * jump_site_right() - does a site hold what its key says
 * @table: the table of the site
 * @site: the site
 *
 * A queued key has yet to turn, and so have its sites. Text that is gone is
 * right; an address that is no text is not.
 *
 * Context: holds jump_label_mutex.
 */
bool jump_site_right(const struct jump_table *table,
		     const struct jump_entry *site)
{
	int count = atomic_read(&jump_entry_key(site)->enabled);
	bool on = count > 0 || count == KEY_TURNING_OFF;
	enum jump_label_type type = jump_type(on, jump_entry_likely(site));
	enum jump_text text = jump_host_text(table, jump_entry_code(site));
	u8 found[JUMP_LABEL_INSN_MAX];
	unsigned int len;

	if (text != JUMP_TEXT_GOOD)
		return text == JUMP_TEXT_GONE;
	return jump_site_read(site, found, &len) == state_of(type);
}
EXPORT_SYMBOL_IF_KUNIT(jump_site_right);

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

/*
 * A site that does not hold the bytes of the other type. When it starts or comes
 * back (@lenient), it may be right already or hold the NOP of the build.
 */
static bool site_is_odd(const struct jump_entry *site,
			enum jump_label_type type, bool lenient,
			struct jump_patch *patch)
{
	enum jump_site_state state;
	unsigned int len;

	state = jump_site_read(site, patch->old, &len);
	if (lenient && state == state_of(type))
		return false;
	if (!lenient || state != JUMP_SITE_OTHER_NOP) {
		site_report(site, patch->old, len, type);
		return false;
	}
	patch->len = len;
	patch->next = type == JUMP_LABEL_JMP ? jump_entry_target(site) :
					       patch->code + len;
	arch_jump_label_encode(patch->new, patch->code, jump_entry_target(site),
			       type, len);
	return true;
}

/* Fill in @patch. Return: does the site have to be written to become @type? */
static __always_inline bool site_wants(const struct jump_entry *site,
		       enum jump_label_type type, bool lenient,
		       struct jump_patch *patch)
{
	patch->code = jump_entry_code(site);
	/* The first is the way of nearly all sites. */
	return arch_jump_label_prepare(patch, jump_entry_target(site), type) ||
	       site_is_odd(site, type, lenient, patch);
}

static int patch_cmp(const void *a, const void *b)
{
	const struct jump_patch *left = a, *right = b;

	return left->code < right->code ? -1 : left->code > right->code;
}

/* Below this a comparison sort is cheaper than clearing tables. */
#define RADIX_FROM	64
/* Sites that differ only in so many low bits are left to radix_finish(). */
#define RADIX_LEFT	8

/* How many sites have each value of the byte that is sorted by next. */
static unsigned int radix_count[256];	/* guarded as the queue is */

/*
 * One pass of a radix sort: order by one byte of the address, keeping the order
 * of equals, and count for the next pass, which is cheaper than to look at all
 * sites once more.
 */
static void radix_pass(const struct jump_patch *from, struct jump_patch *to,
		       unsigned int shift)
{
	static struct jump_patch *place[256];	/* guarded as the queue is */
	const struct jump_patch *end = from + (queue_next - queue);
	unsigned int i;

	for (i = 0; i < 256; i++) {
		place[i] = to;
		to += radix_count[i];
	}
	memset(radix_count, 0, sizeof(radix_count));
	for (; from < end; from++) {
		unsigned long byte = from->code >> shift;

		*place[byte & 0xff]++ = *from;
		radix_count[byte >> 8 & 0xff]++;
	}
}

/*
 * Sites that the passes saw as equal lie so close together that there are few,
 * so an insertion sort moves each by a few places at most.
 */
static void radix_finish(struct jump_patch *patch)
{
	struct jump_patch *const start = patch;
	struct jump_patch *const end = patch + (queue_next - queue);

	for (patch++; patch < end; patch++) {
		struct jump_patch moved, *to = patch;

		if (patch[-1].code < patch->code)
			continue;
		moved = *patch;
		for (; to > start && to[-1].code > moved.code; to--)
			*to = to[-1];
		*to = moved;
	}
}

/*
 * By as many bytes as it takes. Bits that do not fill a byte are left out at the
 * low end: a pass over all sites costs more than to put a few right.
 */
static struct jump_patch *radix_sort(void)
{
	struct jump_patch *from = queue, *to = queue_end, *patch;
	unsigned int bits = fls_long(queue_differ);
	unsigned int passes = bits > RADIX_LEFT ? (bits - RADIX_LEFT + 7) / 8 : 0;
	unsigned int shift = bits > 8 * passes ? bits - 8 * passes : 0;

	memset(radix_count, 0, sizeof(radix_count));
	for (patch = from; passes && patch < queue_next; patch++)
		radix_count[patch->code >> shift & 0xff]++;
	for (; passes; passes--, shift += 8) {
		radix_pass(from, to, shift);
		swap(from, to);
	}
	radix_finish(from);
	return from;
}

/* Order the queue by address. Return: where it stands now. */
static struct jump_patch *queue_sort(void)
{
	struct jump_patch *const start = queue, *const end = queue_next;
	struct jump_patch *patch = start + 1;

	while (patch < end && patch[-1].code < patch->code)
		patch++;
	/* The sites of one key come sorted out of their table. */
	if (patch == end)
		return start;
	if (end - start >= RADIX_FROM)
		return radix_sort();
	sort(start, end - start, sizeof(*start), patch_cmp, NULL);
	return start;
}

/* Empty the queue: write what is in it. On failure no site has changed. */
static int queue_write(enum jump_text_mode mode)
{
	unsigned int nr = queue_next - queue;
	int err;

	if (!nr)
		return 0;
	err = arch_jump_label_write(queue_sort(), nr, mode);
	queue_next = queue;
	queue_differ = 0;
	if (err) {
		pr_err("jump_label: %u sites could not be written, error %d; they and their keys stay as they were\n",
		       nr, err);
		return err;
	}
	jump_label_stats.transactions++;
	jump_label_stats.sites_written += nr;
	return 0;
}

static void queue_set(struct jump_patch *memory, unsigned int max)
{
	queue = memory;
	queue_next = memory;
	queue_end = memory + max;
}

static void queue_free(void)
{
	if (queue != queue_reserve)
		jump_host_free(queue);
	queue_set(queue_reserve, JUMP_QUEUE_RESERVE);
}

/* Room for so many sites; no fewer than there are in the queue. */
static bool queue_grow(unsigned int max)
{
	unsigned int nr = queue_next - queue;
	struct jump_patch *larger;

	larger = jump_host_alloc(2 * max, sizeof(*larger));
	if (!larger)
		return false;
	memcpy(larger, queue, nr * sizeof(*larger));
	queue_free();
	queue_set(larger, max);
	queue_next += nr;
	return true;
}

/* Make room. When the queue cannot grow it is written first. */
static int queue_make_room(enum jump_text_mode mode)
{
	if (queue_grow(2 * (queue_end - queue)))
		return 0;
	if (mode != JUMP_MODE_EARLY)
		jump_label_stats.steps_split++;
	return queue_write(mode);
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

/* Queue one site, unless its text is gone or it is as it should be. */
static __always_inline int queue_site(const struct jump_table *table,
		      const struct jump_entry *site, enum jump_label_type type,
		      bool lenient, enum jump_text_mode mode)
{
	int err;

	if (!jump_host_text_stays(jump_entry_code(site)) &&
	    !table_has_text(table, site))
		return 0;
	if (queue_next == queue_end) {
		err = queue_make_room(mode);
		if (err)
			return err;
	}
	if (site_wants(site, type, lenient, queue_next)) {
		queue_differ |= queue_next->code ^ queue->code;
		queue_next++;
	}
	return 0;
}

/* Queue the sites of @key for the direction it turns to, or @back. */
static __always_inline int queue_key_sites(struct static_key *key, bool back,
			   enum jump_text_mode mode)
{
	bool on = jump_key_is_on(key) != back;
	struct jump_table *table;
	struct jump_entry *site;
	int err;

	for_each_jump_table(table) {
		site = jump_table_find(table, key);
		if (!site)
			continue;
		do {
			err = queue_site(table, site,
					 jump_type(on, jump_entry_likely(site)),
					 back, mode);
			if (err)
				return err;
			site++;
		} while (site < table->stop && jump_entry_key(site) == key);
		table->next_run = site;
	}
	return 0;
}

/* Write the sites of all keys for the direction they turn to, or @back. */
static int keys_write(bool back)
{
	enum jump_text_mode mode = jump_host_early() ? JUMP_MODE_EARLY :
						       JUMP_MODE_LIVE;
	struct static_key **key = jump_turning.key;
	struct static_key **const end = key + jump_turning.nr;
	int err = 0;

	/* Most keys have one site. Without memory there is a way further on. */
	if (jump_turning.nr > queue_end - queue)
		queue_grow(jump_turning.nr);
	for (; !err && key < end; key++)
		err = queue_key_sites(*key, back, mode);
	if (!err)
		err = queue_write(mode);
	return err;
}

static void keys_free(void)
{
	if (jump_turning.key == keys_reserve)
		return;
	jump_host_free(jump_turning.key);
	jump_turning.key = keys_reserve;
	jump_turning.max = JUMP_QUEUE_RESERVE;
}

/*
 * End the turn of all keys: as @done, or back to where they came from. The
 * count turns positive with release order, see the head of jump_label.c.
 */
static void keys_settle(bool done)
{
	struct static_key **key = jump_turning.key;
	struct static_key **const end = key + jump_turning.nr;

	for (; key < end; key++) {
		int count = atomic_read(&(*key)->enabled);

		atomic_set_release(&(*key)->enabled,
				   (count == KEY_TURNING_ON) == done);
	}
	jump_turning.nr = 0;
	keys_free();
}

/* By a loop of its own, so that nobody pays for it who does not look. */
static void keys_trace(void)
{
	struct static_key **key = jump_turning.key;
	struct static_key **const end = key + jump_turning.nr;

	for (; key < end; key++)
		trace_jump_label_turn(*key, jump_key_is_on(*key));
}

/**
 * jump_queue_commit() - turn the keys that are listed
 *
 * Return: 0, or a negative errno with all keys and sites as they were.
 */
int jump_queue_commit(void)
{
	struct jump_label_stats before = jump_label_stats;
	int err = keys_write(false), mend = 0;

	/* Earlier steps may have been written. */
	if (err && jump_label_stats.transactions != before.transactions)
		mend = keys_write(true);
	WARN(mend, "jump_label: some sites disagree with their keys, as text cannot be written: error %d\n",
	     mend);
	if (!err && trace_jump_label_turn_enabled())
		keys_trace();
	trace_jump_label_commit(jump_turning.nr,
				jump_label_stats.sites_written - before.sites_written,
				jump_label_stats.transactions - before.transactions,
				err);
	queue_free();
	keys_settle(!err);
	return err;
}

/**
 * jump_queue_flush() - carry out changes queued earlier
 *
 * Return: as jump_queue_commit().
 */
int jump_queue_flush(void)
{
	return jump_turning.nr ? jump_queue_commit() : 0;
}

/**
 * jump_queue_grow() - room for one more key that turns
 *
 * Return: false when there is no memory for it.
 */
bool jump_queue_grow(void)
{
	unsigned int max = 4 * jump_turning.max;
	struct static_key **larger;

	larger = jump_host_alloc(max, sizeof(*larger));
	if (!larger) {
		jump_label_stats.steps_split++;
		return false;
	}
	memcpy(larger, jump_turning.key, jump_turning.nr * sizeof(*larger));
	keys_free();
	jump_turning.key = larger;
	jump_turning.max = max;
	return true;
}

/**
 * jump_table_sync() - bring all sites of a table in line with their keys
 * @table: a table whose text nobody runs yet
 * @mode: JUMP_MODE_EARLY or JUMP_MODE_COLD; no key may be listed
 *
 * Also replaces the NOP of the build by the chosen one.
 * Return: 0 or a negative errno.
 */
int jump_table_sync(struct jump_table *table, enum jump_text_mode mode)
{
	struct jump_entry *site;
	int err = 0;

	for (site = table->start; !err && site < table->stop; site++)
		err = queue_site(table, site, jump_site_type(site), true, mode);
	if (!err)
		err = queue_write(mode);
	queue_free();
	return err;
}
