/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _HOST_LINUX_TYPES_H
#define _HOST_LINUX_TYPES_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef int8_t s8;
typedef int32_t s32;

typedef struct {
	int counter;
} atomic_t;

#endif /* _HOST_LINUX_TYPES_H */
