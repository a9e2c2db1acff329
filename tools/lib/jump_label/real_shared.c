// SPDX-License-Identifier: GPL-2.0
/* sigaction() behind ours, where there is a dynamic linker. */
#include <dlfcn.h>
#include "host.h"

static int (*next_sigaction)(int, const struct sigaction *, struct sigaction *);

/* Early, as handlers must not look up names. */
static void __attribute__((__constructor__(101))) find_sigaction(void)
{
	*(void **)&next_sigaction = dlsym(RTLD_NEXT, "sigaction");
}

int jump_real_sigaction(int nr, const struct sigaction *new,
			struct sigaction *old)
{
	if (!next_sigaction)
		find_sigaction();
	return next_sigaction(nr, new, old);
}
