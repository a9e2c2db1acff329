// SPDX-License-Identifier: GPL-2.0
/*
 * The mutex, memory and sorting of the engine in a user process
 *
 * A key may be changed in a signal handler. If the handler interrupted the
 * holder of the mutex it would wait for ever, so the holder has signals blocked.
 * Those that its own instructions can raise stay open: SIGTRAP, as it may run a
 * site, and those of a crash, which should be reported as usual.
 */
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "host.h"

#define SIGNAL_BIT(nr)	(1ULL << ((nr) - 1))
#define SIGNALS_OPEN	(SIGNAL_BIT(SIGTRAP) | SIGNAL_BIT(SIGSEGV) |	\
			 SIGNAL_BIT(SIGBUS) | SIGNAL_BIT(SIGILL) |	\
			 SIGNAL_BIT(SIGFPE) | SIGNAL_BIT(SIGABRT) |	\
			 SIGNAL_BIT(SIGSYS))

void jump_signal_mask(int how, const uint64_t *new, uint64_t *old)
{
	int saved = errno;

	syscall(SYS_rt_sigprocmask, how, new, old, sizeof(uint64_t));
	errno = saved;
}

void mutex_lock(struct mutex *mutex)
{
	uint64_t block = ~SIGNALS_OPEN, signals;
	int cancel;

	jump_signal_mask(SIG_BLOCK, &block, &signals);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	pthread_mutex_lock(&mutex->lock);
	mutex->signals = signals;
	mutex->cancel = cancel;
}

void mutex_unlock(struct mutex *mutex)
{
	uint64_t signals = mutex->signals;
	int cancel = mutex->cancel, unused;

	pthread_mutex_unlock(&mutex->lock);
	pthread_setcancelstate(cancel, &unused);
	jump_signal_mask(SIG_SETMASK, &signals, NULL);
}

void jump_host_relax(void)
{
	sched_yield();
}

/* The length is kept in front, in room that keeps the alignment. */
#define ALLOC_HEAD	64

void *jump_host_alloc(size_t count, size_t size)
{
	size_t len = count * size + ALLOC_HEAD;
	char *memory = mmap(NULL, len, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return NULL;
	*(size_t *)memory = len;
	return memory + ALLOC_HEAD;
}

void jump_host_free(void *memory)
{
	char *head = (char *)memory - ALLOC_HEAD;

	if (memory)
		munmap(head, *(size_t *)head);
}

static void swap_bytes(char *a, char *b, size_t size)
{
	while (size--) {
		char c = *a;

		*a++ = *b;
		*b++ = c;
	}
}

static void heap_sink(char *base, size_t top, size_t nr, size_t size,
		      int (*cmp)(const void *, const void *))
{
	size_t child;

	while ((child = 2 * top + 1) < nr) {
		if (child + 1 < nr &&
		    cmp(base + child * size, base + (child + 1) * size) < 0)
			child++;
		if (cmp(base + top * size, base + child * size) >= 0)
			return;
		swap_bytes(base + top * size, base + child * size, size);
		top = child;
	}
}

/* A heap sort: in place, and n log n whatever the order. */
void jump_host_sort(void *base, size_t nr, size_t size,
		    int (*cmp)(const void *, const void *))
{
	size_t i;

	for (i = nr / 2; i-- > 0; )
		heap_sink(base, i, nr, size, cmp);
	for (i = nr; i-- > 1; ) {
		swap_bytes(base, (char *)base + i * size, size);
		heap_sink(base, 0, i, size, cmp);
	}
}
