/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _TOOLS_LINUX_EXPORT_H
#define _TOOLS_LINUX_EXPORT_H

/* A name that is exported must at least be declared. */
#define EXPORT_SYMBOL_GPL(symbol) \
	_Static_assert(sizeof(&symbol) > 0, "exported")
#define EXPORT_SYMBOL_IF_KUNIT(symbol)	EXPORT_SYMBOL_GPL(symbol)

#endif /* _TOOLS_LINUX_EXPORT_H */
