// SPDX-License-Identifier: GPL-2.0
/* sigaction() behind ours, in a static library: the name C libraries give it. */
#include "host.h"

int __sigaction(int nr, const struct sigaction *new, struct sigaction *old);

int jump_real_sigaction(int nr, const struct sigaction *new,
			struct sigaction *old)
{
	return __sigaction(nr, new, old);
}
