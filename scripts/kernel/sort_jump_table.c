// SPDX-License-Identifier: GPL-2.0
/*
 * sort_jump_table - put the sites of static keys in order when the kernel is
 * linked
 *
 * usage: sort_jump_table VMLINUX
 *
 * The table between __start___jump_table and __stop___jump_table is sorted by
 * key, then by site, so that the kernel only has to check the order at boot. An
 * entry is three 32-bit distances, each from itself; see linux/jump_label.h.
 *
 * Exit status: 0 sorted, or there is no table; 1 with a message otherwise, and
 * the file is as it was.
 */
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ENTRY_BYTES	12
#define KEY_FLAGS	3

static const char *file;

/* One entry with its distances made addresses. */
struct site {
	uint64_t code;
	uint64_t target;
	uint64_t key;
};

static void __attribute__((noreturn)) fail(const char *what, const char *why)
{
	fprintf(stderr, "sort_jump_table: %s: %s: %s\n", file, what, why);
	exit(1);
}

static int site_cmp(const void *a, const void *b)
{
	const struct site *left = a, *right = b;
	uint64_t left_key = left->key & ~(uint64_t)KEY_FLAGS;
	uint64_t right_key = right->key & ~(uint64_t)KEY_FLAGS;

	if (left_key != right_key)
		return left_key < right_key ? -1 : 1;
	return left->code < right->code ? -1 : left->code > right->code;
}

/* The addresses of the two symbols around the table; false if one is missing. */
static bool find_bounds(Elf *elf, uint64_t *start, uint64_t *stop)
{
	bool have_start = false, have_stop = false;
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	GElf_Sym symbol;
	Elf_Data *data;
	size_t i;

	while ((section = elf_nextscn(elf, section))) {
		if (!gelf_getshdr(section, &header) ||
		    header.sh_type != SHT_SYMTAB)
			continue;
		data = elf_getdata(section, NULL);
		if (!data)
			fail("symbol table", elf_errmsg(-1));
		for (i = 0; i < header.sh_size / header.sh_entsize; i++) {
			const char *name;

			gelf_getsym(data, i, &symbol);
			name = elf_strptr(elf, header.sh_link, symbol.st_name);
			if (!name)
				continue;
			if (!strcmp(name, "__start___jump_table")) {
				*start = symbol.st_value;
				have_start = true;
			} else if (!strcmp(name, "__stop___jump_table")) {
				*stop = symbol.st_value;
				have_stop = true;
			}
		}
	}
	return have_start && have_stop;
}

/* Where in the file an address range lies. */
static off_t find_offset(Elf *elf, uint64_t start, uint64_t bytes)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section))) {
		if (!gelf_getshdr(section, &header) ||
		    header.sh_type != SHT_PROGBITS ||
		    !(header.sh_flags & SHF_ALLOC))
			continue;
		if (start >= header.sh_addr &&
		    start + bytes <= header.sh_addr + header.sh_size)
			return header.sh_offset + (start - header.sh_addr);
	}
	fail("__start___jump_table", "lies in no section with content");
}

/* @xlate is one of libelf's two, which know both byte orders. */
static void convert(Elf *elf, int32_t *words, size_t bytes,
		    Elf_Data *(*xlate)(Elf *elf, Elf_Data *dst,
				       const Elf_Data *src, unsigned int order))
{
	Elf_Data data = {
		.d_buf = words, .d_type = ELF_T_WORD, .d_size = bytes,
		.d_version = EV_CURRENT,
	};
	const char *ident = elf_getident(elf, NULL);

	if (!xlate(elf, &data, &data, ident[EI_DATA]))
		fail("table", elf_errmsg(-1));
}

static void sort_words(int32_t *words, size_t nr, uint64_t start)
{
	struct site *sites = calloc(nr, sizeof(*sites));
	size_t i;

	if (!sites)
		fail("table", strerror(errno));
	for (i = 0; i < nr; i++) {
		uint64_t at = start + i * ENTRY_BYTES;

		sites[i].code = at + words[3 * i];
		sites[i].target = at + 4 + words[3 * i + 1];
		sites[i].key = at + 8 + words[3 * i + 2];
	}
	qsort(sites, nr, sizeof(*sites), site_cmp);
	for (i = 0; i < nr; i++) {
		uint64_t at = start + i * ENTRY_BYTES;

		words[3 * i] = sites[i].code - at;
		words[3 * i + 1] = sites[i].target - (at + 4);
		words[3 * i + 2] = sites[i].key - (at + 8);
	}
	free(sites);
}

int main(int argc, char **argv)
{
	uint64_t start = 0, stop = 0;
	int32_t *words;
	size_t bytes;
	off_t offset;
	Elf *elf;
	int fd;

	if (argc != 2) {
		fputs("usage: sort_jump_table VMLINUX\n", stderr);
		return 1;
	}
	file = argv[1];
	fd = open(file, O_RDWR);
	if (fd < 0)
		fail("open", strerror(errno));
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!elf || elf_kind(elf) != ELF_K_ELF)
		fail("read", elf ? "not an ELF file" : elf_errmsg(-1));

	if (!find_bounds(elf, &start, &stop) || start == stop)
		return 0;
	bytes = stop - start;
	if (stop < start || bytes % ENTRY_BYTES)
		fail("table", "its size is no multiple of 12, the size of an entry");
	offset = find_offset(elf, start, bytes);

	words = malloc(bytes);
	if (!words || pread(fd, words, bytes, offset) != (ssize_t)bytes)
		fail("read", strerror(errno));
	convert(elf, words, bytes, gelf_xlatetom);
	sort_words(words, bytes / ENTRY_BYTES, start);
	convert(elf, words, bytes, gelf_xlatetof);
	if (pwrite(fd, words, bytes, offset) != (ssize_t)bytes)
		fail("write", strerror(errno));
	free(words);
	elf_end(elf);
	if (close(fd))
		fail("write", strerror(errno));
	return 0;
}
