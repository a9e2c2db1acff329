// SPDX-License-Identifier: GPL-2.0
/*
 * Run KUnit suites as a program, see kunit/test.h
 */
#include <kunit/test.h>

struct kunit_suite *kunit_suites;

int kunit_run(void)
{
	int total = 0, nr = 0, failed = 0;
	struct kunit_suite *suite;
	struct kunit_case *test;

	for (suite = kunit_suites; suite; suite = suite->next)
		for (test = suite->test_cases; test->run; test++)
			total++;
	printf("TAP version 13\n1..%d\n", total);
	for (suite = kunit_suites; suite; suite = suite->next) {
		for (test = suite->test_cases; test->run; test++) {
			struct kunit now = { .name = test->name };

			test->run(&now);
			failed += !!now.failures;
			printf("%sok %d - %s: %s\n", now.failures ? "not " : "",
			       ++nr, suite->name, test->name);
		}
	}
	return !!failed;
}
