// SPDX-License-Identifier: GPL-2.0
/*
 * What programs call, besides the engine's own calls
 */
#include <stdlib.h>
#include "host.h"
#define JUMP_LABEL_BUILD
#undef jump_label_init
#include "jump_label.h"

/* Keys without known sites are just counts, so there is no "too early" here. */
bool static_key_initialized = true;

/* For the engine's own entry, which is not used here. */
struct jump_entry __start___jump_table[0], __stop___jump_table[0];

bool jump_host_active, jump_host_debug;

static int init_result = 1;	/* not yet called */

static const char *init_status(int result)
{
	switch (result) {
	case 1:
		return "jump_label_init() was not called yet; sites load their keys";
	case 0:
		return "sites are written";
	case -EPERM:
		return "text cannot be written through /proc/self/mem; sites load their keys";
	case -ENOSYS:
		return "the kernel lacks membarrier(SYNC_CORE); sites load their keys";
	case -EOPNOTSUPP:
		return "what is written is not what runs, as in an emulator; sites load their keys";
	case -EBUSY:
		return "a tracer would get our traps (JUMP_LABEL=on overrides); sites load their keys";
	case -ECANCELED:
		return "JUMP_LABEL=off; sites load their keys";
	default:
		return "some sites could not be written; they load their keys";
	}
}

const char *jump_label_status(void)
{
	return init_status(__atomic_load_n(&init_result, __ATOMIC_RELAXED));
}

static void fork_prepare(void)
{
	jump_label_lock();
}

static void fork_parent(void)
{
	jump_label_unlock();
}

static void fork_child(void)
{
	if (jump_host_active)
		jump_text_fork();
	jump_label_unlock();
}

static int text_start(const char *wish)
{
	int err;

	if (wish && !strcmp(wish, "off"))
		return -ECANCELED;
	arch_jump_label_init();
	err = jump_text_start(!wish || strcmp(wish, "on"),
			      wish && !strcmp(wish, "remap"));
	if (!err)
		err = jump_signal_start();
	return err;
}

int jump_label_init(void)
{
	const char *wish = getenv("JUMP_LABEL");
	const char *debug = getenv("JUMP_LABEL_DEBUG");
	bool first;
	int err;

	jump_label_lock();
	first = init_result > 0;
	if (first) {
		jump_host_debug = debug && *debug && strcmp(debug, "0");
		err = text_start(wish);
		if (!err) {
			jump_host_active = true;
			err = jump_objects_activate();
		}
		__atomic_store_n(&init_result, err, __ATOMIC_RELAXED);
	}
	err = init_result;
	jump_label_unlock();

	if (first) {
		pthread_atfork(fork_prepare, fork_parent, fork_child);
		if (jump_host_debug || (err && err != -ECANCELED))
			jump_host_print("jump_label: %s\n", jump_label_status());
	}
	return err;
}

static void site_describe(const struct jump_object *object,
			  const struct jump_entry *site,
			  struct jump_label_site *out)
{
	u8 found[JUMP_LABEL_INSN_MAX];
	unsigned int len;

	*out = (struct jump_label_site){
		.code = (void *)jump_entry_code(site),
		.target = (void *)jump_entry_target(site),
		.key = jump_entry_key(site),
		.object = object->name,
		.likely = jump_entry_likely(site),
		.state = JUMP_LABEL_SITE_LOAD,
	};
	if (!object->active)
		return;
	switch (jump_site_read(site, found, &len)) {
	case JUMP_SITE_NOP:
	case JUMP_SITE_OTHER_NOP:
		out->state = JUMP_LABEL_SITE_NOP;
		break;
	case JUMP_SITE_JMP:
		out->state = JUMP_LABEL_SITE_JMP;
		break;
	default:
		break;
	}
}

int jump_label_each_site(int (*visit)(const struct jump_label_site *site,
				      void *context), void *context)
{
	struct jump_object *object;
	struct jump_label_site out;
	struct jump_entry *site;
	int result = 0;

	jump_label_lock();
	for_each_jump_object(object) {
		for (site = object->start; !result && site < object->stop;
		     site++) {
			site_describe(object, site, &out);
			result = visit(&out, context);
		}
	}
	jump_label_unlock();
	return result;
}

/* How many sites has the key of this one in its object? 0: it was counted. */
static unsigned int key_sites(const struct jump_object *object,
			      const struct jump_entry *first)
{
	struct static_key *key = jump_entry_key(first);
	const struct jump_entry *site;
	unsigned int nr = 0;

	/* Entries that the engine took are sorted by key. */
	if (first > object->start && jump_entry_key(first - 1) == key)
		return 0;
	for (site = object->start; site < object->stop; site++) {
		if (jump_entry_key(site) != key)
			continue;
		if (site < first)
			return 0;
		nr++;
	}
	return nr;
}

int jump_label_each_key(int (*visit)(struct static_key *key, const char *object,
				     unsigned int sites, void *context),
			void *context)
{
	struct jump_object *object;
	struct jump_entry *site;
	unsigned int nr;
	int result = 0;

	jump_label_lock();
	for_each_jump_object(object) {
		for (site = object->start; !result && site < object->stop;
		     site++) {
			nr = key_sites(object, site);
			if (nr)
				result = visit(jump_entry_key(site),
					       object->name, nr, context);
		}
	}
	jump_label_unlock();
	return result;
}
