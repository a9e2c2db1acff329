// SPDX-License-Identifier: GPL-2.0
/*
 * Static keys: the tracepoints, which Linux alone has among the hosts
 */
#include <linux/jump_label.h>

#define CREATE_TRACE_POINTS
#include <trace/events/jump_label.h>
