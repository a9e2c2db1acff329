/* SPDX-License-Identifier: GPL-2.0 */
/* Time and CPUs, for the programs of this directory. */
#ifndef BANDWIDTH_CLOCK_H
#define BANDWIDTH_CLOCK_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <err.h>
#include <sched.h>
#include <stdint.h>
#include <time.h>

static inline uint64_t clock_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

/*
 * Where an emulator runs all CPUs by turns, this ends the turn: without it a CPU
 * that spins keeps the others from running until the next interrupt, or longer.
 */
static inline void let_others_run(void)
{
	__builtin_ia32_pause();
}

static inline void sleep_ns_until(uint64_t ns)
{
	struct timespec ts = {
		.tv_sec = ns / 1000000000,
		.tv_nsec = ns % 1000000000,
	};

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
}

static inline void pin_to_cpu(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		err(1, "CPU %d", cpu);
}

/* Run before everything that is subject to a limit; children are as others. */
static inline void run_first(void)
{
	struct sched_param param = { .sched_priority = 50 };

	if (sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &param))
		err(1, "SCHED_FIFO");
}

#endif /* BANDWIDTH_CLOCK_H */
