// SPDX-License-Identifier: GPL-2.0
/*
 * Writing text by replacing its pages
 *
 * An emulator that translates code keeps what it translated until it sees the
 * program change its mappings; what is written through /proc/self/mem passes it
 * by. With JUMP_LABEL=remap a copy of the page is made aside, changed, given the
 * rights of text and moved over the old one: one system call, so that other
 * threads run the old page or the new one. No mapping is writable and executable
 * here either, but the page is a mapping of its own afterwards. That is why this
 * is not for ordinary use.
 */
#include <sys/mman.h>
#include <unistd.h>
#include "host.h"

int jump_text_remap(unsigned long start, const u8 *bytes, size_t len)
{
	unsigned long size = sysconf(_SC_PAGESIZE), page = start & -size;
	size_t span = (start - page + len + size - 1) & -size;
	char *copy = mmap(NULL, span, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int err;

	if (copy == MAP_FAILED)
		return -errno;
	memcpy(copy, (void *)page, span);
	memcpy(copy + (start - page), bytes, len);
	__builtin___clear_cache(copy, copy + span);
	if (!mprotect(copy, span, PROT_READ | PROT_EXEC) &&
	    mremap(copy, span, span, MREMAP_MAYMOVE | MREMAP_FIXED,
		   (void *)page) != MAP_FAILED)
		return 0;
	err = -errno;
	munmap(copy, span);
	return err;
}
