/* SPDX-License-Identifier: GPL-2.0 */
/*
 * block.h - translated code and its counters
 *
 * Nothing is looked up while the guest runs. Each block of translated code
 * owns counters, which the emulator increments in line; a region begins by
 * setting all of them to 0 and ends by reading all of them. What an
 * instruction is, whose it is and whether it is the kernel's is known since
 * the translation.
 *
 * A block can be left in the middle by a fault. Therefore it is divided into
 * runs: of a run only the last instruction can fault, so that all of a run
 * starts when its first instruction does, and one counter a run is exact. An
 * instruction that faults and is restarted is counted each time it starts.
 */
#ifndef PERF_BLOCK_H
#define PERF_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#define MODELS_MAX 4

/**
 * struct step - one instruction of a block
 * @address: virtual address
 * @symbol: from symbols_find()
 * @run: index of its counter in the block, or NOT_COUNTED for a marker
 * @kind: enum insn_kind
 * @repeat: see struct insn
 */
struct step {
	uint64_t address;
	uint32_t symbol;
	uint16_t run;
	uint8_t kind;
	bool repeat;
};

#define NOT_COUNTED UINT16_MAX

/**
 * struct memory - accesses to memory, counted when asked for
 * @loads: reads, as the emulator makes them: one of 32 bytes is several
 * @stores: writes; an instruction that reads and writes counts in both
 */
struct memory {
	uint64_t loads;
	uint64_t stores;
};

/**
 * struct block - translated code up to its last instruction
 * @next: all blocks, in no order
 * @fetches: lines it takes instructions from, when caches are modelled
 * @conditional: the last instruction is a conditional branch
 * @fallthrough: address after the last instruction
 * @target: where the conditional branch goes to
 * @not_taken: how often it fell through
 * @lost: how often an interrupt hid where it went
 * @memory: of all its instructions
 * @steps_count: number of @steps
 * @runs_count: number of @runs
 * @runs: how often each run started
 * @steps: its instructions
 */
struct block {
	struct block *next;
	struct fetch *fetches;
	bool conditional;
	uint64_t fallthrough;
	uint64_t target;
	uint64_t not_taken;
	uint64_t lost;
	struct memory memory;
	uint16_t steps_count;
	uint16_t runs_count;
	uint64_t *runs;
	struct step steps[];
};

/**
 * struct fetch - a place where a block starts to use another cache line
 * @next: further ones of the block
 * @address: virtual address of the line
 * @tag: identity of the line in memory
 * @symbol: whose instruction needs it
 * @misses: for each model, of the instruction cache
 * @tlb_misses: for each model, of the TLB
 */
struct fetch {
	struct fetch *next;
	uint64_t address;
	uint64_t tag;
	uint32_t symbol;
	uint64_t misses[MODELS_MAX];
	uint64_t tlb_misses[MODELS_MAX];
};

/**
 * is_kernel() - does an address belong to the kernel?
 * @address: virtual address
 */
static inline bool is_kernel(uint64_t address)
{
	return address >> 63;
}

extern struct block *blocks;

#endif /* PERF_BLOCK_H */
