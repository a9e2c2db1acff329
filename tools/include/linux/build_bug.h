/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _TOOLS_LINUX_BUILD_BUG_H
#define _TOOLS_LINUX_BUILD_BUG_H

#define BUILD_BUG_ON(bad)	_Static_assert(!(bad), #bad)

#endif /* _TOOLS_LINUX_BUILD_BUG_H */
