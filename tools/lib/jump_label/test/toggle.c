// SPDX-License-Identifier: GPL-2.0
/*
 * Sites that change while threads run them: toggle [TOGGLES] [THREADS]
 *
 * Six functions, one site each: at byte 0, 60 and 62 of a cache line, so that
 * the instruction lies within the line, ends beyond it, or has its first two
 * bytes in it; each likely and unlikely. One thread toggles each of the keys
 * TOGGLES times, by turns one by one and all at once; the others call the
 * functions. Whenever nothing changed
 * between the start and the end of a call, the branch must agree with the key.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <jump_label.h>

#define CELLS 6

static DEFINE_STATIC_KEY_FALSE(cell0);
static DEFINE_STATIC_KEY_FALSE(cell1);
static DEFINE_STATIC_KEY_FALSE(cell2);
static DEFINE_STATIC_KEY_FALSE(cell3);
static DEFINE_STATIC_KEY_FALSE(cell4);
static DEFINE_STATIC_KEY_FALSE(cell5);

/* Functions, so that nothing comes between the alignment and the site. */
static __attribute__((__noinline__)) int yes(void)
{
	__asm__ __volatile__("");
	return 1;
}

static __attribute__((__noinline__)) int no(void)
{
	__asm__ __volatile__("");
	return 0;
}

/* NOPs up to byte @at of a line; of four bytes each where all instructions are. */
#ifdef __aarch64__
#define PAD(at)		".fill " #at " / 4, 4, 0xd503201f"
#define AT(at)		((at) / 4 * 4)
#else
#define PAD(at)		".fill " #at ", 1, 0x90"
#define AT(at)		(at)
#endif

#define CELL(key, hint, at)						\
static __attribute__((__noinline__)) int key##_run(void)		\
{									\
	__asm__ __volatile__(".balign 64\n\t" PAD(at));			\
	if (static_branch_##hint(&key))					\
		return yes();						\
	return no();							\
}

CELL(cell0, unlikely, 0)
CELL(cell1, unlikely, 60)
CELL(cell2, unlikely, 62)
CELL(cell3, likely, 0)
CELL(cell4, likely, 60)
CELL(cell5, likely, 62)

static struct cell {
	struct static_key_false *key;
	int (*run)(void);
	unsigned int at;
	unsigned int seen;
} cells[CELLS] = {
	{ &cell0, cell0_run, AT(0), 0 }, { &cell1, cell1_run, AT(60), 0 },
	{ &cell2, cell2_run, AT(62), 0 }, { &cell3, cell3_run, AT(0), 0 },
	{ &cell4, cell4_run, AT(60), 0 }, { &cell5, cell5_run, AT(62), 0 },
};

/* Bit 0: a change is under way. Bit 1: the state that was reached. */
static unsigned long phase[CELLS];
static int stop;
static unsigned long wrong, judged;

static void *runner(void *unused)
{
	unsigned long before, after, bad = 0, good = 0;
	int i, on;

	(void)unused;
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		for (i = 0; i < CELLS; i++) {
			before = __atomic_load_n(&phase[i], __ATOMIC_SEQ_CST);
			on = cells[i].run();
			after = __atomic_load_n(&phase[i], __ATOMIC_SEQ_CST);
			if (before != after || (before & 1))
				continue;
			good++;
			bad += on != !!(before & 2);
		}
	}
	__atomic_fetch_add(&wrong, bad, __ATOMIC_RELAXED);
	__atomic_fetch_add(&judged, good, __ATOMIC_RELAXED);
	return NULL;
}

/*
 * All cells at once, in one transaction, or one after the other. Each phase goes
 * from 4n to 4n + 1, 4n + 2 (on), 4n + 3 and 4n + 4 (off).
 */
static void toggle_all(int on, int together)
{
	int i;

	for (i = 0; i < CELLS; i++) {
		__atomic_fetch_add(&phase[i], 1, __ATOMIC_SEQ_CST);
		if (on)
			static_branch_enable_queued(cells[i].key);
		else
			static_branch_disable_queued(cells[i].key);
		if (together)
			continue;
		static_branch_apply_queued();
		__atomic_fetch_add(&phase[i], 1, __ATOMIC_SEQ_CST);
	}
	if (!together)
		return;
	static_branch_apply_queued();
	for (i = 0; i < CELLS; i++)
		__atomic_fetch_add(&phase[i], 1, __ATOMIC_SEQ_CST);
}

static int where(const struct jump_label_site *site, void *unused)
{
	int i;

	(void)unused;
	for (i = 0; i < CELLS; i++)
		if (site->key == &cells[i].key->key)
			cells[i].seen = (unsigned long)site->code % 64 ==
					cells[i].at;
	return 0;
}

int main(int argc, char **argv)
{
	long toggles = argc > 1 ? atol(argv[1]) : 2000;
	int threads = argc > 2 ? atoi(argv[2]) : 8;
	pthread_t thread[64];
	int err = jump_label_init(), i;
	long n;

	if (err && !getenv("JUMP_LABEL")) {
		printf("jump_label_init: %s\n", jump_label_status());
		return 1;
	}
	jump_label_each_site(where, NULL);
	for (i = 0; i < CELLS; i++) {
		if (!cells[i].seen) {
			printf("cell %d is not at byte %u of a line\n", i,
			       cells[i].at);
			return 1;
		}
	}
	for (i = 0; i < threads - 1; i++)
		pthread_create(&thread[i], NULL, runner, NULL);
	/* An even number, so that the keys end off. */
	for (n = 0; n < toggles / 2 * 2; n++)
		toggle_all(!(n & 1), n & 2);
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	for (i = 0; i < threads - 1; i++)
		pthread_join(thread[i], NULL);
	for (i = 0; i < CELLS; i++)
		wrong += cells[i].run();
	printf("toggles %ld threads %d judged %lu wrong %lu\n", n * CELLS,
	       threads, judged, wrong);
	return wrong || (threads > 1 && !judged);
}
