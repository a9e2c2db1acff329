/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _TOOLS_LINUX_BITOPS_H
#define _TOOLS_LINUX_BITOPS_H

/* The number of the highest bit that is set, from 1; 0 when there is none. */
static inline unsigned int fls_long(unsigned long word)
{
	return word ? 8 * sizeof(word) - __builtin_clzl(word) : 0;
}

#endif /* _TOOLS_LINUX_BITOPS_H */
