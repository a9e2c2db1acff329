// SPDX-License-Identifier: GPL-2.0
/*
 * insn.c - the small x86-64 decoder of the counting plugin
 *
 * The emulator has already found where an instruction ends, so that only
 * prefixes, the opcode and, for a few opcodes, the ModRM byte are looked at.
 */
#include <string.h>

#include "insn.h"

/* Opcode without prefixes, and what the prefixes said. */
struct opcode {
	const uint8_t *bytes;	/* at the opcode */
	size_t left;		/* from the opcode to the end */
	bool repeat;		/* f2 or f3 seen */
};

static bool is_prefix(uint8_t byte)
{
	switch (byte) {
	case 0x26: case 0x2e: case 0x36: case 0x3e:
	case 0x64: case 0x65: case 0x66: case 0x67:
	case 0xf0: case 0xf2: case 0xf3:
		return true;
	default:
		return false;
	}
}

static struct opcode skip_prefixes(const uint8_t *bytes, size_t size)
{
	struct opcode op = { .bytes = bytes, .left = size };

	while (op.left > 1 && is_prefix(*op.bytes)) {
		op.repeat |= (*op.bytes & 0xfe) == 0xf2;
		op.bytes++;
		op.left--;
	}
	if (op.left > 1 && (*op.bytes & 0xf0) == 0x40) {
		op.bytes++;
		op.left--;
	}
	return op;
}

/* ModRM's reg field, which extends some opcodes. */
static int extension(const struct opcode *op, size_t at)
{
	return op->left > at ? (op->bytes[at] >> 3) & 7 : -1;
}

static bool names_register(const struct opcode *op, size_t at)
{
	return op->left > at && op->bytes[at] >= 0xc0;
}

static bool is_string(uint8_t byte)
{
	return (byte >= 0x6c && byte <= 0x6f) || (byte >= 0xa4 && byte <= 0xa7) ||
	       (byte >= 0xaa && byte <= 0xaf);
}

static enum insn_kind kind_0f(const struct opcode *op)
{
	if (op->left < 2)
		return INSN_OTHER;
	switch (op->bytes[1]) {
	case 0x80 ... 0x8f:
		return INSN_COND;
	case 0x05: case 0x07: case 0x34: case 0x35:
		return INSN_FAR;
	default:
		return INSN_OTHER;
	}
}

static enum insn_kind kind_ff(const struct opcode *op)
{
	switch (extension(op, 1)) {
	case 2:
		return INSN_CALL;
	case 4:
		return INSN_JUMP;
	case 3: case 5:
		return INSN_FAR;
	default:
		return INSN_OTHER;
	}
}

static enum insn_kind kind(const struct opcode *op)
{
	switch (op->bytes[0]) {
	case 0x0f:
		return kind_0f(op);
	case 0xff:
		return kind_ff(op);
	case 0x70 ... 0x7f: case 0xe0 ... 0xe3:
		return INSN_COND;
	case 0xe9: case 0xeb:
		return INSN_JUMP;
	case 0xe8:
		return INSN_CALL;
	case 0xc2: case 0xc3:
		return INSN_RET;
	case 0xca ... 0xcd: case 0xcf: case 0xf1:
		return INSN_FAR;
	default:
		return INSN_OTHER;
	}
}

/* Size in bytes of a direct branch's displacement; 0 for any other. */
static size_t displacement(const struct opcode *op)
{
	switch (op->bytes[0]) {
	case 0x70 ... 0x7f: case 0xe0 ... 0xe3: case 0xeb:
		return 1;
	case 0xe8: case 0xe9:
		return 4;
	case 0x0f:
		return kind_0f(op) == INSN_COND ? 4 : 0;
	default:
		return 0;
	}
}

static void find_target(struct insn *insn, const struct opcode *op,
			uint64_t next)
{
	size_t n = displacement(op);
	const uint8_t *end = op->bytes + op->left;
	int32_t wide;

	if (!n || op->left <= n)
		return;
	insn->direct = true;
	if (n == 1) {
		insn->target = next + (int8_t)end[-1];
		return;
	}
	memcpy(&wide, end - 4, sizeof(wide));
	insn->target = next + wide;
}

static bool register_only_0f(const struct opcode *op)
{
	if (op->left < 3)
		return false;
	switch (op->bytes[1]) {
	case 0x1f:			/* nop, whatever it names */
		return true;
	case 0x40 ... 0x4f:		/* cmovcc */
	case 0x90 ... 0x9f:		/* setcc */
	case 0xa3: case 0xab: case 0xb3: case 0xbb:	/* bt, bts, btr, btc */
	case 0xaf:			/* imul */
	case 0xb6: case 0xb7: case 0xbe: case 0xbf:	/* movzx, movsx */
		return names_register(op, 2);
	default:
		return false;
	}
}

/* When in doubt, false: it only costs a counter. */
static bool register_only(const struct opcode *op)
{
	uint8_t byte = op->bytes[0];

	switch (byte) {
	case 0x0f:
		return register_only_0f(op);
	case 0x00 ... 0x0e: case 0x10 ... 0x16: case 0x18 ... 0x1e:
	case 0x20 ... 0x25: case 0x28 ... 0x2d: case 0x30 ... 0x35:
	case 0x38 ... 0x3d:		/* the arithmetic rows */
		return (byte & 7) < 4 ? names_register(op, 1) : (byte & 7) < 6;
	case 0x63: case 0x69: case 0x6b:	/* movsxd, imul */
	case 0x80: case 0x81: case 0x83:	/* arithmetic, immediate */
	case 0x84: case 0x85:		/* test */
	case 0x88 ... 0x8b:		/* mov */
	case 0xc0: case 0xc1: case 0xd0 ... 0xd3:	/* shifts */
	case 0xc6: case 0xc7:		/* mov, immediate */
		return names_register(op, 1);
	case 0xf6: case 0xf7:		/* test, not, neg, mul, but not div */
		return names_register(op, 1) && extension(op, 1) < 6;
	case 0xfe: case 0xff:		/* inc, dec */
		return names_register(op, 1) && extension(op, 1) < 2;
	case 0x8d:			/* lea */
	case 0x90: case 0x98: case 0x99:	/* nop, cwde, cdq */
	case 0xa8: case 0xa9:		/* test */
	case 0xb0 ... 0xbf:		/* mov, immediate */
		return true;
	default:
		return false;
	}
}

/* nopl disp32(%rax,%rax,1) with the displacement region.h describes */
static void find_marker(struct insn *insn, const uint8_t *bytes, size_t size)
{
	static const uint8_t head[] = { 0x0f, 0x1f, 0x84, 0x00 };

	if (size != 8 || memcmp(bytes, head, sizeof(head)))
		return;
	if (!memcmp(bytes + 5, "SLJ", 3))
		insn->marker = MARKER_BEGIN;
	else if (!memcmp(bytes + 5, "ELJ", 3))
		insn->marker = MARKER_END;
	insn->region = bytes[4];
}

void insn_decode(struct insn *insn, const uint8_t *bytes, size_t size,
		 uint64_t address)
{
	struct opcode op = skip_prefixes(bytes, size);

	memset(insn, 0, sizeof(*insn));
	insn->kind = kind(&op);
	insn->repeat = op.repeat && is_string(op.bytes[0]);
	insn->register_only = register_only(&op);
	insn->flush = op.left > 2 && op.bytes[0] == 0x0f &&
		      op.bytes[1] == 0x22 && extension(&op, 2) == 3;
	find_target(insn, &op, address + size);
	find_marker(insn, bytes, size);
}
