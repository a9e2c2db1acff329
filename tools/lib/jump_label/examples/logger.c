// SPDX-License-Identifier: GPL-2.0
/*
 * A logger with a key for each line: logger [LINE...]
 *
 * A log statement that nobody asked for costs one NOP. The arguments are the
 * numbers of the source lines to turn on; without any, the lines are listed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <jump_label.h>

struct log_line {
	struct static_key_false *key;
	const char *format;
	unsigned int line;
	struct log_line *next;
};

static struct log_line *log_lines;

#define log_debug(format, ...)						\
do {									\
	static DEFINE_STATIC_KEY_FALSE(log_key);			\
	static struct log_line log_line = { &log_key, format, __LINE__, 0 }; \
	static int log_known;						\
									\
	if (!log_known) {						\
		log_known = 1;						\
		log_line.next = log_lines;				\
		log_lines = &log_line;					\
	}								\
	if (static_branch_unlikely(&log_key))				\
		printf("%d: " format "\n", __LINE__, ##__VA_ARGS__);	\
} while (0)

static void do_work(int n)
{
	log_debug("work on %d", n);
	if (n & 1)
		log_debug("%d is odd", n);
	log_debug("done with %d", n);
}

int main(int argc, char **argv)
{
	struct log_line *line;
	int i;

	jump_label_init();
	do_work(0);
	do_work(1);
	for (line = log_lines; line; line = line->next) {
		if (argc < 2)
			printf("%u: \"%s\"\n", line->line, line->format);
		for (i = 1; i < argc; i++)
			if ((unsigned int)atoi(argv[i]) == line->line)
				static_branch_enable(line->key);
	}
	for (i = 2; argc > 1 && i < 5; i++)
		do_work(i);
	return 0;
}
