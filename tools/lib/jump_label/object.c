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

/* struct static_key_ref of the public header, with a use for its spare word. */
struct key_ref {
	struct static_key *to;
	struct static_key *place;
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

static bool entry_shared(const struct jump_entry *site)
{
	return site->key & JUMP_ENTRY_SHARED;
}

/* Sites of keys of the object itself come first. */
static void object_part(struct jump_object *object)
{
	struct jump_entry *site = object->start, *stop = object->stop;

	while (site < stop) {
		if (entry_shared(site))
			entry_swap(site, --stop);
		else
			site++;
	}
	object->table.start = object->start;
	object->table.stop = stop;
	object->shared.start = stop;
	object->shared.stop = object->stop;
}

static int address_cmp(const void *a, const void *b)
{
	uintptr_t left = *(const uintptr_t *)a, right = *(const uintptr_t *)b;

	return left < right ? -1 : left > right;
}

/* Sort, and drop what is there twice. Return: how many remain. */
static unsigned int addresses_unique(uintptr_t *address, unsigned int nr)
{
	unsigned int i, kept = 0;

	jump_host_sort(address, nr, sizeof(*address), address_cmp);
	for (i = 0; i < nr; i++)
		if (!kept || address[i] != address[kept - 1])
			address[kept++] = address[i];
	return kept;
}

static unsigned int address_find(const uintptr_t *address, unsigned int nr,
				 uintptr_t wanted)
{
	unsigned int low = 0, high = nr;

	while (low < high) {
		unsigned int mid = low + (high - low) / 2;

		if (address[mid] < wanted)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/*
 * Let each entry of a shared key name the key by way of a place in its own
 * object, as the key may be anywhere. The engine sorts entries by what they name
 * and searches them by key, so the places are to be in the order of the keys;
 * they are the spare words of the references, of which there are at least as
 * many as keys.
 */
static int object_share(struct jump_object *object)
{
	struct jump_table *table = &object->shared;
	unsigned int nr = table->stop - table->start, refs, keys, i;
	uintptr_t *ref, *key;
	struct jump_entry *site;

	if (!nr)
		return 0;
	ref = jump_host_alloc(2 * nr, sizeof(*ref));
	if (!ref)
		return -ENOMEM;
	for (i = 0; i < nr; i++)
		ref[i] = (uintptr_t)jump_entry_near_key(&table->start[i]);
	refs = addresses_unique(ref, nr);
	key = ref + refs;
	for (i = 0; i < refs; i++)
		key[i] = (uintptr_t)((struct key_ref *)ref[i])->to;
	keys = addresses_unique(key, refs);
	for (i = 0; i < keys; i++)
		((struct key_ref *)ref[i])->place = (void *)key[i];

	for (site = table->start; site < table->stop; site++) {
		i = address_find(key, keys, (uintptr_t)jump_entry_key(site));
		site->key = (char *)&((struct key_ref *)ref[i])->place -
			(char *)&site->key +
			(site->key & (s32)JUMP_ENTRY_FLAGS);
	}
	jump_host_free(ref);
	return 0;
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

	for (site = object->start; site < object->stop; site++)
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

	for (i = 0; i < object->stop - object->start; i++)
		if (home[i].cold)
			patch_set(&patch[nr++], home[i].code, home[i].cold,
				  JUMP_LABEL_JMP);
	return patches_write(patch, nr);
}

static void object_homes(struct jump_object *object)
{
	struct site_home *home = object->homes;
	struct jump_entry *site;

	for (site = object->start; site < object->stop; site++)
		*home++ = (struct site_home){
			.code = jump_entry_code(site),
			.cold = jump_arch_cold(jump_entry_code(site)),
		};
	jump_host_sort(object->homes, home - object->homes, sizeof(*home),
		       home_cmp);
}

static int table_add(struct jump_table *table, struct jump_object *object)
{
	table->owner = object;
	table->state = JUMP_TABLE_LIVE;
	return table->start < table->stop ?
		jump_table_add(table, JUMP_MODE_COLD) : 0;
}

static void table_remove(struct jump_table *table)
{
	if (table->start < table->stop)
		jump_table_remove(table);
}

/* The sites follow their keys by now, so there is nothing left to write. */
static int object_add_tables(struct jump_object *object)
{
	int err = table_add(&object->table, object);

	if (err)
		return err;
	err = table_add(&object->shared, object);
	if (err)
		table_remove(&object->table);
	return err;
}

static int object_activate(struct jump_object *object)
{
	unsigned int nr = object->stop - object->start;
	struct jump_patch *patch;
	int err = -ENOMEM;

	object_part(object);
	object->homes = jump_host_alloc(nr, sizeof(*object->homes));
	patch = jump_host_alloc(nr, sizeof(*patch));
	if (object->homes && patch)
		err = object_share(object);
	if (!err) {
		object_homes(object);
		err = object_heat(object, patch);
	}
	if (!err) {
		err = object_add_tables(object);
		if (err)
			object_cool(object, patch);
	}
	jump_host_free(patch);
	object->active = !err;
	if (err) {
		jump_host_free(object->homes);
		jump_host_print("jump_label: %s: sites cannot be written, error %d; they load their keys\n",
				object->name, err);
	}
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
	unsigned int nr = object->stop - object->start;
	struct jump_patch *patch;

	jump_queue_flush();
	table_remove(&object->table);
	table_remove(&object->shared);
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
