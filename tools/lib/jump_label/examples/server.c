// SPDX-License-Identifier: GPL-2.0
/*
 * A tiny server whose tracing is toggled by SIGUSR1: server
 *
 * It answers each line of its input with the length of the line, and while
 * tracing is on tells on stderr what it does. The handler changes the key
 * itself: that is allowed in handlers.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <jump_label.h>

static DEFINE_STATIC_KEY_FALSE(tracing);

static void toggle(int nr)
{
	(void)nr;
	if (static_key_enabled(&tracing))
		static_branch_disable(&tracing);
	else
		static_branch_enable(&tracing);
}

int main(void)
{
	struct sigaction action = { .sa_flags = SA_RESTART };
	char line[256];

	jump_label_init();
	action.sa_handler = toggle;
	sigaction(SIGUSR1, &action, NULL);
	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = '\0';
		if (static_branch_unlikely(&tracing))
			fprintf(stderr, "trace: \"%s\"\n", line);
		printf("%zu\n", strlen(line));
		fflush(stdout);
	}
	return 0;
}
