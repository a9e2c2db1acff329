/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _HOST_KUNIT_TEST_H
#define _HOST_KUNIT_TEST_H

/*
 * The part of KUnit that our tests use, printing TAP. A suite registers itself
 * before main(); kunit_run() runs all.
 */
#include <stdio.h>
#include <string.h>

struct kunit {
	const char *name;
	int failures;
};

struct kunit_case {
	void (*run)(struct kunit *test);
	const char *name;
};

struct kunit_suite {
	const char *name;
	struct kunit_case *test_cases;
	struct kunit_suite *next;
};

extern struct kunit_suite *kunit_suites;

/* Run every suite. Return: the exit status of the program. */
int kunit_run(void);

#define KUNIT_CASE(function)	{ .run = function, .name = #function }
#define kunit_test_suite(suite)						\
static void __attribute__((__constructor__)) suite##_register(void)	\
{									\
	suite.next = kunit_suites;					\
	kunit_suites = &suite;						\
}									\
static void __attribute__((__constructor__)) suite##_register(void)

#define KUNIT_SAY(test, text, ...)					\
	((test)->failures++,						\
	 printf("# %s:%d: %s: " text "\n", __FILE__, __LINE__,		\
		(test)->name, ##__VA_ARGS__))

#define KUNIT_COMPARE(test, left, op, right)				\
do {									\
	__typeof__(left) __left = (left);				\
	__typeof__(right) __right = (right);				\
	if (!(__left op __right))					\
		KUNIT_SAY(test, "%s " #op " %s: %lld, %lld",		\
			  #left, #right, (long long)__left,		\
			  (long long)__right);				\
} while (0)

#define KUNIT_EXPECT_EQ(test, a, b)	KUNIT_COMPARE(test, a, ==, b)
#define KUNIT_EXPECT_GE(test, a, b)	KUNIT_COMPARE(test, a, >=, b)
#define KUNIT_EXPECT_GT(test, a, b)	KUNIT_COMPARE(test, a, >, b)
#define KUNIT_EXPECT_LT(test, a, b)	KUNIT_COMPARE(test, a, <, b)
#define KUNIT_EXPECT_TRUE(test, a)	KUNIT_COMPARE(test, !!(a), ==, 1)
#define KUNIT_EXPECT_FALSE(test, a)	KUNIT_COMPARE(test, !!(a), ==, 0)
#define KUNIT_EXPECT_NULL(test, a)	KUNIT_EXPECT_TRUE(test, (a) == NULL)
#define KUNIT_EXPECT_NOT_NULL(test, a)	KUNIT_EXPECT_TRUE(test, (a) != NULL)
#define KUNIT_EXPECT_EQ_MSG(test, a, b, fmt, ...)			\
do {									\
	if ((a) != (b))							\
		KUNIT_SAY(test, "%s == %s: " fmt, #a, #b, __VA_ARGS__);	\
} while (0)
#define KUNIT_EXPECT_STREQ(test, a, b)					\
	KUNIT_EXPECT_STREQ_MSG(test, a, b, "%s", "")
#define KUNIT_EXPECT_STREQ_MSG(test, a, b, fmt, ...)			\
do {									\
	if (strcmp(a, b))						\
		KUNIT_SAY(test, "\"%s\" is not \"%s\" " fmt, a, b,	\
			  __VA_ARGS__);					\
} while (0)

#endif /* _HOST_KUNIT_TEST_H */
