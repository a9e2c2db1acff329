// SPDX-License-Identifier: GPL-2.0
/* A shared object with keys for others, and a site of its own. */
#include "shared.h"

DEFINE_STATIC_KEY_FALSE_SHARED(common);
DEFINE_STATIC_KEY_TRUE_SHARED(common_true);

int keys_run(void);

int keys_run(void)
{
	return static_branch_unlikely(&common) ? 1 : 0;
}
