/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _TOOLS_LINUX_LIST_H
#define _TOOLS_LINUX_LIST_H

#include <stddef.h>

struct list_head {
	struct list_head *next, *prev;
};

#define LIST_HEAD(name)	struct list_head name = { &(name), &(name) }
#define list_entry(node, type, member) \
	((type *)((char *)(node) - offsetof(type, member)))

static inline void list_add_tail(struct list_head *node, struct list_head *head)
{
	node->next = head;
	node->prev = head->prev;
	head->prev->next = node;
	head->prev = node;
}

static inline void list_del(struct list_head *node)
{
	node->next->prev = node->prev;
	node->prev->next = node->next;
}

#define list_for_each_entry(item, head, member)				\
	for ((item) = list_entry((head)->next, __typeof__(*(item)), member); \
	     &(item)->member != (head);					\
	     (item) = list_entry((item)->member.next, __typeof__(*(item)), member))

#endif /* _TOOLS_LINUX_LIST_H */
