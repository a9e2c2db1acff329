// SPDX-License-Identifier: GPL-2.0
/*
 * Static keys on arm64: tests of the encoder
 *
 * Needs neither a site nor the processor: the encoder is pure.
 */
#include <kunit/test.h>
#include "../../../kernel/jump_label_internal.h"
#include "../../../kernel/jump_label.h"

#define BASE 0x10000000UL

static const u8 nop[] = { 0x1f, 0x20, 0x03, 0xd5 };

struct encode_row {
	long distance;		/* from the site to the target */
	unsigned int shift;	/* of both from a multiple of four */
	unsigned int len;
	int result;
	u8 jump[JUMP_LABEL_INSN_MAX];
};

static const struct encode_row encode_rows[] = {
	/* self, next, one back */
	{ 0, 0, 4, 4, { 0x00, 0x00, 0x00, 0x14 } },
	{ 4, 0, 4, 4, { 0x01, 0x00, 0x00, 0x14 } },
	{ -4, 0, 4, 4, { 0xff, 0xff, 0xff, 0x17 } },
	{ 0x01234564, 0, 4, 4, { 0x59, 0xd1, 0x48, 0x14 } },
	/* the limits and one word past them */
	{ 0x07fffffc, 0, 4, 4, { 0xff, 0xff, 0xff, 0x15 } },
	{ 0x08000000, 0, 4, -ERANGE, { } },
	{ -0x08000000, 0, 4, 4, { 0x00, 0x00, 0x00, 0x16 } },
	{ -0x08000004, 0, 4, -ERANGE, { } },
	{ 0x7ffffffc, 0, 4, -ERANGE, { } },
	{ -0x7ffffffc, 0, 4, -ERANGE, { } },
	/* addresses that are no instruction's */
	{ 1, 0, 4, -EINVAL, { } },
	{ 2, 0, 4, -EINVAL, { } },
	{ -3, 0, 4, -EINVAL, { } },
	{ 0, 1, 4, -EINVAL, { } },
	{ 4, 2, 4, -EINVAL, { } },
	{ 8, 3, 4, -EINVAL, { } },
	/* no such site */
	{ 0, 0, 0, -EINVAL, { } },
	{ 0, 0, 2, -EINVAL, { } },
	{ 0, 0, 5, -EINVAL, { } },
	{ 0, 0, 8, -EINVAL, { } },
};

static void encode_row_check(struct kunit *test, const struct encode_row *row,
			     unsigned long code, enum jump_label_type type)
{
	const u8 *want = type == JUMP_LABEL_JMP ? row->jump : nop;
	unsigned int i, touched = row->result > 0 ? row->result : 0;
	u8 buf[JUMP_LABEL_INSN_MAX + 1];

	memset(buf, 0xa5, sizeof(buf));
	KUNIT_EXPECT_EQ(test, arch_jump_label_encode(buf, code,
						     code + row->distance,
						     type, row->len),
			row->result);
	KUNIT_EXPECT_EQ(test, memcmp(buf, want, touched), 0);
	for (i = touched; i < sizeof(buf); i++)
		KUNIT_EXPECT_EQ(test, buf[i], (u8)0xa5);
}

static void test_encode(struct kunit *test)
{
	unsigned long code;
	int i;

	for (i = 0; i < ARRAY_SIZE(encode_rows); i++) {
		/* Where the site is does not matter. */
		for (code = BASE; code < BASE + 64; code += 4) {
			encode_row_check(test, &encode_rows[i],
					 code + encode_rows[i].shift,
					 JUMP_LABEL_JMP);
			encode_row_check(test, &encode_rows[i],
					 code + encode_rows[i].shift,
					 JUMP_LABEL_NOP);
		}
	}
}

/* A distance that wraps around the address space is as good as any. */
static void test_encode_wraps(struct kunit *test)
{
	u8 buf[JUMP_LABEL_INSN_MAX];

	KUNIT_EXPECT_EQ(test, arch_jump_label_encode(buf, -4UL, 4UL,
						     JUMP_LABEL_JMP, 4), 4);
	KUNIT_EXPECT_EQ(test, buf[0], (u8)2);
	KUNIT_EXPECT_EQ(test, buf[3], (u8)0x14);
}

static void test_is_nop(struct kunit *test)
{
	/* yield, wfe, a branch and link, one bit off in each half */
	static const u8 foreign[][JUMP_LABEL_INSN_MAX] = {
		{ 0x3f, 0x20, 0x03, 0xd5 }, { 0x5f, 0x20, 0x03, 0xd5 },
		{ 0x00, 0x00, 0x00, 0x94 }, { 0x1e, 0x20, 0x03, 0xd5 },
		{ 0x1f, 0x20, 0x03, 0xd4 },
	};
	u8 buf[JUMP_LABEL_INSN_MAX];
	int i;

	KUNIT_EXPECT_TRUE(test, arch_jump_label_is_nop(nop, 4));
	KUNIT_EXPECT_FALSE(test, arch_jump_label_is_nop(nop, 2));
	KUNIT_EXPECT_EQ(test, arch_jump_label_length(nop), 4);
	arch_jump_label_encode(buf, BASE, BASE + 8, JUMP_LABEL_JMP, 4);
	KUNIT_EXPECT_FALSE(test, arch_jump_label_is_nop(buf, 4));
	KUNIT_EXPECT_EQ(test, arch_jump_label_length(buf), 4);
	for (i = 0; i < ARRAY_SIZE(foreign); i++)
		KUNIT_EXPECT_FALSE(test, arch_jump_label_is_nop(foreign[i], 4));
}

static struct kunit_case encode_cases[] = {
	KUNIT_CASE(test_encode),
	KUNIT_CASE(test_encode_wraps),
	KUNIT_CASE(test_is_nop),
	{}
};

static struct kunit_suite encode_suite = {
	.name = "jump_label_arm64",
	.test_cases = encode_cases,
};
kunit_test_suite(encode_suite);

MODULE_DESCRIPTION("KUnit tests of the arm64 half of static keys");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(EXPORTED_FOR_KUNIT_TESTING);
