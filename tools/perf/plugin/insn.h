/* SPDX-License-Identifier: GPL-2.0 */
/*
 * insn.h - what kind of 64-bit x86 instruction is this?
 *
 * Pure: bytes and an address in, a description out. It knows branches,
 * markers and repeated string instructions; all the rest is INSN_OTHER.
 */
#ifndef PERF_INSN_H
#define PERF_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum insn_kind {
	INSN_OTHER,
	INSN_COND,	/* jcc, loop, jrcxz */
	INSN_JUMP,	/* jmp, direct or indirect */
	INSN_CALL,	/* call, direct or indirect */
	INSN_RET,	/* near return */
	INSN_FAR,	/* syscall, sysret, int, iret, far call, jump, return */
	INSN_KINDS
};

enum insn_marker {
	MARKER_NONE,
	MARKER_BEGIN,
	MARKER_END,
};

/**
 * struct insn - one decoded instruction
 * @kind: what it does to the flow of control
 * @marker: whether it delimits a region
 * @region: the region a marker names
 * @repeat: a string instruction with a repeat prefix; it is executed, and
 *	counted, once an element and once more to find the count is 0
 * @register_only: touches only registers and flags and therefore cannot
 *	fault, so that what follows it in a block is sure to run
 * @flush: writes CR3 and so drops the translations of user addresses
 * @direct: @target is known
 * @target: virtual address a direct branch goes to
 */
struct insn {
	enum insn_kind kind;
	enum insn_marker marker;
	uint8_t region;
	bool repeat;
	bool register_only;
	bool flush;
	bool direct;
	uint64_t target;
};

/**
 * insn_decode() - describe one instruction
 * @insn: result
 * @bytes: its encoding, complete
 * @size: length of @bytes, 1 to 15
 * @address: virtual address of its first byte
 */
void insn_decode(struct insn *insn, const uint8_t *bytes, size_t size,
		 uint64_t address);

#endif /* PERF_INSN_H */
