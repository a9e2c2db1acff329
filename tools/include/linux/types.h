/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _TOOLS_LINUX_TYPES_H
#define _TOOLS_LINUX_TYPES_H

/* Kernel headers of the system include this one by the same name. */
#include_next <linux/types.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint32_t u32;
typedef int8_t s8;
typedef int32_t s32;

typedef struct {
	int counter;
} atomic_t;

#endif /* _TOOLS_LINUX_TYPES_H */
