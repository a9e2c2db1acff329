/* SPDX-License-Identifier: GPL-2.0 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM jump_label

#if !defined(_TRACE_JUMP_LABEL_H) || defined(TRACE_HEADER_MULTI_READ)
#define _TRACE_JUMP_LABEL_H

/*
 * Which keys turn, when, and what it took. Both events come while the engine's
 * lock is held and all sites are written, so a probe must not change a key.
 */
#include <linux/jump_label.h>
#include <linux/tracepoint.h>

/* A key has turned: its sites are written, its count follows at once. */
TRACE_EVENT(jump_label_turn,

	TP_PROTO(const struct static_key *key, bool on),

	TP_ARGS(key, on),

	TP_STRUCT__entry(
		__field(const void *,	key)
		__field(bool,		on)
	),

	TP_fast_assign(
		__entry->key = key;
		__entry->on = on;
	),

	TP_printk("key=%pS on=%d", __entry->key, __entry->on)
);

/*
 * A transaction is over. Each step took three sync rounds; there are several only
 * when memory was short. With an error all keys and sites are as before, and what
 * was written was written twice.
 */
TRACE_EVENT(jump_label_commit,

	TP_PROTO(unsigned int keys, unsigned long sites, unsigned long steps,
		 int error),

	TP_ARGS(keys, sites, steps, error),

	TP_STRUCT__entry(
		__field(unsigned int,	keys)
		__field(unsigned long,	sites)
		__field(unsigned long,	steps)
		__field(int,		error)
	),

	TP_fast_assign(
		__entry->keys = keys;
		__entry->sites = sites;
		__entry->steps = steps;
		__entry->error = error;
	),

	TP_printk("keys=%u sites=%lu steps=%lu error=%d", __entry->keys,
		  __entry->sites, __entry->steps, __entry->error)
);

#endif /* _TRACE_JUMP_LABEL_H */

/* Read once more for each pass of the trace macros. */
#include <trace/define_trace.h>
