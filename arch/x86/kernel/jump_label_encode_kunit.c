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

/* Calls @check for each family that can stand at a site here. */
static void check_families(struct kunit *test,
			    void (*check)(struct kunit *test,
					  const struct x86_nop_family *family))
{
	const struct x86_nop_family *const *family;

	for (family = x86_nop_families; *family; family++)
		if (x86_nop_fits(*family))
			check(test, *family);
}

static void encode_row_check(struct kunit *test, const struct encode_row *row,
			     unsigned long code, enum jump_label_type type,
			     const struct x86_nop_family *family)
{
	unsigned int i, touched = row->result > 0 ? row->result : 0;
	unsigned long target = code + row->len + row->distance;
	u8 buf[JUMP_LABEL_INSN_MAX + 1];
	const u8 *want = row->jump;

	if (type == JUMP_LABEL_NOP && touched)
		want = family->insn[row->len];
	memset(buf, 0xa5, sizeof(buf));
	KUNIT_EXPECT_EQ(test, x86_jump_label_encode(buf, code, target, type,
						    row->len, family),
			row->result);
	if (touched)
		KUNIT_EXPECT_EQ(test, memcmp(buf, want, touched), 0);
	for (i = touched; i < sizeof(buf); i++)
		KUNIT_EXPECT_EQ(test, buf[i], (u8)0xa5);
}

static void encode_rows_check(struct kunit *test,
			      const struct x86_nop_family *family)
{
	int i, align;

	for (i = 0; i < ARRAY_SIZE(encode_rows); i++) {
		/* Addresses do not matter, alignment included. */
		for (align = 0; align < 64; align += 7) {
			encode_row_check(test, &encode_rows[i], BASE + align,
					 JUMP_LABEL_JMP, family);
			encode_row_check(test, &encode_rows[i], BASE + align,
					 JUMP_LABEL_NOP, family);
		}
	}
}

static void test_encode(struct kunit *test)
{
	check_families(test, encode_rows_check);
}

/* What the engine calls is the same with the chosen NOPs. */
static void test_encode_chosen(struct kunit *test)
{
	u8 chosen[JUMP_LABEL_INSN_MAX];
	unsigned int len;

	for (len = 2; len <= 5; len += 3) {
		KUNIT_EXPECT_EQ(test,
				arch_jump_label_encode(chosen, BASE, BASE + 9,
						       JUMP_LABEL_NOP, len),
				(int)len);
		KUNIT_EXPECT_EQ(test, memcmp(chosen,
					     x86_site_nop.family->insn[len],
					     len), 0);
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

static void length_check(struct kunit *test,
			 const struct x86_nop_family *family)
{
	unsigned int len;

	for (len = 2; len <= 5; len += 3) {
		const u8 *insn = family->insn[len];

		KUNIT_EXPECT_EQ(test, arch_jump_label_length(insn), (int)len);
		KUNIT_EXPECT_TRUE(test, arch_jump_label_is_nop(insn, len));
	}
}

static void test_length(struct kunit *test)
{
	static const u8 foreign[][2] = {
		{ 0x90, 0x90 }, { 0xcc, 0x90 }, { 0xe8, 0x00 }, { 0x0f, 0x0b },
		{ 0x0f, 0x84 }, { 0x74, 0x00 }, { 0xc3, 0x00 }, { 0x66, 0x0f },
		{ 0x3e, 0x90 }, { 0x8d, 0x74 }, { 0x89, 0xc0 }, { 0x8b, 0xf6 },
	};
	const struct x86_nop_family *const *family;
	u8 buf[JUMP_LABEL_INSN_MAX];
	unsigned int len;
	int i;

	for (len = 2; len <= 5; len += 3) {
		arch_jump_label_encode(buf, BASE, BASE + 9, JUMP_LABEL_JMP, len);
		KUNIT_EXPECT_EQ(test, arch_jump_label_length(buf), (int)len);
		KUNIT_EXPECT_FALSE(test, arch_jump_label_is_nop(buf, len));
	}
	check_families(test, length_check);
	for (i = 0; i < ARRAY_SIZE(foreign); i++)
		KUNIT_EXPECT_EQ(test, arch_jump_label_length(foreign[i]),
				-EINVAL);
	/* What clears half a register is no NOP in 64-bit mode. */
	for (family = x86_nop_families; *family; family++)
		if (!x86_nop_fits(*family))
			KUNIT_EXPECT_EQ(test, arch_jump_label_length(
						(*family)->insn[5]), -EINVAL);
}

/*
 * From any form to any other, as the writer does it: after each step a CPU finds
 * either a whole instruction of the site's length or a breakpoint in front.
 * @from and @to are NULL for the jump.
 */
static void transition_check(struct kunit *test,
			     const struct x86_nop_family *from,
			     const struct x86_nop_family *to, unsigned int len)
{
	u8 text[JUMP_LABEL_INSN_MAX], new[JUMP_LABEL_INSN_MAX];

	x86_jump_label_encode(text, BASE, BASE - 77, !from, len,
			      from ?: x86_nop_built);
	KUNIT_EXPECT_EQ(test, arch_jump_label_length(text), (int)len);
	KUNIT_EXPECT_EQ(test, arch_jump_label_is_nop(text, len), !!from);

	KUNIT_EXPECT_EQ(test, x86_jump_label_encode(new, BASE, BASE - 77, !to,
						    len, to ?: x86_nop_built),
			(int)len);
	text[0] = 0xcc;
	KUNIT_EXPECT_EQ(test, arch_jump_label_length(text), -EINVAL);
	memcpy(text + 1, new + 1, len - 1);
	KUNIT_EXPECT_EQ(test, arch_jump_label_length(text), -EINVAL);
	text[0] = new[0];
	KUNIT_EXPECT_EQ(test, arch_jump_label_length(text), (int)len);
	KUNIT_EXPECT_EQ(test, arch_jump_label_is_nop(text, len), !!to);
}

static void test_transitions(struct kunit *test)
{
	const struct x86_nop_family *forms[8] = { };	/* [0] is the jump */
	const struct x86_nop_family *const *family;
	int from, to, nr = 1;

	for (family = x86_nop_families; *family; family++)
		if (x86_nop_fits(*family))
			forms[nr++] = *family;
	KUNIT_EXPECT_EQ(test, nr, X86_NOP_WIDE ? 3 : 5);
	for (from = 0; from < nr; from++) {
		for (to = 0; to < nr; to++) {
			transition_check(test, forms[from], forms[to], 2);
			transition_check(test, forms[from], forms[to], 5);
		}
	}
}

/* Bytes of the operand that starts with this byte. */
static unsigned int operand_length(const u8 *modrm)
{
	unsigned int n = 1, mod = modrm[0] >> 6;
	bool sib = mod != 3 && (modrm[0] & 7) == 4;

	if (sib)
		n++;
	if (mod == 1)
		n += 1;
	if (mod == 2 || (mod == 0 && (modrm[sib] & 7) == 5))
		n += 4;
	return n;
}

/*
 * Does lea write the register it reads, and nothing added? The SIB bytes of the
 * tables have either no index (4) or no base (5).
 */
static bool lea_is_nop(const u8 *modrm)
{
	unsigned int i, reg = modrm[0] >> 3 & 7, from = modrm[0] & 7;
	unsigned int head = 1 + (from == 4);

	if (modrm[0] >> 6 == 3)
		return false;
	if (from == 4) {
		u8 sib = modrm[1];

		if (sib >> 6 || ((sib >> 3 & 7) != 4 && (sib & 7) != 5))
			return false;
		from = (sib >> 3 & 7) == 4 ? sib & 7 : sib >> 3 & 7;
	}
	for (i = head; i < operand_length(modrm); i++)
		if (modrm[i])
			return false;
	return from == reg;
}

/*
 * Every NOP is one instruction of the length it claims. Only what the tables
 * use is understood: prefixes, then 90, 0f 1f, or mov or lea from a register to
 * itself. Return: the length, or 0 for anything else.
 */
static unsigned int nop_decode(const u8 *insn)
{
	unsigned int n = 0;
	u8 modrm;

	while (insn[n] == 0x66 || insn[n] == 0x3e)
		n++;
	if (insn[n] == 0x90)
		return n + 1;
	if (insn[n] == 0x0f && insn[n + 1] == 0x1f)
		return n + 2 + operand_length(insn + n + 2);
	modrm = insn[n + 1];
	if (insn[n] == 0x89 || insn[n] == 0x8b)
		return modrm >> 6 == 3 && (modrm >> 3 & 7) == (modrm & 7) ?
			n + 2 : 0;
	if (insn[n] == 0x8d && lea_is_nop(insn + n + 1))
		return n + 1 + operand_length(insn + n + 1);
	return 0;
}

static void test_nop_tables(struct kunit *test)
{
	static const u8 no_nop[][8] = {
		{ 0x89, 0xf0 },			/* mov to another register */
		{ 0x8d, 0x76, 0x01 },		/* one more */
		{ 0x8d, 0x7e, 0x00 },		/* another register */
		{ 0x8d, 0x04, 0x45, 0, 0, 0, 0 },	/* twice */
		{ 0x8b, 0x00 },			/* a load */
	};
	const struct x86_nop_family *const *family;
	unsigned int len;

	for (family = x86_nop_families; *family; family++) {
		KUNIT_EXPECT_NOT_NULL(test, (*family)->source);
		for (len = 1; len <= X86_NOP_LEN_MAX; len++) {
			const u8 *insn = (*family)->insn[len];

			KUNIT_EXPECT_EQ_MSG(test, nop_decode(insn), len, "%s",
					    (*family)->name);
			if (len > 1 && (*family)->nopl)
				KUNIT_EXPECT_TRUE(test, len == 2 ||
						  insn[len == 6] == 0x0f);
		}
	}
	for (len = 0; len < ARRAY_SIZE(no_nop); len++)
		KUNIT_EXPECT_EQ(test, nop_decode(no_nop[len]), 0U);
}

static void test_nop_choice(struct kunit *test)
{
	static const struct {
		struct x86_nop_cpu cpu;
		const char *name;
	} rows[] = {
		/* vendor, family, model, nopl, wide, hypervisor */
		{ { X86_NOP_VENDOR_AMD, 6, 0x06, true, true, false }, "k8" },
		{ { X86_NOP_VENDOR_AMD, 0xf, 0x6b, true, true, false }, "k8" },
		{ { X86_NOP_VENDOR_AMD, 0xf, 0x05, true, true, false }, "k8" },
		{ { X86_NOP_VENDOR_AMD, 0x10, 0x02, true, true, false }, "p6" },
		{ { X86_NOP_VENDOR_AMD, 0x17, 0x01, true, true, false }, "p6" },
		{ { X86_NOP_VENDOR_INTEL, 6, 0x0e, true, true, false }, "p6" },
		{ { X86_NOP_VENDOR_INTEL, 6, 0x0f, true, true, false }, "k8" },
		{ { X86_NOP_VENDOR_INTEL, 6, 0x1a, true, true, false }, "k8" },
		{ { X86_NOP_VENDOR_INTEL, 6, 0x1c, true, true, false }, "p6" },
		{ { X86_NOP_VENDOR_INTEL, 6, 0x26, true, true, false }, "p6" },
		{ { X86_NOP_VENDOR_INTEL, 6, 0x2f, true, true, false }, "k8" },
		{ { X86_NOP_VENDOR_INTEL, 6, 0x30, true, true, false }, "p6" },
		{ { X86_NOP_VENDOR_INTEL, 6, 0x9e, true, true, false }, "p6" },
		{ { X86_NOP_VENDOR_INTEL, 0xf, 0x04, true, true, false }, "p6" },
		{ { X86_NOP_VENDOR_OTHER, 6, 0x0f, true, true, false }, "p6" },
		{ { X86_NOP_VENDOR_OTHER, 6, 0x0f, false, true, false }, "p6" },
		/* 32-bit kernels */
		{ { X86_NOP_VENDOR_INTEL, 4, 8, false, false, false }, "generic" },
		{ { X86_NOP_VENDOR_OTHER, 4, 0, false, false, false }, "generic" },
		{ { X86_NOP_VENDOR_INTEL, 5, 2, false, false, false }, "generic" },
		{ { X86_NOP_VENDOR_AMD, 5, 8, false, false, false }, "generic" },
		{ { X86_NOP_VENDOR_AMD, 6, 2, true, false, false }, "k7" },
		{ { X86_NOP_VENDOR_AMD, 6, 2, false, false, false }, "k7" },
		{ { X86_NOP_VENDOR_AMD, 0xf, 5, true, false, false }, "k8" },
		{ { X86_NOP_VENDOR_AMD, 0x10, 2, true, false, false }, "p6" },
		{ { X86_NOP_VENDOR_INTEL, 6, 1, true, false, false }, "p6" },
		{ { X86_NOP_VENDOR_INTEL, 6, 8, true, false, false }, "p6" },
		{ { X86_NOP_VENDOR_INTEL, 6, 8, false, false, false }, "generic" },
		{ { X86_NOP_VENDOR_INTEL, 6, 0x0f, true, false, false }, "k8" },
		{ { X86_NOP_VENDOR_INTEL, 0xf, 2, true, false, false }, "p6" },
		{ { X86_NOP_VENDOR_OTHER, 6, 7, false, false, false }, "generic" },
		{ { X86_NOP_VENDOR_OTHER, 6, 0xf, true, false, false }, "p6" },
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

static void test_nop_trust(struct kunit *test)
{
	static const struct {
		struct x86_nop_cpu cpu;
		enum x86_nop_trust trust;
	} rows[] = {
		/* vendor, family, model, nopl, wide, hypervisor */
		{ { X86_NOP_VENDOR_OTHER, 4, 0, true, false, false }, X86_NOPL_NO },
		{ { X86_NOP_VENDOR_INTEL, 5, 4, true, false, false }, X86_NOPL_NO },
		{ { X86_NOP_VENDOR_INTEL, 5, 4, true, false, true }, X86_NOPL_NO },
		{ { X86_NOP_VENDOR_AMD, 5, 8, true, false, false }, X86_NOPL_NO },
		{ { X86_NOP_VENDOR_INTEL, 6, 1, false, false, false }, X86_NOPL_YES },
		{ { X86_NOP_VENDOR_INTEL, 0xf, 1, false, false, false }, X86_NOPL_YES },
		{ { X86_NOP_VENDOR_INTEL, 6, 1, true, false, true }, X86_NOPL_PROBE },
		{ { X86_NOP_VENDOR_AMD, 6, 2, false, false, false }, X86_NOPL_PROBE },
		{ { X86_NOP_VENDOR_OTHER, 6, 7, false, false, false }, X86_NOPL_PROBE },
		{ { X86_NOP_VENDOR_OTHER, 6, 7, false, true, true }, X86_NOPL_YES },
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		KUNIT_EXPECT_EQ_MSG(test, x86_nop_trust(&rows[i].cpu),
				    rows[i].trust, "row %d", i);
}

static void test_nop_names(struct kunit *test)
{
	static const struct {
		struct x86_nop_cpu cpu;
		const char *legal[5];
	} rows[] = {
		{ { .wide = true }, { "k8", "p6" } },
		{ { .nopl = true }, { "generic", "k7", "k8", "p6" } },
		{ { .nopl = false }, { "generic", "k7", "k8" } },
	};
	const struct x86_nop_family *const *family;
	int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *const *legal = rows[i].legal;

		for (family = x86_nop_families; *family; family++) {
			const char *name = (*family)->name;

			if (*legal && !strcmp(*legal, name)) {
				KUNIT_EXPECT_TRUE(test, x86_nop_by_name(name,
						&rows[i].cpu) == *family);
				legal++;
			} else {
				KUNIT_EXPECT_NULL(test, x86_nop_by_name(name,
							&rows[i].cpu));
			}
		}
		KUNIT_EXPECT_NULL(test, *legal);
		KUNIT_EXPECT_NULL(test, x86_nop_by_name("k9", &rows[i].cpu));
		KUNIT_EXPECT_NULL(test, x86_nop_by_name("", &rows[i].cpu));
		KUNIT_EXPECT_NULL(test, x86_nop_by_name("P6", &rows[i].cpu));
	}
}

static struct kunit_case encode_cases[] = {
	KUNIT_CASE(test_encode),
	KUNIT_CASE(test_encode_chosen),
	KUNIT_CASE(test_encode_wraps),
	KUNIT_CASE(test_length),
	KUNIT_CASE(test_transitions),
	KUNIT_CASE(test_nop_tables),
	KUNIT_CASE(test_nop_choice),
	KUNIT_CASE(test_nop_trust),
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
