// SPDX-License-Identifier: GPL-2.0
/*
 * Other users of SIGTRAP; part of the program in process.c, where the library
 * uses it too
 */
#define _GNU_SOURCE
#include <signal.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <jump_label.h>
#include "process.h"

#ifdef HAS_TRAPS
#ifdef __x86_64__
#define REG_PC	REG_RIP
#else
#define REG_PC	REG_EIP
#endif

static volatile int hits;
static volatile long hit_at;
static sigset_t hit_mask;

extern char foreign_trap[];

static __attribute__((__noinline__)) void raise_trap(void)
{
	__asm__ __volatile__("foreign_trap: int3");
}

static void on_trap(int nr, siginfo_t *info, void *context)
{
	ucontext_t *at = context;

	(void)info;
	hits += nr == SIGTRAP;
	hit_at = at->uc_mcontext.gregs[REG_PC];
	syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &hit_mask, 8);
}

static void on_trap_plain(int nr)
{
	hits += nr == SIGTRAP;
}

/* Breakpoints that are not ours reach the program's handler, as ever. */
static void foreign_traps(void)
{
	int i;

	for (i = 0; i < 200; i++)
		raise_trap();
}

void test_chain(void)
{
	struct sigaction action = { .sa_flags = SA_SIGINFO }, old;

	action.sa_sigaction = on_trap;
	sigaddset(&action.sa_mask, SIGUSR1);
	CHECK(sigaction(SIGTRAP, &action, NULL) == 0);	/* before */
	CHECK(jump_label_init() == 0);
	raise_trap();
	CHECK(hits == 1 && hit_at == (long)foreign_trap + 1);
	CHECK(sigismember(&hit_mask, SIGUSR1));
	CHECK(sigismember(&hit_mask, SIGTRAP));
	CHECK(!sigismember(&hit_mask, SIGUSR2));
	with_toggler(foreign_traps);
	CHECK(hits == 201);

	memset(&action, 0, sizeof(action));
	action.sa_handler = on_trap_plain;
	action.sa_flags = SA_RESETHAND | SA_NODEFER;
	CHECK(sigaction(SIGTRAP, &action, &old) == 0);	/* after */
	CHECK(old.sa_sigaction == on_trap);
	raise(SIGTRAP);
	CHECK(hits == 202);
	CHECK(sigaction(SIGTRAP, NULL, &old) == 0);
	CHECK(old.sa_handler == SIG_DFL);
	CHECK(signal(SIGTRAP, SIG_IGN) == SIG_DFL);
	raise(SIGTRAP);
	CHECK(signal(SIGTRAP, on_trap_plain) == SIG_IGN);
	raise_trap();
	CHECK(hits == 203);
	static_branch_enable(&key);
	CHECK(run_key() == 1);
}

static int death_of(void (*body)(void))
{
	int status = 0;
	pid_t pid = fork();

	if (!pid) {
		body();
		_exit(0);
	}
	waitpid(pid, &status, 0);
	return WIFSIGNALED(status) ? WTERMSIG(status) : -WEXITSTATUS(status);
}

static void raise_sent(void)
{
	raise(SIGTRAP);
}

/* With no handler of the program a trap kills it, as ever. */
void test_chain_die(void)
{
	CHECK(jump_label_init() == 0);
	CHECK(death_of(raise_trap) == SIGTRAP);
	CHECK(death_of(raise_sent) == SIGTRAP);
	signal(SIGTRAP, SIG_IGN);
	CHECK(death_of(raise_trap) == SIGTRAP);
	CHECK(death_of(raise_sent) == 0);
	signal(SIGTRAP, SIG_DFL);
}
#endif /* HAS_TRAPS */
