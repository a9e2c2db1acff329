/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _TOOLS_LINUX_BUG_H
#define _TOOLS_LINUX_BUG_H

/* Who includes this provides host_warn(fmt, ...), which takes what printk() does. */
#include <stdbool.h>

#define WARN(bad, fmt, ...)						\
({									\
	bool __bad = (bad);						\
	if (__bad)							\
		host_warn(fmt, ##__VA_ARGS__);				\
	__bad;								\
})
#define WARN_ONCE(bad, fmt, ...)					\
({									\
	static bool __warned;						\
	bool __now = (bad);						\
	if (__now && !__atomic_exchange_n(&__warned, true, __ATOMIC_RELAXED)) \
		host_warn(fmt, ##__VA_ARGS__);				\
	__now;								\
})
#define WARN_ON(bad)		WARN(bad, "jump_label: %s\n", #bad)

#endif /* _TOOLS_LINUX_BUG_H */
