/* SPDX-License-Identifier: GPL-2.0 */
/*
 * symbols.h - which function does an address belong to?
 *
 * One table holds the symbols of all files given: a kernel's System.map, or
 * the symbol table of statically linked programs. It is filled once and then
 * only read.
 */
#ifndef PERF_SYMBOLS_H
#define PERF_SYMBOLS_H

#include <stdint.h>

/* Of an address that no symbol covers. */
#define SYMBOL_NONE 0

/**
 * symbols_load() - add one file's symbols
 * @path: System.map, or an ELF program with a symbol table
 *
 * Return: how many were added, or -1 after saying on stderr what is wrong.
 */
long symbols_load(const char *path);

/**
 * symbols_sort() - make the table ready after the last symbols_load()
 *
 * Return: 0, or -1 when out of memory.
 */
int symbols_sort(void);

/**
 * symbols_count() - one more than the highest number symbols_find() returns
 */
uint32_t symbols_count(void);

/**
 * symbols_find() - number of the symbol that covers an address
 * @address: virtual address
 *
 * Return: SYMBOL_NONE when there is none.
 */
uint32_t symbols_find(uint64_t address);

/**
 * symbols_name() - name of a symbol
 * @symbol: from symbols_find()
 */
const char *symbols_name(uint32_t symbol);

/**
 * symbols_address() - where a named symbol lies
 * @name: exact name; of several of that name the lowest is taken
 *
 * Return: virtual address, 0 when there is no such symbol.
 */
uint64_t symbols_address(const char *name);

#endif /* PERF_SYMBOLS_H */
