// SPDX-License-Identifier: GPL-2.0
/*
 * Static keys on x86: tests of the encoder and of the choice of NOPs
 *
 * Runs as KUnit in the kernel and as a program on the host. Needs no site: the
 * encoder is pure.
 */
#include <kunit/test.h>
#include "../../../kernel/jump_label_internal.h"
#include "../../../kernel/jump_label.h"
#include <asm/jump_label_nops.h>

#define BASE 0x10000000UL

struct encode_row {
	long distance;		/* from the end of the site to the target */
	unsigned int len;
	int result;
	u8 jump[JUMP_LABEL_INSN_MAX];
};

static const struct encode_row encode_rows[] = {
	/* short: next instruction, +1, self, limits and one past them */
	{ 0, 2, 2, { 0xeb, 0x00 } },
	{ 1, 2, 2, { 0xeb, 0x01 } },
	{ -2, 2, 2, { 0xeb, 0xfe } },
	{ 127, 2, 2, { 0xeb, 0x7f } },
	{ 128, 2, -ERANGE, { } },
	{ -128, 2, 2, { 0xeb, 0x80 } },
	{ -129, 2, -ERANGE, { } },
	{ 0x10000, 2, -ERANGE, { } },
	/* near */
	{ 0, 5, 5, { 0xe9, 0x00, 0x00, 0x00, 0x00 } },
	{ -5, 5, 5, { 0xe9, 0xfb, 0xff, 0xff, 0xff } },
	{ 128, 5, 5, { 0xe9, 0x80, 0x00, 0x00, 0x00 } },
	{ -129, 5, 5, { 0xe9, 0x7f, 0xff, 0xff, 0xff } },
	{ 0x12345678, 5, 5, { 0xe9, 0x78, 0x56, 0x34, 0x12 } },
	{ 0x7fffffff, 5, 5, { 0xe9, 0xff, 0xff, 0xff, 0x7f } },
	{ -0x7fffffff - 1, 5, 5, { 0xe9, 0x00, 0x00, 0x00, 0x80 } },
#ifdef CONFIG_64BIT
	{ 0x80000000L, 5, -ERANGE, { } },
	{ -0x80000001L, 5, -ERANGE, { } },
	{ 0x7fffffffffffffffL, 5, -ERANGE, { } },
#endif
	/* no such site */
	{ 0, 0, -EINVAL, { } },
	{ 0, 1, -EINVAL, { } },
	{ 0, 3, -EINVAL, { } },
	{ 0, 4, -EINVAL, { } },
	{ 0, 6, -EINVAL, { } },
};

static void encode_row_check(struct kunit *test, const struct encode_row *row,
			     unsigned long code, enum jump_label_type type)
{
	const u8 *want = type == JUMP_LABEL_JMP ? row->jump :
				x86_site_nop.family->insn[row->len];
	u8 buf[JUMP_LABEL_INSN_MAX + 1];
	unsigned int i, touched = row->result > 0 ? row->result : 0;

	memset(buf, 0xa5, sizeof(buf));
	KUNIT_EXPECT_EQ(test,
			arch_jump_label_encode(buf, code,
					       code + row->len + row->distance,
					       type, row->len), row->result);
	if (touched)
		KUNIT_EXPECT_EQ(test, memcmp(buf, want, touched), 0);
	for (i = touched; i < sizeof(buf); i++)
		KUNIT_EXPECT_EQ(test, buf[i], (u8)0xa5);
}

static void test_encode(struct kunit *test)
{
	int i, align;

	for (i = 0; i < ARRAY_SIZE(encode_rows); i++) {
		/* Addresses do not matter, alignment included. */
		for (align = 0; align < 64; align += 7) {
			encode_row_check(test, &encode_rows[i], BASE + align,
					 JUMP_LABEL_JMP);
			encode_row_check(test, &encode_rows[i], BASE + align,
					 JUMP_LABEL_NOP);
		}
	}
}

/* A distance that wraps around the address space is as good as any. */
static void test_encode_wraps(struct kunit *test)
{
	u8 buf[JUMP_LABEL_INSN_MAX];

	KUNIT_EXPECT_EQ(test, arch_jump_label_encode(buf, -4UL, 2UL,
						     JUMP_LABEL_JMP, 2), 2);
	KUNIT_EXPECT_EQ(test, buf[1], (u8)4);
	KUNIT_EXPECT_EQ(test, arch_jump_label_encode(buf, 2UL, -4UL,
						     JUMP_LABEL_JMP, 5), 5);
	KUNIT_EXPECT_EQ(test, buf[1], (u8)-11);
}

static void test_length(struct kunit *test)
{
	static const u8 foreign[][2] = {
		{ 0x90, 0x90 }, { 0xcc, 0x90 }, { 0xe8, 0x00 }, { 0x0f, 0x0b },
		{ 0x0f, 0x84 }, { 0x74, 0x00 }, { 0xc3, 0x00 }, { 0x66, 0x0f },
	};
	const struct x86_nop_family *const *family;
	u8 buf[JUMP_LABEL_INSN_MAX];
	unsigned int len;
	int i;

	for (len = 2; len <= 5; len += 3) {
		arch_jump_label_encode(buf, BASE, BASE + 9, JUMP_LABEL_JMP, len);
		KUNIT_EXPECT_EQ(test, arch_jump_label_length(buf), (int)len);
		KUNIT_EXPECT_FALSE(test, arch_jump_label_is_nop(buf, len));
		for (family = x86_nop_families; *family; family++) {
			const u8 *insn = (*family)->insn[len];

			KUNIT_EXPECT_EQ(test, arch_jump_label_length(insn),
					(int)len);
			KUNIT_EXPECT_TRUE(test,
					  arch_jump_label_is_nop(insn, len));
		}
	}
	for (i = 0; i < ARRAY_SIZE(foreign); i++)
		KUNIT_EXPECT_EQ(test, arch_jump_label_length(foreign[i]),
				-EINVAL);
}

/*
 * Every NOP is one instruction of the length it claims. Only what the tables
 * use is understood: prefixes 66, then 90 or 0f 1f with its operand.
 */
static unsigned int nop_decode(const u8 *insn)
{
	unsigned int n = 0;
	u8 modrm;

	while (insn[n] == 0x66)
		n++;
	if (insn[n] == 0x90)
		return n + 1;
	if (insn[n] != 0x0f || insn[n + 1] != 0x1f)
		return 0;
	modrm = insn[n + 2];
	n += 3;
	if ((modrm & 7) == 4)
		n++;
	if (modrm >> 6 == 1)
		n += 1;
	if (modrm >> 6 == 2)
		n += 4;
	return n;
}

static void test_nop_tables(struct kunit *test)
{
	const struct x86_nop_family *const *family;
	unsigned int len;

	for (family = x86_nop_families; *family; family++) {
		KUNIT_EXPECT_NOT_NULL(test, (*family)->source);
		for (len = 1; len <= X86_NOP_LEN_MAX; len++)
			KUNIT_EXPECT_EQ(test, nop_decode((*family)->insn[len]),
					len);
	}
}

static void test_nop_choice(struct kunit *test)
{
	static const struct {
		struct x86_nop_cpu cpu;
		const char *name;
	} rows[] = {
		/* vendor, family, model, nopl, wide */
		{ { X86_NOP_VENDOR_AMD, 0xf, 0x6b, true, true }, "k8" },
		{ { X86_NOP_VENDOR_AMD, 0xf, 0x05, true, true }, "k8" },
		{ { X86_NOP_VENDOR_AMD, 0x10, 0x02, true, true }, "p6" },
		{ { X86_NOP_VENDOR_AMD, 0x17, 0x01, true, true }, "p6" },
		{ { X86_NOP_VENDOR_INTEL, 6, 0x0e, true, true }, "p6" },
		{ { X86_NOP_VENDOR_INTEL, 6, 0x0f, true, true }, "k8" },
		{ { X86_NOP_VENDOR_INTEL, 6, 0x1a, true, true }, "k8" },
		{ { X86_NOP_VENDOR_INTEL, 6, 0x1c, true, true }, "p6" },
		{ { X86_NOP_VENDOR_INTEL, 6, 0x26, true, true }, "p6" },
		{ { X86_NOP_VENDOR_INTEL, 6, 0x2f, true, true }, "k8" },
		{ { X86_NOP_VENDOR_INTEL, 6, 0x30, true, true }, "p6" },
		{ { X86_NOP_VENDOR_INTEL, 6, 0x9e, true, true }, "p6" },
		{ { X86_NOP_VENDOR_INTEL, 0xf, 0x04, true, true }, "p6" },
		{ { X86_NOP_VENDOR_OTHER, 6, 0x0f, true, true }, "p6" },
		{ { X86_NOP_VENDOR_OTHER, 6, 0x0f, false, true }, "p6" },
		{ { X86_NOP_VENDOR_OTHER, 6, 0x0f, false, false }, "k8" },
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct x86_nop_choice choice = x86_nop_choose(&rows[i].cpu);

		KUNIT_EXPECT_STREQ_MSG(test, choice.family->name, rows[i].name,
				       "row %d", i);
		KUNIT_EXPECT_NOT_NULL(test, choice.reason);
		KUNIT_EXPECT_TRUE(test, x86_nop_runs_on(choice.family,
							&rows[i].cpu));
	}
}

static void test_nop_names(struct kunit *test)
{
	const struct x86_nop_cpu wide = { .wide = true };
	const struct x86_nop_cpu narrow = { .nopl = false };

	KUNIT_EXPECT_STREQ(test, x86_nop_by_name("p6", &wide)->name, "p6");
	KUNIT_EXPECT_STREQ(test, x86_nop_by_name("k8", &wide)->name, "k8");
	KUNIT_EXPECT_NULL(test, x86_nop_by_name("p6", &narrow));
	KUNIT_EXPECT_NULL(test, x86_nop_by_name("k9", &wide));
	KUNIT_EXPECT_NULL(test, x86_nop_by_name("", &wide));
	KUNIT_EXPECT_NULL(test, x86_nop_by_name("P6", &wide));
}

static struct kunit_case encode_cases[] = {
	KUNIT_CASE(test_encode),
	KUNIT_CASE(test_encode_wraps),
	KUNIT_CASE(test_length),
	KUNIT_CASE(test_nop_tables),
	KUNIT_CASE(test_nop_choice),
	KUNIT_CASE(test_nop_names),
	{}
};

static struct kunit_suite encode_suite = {
	.name = "jump_label_x86",
	.test_cases = encode_cases,
};
kunit_test_suite(encode_suite);

MODULE_DESCRIPTION("KUnit tests of the x86 half of static keys");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(EXPORTED_FOR_KUNIT_TESTING);
