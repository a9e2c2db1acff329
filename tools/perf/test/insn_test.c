// SPDX-License-Identifier: GPL-2.0
/* insn_test.c - the decoder, row by row */
#include <stdio.h>

#include "../plugin/insn.c"

#define AT 0x401000UL

struct row {
	const char *what;
	uint8_t bytes[15];
	size_t size;
	enum insn_kind kind;
	uint64_t target;	/* 0: not direct */
	bool register_only;
};

static const struct row rows[] = {
	{ "jne rel8 back", { 0x75, 0xfe }, 2, INSN_COND, AT, false },
	{ "jne rel8 furthest back", { 0x75, 0x80 }, 2, INSN_COND, AT - 126 },
	{ "jne rel8 furthest", { 0x7f, 0x7f }, 2, INSN_COND, AT + 129 },
	{ "je rel32", { 0x0f, 0x84, 0, 1, 0, 0 }, 6, INSN_COND, AT + 0x106 },
	{ "jg rel32 back", { 0x0f, 0x8f, 0xfa, 0xff, 0xff, 0xff }, 6,
	  INSN_COND, AT },
	{ "hinted jne", { 0x2e, 0x75, 0xfd }, 3, INSN_COND, AT },
	{ "loop", { 0xe2, 0xfe }, 2, INSN_COND, AT },
	{ "jrcxz", { 0xe3, 0x00 }, 2, INSN_COND, AT + 2 },
	{ "jecxz", { 0x67, 0xe3, 0x00 }, 3, INSN_COND, AT + 3 },
	{ "jmp rel8", { 0xeb, 0x10 }, 2, INSN_JUMP, AT + 0x12 },
	{ "jmp rel32", { 0xe9, 0xfb, 0xff, 0xff, 0xff }, 5, INSN_JUMP, AT },
	{ "jmp *rax", { 0xff, 0xe0 }, 2, INSN_JUMP },
	{ "jmp *r11", { 0x41, 0xff, 0xe3 }, 3, INSN_JUMP },
	{ "notrack jmp *rax", { 0x3e, 0xff, 0xe0 }, 3, INSN_JUMP },
	{ "jmp *(mem)", { 0xff, 0x24, 0xc5, 0, 0, 0, 0 }, 7, INSN_JUMP },
	{ "call rel32", { 0xe8, 0, 0, 0, 0 }, 5, INSN_CALL, AT + 5 },
	{ "call *rax", { 0xff, 0xd0 }, 2, INSN_CALL },
	{ "call *(r12)", { 0x41, 0xff, 0x14, 0x24 }, 4, INSN_CALL },
	{ "ret", { 0xc3 }, 1, INSN_RET },
	{ "repz ret", { 0xf3, 0xc3 }, 2, INSN_RET },
	{ "ret imm16", { 0xc2, 8, 0 }, 3, INSN_RET },
	{ "syscall", { 0x0f, 0x05 }, 2, INSN_FAR },
	{ "sysretq", { 0x48, 0x0f, 0x07 }, 3, INSN_FAR },
	{ "iretq", { 0x48, 0xcf }, 2, INSN_FAR },
	{ "int3", { 0xcc }, 1, INSN_FAR },
	{ "lretq", { 0x48, 0xcb }, 2, INSN_FAR },
	{ "ljmp *(rax)", { 0xff, 0x28 }, 2, INSN_FAR },
	{ "push (rax) is no branch", { 0xff, 0x30 }, 2, INSN_OTHER },
	{ "inc eax", { 0xff, 0xc0 }, 2, INSN_OTHER, 0, true },
	{ "inc (rax)", { 0xff, 0x00 }, 2, INSN_OTHER },
	{ "nop", { 0x90 }, 1, INSN_OTHER, 0, true },
	{ "nopl of any form", { 0x0f, 0x1f, 0x44, 0, 0 }, 5, INSN_OTHER, 0,
	  true },
	{ "mov reg", { 0x48, 0x89, 0xe5 }, 3, INSN_OTHER, 0, true },
	{ "mov to memory", { 0x48, 0x89, 0x45, 0xf8 }, 4, INSN_OTHER },
	{ "mov imm64", { 0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8 }, 10,
	  INSN_OTHER, 0, true },
	{ "lea", { 0x48, 0x8d, 0x04, 0x07 }, 4, INSN_OTHER, 0, true },
	{ "push can fault", { 0x55 }, 1, INSN_OTHER },
	{ "div can fault", { 0xf7, 0xf1 }, 2, INSN_OTHER },
	{ "imul cannot", { 0xf7, 0xe9 }, 2, INSN_OTHER, 0, true },
	{ "setne", { 0x0f, 0x95, 0xc0 }, 3, INSN_OTHER, 0, true },
	{ "setne in memory", { 0x0f, 0x95, 0x00 }, 3, INSN_OTHER },
	{ "xor eax, imm32", { 0x35, 1, 0, 0, 0 }, 5, INSN_OTHER, 0, true },
	{ "75 as an immediate", { 0xb0, 0x75 }, 2, INSN_OTHER, 0, true },
	{ "prefixes only", { 0x66, 0x66 }, 2, INSN_OTHER },
	{ "lone escape", { 0x0f }, 1, INSN_OTHER },
};

static int failed, count;

static void check(int good, const char *what)
{
	count++;
	printf("%sok %d - %s\n", good ? "" : "not ", count, what);
	failed += !good;
}

static void check_row(const struct row *row)
{
	struct insn insn;

	insn_decode(&insn, row->bytes, row->size, AT);
	check(insn.kind == row->kind && insn.direct == !!row->target &&
	      (!insn.direct || insn.target == row->target) &&
	      insn.register_only == row->register_only, row->what);
}

static void check_marker(uint8_t letter, enum insn_marker want, size_t size,
			 const char *what)
{
	uint8_t bytes[] = { 0x0f, 0x1f, 0x84, 0, 200, letter, 'L', 'J', 0x90 };
	struct insn insn;

	insn_decode(&insn, bytes, size, AT);
	check(insn.marker == want && (!want || insn.region == 200), what);
}

static void check_repeat(uint8_t prefix, uint8_t opcode, bool want,
			 const char *what)
{
	uint8_t bytes[] = { prefix, 0x48, opcode };
	struct insn insn;

	insn_decode(&insn, bytes, sizeof(bytes), AT);
	check(insn.repeat == want, what);
}

static void check_flush(uint8_t modrm, bool want, const char *what)
{
	uint8_t bytes[] = { 0x0f, 0x22, modrm };
	struct insn insn;

	insn_decode(&insn, bytes, sizeof(bytes), AT);
	check(insn.flush == want, what);
}

int main(void)
{
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		check_row(rows + i);
	check_marker('S', MARKER_BEGIN, 8, "begin marker");
	check_marker('E', MARKER_END, 8, "end marker");
	check_marker('X', MARKER_NONE, 8, "another eight byte nop is none");
	check_marker('S', MARKER_NONE, 9, "nor is a longer one");
	check_repeat(0xf3, 0xa4, true, "rep movsb");
	check_repeat(0xf2, 0xae, true, "repne scasb");
	check_repeat(0x66, 0xa4, false, "movsb alone");
	check_repeat(0xf3, 0x90, false, "pause");
	check_flush(0xd8, true, "mov cr3, rax");
	check_flush(0xe0, false, "mov cr4, rax");
	printf("1..%d\n", count);
	return !!failed;
}
