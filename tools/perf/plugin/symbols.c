// SPDX-License-Identifier: GPL-2.0
/*
 * symbols.c - symbol table of the counting plugin
 *
 * Sorted by address; a symbol without a size reaches to the next one. Entry
 * 0 stands for "no symbol" and sorts first, being at address 0.
 */
#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols.h"

struct symbol {
	uint64_t start;
	uint64_t end;		/* 0: up to the next symbol */
	const char *name;
};

static struct symbol *table;
static uint32_t used, room;

static long complain(const char *path, const char *what)
{
	fprintf(stderr, "count: %s: %s\n", path, what);
	return -1;
}

static bool add(uint64_t start, uint64_t size, const char *name)
{
	if (used == room) {
		uint32_t more = room ? 2 * room : 4096;
		struct symbol *grown = realloc(table, more * sizeof(*grown));

		if (!grown)
			return false;
		table = grown;
		room = more;
	}
	if (!used) {
		table[used++] = (struct symbol){ .end = 1, .name = "[unknown]" };
		return add(start, size, name);
	}
	name = strdup(name);
	if (!name)
		return false;
	table[used++] = (struct symbol){
		.start = start, .end = size ? start + size : 0, .name = name,
	};
	return true;
}

/*
 * "address type name". Absolute and per-CPU symbols are offsets and would
 * cover user addresses: only the upper half is taken. Data symbols stay, as
 * they end the last function before them.
 */
static long load_map(FILE *file, const char *path)
{
	char line[1024], name[512], type;
	unsigned long long address;
	long n = 0, number = 0;

	while (fgets(line, sizeof(line), file)) {
		number++;
		if (sscanf(line, "%llx %c %511s", &address, &type, name) != 3) {
			fprintf(stderr, "count: %s:%ld: not a symbol\n",
				path, number);
			return -1;
		}
		if (!(address >> 63) || type == 'A' || type == 'a')
			continue;
		if (!add(address, 0, name))
			return complain(path, "out of memory");
		n++;
	}
	return n ? n : complain(path, "no symbols");
}

static bool read_at(FILE *file, void *to, uint64_t offset, size_t size)
{
	return !fseek(file, offset, SEEK_SET) && fread(to, size, 1, file) == 1;
}

/* One part of the file, with a 0 byte after it. */
static void *read_section(FILE *file, const Elf64_Shdr *section)
{
	char *to;

	if (!section->sh_size || section->sh_size >> 30)
		return NULL;
	to = calloc(1, section->sh_size + 1);
	if (to && !read_at(file, to, section->sh_offset, section->sh_size)) {
		free(to);
		return NULL;
	}
	return to;
}

static long add_functions(const Elf64_Sym *symbol, size_t n,
			  const char *names, size_t names_size)
{
	long added = 0;

	for (; n; n--, symbol++) {
		int type = ELF64_ST_TYPE(symbol->st_info);

		if ((type != STT_FUNC && type != STT_GNU_IFUNC) ||
		    !symbol->st_value || symbol->st_name >= names_size)
			continue;
		if (!add(symbol->st_value, symbol->st_size,
			 names + symbol->st_name))
			return -1;
		added++;
	}
	return added;
}

static long load_elf(FILE *file, const char *path)
{
	Elf64_Ehdr head;
	Elf64_Shdr section, strings;
	Elf64_Sym *symbols = NULL;
	char *names = NULL;
	long added = -1;
	int i;

	if (!read_at(file, &head, 0, sizeof(head)) ||
	    head.e_ident[EI_CLASS] != ELFCLASS64 ||
	    head.e_shentsize != sizeof(section))
		return complain(path, "not a 64-bit ELF file");
	for (i = 0; i < head.e_shnum; i++) {
		if (!read_at(file, &section, head.e_shoff +
			     i * sizeof(section), sizeof(section)))
			return complain(path, "truncated");
		if (section.sh_type == SHT_SYMTAB)
			break;
	}
	if (i == head.e_shnum)
		return complain(path, "no symbol table");
	if (read_at(file, &strings, head.e_shoff +
		    section.sh_link * sizeof(strings), sizeof(strings))) {
		symbols = read_section(file, &section);
		names = read_section(file, &strings);
	}
	if (symbols && names)
		added = add_functions(symbols, section.sh_size / sizeof(*symbols),
				      names, strings.sh_size);
	free(symbols);
	free(names);
	return added < 0 ? complain(path, "truncated") : added;
}

long symbols_load(const char *path)
{
	FILE *file = fopen(path, "r");
	char magic[SELFMAG];
	long n;

	if (!file)
		return complain(path, strerror(errno));
	if (!read_at(file, magic, 0, sizeof(magic)))
		n = complain(path, "empty");
	else if (!memcmp(magic, ELFMAG, SELFMAG))
		n = load_elf(file, path);
	else
		n = fseek(file, 0, SEEK_SET) ? -1 : load_map(file, path);
	fclose(file);
	return n;
}

static int by_address(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return 0;
}

int symbols_sort(void)
{
	uint32_t i;

	if (!used && !add(UINT64_MAX, 1, "[end]"))
		return -1;
	qsort(table, used, sizeof(*table), by_address);
	for (i = 0; i < used; i++) {
		uint32_t next = i + 1;

		while (next < used && table[next].start == table[i].start)
			next++;
		if (!table[i].end)
			table[i].end = next < used ? table[next].start :
						     table[i].start + 1;
	}
	return 0;
}

uint32_t symbols_count(void)
{
	return used;
}

uint32_t symbols_find(uint64_t address)
{
	uint32_t low = 0, high = used;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (table[middle].start <= address)
			low = middle;
		else
			high = middle;
	}
	if (!used || address >= table[low].end)
		return SYMBOL_NONE;
	while (low && table[low - 1].start == table[low].start)
		low--;
	return low;
}

const char *symbols_name(uint32_t symbol)
{
	return table[symbol].name;
}

uint64_t symbols_address(const char *name)
{
	uint32_t i;

	for (i = 1; i < used; i++)
		if (!strcmp(table[i].name, name))
			return table[i].start;
	return 0;
}
