// SPDX-License-Identifier: GPL-2.0
/*
 * A shared object that is loaded and unloaded: sites of its own keys, of keys in
 * another shared object, and of one in the program
 */
#include "shared.h"

static DEFINE_STATIC_KEY_FALSE(own);

int plugin_run(void);
int plugin_start_run(void);
void plugin_own(int on);

#define BIT(nr, hint, key)	(static_branch_##hint(key) ? 1 << (nr) : 0)

int plugin_run(void)
{
	return BIT(0, unlikely, &own) | BIT(1, unlikely, &common) |
		BIT(2, likely, &common_true) | BIT(3, likely, &common) |
		BIT(4, unlikely, &common_true) | BIT(5, unlikely, &distant);
}

static int at_start;

__attribute__((__constructor__)) static void start(void)
{
	at_start = plugin_run();
}

int plugin_start_run(void)
{
	return at_start;
}

void plugin_own(int on)
{
	if (on)
		static_branch_enable(&own);
	else
		static_branch_disable(&own);
}
