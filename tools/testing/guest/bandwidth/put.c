// SPDX-License-Identifier: GPL-2.0
/*
 * put.c - one write to a control file, and what came of it
 *
 *	put FILE TEXT		write TEXT as it is
 *	put -r FILE TEXT	the same, after the group it belongs to was removed
 *
 * Prints 0 or the name of the error.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int removed = argc == 4 && !strcmp(argv[1], "-r"), fd;
	const char *file, *text;
	ssize_t done;

	if (argc - removed != 3)
		errx(1, "usage: put [-r] FILE TEXT");
	file = argv[1 + removed];
	text = argv[2 + removed];
	fd = open(file, O_WRONLY);
	if (fd < 0)
		err(1, "%s", file);
	if (removed && rmdir(dirname(strdup(file))))
		err(1, "the group of %s", file);
	done = write(fd, text, strlen(text));
	if (done < 0)
		puts(strerrorname_np(errno));
	else
		puts(done == (ssize_t)strlen(text) ? "0" : "short");
	return 0;
}
