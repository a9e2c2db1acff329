// SPDX-License-Identifier: GPL-2.0
/*
 * Static keys: loadable modules as tables
 *
 * A module's table comes while its text is in place and write-protected but
 * not yet run, turns live when its init function has returned and before its
 * init text is freed, and goes before the module does. A key may stand in the
 * kernel or in one module and be used by another: module dependencies keep the
 * key, and the sites are found by searching every table.
 */
#include "jump_label_internal.h"
#include "jump_label.h"

static int module_table_add(struct module *mod)
{
	struct jump_table *table;
	int err;

	if (!mod->num_jump_entries)
		return 0;

	table = jump_label_fails_alloc() ? NULL :
					   kzalloc(sizeof(*table), GFP_KERNEL);
	if (!table) {
		pr_err("jump_label: no memory for the %u sites of module %s; it is not loaded\n",
		       mod->num_jump_entries, mod->name);
		return -ENOMEM;
	}
	table->start = mod->jump_entries;
	table->stop = mod->jump_entries + mod->num_jump_entries;
	table->owner = mod;
	table->state = JUMP_TABLE_COMING;

	err = jump_table_add(table, JUMP_MODE_COLD);
	if (err) {
		pr_err("jump_label: sites of module %s could not be written, error %d; it is not loaded\n",
		       mod->name, err);
		kfree(table);
	}
	return err;
}

static void module_table_live(struct module *mod)
{
	struct jump_table *table = jump_table_of(mod);

	if (table)
		table->state = JUMP_TABLE_LIVE;
}

static void module_table_remove(struct module *mod)
{
	struct jump_table *table = jump_table_of(mod);

	if (table) {
		jump_table_remove(table);
		kfree(table);
	}
}

static int module_event(struct notifier_block *self, unsigned long event,
			void *data)
{
	int err = 0;

	cpus_read_lock();
	jump_label_lock();
	/* The queue must hold no site of a module that goes. */
	jump_queue_flush();
	switch (event) {
	case MODULE_STATE_COMING:
		err = module_table_add(data);
		break;
	case MODULE_STATE_LIVE:
		module_table_live(data);
		break;
	case MODULE_STATE_GOING:
		module_table_remove(data);
		break;
	}
	jump_label_unlock();
	cpus_read_unlock();
	return notifier_from_errno(err);
}

/* Before tracepoints, which may turn keys of a module on as it comes. */
static struct notifier_block module_notifier = {
	.notifier_call	= module_event,
	.priority	= 1,
};

static int __init jump_label_module_init(void)
{
	return register_module_notifier(&module_notifier);
}
early_initcall(jump_label_module_init);
