// SPDX-License-Identifier: GPL-2.0
/*
 * How a process writes its own text and makes its cores serialise
 *
 * Text is written through /proc/self/mem, which needs no writable mapping and
 * changes none: the kernel copies the page once, as a debugger makes it do, and
 * the mapping stays as it is. It also takes care of the caches, where those for
 * instructions do not follow stores. Cores follow through membarrier(SYNC_CORE).
 * On request pages are replaced instead, see remap.c.
 *
 * The holder of the mutex cannot be cancelled, so half a transaction never is.
 */
#include <fcntl.h>
#include <linux/membarrier.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "host.h"
#include "../../../kernel/jump_label_text.h"

/* Above the descriptors that programs like to close in a row. */
#define MEM_FD_MIN	500

static struct {
	int fd;
	dev_t dev;
	ino_t ino;
	pid_t pid;
	bool remap;
	bool wary;
	bool good;
} mem = { .fd = -1 };

unsigned int jump_text_generation;

static bool mem_is_ours(void)
{
	struct stat now;

	return mem.fd >= 0 && !fstat(mem.fd, &now) && now.st_dev == mem.dev &&
		now.st_ino == mem.ino;
}

static int mem_open(void)
{
	int fd = open("/proc/self/mem", O_RDWR | O_CLOEXEC), high;
	struct stat now;

	mem.fd = -1;
	if (fd < 0)
		return -errno;
	high = fcntl(fd, F_DUPFD_CLOEXEC, MEM_FD_MIN);
	if (high >= 0) {
		close(fd);
		fd = high;
	}
	if (fstat(fd, &now)) {
		close(fd);
		return -errno;
	}
	mem.fd = fd;
	mem.dev = now.st_dev;
	mem.ino = now.st_ino;
	mem.pid = getpid();
	return 0;
}

/*
 * The descriptor names the memory of the process that opened it. After fork(),
 * or when the program closed it and its number is somebody else's by now, it
 * must not be used.
 */
static int mem_check(void)
{
	if (mem.remap)
		return 0;
	if (mem_is_ours()) {
		if (mem.pid == getpid())
			return 0;
		close(mem.fd);
	}
	return mem_open();
}

/* A debugger would see our traps before we do, and keep them. */
static bool traced(void)
{
	static const char field[] = "TracerPid:\t";
	int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
	char text[1024];
	ssize_t len;
	char *at;

	if (fd < 0)
		return false;
	len = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (len < 0)
		return false;
	text[len] = '\0';
	at = strstr(text, field);
	return at && at[sizeof(field) - 1] != '0';
}

void jump_text_fork(void)
{
	mem_check();
}

static int mem_write(unsigned long code, const u8 *bytes, size_t len)
{
	ssize_t n;

	if (mem.remap)
		return jump_text_remap(code, bytes, len);
	n = pwrite(mem.fd, bytes, len, (off_t)code);
	return n < 0 ? -errno : (size_t)n == len ? 0 : (int)n;
}

void jump_text_lock(void)
{
	mem.good = !mem_check() && !(mem.wary && traced());
	__atomic_fetch_add(&jump_text_generation, 1, __ATOMIC_SEQ_CST);
}

void jump_text_unlock(void)
{
	__atomic_fetch_add(&jump_text_generation, 1, __ATOMIC_SEQ_CST);
}

/*
 * Page by page; the sites behind are left for another call. Bytes between two
 * sites are written back as they were read. Nobody else writes text behind our
 * back, but for a debugger, which stops all threads.
 */
int jump_text_write(const struct jump_patch *patch, unsigned int nr,
		    jump_text_fill_t *fill)
{
	u8 bytes[PAGE_SIZE + JUMP_LABEL_INSN_MAX];
	unsigned int run = min(patch->run, nr);
	unsigned long start = patch->code;
	size_t len = patch[run - 1].code + patch[run - 1].len - start;
	int err;

	if (!mem.good)
		return -EPERM;
	memcpy(bytes, (void *)start, len);
	fill(patch, run, (unsigned long)bytes - start);
	err = mem_write(start, bytes, len);
	if (err > 0) {
		/* A part was written: the range crosses into another page. */
		int n = err;

		err = mem_write(start + n, bytes + n, len - n);
		err = err > 0 ? -EIO : err;
	}
	return err ? err : run;
}

int jump_text_put(unsigned long code, const u8 *bytes, size_t len)
{
	int err;

	jump_text_lock();
	err = mem.good ? mem_write(code, bytes, len) : -EPERM;
	if (!err)
		jump_text_sync();
	jump_text_unlock();
	return err > 0 ? -EIO : err;
}

/* Never early, see jump_host_early(). */
void jump_text_write_early(unsigned long code, const u8 *bytes, size_t len)
{
}

static int membarrier(int command)
{
	return syscall(SYS_membarrier, command, 0, 0);
}

/*
 * Taking a right away from a page interrupts every core that runs this process,
 * and the return from an interrupt serialises. For the case that membarrier()
 * was there at the start and is not any more.
 */
static void sync_by_protection(void)
{
	static char page[2 * PAGE_SIZE];
	char *start = (char *)(((unsigned long)page + PAGE_SIZE - 1) &
			       PAGE_MASK);

	*start = 1;
	if (mprotect(start, PAGE_SIZE, PROT_READ) ||
	    mprotect(start, PAGE_SIZE, PROT_READ | PROT_WRITE))
		jump_text_lost();
}

void jump_text_sync(void)
{
	if (!membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE))
		return;
	membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE);
	if (membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE))
		sync_by_protection();
}

void jump_text_event(const struct jump_patch *patch, unsigned int nr)
{
	for (; jump_host_debug && nr; patch++, nr--)
		jump_host_print("jump_label: %pS: %*ph -> %*ph\n",
				(void *)patch->code, patch->len, patch->old,
				patch->len, patch->new);
}

void jump_text_relax(void)
{
}

void jump_text_lost(void)
{
	jump_host_print("jump_label: text is half written and cannot be mended\n");
	__builtin_trap();
}

/* Writes that are accepted are not yet seen: emulators keep translations. */
static int probe_write(void)
{
	const struct jump_entry *entry = jump_arch_probe_entry;
	unsigned long code = jump_entry_code(entry);
	unsigned long target = jump_entry_target(entry);
	u8 bytes[JUMP_LABEL_INSN_MAX];
	int type, len, err;

	memcpy(bytes, (void *)code, sizeof(bytes));
	len = arch_jump_label_length(bytes);
	if (len < 0 || jump_arch_probe())
		return -EOPNOTSUPP;
	for (type = JUMP_LABEL_JMP; type >= JUMP_LABEL_NOP; type--) {
		arch_jump_label_encode(bytes, code, target, type, len);
		err = jump_text_put(code, bytes, len);
		if (err)
			return -EPERM;
		if (jump_arch_probe() != (type == JUMP_LABEL_JMP))
			return -EOPNOTSUPP;
	}
	return 0;
}

int jump_text_start(bool wary, bool remap)
{
	if (wary && traced())
		return -EBUSY;
	mem.wary = wary;
	mem.remap = remap;
	if (mem_check())
		return -EPERM;
	if (membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE) ||
	    membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE))
		return -ENOSYS;
	return probe_write();
}
