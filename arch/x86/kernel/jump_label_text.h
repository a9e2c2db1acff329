/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _X86_KERNEL_JUMP_LABEL_TEXT_H
#define _X86_KERNEL_JUMP_LABEL_TEXT_H

#include "../../../kernel/jump_label_text.h"

/* In jump_label_patch.c; see there. */
unsigned long jump_label_trap(unsigned long code);

#endif /* _X86_KERNEL_JUMP_LABEL_TEXT_H */
