// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <jump_label.h>

static DEFINE_STATIC_KEY_FALSE(verbose);

int main(int argc, char **argv)
{
	(void)argv;
	jump_label_init();
	if (argc > 1)
		static_branch_enable(&verbose);
	if (static_branch_unlikely(&verbose))
		puts("verbose");
	return 0;
}
