// SPDX-License-Identifier: GPL-2.0
/*
 * churn - groups with a quota come and go
 *
 * usage: churn DIRECTORY GROUPS QUOTA PERIOD
 *
 * Makes a group below DIRECTORY of the cpu controller, limits it to QUOTA
 * microseconds in PERIOD, runs in it for a moment, leaves and removes it, so
 * many times over. Nothing of it should be left to pay for afterwards.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char group[4096];

static void die(const char *what)
{
	fprintf(stderr, "churn: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void put(const char *directory, const char *file, const char *text)
{
	char path[sizeof(group) + 64];
	ssize_t length = strlen(text);
	int fd;

	snprintf(path, sizeof(path), "%s/%s", directory, file);
	fd = open(path, O_WRONLY);
	if (fd < 0 || write(fd, text, length) != length || close(fd))
		die(path);
}

static void limit(const char *quota, const char *period)
{
	char text[sizeof(group) + 64];

	snprintf(text, sizeof(text), "%s/cpu.max", group);
	if (!access(text, W_OK)) {
		snprintf(text, sizeof(text), "%s %s", quota, period);
		put(group, "cpu.max", text);
		return;
	}
	put(group, "cpu.cfs_period_us", period);
	put(group, "cpu.cfs_quota_us", quota);
}

int main(int argc, char **argv)
{
	unsigned long n, i;
	char *end;

	if (argc != 5) {
		fprintf(stderr, "usage: churn DIRECTORY GROUPS QUOTA PERIOD\n");
		return 2;
	}
	errno = 0;
	n = strtoul(argv[2], &end, 10);
	if (errno || *end || end == argv[2] || *argv[2] == '-' || !n) {
		fprintf(stderr, "churn: %s: not a number of groups\n", argv[2]);
		return 2;
	}
	snprintf(group, sizeof(group), "%s/churn", argv[1]);
	for (i = 0; i < n; i++) {
		if (mkdir(group, 0755))
			die(group);
		limit(argv[3], argv[4]);
		put(group, "cgroup.procs", "0");
		put(argv[1], "cgroup.procs", "0");
		if (rmdir(group))
			die(group);
	}
	printf("churn: groups=%lu\n", n);
	return 0;
}
