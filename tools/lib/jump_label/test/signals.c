// SPDX-License-Identifier: GPL-2.0
/*
 * Signals and hardening; part of the program in process.c
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <jump_label.h>
#include "process.h"

static DEFINE_STATIC_KEY_FALSE(other);

static __attribute__((__noinline__)) int run_other(void)
{
	return static_branch_unlikely(&other) ? 1 : 0;
}

static unsigned int ticks;

/* Runs sites, and changes a key, wherever the program was interrupted. */
static void tick(int nr)
{
	(void)nr;
	run_key();
	if (++ticks & 1)
		static_branch_enable(&other);
	else
		static_branch_disable(&other);
	if (run_other() != (int)(ticks & 1))
		failures++;
}

static void toggle_under_ticks(void)
{
	struct itimerval timer = { { 0, 300 }, { 0, 300 } };
	int i;

	setitimer(ITIMER_REAL, &timer, NULL);
	for (i = 0; i < 3000; i++) {
		void *memory = malloc(100 + i);

		static_branch_inc(&key);
		free(memory);
		run_key();
		static_branch_dec(&key);
	}
	memset(&timer, 0, sizeof(timer));
	setitimer(ITIMER_REAL, &timer, NULL);
}

void test_signals(void)
{
	struct sigaction action = { .sa_flags = SA_RESTART };

	CHECK(jump_label_init() == 0);
	static_branch_disable(&key);
	action.sa_handler = tick;
	sigfillset(&action.sa_mask);
	CHECK(sigaction(SIGALRM, &action, NULL) == 0);
	toggle_under_ticks();
	CHECK(ticks > 3);
	CHECK(run_key() == 0);
}

/* A thread with every signal blocked, and a handler with every signal blocked. */
static void blocked_body(void)
{
	sigset_t all, old;
	int i;

	sigfillset(&all);
	CHECK(pthread_sigmask(SIG_SETMASK, &all, &old) == 0);
	CHECK(sigprocmask(SIG_BLOCK, &all, NULL) == 0);
	for (i = 0; i < 3000000; i++)
		run_key();
	CHECK(sigprocmask(SIG_SETMASK, NULL, &all) == 0);
	CHECK(sigismember(&all, SIGUSR1) && !sigismember(&all, SIGTRAP));
	CHECK(pthread_sigmask(SIG_SETMASK, &old, NULL) == 0);
}

static void spin(int nr)
{
	int i;

	(void)nr;
	for (i = 0; i < 3000000; i++)
		run_key();
}

static void handler_body(void)
{
	raise(SIGUSR2);
}

void test_masks(void)
{
	struct sigaction action = { .sa_flags = 0 };
	sigset_t all;

	/* Also a mask that is older than jump_label_init(). */
	sigfillset(&all);
	CHECK(sigprocmask(SIG_BLOCK, &all, NULL) == 0);
	CHECK(jump_label_init() == 0);
	with_toggler(blocked_body);
	stop = 0;
	CHECK(sigprocmask(SIG_UNBLOCK, &all, NULL) == 0);
	action.sa_handler = spin;
	sigfillset(&action.sa_mask);
	CHECK(sigaction(SIGUSR2, &action, NULL) == 0);
	with_toggler(handler_body);
	errno = 0;
	CHECK(sigprocmask(99, &all, NULL) == -1 && errno == EINVAL);
	CHECK(pthread_sigmask(99, &all, NULL) == EINVAL);
}

/* From here on a system call fails with EPERM. */
static void forbid(int call)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {
		.len = sizeof(filter) / sizeof(filter[0]), .filter = filter,
	};

	CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
	CHECK(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
		      SECCOMP_FILTER_FLAG_TSYNC, &program) == 0);
}

static void branches_follow(void)
{
	static_branch_disable(&key);
	CHECK(run_key() == 0);
	static_branch_enable(&key);
	CHECK(run_key() == 1);
	static_branch_enable(&other);
	CHECK(run_other() == 1);
	static_branch_disable(&other);
	CHECK(run_other() == 0);
}

void test_sealed(void)
{
	forbid(SYS_pwrite64);
	CHECK(jump_label_init() == -EPERM);
	CHECK(strstr(jump_label_status(), "/proc/self/mem"));
	branches_follow();
}

/* Sealed after the sites were written: keys stay, and sites agree with them. */
void test_sealed_late(void)
{
	CHECK(jump_label_init() == 0);
	branches_follow();
	forbid(SYS_pwrite64);
	static_branch_enable(&other);
	CHECK(!static_key_enabled(&other) && run_other() == 0);
	CHECK(!static_branch_inc(&other));
	static_branch_disable(&key);
	CHECK(static_key_enabled(&key) && run_key() == 1);
}

/* A debugger that comes later: no change meanwhile, and no trap for it. */
void test_traced(void)
{
	int status, to[2], from[2];
	char c = 0;
	pid_t pid;

	CHECK(jump_label_init() == 0);
	CHECK(pipe(to) == 0 && pipe(from) == 0);
	branches_follow();
	pid = fork();
	if (!pid) {
		CHECK(read(to[0], &c, 1) == 1);
		static_branch_enable(&other);
		CHECK(!static_key_enabled(&other) && run_other() == 0);
		CHECK(write(from[1], &c, 1) == 1);
		CHECK(read(to[0], &c, 1) == 1);
		branches_follow();
		_exit(failures);
	}
	CHECK(ptrace(PTRACE_SEIZE, pid, NULL, NULL) == 0);
	CHECK(write(to[1], &c, 1) == 1);
	CHECK(read(from[0], &c, 1) == 1);
	CHECK(ptrace(PTRACE_INTERRUPT, pid, NULL, NULL) == 0);
	CHECK(waitpid(pid, &status, 0) == pid && WIFSTOPPED(status));
	CHECK(ptrace(PTRACE_DETACH, pid, NULL, NULL) == 0);
	CHECK(write(to[1], &c, 1) == 1);
	CHECK(waitpid(pid, &status, 0) == pid && status == 0);
}

void test_fallback(void)
{
	int err = jump_label_init();

	CHECK(err < 0);
	printf("%d %s\n", -err, jump_label_status());
	branches_follow();
}
