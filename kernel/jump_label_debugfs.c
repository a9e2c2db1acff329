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

static enum site_verdict site_judge(const struct jump_table *table,
				    const struct jump_entry *site)
{
	if (jump_host_text(table, jump_entry_code(site)) == JUMP_TEXT_GONE)
		return SITE_INIT;
	return jump_site_right(table, site) ? SITE_OK : SITE_BAD;
}

static void sites_judge(unsigned int verdicts[NR_VERDICTS])
{
	struct jump_table *table;
	struct jump_entry *site;

	for_each_jump_table(table)
		for (site = table->start; site < table->stop; site++)
			verdicts[site_judge(table, site)]++;
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

static void site_show(struct seq_file *m, const struct jump_table *table,
		      const struct jump_entry *site)
{
	enum jump_site_state state = JUMP_SITE_BAD;
	unsigned long code = jump_entry_code(site);
	u8 found[JUMP_LABEL_INSN_MAX];
	unsigned int len = 0;

	if (jump_host_text(table, code) == JUMP_TEXT_GOOD)
		state = jump_site_read(site, found, &len);
	seq_printf(m, "%pS %pS %s %u %*phN %s\n", (void *)code,
		   jump_entry_key(site), state_names[state], len, len, found,
		   verdict_names[site_judge(table, site)]);
}

static int sites_show(struct seq_file *m, void *unused)
{
	struct jump_table *table;
	struct jump_entry *site;

	jump_label_lock();
	for_each_jump_table(table)
		for (site = table->start; site < table->stop; site++)
			site_show(m, table, site);
	jump_label_unlock();
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(sites);

static unsigned int key_sites(struct static_key *key)
{
	struct jump_table *table;
	struct jump_entry *site;
	unsigned int nr = 0;

	for_each_jump_table(table)
		for_each_jump_site(site, table, key)
			nr++;
	return nr;
}

static int keys_show(struct seq_file *m, void *unused)
{
	struct static_key *key;

	jump_label_lock();
	for_each_jump_key(key)
		seq_printf(m, "%pS %d %u\n", key, static_key_count(key),
			   key_sites(key));
	jump_label_unlock();
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(keys);

static int summary_show(struct seq_file *m, void *unused)
{
	const struct jump_label_stats *stats = &jump_label_stats;
	unsigned int sites = 0, keys = 0, tables = 0;
	struct jump_table *table;
	struct static_key *key;

	jump_label_lock();
	for_each_jump_table(table) {
		sites += table->stop - table->start;
		tables++;
	}
	for_each_jump_key(key)
		keys++;
	seq_printf(m, "sites: %u\nkeys: %u\ntables: %u\nbytes_per_site: %zu\n",
		   sites, keys, tables, sizeof(struct jump_entry));
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
