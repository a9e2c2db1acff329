// SPDX-License-Identifier: GPL-2.0
/*
 * nop_bench - what a NOP costs on this processor, by family and length
 *
 * usage: nop_bench [--rounds N] [--csv FILE]
 *
 * Runs in user space. The rows are those of arch/x86/kernel/nops.c, and a jump
 * to the next instruction for comparison. A body of many copies is called in a
 * loop; what an empty body takes is subtracted. All rows take turns in each
 * round, and of each row the quickest round counts: whatever else the machine
 * does only ever adds.
 *
 * Where the processor counts cycles for us, cycles are reported. Where it does
 * not, the reason is printed in their place, and only the ratios to the quickest
 * form of the same length in the same run mean something.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/perf_event.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <asm/jump_label_nops.h>

#define COPIES		128	/* of one NOP in a body */
#define CALLS		200	/* of a body in one measurement */
#define BODY_ROOM	(COPIES * X86_NOP_LEN_MAX + 1)
#define MAX_ROWS	48
#define X86_RET		0xc3

/**
 * struct row - one form
 * @family: its name
 * @len: bytes
 * @insn: the instruction
 * @body: copies of it and a return, executable
 * @best: least cost of CALLS calls so far
 * @invalid: this processor does not execute it
 */
struct row {
	const char *family;
	unsigned int len;
	const uint8_t *insn;
	uint8_t *body;
	uint64_t best;
	bool invalid;
};

static const uint8_t jump_2[] = { 0xeb, 0 };
static const uint8_t jump_5[] = { 0xe9, 0, 0, 0, 0 };

/* The last row is the empty body. */
static struct row rows[MAX_ROWS];
static unsigned int nr_rows;
static int cycles_fd;
static int cycles_error;
static sigjmp_buf invalid_opcode;

static void __attribute__((noreturn)) fail(const char *what)
{
	perror(what);
	exit(1);
}

static void row_add(const char *family, unsigned int len, const uint8_t *insn)
{
	if (nr_rows == MAX_ROWS) {
		fprintf(stderr, "nop_bench: more than %d rows\n", MAX_ROWS);
		exit(1);
	}
	rows[nr_rows++] = (struct row){
		.family = family, .len = len, .insn = insn, .best = UINT64_MAX,
	};
}

static void rows_collect(void)
{
	const struct x86_nop_family *const *family;
	unsigned int len;

	for (family = x86_nop_families; *family; family++)
		for (len = 1; len <= X86_NOP_LEN_MAX; len++)
			row_add((*family)->name, len, (*family)->insn[len]);
	row_add("jmp", 2, jump_2);
	row_add("jmp", 5, jump_5);
	row_add("", 0, NULL);
}

/* Written first, executable afterwards: never both. */
static void bodies_make(void)
{
	size_t size = (size_t)nr_rows * BODY_ROOM;
	uint8_t *text = mmap(NULL, size, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned int i, copy;

	if (text == MAP_FAILED)
		fail("mmap");
	for (i = 0; i < nr_rows; i++) {
		struct row *row = &rows[i];

		row->body = text + (size_t)i * BODY_ROOM;
		for (copy = 0; copy < COPIES && row->len; copy++)
			memcpy(row->body + copy * row->len, row->insn, row->len);
		row->body[row->len * COPIES] = X86_RET;
	}
	if (mprotect(text, size, PROT_READ | PROT_EXEC))
		fail("mprotect");
}

/*
 * The families write eax and esi, with what stands there or its lower half. In
 * 64-bit code a call from here would write over the red zone: go below it.
 */
#ifdef __x86_64__
#define BELOW_RED_ZONE	"sub $128, %%rsp\n"
#define ABOVE_RED_ZONE	"\n\tadd $128, %%rsp"
#else
#define BELOW_RED_ZONE	""
#define ABOVE_RED_ZONE	""
#endif

static void body_call(const uint8_t *body, unsigned long calls)
{
	__asm__ volatile(BELOW_RED_ZONE
			 "1:	call *%1\n\t"
			 "dec %0\n\t"
			 "jnz 1b"
			 ABOVE_RED_ZONE
			 : "+b" (calls) : "D" (body) : "eax", "esi", "memory");
}

static void on_sigill(int signal)
{
	(void)signal;
	siglongjmp(invalid_opcode, 1);
}

/* Each body once, so that one that cannot run is known before it is timed. */
static void bodies_try(void)
{
	struct sigaction action = { .sa_handler = on_sigill };
	unsigned int i;

	if (sigaction(SIGILL, &action, NULL))
		fail("sigaction");
	for (i = 0; i < nr_rows; i++) {
		if (sigsetjmp(invalid_opcode, 1))
			rows[i].invalid = true;
		else
			body_call(rows[i].body, 1);
	}
}

static void cycles_open(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	cycles_fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
	cycles_error = cycles_fd < 0 ? errno : 0;
}

static uint64_t cost_now(void)
{
	struct timespec now;
	uint64_t count;

	if (cycles_fd >= 0) {
		if (read(cycles_fd, &count, sizeof(count)) != sizeof(count))
			fail("reading the cycle counter");
		return count;
	}
	if (clock_gettime(CLOCK_MONOTONIC, &now))
		fail("clock_gettime");
	return now.tv_sec * UINT64_C(1000000000) + now.tv_nsec;
}

static void measure(unsigned long rounds)
{
	unsigned int i;

	while (rounds--) {
		for (i = 0; i < nr_rows; i++) {
			struct row *row = &rows[i];
			uint64_t cost;

			if (row->invalid)
				continue;
			cost = cost_now();
			body_call(row->body, CALLS);
			cost = cost_now() - cost;
			if (cost < row->best)
				row->best = cost;
		}
	}
}

/* Cycles or nanoseconds of one NOP, the loop around it taken off. */
static double row_cost(const struct row *row)
{
	const struct row *empty = &rows[nr_rows - 1];
	double cost = (double)row->best - (double)empty->best;

	return (cost > 1 ? cost : 1) / ((double)CALLS * COPIES);
}

static double row_ratio(const struct row *row)
{
	double best = row_cost(row);
	unsigned int i;

	for (i = 0; i < nr_rows; i++)
		if (rows[i].len == row->len && !rows[i].invalid &&
		    row_cost(&rows[i]) < best)
			best = row_cost(&rows[i]);
	return row_cost(row) / best;
}

static const char *row_bytes(const struct row *row, const char *between)
{
	static char text[3 * X86_NOP_LEN_MAX + 1];
	unsigned int i, n = 0;

	for (i = 0; i < row->len; i++)
		n += sprintf(text + n, "%s%02x", i ? between : "", row->insn[i]);
	return text;
}

static void print_row(FILE *to, const struct row *row, bool csv)
{
	const char *head = csv ? "%s,%u,%s," : "%-8s %5u  %-24s ";
	const char *none = csv ? "%s,%s\n" : "%8s %7s\n";
	char cycles[32] = "";

	fprintf(to, head, row->family, row->len, row_bytes(row, csv ? "" : " "));
	if (row->invalid) {
		fprintf(to, none, "invalid", "invalid");
		return;
	}
	if (cycles_fd >= 0)
		snprintf(cycles, sizeof(cycles), "%.3f", row_cost(row));
	else
		snprintf(cycles, sizeof(cycles), "none");
	fprintf(to, csv ? "%s,%.2f\n" : "%8s %7.2f\n", cycles, row_ratio(row));
}

static void print_table(void)
{
	unsigned int i;

	if (cycles_fd < 0)
		printf("no cycle counter (%s): ratios of time to the quickest of the same length\n",
		       strerror(cycles_error));
	else
		puts("cycles a NOP, and their ratio to the quickest of the same length");
	printf("%-8s %5s  %-24s %8s %7s\n", "family", "bytes", "encoding",
	       "cycles", "ratio");
	for (i = 0; i < nr_rows - 1; i++)
		print_row(stdout, &rows[i], false);
}

static void print_csv(const char *path)
{
	FILE *to = fopen(path, "w");
	unsigned int i;

	if (!to)
		fail(path);
	fputs("family,bytes,encoding,cycles,ratio\n", to);
	for (i = 0; i < nr_rows - 1; i++)
		print_row(to, &rows[i], true);
	if (fclose(to))
		fail(path);
}

static int wrong_use(void)
{
	fputs("usage: nop_bench [--rounds N] [--csv FILE]\n", stderr);
	return 2;
}

int main(int argc, char **argv)
{
	unsigned long rounds = 2000;
	const char *csv = NULL;
	char *end;
	int i;

	for (i = 1; i < argc; i += 2) {
		if (i + 1 == argc)
			return wrong_use();
		if (!strcmp(argv[i], "--csv")) {
			csv = argv[i + 1];
		} else if (!strcmp(argv[i], "--rounds")) {
			errno = 0;
			rounds = strtoul(argv[i + 1], &end, 10);
			if (errno || *end || argv[i + 1][0] == '-' || !rounds)
				return wrong_use();
		} else {
			return wrong_use();
		}
	}
	rows_collect();
	bodies_make();
	bodies_try();
	cycles_open();
	measure(rounds);
	print_table();
	if (csv)
		print_csv(csv);
	return 0;
}
