// SPDX-License-Identifier: GPL-2.0
/*
 * Static keys: what an operator can see, in debugfs under jump_label/
 *
 *	summary		counters, one "name: value" a line
 *	keys		key, count, sites
 *	sites		site, key, what stands there, length, bytes, verdict
 *	verify		reading it checks every site against its key
 *
 * All are readable by root alone and change nothing.
 */
#include <linux/debugfs.h>
#include <linux/seq_file.h>
#include "jump_label_internal.h"
#include "jump_label.h"

enum site_verdict {
	SITE_OK,
	SITE_INIT,	/* its text is gone */
	SITE_BAD,
	NR_VERDICTS,
};

static const char *const verdict_names[] = { "ok", "init", "bad" };
static const char *const state_names[] = { "nop", "jmp", "nop?", "?" };

/* Judge one site, and say what stands there. */
static enum site_verdict site_judge(const struct jump_table *table,
				    const struct jump_entry *site, u8 *found,
				    unsigned int *len,
				    enum jump_site_state *state)
{
	enum jump_site_state right = jump_site_type(site) == JUMP_LABEL_JMP ?
					JUMP_SITE_JMP : JUMP_SITE_NOP;

	*len = 0;
	*state = JUMP_SITE_BAD;
	switch (jump_host_text(table, jump_entry_code(site))) {
	case JUMP_TEXT_GOOD:
		*state = jump_site_read(site, found, len);
		return *state == right ? SITE_OK : SITE_BAD;
	case JUMP_TEXT_GONE:
		return SITE_INIT;
	default:
		return SITE_BAD;
	}
}

static void sites_judge(unsigned int verdicts[NR_VERDICTS])
{
	u8 found[JUMP_LABEL_INSN_MAX];
	enum jump_site_state state;
	struct jump_table *table;
	struct jump_entry *site;
	unsigned int len;

	for_each_jump_table(table)
		for (site = table->start; site < table->stop; site++)
			verdicts[site_judge(table, site, found, &len, &state)]++;
}

static int verify_show(struct seq_file *m, void *unused)
{
	unsigned int verdicts[NR_VERDICTS] = { };

	jump_label_lock();
	sites_judge(verdicts);
	jump_label_unlock();
	seq_printf(m, "sites %u ok %u init %u bad %u\n",
		   verdicts[SITE_OK] + verdicts[SITE_INIT] + verdicts[SITE_BAD],
		   verdicts[SITE_OK], verdicts[SITE_INIT], verdicts[SITE_BAD]);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(verify);

static int sites_show(struct seq_file *m, void *unused)
{
	u8 found[JUMP_LABEL_INSN_MAX];
	enum jump_site_state state;
	enum site_verdict verdict;
	struct jump_table *table;
	struct jump_entry *site;
	unsigned int len;

	jump_label_lock();
	for_each_jump_table(table) {
		for (site = table->start; site < table->stop; site++) {
			verdict = site_judge(table, site, found, &len, &state);
			seq_printf(m, "%pS %pS %s %u %*phN %s\n",
				   (void *)jump_entry_code(site),
				   jump_entry_key(site), state_names[state],
				   len, len, found, verdict_names[verdict]);
		}
	}
	jump_label_unlock();
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(sites);

/* Sites of @key in all tables; 0 in *@first unless @table is the first. */
static unsigned int key_sites(const struct jump_table *table,
			      struct static_key *key, bool *first)
{
	struct jump_table *other;
	struct jump_entry *site;
	unsigned int nr = 0;

	*first = true;
	for_each_jump_table(other) {
		for_each_jump_site(site, other, key) {
			if (!nr++)
				*first = other == table;
		}
	}
	return nr;
}

/* Call @show for each key once, in the order of tables. */
static unsigned int keys_walk(struct seq_file *m)
{
	struct jump_table *table;
	struct jump_entry *site;
	struct static_key *key;
	unsigned int nr = 0, sites;
	bool first;

	for_each_jump_table(table) {
		key = NULL;
		for (site = table->start; site < table->stop; site++) {
			if (jump_entry_key(site) == key)
				continue;
			key = jump_entry_key(site);
			sites = key_sites(table, key, &first);
			if (!first)
				continue;
			nr++;
			if (m)
				seq_printf(m, "%pS %d %u\n", key,
					   static_key_count(key), sites);
		}
	}
	return nr;
}

static int keys_show(struct seq_file *m, void *unused)
{
	jump_label_lock();
	keys_walk(m);
	jump_label_unlock();
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(keys);

static int summary_show(struct seq_file *m, void *unused)
{
	const struct jump_label_stats *stats = &jump_label_stats;
	unsigned int sites = 0, tables = 0;
	struct jump_table *table;

	jump_label_lock();
	for_each_jump_table(table) {
		sites += table->stop - table->start;
		tables++;
	}
	seq_printf(m, "sites: %u\nkeys: %u\ntables: %u\nbytes_per_site: %zu\n",
		   sites, keys_walk(NULL), tables, sizeof(struct jump_entry));
	seq_printf(m, "transactions: %lu\nsync_rounds: %lu\nsites_written: %lu\n",
		   stats->transactions, stats->sync_rounds,
		   stats->sites_written);
	seq_printf(m, "sites_refused: %lu\nsteps_split: %lu\n",
		   stats->sites_refused, stats->steps_split);
	jump_label_unlock();
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(summary);

static int __init jump_label_debugfs_init(void)
{
	struct dentry *dir = debugfs_create_dir("jump_label", NULL);

	debugfs_create_file("summary", 0400, dir, NULL, &summary_fops);
	debugfs_create_file("keys", 0400, dir, NULL, &keys_fops);
	debugfs_create_file("sites", 0400, dir, NULL, &sites_fops);
	debugfs_create_file("verify", 0400, dir, NULL, &verify_fops);
	arch_jump_label_debugfs(dir);
	return 0;
}
late_initcall(jump_label_debugfs_init);
