// SPDX-License-Identifier: GPL-2.0
/*
 * SIGTRAP, and the calls of the program that would keep it from us
 *
 * A thread that runs a site while it changes takes a SIGTRAP. Our handler sends
 * it on; what is not ours goes to the handler that was there before, or to the
 * one the program installs later, as if the kernel had called it.
 *
 * A thread that has SIGTRAP blocked would be killed instead. So this file stands
 * in front of sigaction(), signal(), sigprocmask() and pthread_sigmask(): they
 * behave as ever, except that SIGTRAP is never blocked, and that our handler
 * stays when the program installs its own.
 */
#include <sys/syscall.h>
#include <unistd.h>
#include "host.h"

#define SIGNAL_BIT(nr)	(1ULL << ((nr) - 1))

/* The C library's own signals, which it never lets a program block. */
#define SIGNALS_LIBC	(SIGNAL_BIT(32) | SIGNAL_BIT(33) | SIGNAL_BIT(34))

/* Are we between the kernel and the program's handler? */
static bool installed;

/* The program's handler; guarded by chain_lock, with all signals blocked. */
static struct sigaction chain;
static int chain_lock;

static uint64_t chain_enter(void)
{
	uint64_t all = ~0ULL, old;

	jump_signal_mask(SIG_SETMASK, &all, &old);
	while (__atomic_exchange_n(&chain_lock, 1, __ATOMIC_ACQUIRE))
		jump_host_relax();
	return old;
}

static void chain_leave(uint64_t old)
{
	__atomic_store_n(&chain_lock, 0, __ATOMIC_RELEASE);
	jump_signal_mask(SIG_SETMASK, &old, NULL);
}

/* As the kernel would: mask, SA_RESETHAND, two kinds of handler. */
static void chain_call(const struct sigaction *action, siginfo_t *info,
		       void *context)
{
	ucontext_t *interrupted = context;
	uint64_t mask, more;

	memcpy(&mask, &interrupted->uc_sigmask, sizeof(mask));
	memcpy(&more, &action->sa_mask, sizeof(more));
	mask |= more;
	if (!(action->sa_flags & SA_NODEFER))
		mask |= SIGNAL_BIT(SIGTRAP);
	jump_signal_mask(SIG_SETMASK, &mask, NULL);
	if (action->sa_flags & SA_SIGINFO)
		action->sa_sigaction(SIGTRAP, info, context);
	else
		action->sa_handler(SIGTRAP);
}

/*
 * The default is to die with the registers of the trap, so let it happen again
 * without us. A trap that the program raised by a signal is raised again.
 */
static void chain_default(siginfo_t *info, void *context)
{
	struct sigaction action = { .sa_handler = SIG_DFL };

	installed = false;
	jump_real_sigaction(SIGTRAP, &action, NULL);
	if (info->si_code > 0)
		jump_arch_trap_again(info, context);
	else
		syscall(SYS_tgkill, getpid(), (pid_t)syscall(SYS_gettid),
			SIGTRAP);
}

static void chain_trap(siginfo_t *info, void *context)
{
	uint64_t old = chain_enter();
	struct sigaction action = chain;

	if (action.sa_flags & SA_RESETHAND)
		chain.sa_handler = SIG_DFL;
	chain_leave(old);

	/* The kernel does not let a trap be ignored, only a sent signal. */
	if (action.sa_handler == SIG_DFL ||
	    (action.sa_handler == SIG_IGN && info->si_code > 0))
		chain_default(info, context);
	else if (action.sa_handler != SIG_IGN)
		chain_call(&action, info, context);
}

static void trap_handler(int nr, siginfo_t *info, void *context)
{
	int saved = errno;

	if (!jump_arch_trap(info, context))
		chain_trap(info, context);
	errno = saved;
}

/*
 * Nothing may interrupt the handler while it holds a reference to the queue: a
 * handler that then changes a key would wait for the writer, and the writer for
 * the reference.
 */
int jump_signal_start(void)
{
	struct sigaction action = {
		.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK,
	};
	uint64_t open = SIGNAL_BIT(SIGTRAP);

	action.sa_sigaction = trap_handler;
	memset(&action.sa_mask, 0xff, sizeof(action.sa_mask));
	if (jump_real_sigaction(SIGTRAP, &action, &chain))
		return -errno;
	installed = true;
	jump_signal_mask(SIG_UNBLOCK, &open, NULL);
	return 0;
}

int sigaction(int nr, const struct sigaction *new, struct sigaction *old)
{
	struct sigaction copy;
	uint64_t mask;

	if (nr == SIGTRAP && installed) {
		mask = chain_enter();
		copy = chain;
		if (new)
			chain = *new;
		chain_leave(mask);
		if (old)
			*old = copy;
		return 0;
	}
	if (new) {
		copy = *new;
		sigdelset(&copy.sa_mask, SIGTRAP);
		new = &copy;
	}
	return jump_real_sigaction(nr, new, old);
}

/* The other signals are left to the C library, which knows siginterrupt(). */
void (*signal(int nr, void (*handler)(int)))(int)
{
	struct sigaction new = { .sa_flags = SA_RESTART }, old;

	new.sa_handler = handler;
	return sigaction(nr, &new, &old) ? SIG_ERR : old.sa_handler;
}

int pthread_sigmask(int how, const sigset_t *new, sigset_t *old)
{
	uint64_t mask, before;
	int saved = errno, err = 0;

	if (new) {
		memcpy(&mask, new, sizeof(mask));
		if (how != SIG_UNBLOCK)
			mask &= ~(SIGNALS_LIBC | SIGNAL_BIT(SIGTRAP));
	}
	if (syscall(SYS_rt_sigprocmask, how, new ? &mask : NULL, &before,
		    sizeof(mask)))
		err = errno;
	else if (old)
		memcpy(old, &before, sizeof(before));
	errno = saved;
	return err;
}

int sigprocmask(int how, const sigset_t *new, sigset_t *old)
{
	int err = pthread_sigmask(how, new, old);

	if (!err)
		return 0;
	errno = err;
	return -1;
}
