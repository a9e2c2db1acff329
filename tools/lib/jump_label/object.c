// SPDX-License-Identifier: GPL-2.0
/*
 * Programs and shared objects as tables of the engine
 *
 * Each object registers its entries from a constructor. A fresh site jumps to
 * code that loads its key; taking an object in replaces that by a NOP or a jump,
 * and letting it go puts it back, so that destructors are right too.
 *
 *	registered --jump_label_init()--> active --unregister--> gone
 *	     '-- when sites cannot be written, for ever: sites load their keys
 */
#include <link.h>
#include <stdio.h>
#include <unistd.h>
#include "host.h"
#define JUMP_LABEL_BUILD
#undef jump_label_init
#include "jump_label.h"

#define OBJECTS_AT_ONCE	16

static struct jump_object *jump_objects, *last_object;

struct key_ref {
	struct static_key *to;
	long reserved;
};

struct jump_object *jump_object_next(const struct jump_object *object)
{
	struct jump_object *next;

	next = object ? object->next : jump_objects;
	while (next && !next->used)
		next = next->next;
	return next;
}

static struct jump_object *object_of(const void *start)
{
	struct jump_object *object;

	for_each_jump_object(object)
		if (object->start == start)
			return object;
	return NULL;
}

static struct jump_object *object_new(void)
{
	static struct jump_object first[OBJECTS_AT_ONCE], *fresh = first;
	static unsigned int left = OBJECTS_AT_ONCE;
	struct jump_object *object;

	for (object = jump_objects; object; object = object->next)
		if (!object->used)
			return object;
	if (!left) {
		fresh = jump_host_alloc(OBJECTS_AT_ONCE, sizeof(*fresh));
		if (!fresh)
			return NULL;
		left = OBJECTS_AT_ONCE;
	}
	left--;
	object = fresh++;
	if (last_object)
		__atomic_store_n(&last_object->next, object, __ATOMIC_RELEASE);
	else
		__atomic_store_n(&jump_objects, object, __ATOMIC_RELEASE);
	last_object = object;
	return object;
}

struct object_search {
	unsigned long code;
	struct jump_object *found;
};

static bool search_segment(const struct dl_phdr_info *info, int i,
			   struct object_search *search)
{
	unsigned long start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
	unsigned long end = start + info->dlpi_phdr[i].p_memsz;
	struct jump_object *found = search->found;

	if (info->dlpi_phdr[i].p_type != PT_LOAD)
		return false;
	if (start < found->base)
		found->base = start;
	if (end > found->end)
		found->end = end;
	if (search->code < start || search->code >= end)
		return false;
	found->text = start;
	found->text_end = end;
	return true;
}

static int search_object(struct dl_phdr_info *info, size_t size, void *context)
{
	struct object_search *search = context;
	struct jump_object *found = search->found;
	bool here = false;
	int i;

	found->base = ~0UL;
	found->end = 0;
	for (i = 0; i < info->dlpi_phnum; i++)
		here |= search_segment(info, i, search);
	if (!here)
		return 0;
	found->bias = info->dlpi_addr;
	snprintf(found->name, sizeof(found->name), "%s", info->dlpi_name);
	if (!found->name[0] &&
	    readlink("/proc/self/exe", found->name, sizeof(found->name) - 1) < 0)
		snprintf(found->name, sizeof(found->name), "program");
	return 1;
}

static unsigned long entry_address(const s32 *field)
{
	return (unsigned long)field + *field;
}

/* Exchange two entries; each holds distances from itself. */
static void entry_swap(struct jump_entry *a, struct jump_entry *b)
{
	s32 shift = (char *)b - (char *)a;
	struct jump_entry was_a = *a;

	a->code = b->code + shift;
	a->target = b->target + shift;
	a->key = b->key + shift;
	b->code = was_a.code - shift;
	b->target = was_a.target - shift;
	b->key = was_a.key - shift;
}

/* Make an entry name the key itself. False: the key is too far away. */
static bool entry_resolve(struct jump_entry *site)
{
	unsigned long tagged = entry_address(&site->key);
	const struct key_ref *ref;
	long distance;

	if (!(tagged & JUMP_ENTRY_SHARED))
		return true;
	ref = (const struct key_ref *)(tagged & ~JUMP_ENTRY_FLAGS);
	distance = (unsigned long)ref->to + (tagged & JUMP_ENTRY_LIKELY) -
		(unsigned long)&site->key;
	if (distance != (s32)distance)
		return false;
	site->key = distance;
	return true;
}

/* Once is enough, as a plugin may come and go. */
static void object_say_far(const struct jump_object *object, unsigned int nr)
{
	static bool said;

	if (said && !jump_host_debug)
		return;
	said = true;
	jump_host_print("jump_label: %s: %u of %u sites load their key, as it is in another object more than 2 GB away\n",
			object->name, nr,
			(unsigned int)(object->stop - object->start));
}

/* Entries that the engine can take come first; the others load their keys. */
static void object_resolve(struct jump_object *object)
{
	struct jump_entry *site = object->start, *stop = object->stop;

	while (site < stop) {
		if (entry_resolve(site))
			site++;
		else
			entry_swap(site, --stop);
	}
	object->table.start = object->start;
	object->table.stop = stop;
	if (stop != object->stop)
		object_say_far(object, object->stop - stop);
}

static int home_cmp(const void *a, const void *b)
{
	const struct site_home *left = a, *right = b;

	return left->code < right->code ? -1 : left->code > right->code;
}

static int patch_cmp(const void *a, const void *b)
{
	const struct jump_patch *left = a, *right = b;

	return left->code < right->code ? -1 : left->code > right->code;
}

/* From whatever stands there to a jump to @target, or past it. */
static void patch_set(struct jump_patch *patch, unsigned long code,
		      unsigned long target, enum jump_label_type type)
{
	patch->code = code;
	patch->len = JUMP_LABEL_INSN_MAX;
	patch->next = type == JUMP_LABEL_JMP ? target : code + patch->len;
	memcpy(patch->old, (void *)code, patch->len);
	arch_jump_label_encode(patch->new, code, target, type, patch->len);
}

static int patches_write(struct jump_patch *patch, unsigned int nr)
{
	return nr ? arch_jump_label_write(patch, nr, JUMP_MODE_LIVE) : 0;
}

/* Fresh sites become what their keys say. */
static int object_heat(struct jump_object *object, struct jump_patch *patch)
{
	struct jump_entry *site;
	unsigned int nr = 0;

	for (site = object->table.start; site < object->table.stop; site++)
		if (jump_arch_cold(jump_entry_code(site)))
			patch_set(&patch[nr++], jump_entry_code(site),
				  jump_entry_target(site), jump_site_type(site));
	jump_host_sort(patch, nr, sizeof(*patch), patch_cmp);
	return patches_write(patch, nr);
}

/* Sites that were fresh once load their keys again. */
static int object_cool(struct jump_object *object, struct jump_patch *patch)
{
	const struct site_home *home = object->homes;
	unsigned int nr = 0, i;

	for (i = 0; i < object->table.stop - object->table.start; i++)
		if (home[i].cold)
			patch_set(&patch[nr++], home[i].code, home[i].cold,
				  JUMP_LABEL_JMP);
	return patches_write(patch, nr);
}

static void object_homes(struct jump_object *object)
{
	struct site_home *home = object->homes;
	struct jump_entry *site;

	for (site = object->table.start; site < object->table.stop; site++)
		*home++ = (struct site_home){
			.code = jump_entry_code(site),
			.cold = jump_arch_cold(jump_entry_code(site)),
		};
	jump_host_sort(object->homes, home - object->homes, sizeof(*home),
		       home_cmp);
}

static int object_activate(struct jump_object *object)
{
	struct jump_patch *patch;
	unsigned int nr;
	int err = -ENOMEM;

	object_resolve(object);
	nr = object->table.stop - object->table.start;
	if (!nr)
		return 0;
	object->homes = jump_host_alloc(nr, sizeof(*object->homes));
	patch = jump_host_alloc(nr, sizeof(*patch));
	if (object->homes && patch) {
		object_homes(object);
		err = object_heat(object, patch);
	}
	if (!err) {
		object->table.owner = object;
		object->table.state = JUMP_TABLE_LIVE;
		err = jump_table_add(&object->table, JUMP_MODE_COLD);
	}
	jump_host_free(patch);
	object->active = !err;
	if (err)
		jump_host_print("jump_label: %s: sites cannot be written, error %d; they load their keys\n",
				object->name, err);
	return err;
}

int jump_objects_activate(void)
{
	struct jump_object *object;
	int err, first = 0;

	for_each_jump_object(object) {
		err = object_activate(object);
		if (!first)
			first = err;
	}
	return first;
}

/* The object goes: its sites load their keys while its destructors run. */
static void object_deactivate(struct jump_object *object)
{
	unsigned int nr = object->table.stop - object->table.start;
	struct jump_patch *patch;

	jump_queue_flush();
	jump_table_remove(&object->table);
	patch = jump_host_alloc(nr, sizeof(*patch));
	if (patch)
		object_cool(object, patch);
	jump_host_free(patch);
	jump_host_free(object->homes);
	object->active = false;
}

enum jump_text jump_host_text(const struct jump_table *table,
			      unsigned long code)
{
	return jump_host_text_of(table, code) ? JUMP_TEXT_GOOD :
						JUMP_TEXT_FOREIGN;
}

bool jump_host_text_of(const struct jump_table *table, unsigned long addr)
{
	const struct jump_object *object = table->owner;

	return addr >= object->text && addr < object->text_end;
}

/**
 * jump_label_register() - take in the sites of an object
 * @start: its first entry, or NULL when it has none
 * @stop: one past its last entry
 *
 * Called by constructors; a second call for the same object changes nothing.
 */
void jump_label_register(void *start, void *stop)
{
	struct jump_object fresh = { .start = start, .stop = stop };
	struct object_search search = { .found = &fresh };
	struct jump_object *object, *next;

	if (start == stop)
		return;
	/* Before the mutex: the dynamic linker has a lock of its own. */
	search.code = jump_entry_code(fresh.start);
	dl_iterate_phdr(search_object, &search);

	jump_label_lock();
	object = object_of(start) ? NULL : object_new();
	if (object) {
		next = object->next;
		*object = fresh;
		object->next = next;
		object->used = true;
		if (jump_host_active) {
			jump_queue_flush();
			object_activate(object);
		}
	}
	jump_label_unlock();
}

/**
 * jump_label_unregister() - let the sites of an object go
 * @start: as registered
 */
void jump_label_unregister(void *start)
{
	struct jump_object *object;

	if (!start)
		return;
	jump_label_lock();
	object = object_of(start);
	if (object) {
		if (object->active)
			object_deactivate(object);
		object->used = false;
	}
	jump_label_unlock();
}
