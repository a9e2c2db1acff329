// SPDX-License-Identifier: GPL-2.0
/*
 * The engine's host for unit tests, see jump_label_internal.h
 */
#include <sys/mman.h>
#include "jump_label_internal.h"
#include "../../../../kernel/jump_label.h"
#include "../../../../arch/x86/kernel/jump_label_text.h"
#include "host.h"

/* In the kernel this stands in init/main.c. */
bool static_key_initialized;

int host_cpus_held, host_warnings, host_reports;
struct host_trace host_trace;
atomic_t jump_label_fail_alloc, jump_label_fail_write;
bool host_early;
const struct static_key *host_sealed_key;
void (*host_on_sync)(void);
unsigned long host_gone_start, host_gone_end;

static int text_locks;

static void text_protect(unsigned long start, size_t len, int protection)
{
	unsigned long page = start & PAGE_MASK;

	if (mprotect((void *)page, start + len - page, protection)) {
		perror("mprotect");
		exit(1);
	}
}

void jump_text_lock(void)
{
	if (text_locks++)
		abort();
}

void jump_text_unlock(void)
{
	if (--text_locks)
		abort();
}

/* Page by page; the sites behind are left for another call. */
int jump_text_write(const struct jump_patch *patch, unsigned int nr,
		    jump_text_fill_t *fill)
{
	unsigned int run = min(patch->run, nr);
	const struct jump_patch *last = &patch[run - 1];
	size_t len = last->code + last->len - patch->code;

	if (!text_locks || len > PAGE_SIZE + JUMP_LABEL_INSN_MAX)
		abort();
	if (jump_label_fails(&jump_label_fail_write))
		return -EIO;
	text_protect(patch->code, len, PROT_READ | PROT_WRITE | PROT_EXEC);
	fill(patch, run, 0);
	text_protect(patch->code, len, PROT_READ | PROT_EXEC);
	return run;
}

void jump_text_write_early(unsigned long code, const u8 *bytes, size_t len)
{
	text_protect(code, len, PROT_READ | PROT_WRITE | PROT_EXEC);
	memcpy((void *)code, bytes, len);
	text_protect(code, len, PROT_READ | PROT_EXEC);
}

void jump_text_sync(void)
{
	if (host_on_sync)
		host_on_sync();
}

/* The event must name what stands there by now, but for the trap. */
void jump_text_event(const struct jump_patch *patch, unsigned int nr)
{
	for (; nr; patch++, nr--) {
		const u8 *code = (u8 *)patch->code;

		if (!memcmp(patch->old, patch->new, patch->len) ||
		    memcmp(code + 1, patch->new + 1, patch->len - 1) ||
		    *code != 0xcc)
			abort();
	}
}

void jump_text_relax(void)
{
}

void jump_text_lost(void)
{
	puts("Bail out! text was lost");
	exit(1);
}

enum jump_text jump_host_text(const struct jump_table *table,
			      unsigned long code)
{
	return code >= host_gone_start && code < host_gone_end ?
		JUMP_TEXT_GONE : JUMP_TEXT_GOOD;
}

bool jump_host_text_of(const struct jump_table *table, unsigned long addr)
{
	return true;
}

void arch_jump_label_init(void)
{
}

/* The built NOP is the chosen one. */
void arch_jump_label_init_nops(const struct jump_entry *start,
			       const struct jump_entry *stop)
{
}
