/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _HOST_H
#define _HOST_H

/* Called at each sync, when the text is between two steps. */
extern void (*host_on_sync)(void);

/* Text in this range counts as freed. */
extern unsigned long host_gone_start, host_gone_end;

#endif /* _HOST_H */
