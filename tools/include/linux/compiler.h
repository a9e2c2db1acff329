/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _TOOLS_LINUX_COMPILER_H
#define _TOOLS_LINUX_COMPILER_H

#ifndef __always_inline
#define __always_inline		inline __attribute__((__always_inline__))
#endif
#define noinline		__attribute__((__noinline__))
#define noinstr			noinline
#define __noreturn		__attribute__((__noreturn__))
#define __read_mostly
#define __ro_after_init
#define __init
#define likely_notrace(x)	__builtin_expect(!!(x), 1)
#define unlikely_notrace(x)	__builtin_expect(!!(x), 0)

/* One store, and one only. */
#define WRITE_ONCE(x, value) \
	(*(volatile __typeof__(x) *)&(x) = (value))

/* IS_ENABLED(CONFIG_X): 1 when CONFIG_X is defined as 1, else 0. */
#define __PASTE_(a, b)		a##b
#define __PASTE(a, b)		__PASTE_(a, b)
#define __HOST_COMMA_1		0,
#define __HOST_SECOND(ignored, value, ...) value
#define __HOST_ENABLED(comma_or_junk) __HOST_SECOND(comma_or_junk 1, 0, 0)
#define IS_ENABLED(option)	__HOST_ENABLED(__PASTE(__HOST_COMMA_, option))

#endif /* _TOOLS_LINUX_COMPILER_H */
