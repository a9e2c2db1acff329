// SPDX-License-Identifier: GPL-2.0
/*
 * What a site costs, counted one instruction at a time: counts
 *
 * A child runs a function, its parent steps it and looks at each instruction.
 * Twice as many iterations less once as many leave the cost of an iteration.
 * The loop of jump_test is the one of tools/perf, its site belongs to a key here.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>
#include <jump_label.h>

unsigned long jump_test_loop(unsigned long iterations);
unsigned long jump_test_flag = 1;

DEFINE_STATIC_KEY_FALSE(loop_key);
static DEFINE_STATIC_KEY_FALSE(key);
static DEFINE_STATIC_KEY_TRUE(likely_key);

/* A site written by hand: already a NOP, and so is its key. */
__asm__(".pushsection __jump_table, \"aw\"\n\t"
	".balign 4\n\t"
	".long jump_test_site - ., jump_test_on - ., loop_key - .\n\t"
	".popsection");

static volatile unsigned long sink;

#define LOOP(name, site)						\
static __attribute__((__noinline__)) unsigned long			\
name##_loop(unsigned long iterations)					\
{									\
	unsigned long i;						\
									\
	for (i = 0; i < iterations; i++) {				\
		__asm__ __volatile__("" : "+r" (i));			\
		site;							\
	}								\
	return i;							\
}

LOOP(plain, (void)0)
LOOP(unlikely, (void)(static_branch_unlikely(&key) && sink++))
LOOP(likely, (void)(static_branch_likely(&likely_key) || sink++))

struct cost {
	long instructions;
	long branches;
};

static int is_branch(const unsigned char *at)
{
	return (*at & 0xf0) == 0x70 || *at == 0xeb || *at == 0xe9 ||
		*at == 0xe8 || *at == 0xc3 ||
		(*at == 0x0f && (at[1] & 0xf0) == 0x80);
}

/* The text of parent and child is the same, as they are by fork(). */
static struct cost step(unsigned long (*run)(unsigned long),
			unsigned long iterations)
{
	struct cost cost = { 0, 0 };
	struct user_regs_struct regs;
	int status;
	pid_t pid = fork();

	if (!pid) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		sink = run(iterations);
		raise(SIGSTOP);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	for (;;) {
		ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL);
		waitpid(pid, &status, 0);
		if (!WIFSTOPPED(status) || WSTOPSIG(status) != SIGTRAP)
			break;
		ptrace(PTRACE_GETREGS, pid, NULL, &regs);
		cost.instructions++;
		cost.branches += is_branch((unsigned char *)regs.rip);
	}
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	return cost;
}

static int check(const char *name, unsigned long (*run)(unsigned long),
		 long instructions, long branches)
{
	struct cost once = step(run, 200), twice = step(run, 400);
	long i = twice.instructions - once.instructions;
	long b = twice.branches - once.branches;

	printf("%s: %ld.%03ld instructions %ld.%03ld branches an iteration\n",
	       name, i / 200, i % 200 * 5, b / 200, b % 200 * 5);
	fflush(stdout);
	return i != 200 * instructions || b != 200 * branches;
}

int main(void)
{
	struct cost once = step(plain_loop, 200);
	struct cost twice = step(plain_loop, 400);
	long i = (twice.instructions - once.instructions) / 200;
	long b = (twice.branches - once.branches) / 200;
	int failed = 0;

	if (jump_label_init())
		return 1;
	printf("plain loop: %ld instructions %ld branches an iteration\n", i, b);
	failed |= check("jump_test off", jump_test_loop, 15, 3);
	failed |= check("unlikely site off", unlikely_loop, i + 1, b);
	failed |= check("likely site on", likely_loop, i + 1, b);
	static_branch_enable(&loop_key);
	failed |= check("jump_test on", jump_test_loop, 20, 4);
	static_branch_disable(&loop_key);
	failed |= check("jump_test off again", jump_test_loop, 15, 3);
	return failed;
}
