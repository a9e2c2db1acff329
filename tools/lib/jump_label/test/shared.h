/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _TEST_SHARED_H
#define _TEST_SHARED_H

#include <jump_label.h>

/* Both live in keys.c, which is a shared object of its own. */
DECLARE_STATIC_KEY_FALSE_SHARED(common);
DECLARE_STATIC_KEY_TRUE_SHARED(common_true);

/* Lives in the program. */
DECLARE_STATIC_KEY_FALSE_SHARED(distant);

#endif /* _TEST_SHARED_H */
