// SPDX-License-Identifier: GPL-2.0
/*
 * Process 1 of a guest whose CPU is older than any C library of a distribution
 *
 * Built for the 486 with the kernel's nolibc, see nops-32.t. Shows what the
 * kernel says of its NOPs, turns every key, and reads the bytes of all sites
 * from physical memory, past the engine. Keeps the contract of scripts/boot:
 * output to /dev/ttyS1, the status to /dev/kmsg. Judging is left to the host.
 *
 *	/sites		where sites are: one physical address in hex a line
 *	/torture.ko	kernel/jump_label_torture.c
 */
#include <linux/reboot.h>

#define DEBUGFS		"/sys/kernel/debug"
#define JUMP_LABEL	DEBUGFS "/jump_label"
#define SITE_BYTES	8

static int out = 2;
static int failures;

static void say(const char *text)
{
	write(out, text, strlen(text));
}

static void must(const char *what, long result)
{
	if (result >= 0)
		return;
	say("failed: ");
	say(what);
	say("\n");
	failures++;
}

/* The whole of a file; NULL when it cannot be read. */
static char *slurp(const char *path, size_t *size)
{
	size_t room = 1 << 20, got = 0;
	char *text = malloc(room + 1);
	int fd = open(path, O_RDONLY);
	ssize_t n = 1;

	if (!text || fd < 0) {
		must(path, -1);
		return NULL;
	}
	while (got < room && (n = read(fd, text + got, room - got)) > 0)
		got += n;
	close(fd);
	text[got] = 0;
	if (size)
		*size = got;
	return text;
}

static void show(const char *title, const char *path)
{
	char *text = slurp(path, NULL);

	say("== ");
	say(title);
	say("\n");
	if (text)
		say(text);
}

/* Loading the module turns all keys, and fails when a site was wrong. */
static void turn_all_keys(void)
{
	size_t size;
	char *image = slurp("/torture.ko", &size);

	if (image)
		must("all keys turn",
		     syscall(__NR_init_module, image, size, "action=toggle_all"));
}

static void show_sites(void)
{
	static const char digits[] = "0123456789abcdef";
	char *at = slurp("/sites", NULL), *end;
	int mem = open("/dev/mem", O_RDONLY);
	unsigned char bytes[SITE_BYTES];
	char line[2 * SITE_BYTES + 2];
	unsigned long address;
	int i;

	must("/dev/mem", mem);
	say("== bytes\n");
	for (; at && *at; at = end + 1) {
		address = strtoul(at, &end, 16);
		must("seek", lseek(mem, address, SEEK_SET));
		must("read", read(mem, bytes, SITE_BYTES) - SITE_BYTES);
		for (i = 0; i < SITE_BYTES; i++) {
			line[2 * i] = digits[bytes[i] >> 4];
			line[2 * i + 1] = digits[bytes[i] & 15];
		}
		line[2 * SITE_BYTES] = '\n';
		line[2 * SITE_BYTES + 1] = 0;
		write(out, at, end - at);
		say(" ");
		say(line);
		if (*end != '\n')
			break;
	}
}

int main(void)
{
	int log;

	mkdir("/sys", 0755);
	must("sysfs", mount("sysfs", "/sys", "sysfs", 0, NULL));
	must("devtmpfs", mount("devtmpfs", "/dev", "devtmpfs", 0, NULL));
	must("debugfs", mount("debugfs", DEBUGFS, "debugfs", 0, NULL));
	out = open("/dev/ttyS1", O_WRONLY);
	show("nops", JUMP_LABEL "/nops");
	show("verify", JUMP_LABEL "/verify");
	turn_all_keys();
	show("verify", JUMP_LABEL "/verify");
	show("summary", JUMP_LABEL "/summary");
	show_sites();
	say("== end\n");

	log = open("/dev/kmsg", O_WRONLY);
	must("/dev/kmsg", log);
	if (failures)
		write(log, "<1>scripts/boot: the command ended with status 1", 48);
	else
		write(log, "<1>scripts/boot: the command ended with status 0", 48);
	reboot(LINUX_REBOOT_CMD_RESTART);
	for (;;)
		sleep(1);
}
