/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_TRACEPOINT_BATCH_H
#define _LINUX_TRACEPOINT_BATCH_H

/*
 * Probes for many tracepoints at the price of one. Between the two calls, the
 * keys of tracepoints that the calling task registers and unregisters probes
 * for are queued; the end turns all of them in one transaction. Only then do
 * the tracepoints call their probes, or stop asking whether they have any.
 *
 * Batches do not nest. While one task has a batch open, that of another task
 * is without effect: its keys turn one by one, as outside a batch.
 *
 * Context: may sleep.
 */
#ifdef CONFIG_TRACEPOINTS
void tracepoint_batch_begin(void);
void tracepoint_batch_end(void);
#else
static inline void tracepoint_batch_begin(void) { }
static inline void tracepoint_batch_end(void) { }
#endif

#endif /* _LINUX_TRACEPOINT_BATCH_H */
