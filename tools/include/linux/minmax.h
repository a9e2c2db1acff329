/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _TOOLS_LINUX_MINMAX_H
#define _TOOLS_LINUX_MINMAX_H

/* For arguments without side effects. */
#define min(a, b)		((a) < (b) ? (a) : (b))
#define max(a, b)		((a) > (b) ? (a) : (b))
#define swap(a, b)							\
do {									\
	__typeof__(a) __was_a = (a);					\
									\
	(a) = (b);							\
	(b) = __was_a;							\
} while (0)

#endif /* _TOOLS_LINUX_MINMAX_H */
