// SPDX-License-Identifier: GPL-2.0
/*
 * Static keys: self-test at boot, before other CPUs are up
 *
 * Each default, asked in each way, turned twice. A failure warns and names the
 * line.
 */
#include "jump_label_internal.h"

static DEFINE_STATIC_KEY_TRUE(starts_on);
static DEFINE_STATIC_KEY_FALSE(starts_off);

static bool __init all_agree(bool on_key, bool off_key)
{
	return static_branch_likely(&starts_on) == on_key &&
	       static_branch_unlikely(&starts_on) == on_key &&
	       static_key_enabled(&starts_on) == on_key &&
	       static_branch_likely(&starts_off) == off_key &&
	       static_branch_unlikely(&starts_off) == off_key &&
	       static_branch(&starts_off) == off_key &&
	       static_key_enabled(&starts_off) == off_key;
}

static int __init jump_label_selftest(void)
{
	int round;

	for (round = 0; round < 2; round++) {
		WARN_ON(!all_agree(true, false));
		static_branch_disable(&starts_on);
		WARN_ON(!all_agree(false, false));
		static_branch_inc(&starts_off);
		WARN_ON(!all_agree(false, true));
		static_branch_enable(&starts_on);
		WARN_ON(!all_agree(true, true));
		static_branch_dec(&starts_off);
	}
	WARN_ON(!all_agree(true, false));
	pr_info("jump_label: self-test done\n");
	return 0;
}
early_initcall(jump_label_selftest);
