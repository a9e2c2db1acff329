// SPDX-License-Identifier: GPL-2.0
/* The tests of an encoder alone: it needs neither an engine nor its processor. */
#include <kunit/test.h>

int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	return kunit_run();
}
