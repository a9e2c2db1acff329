# SPDX-License-Identifier: GPL-2.0
"""What the programs beside this one read of a kernel."""
import struct
import sys

# By the class of the file: where the section table, its entry size and its count
# are, a word, a section's header, a symbol (name and value).
LAYOUTS = {
    32: (0x20, 0x2e, '<I', '<10I', '<II8x'),
    64: (0x28, 0x3a, '<Q', '<IIQQQQIIQQ', '<I4xQ8x'),
}


def load(path, bits):
    """The bytes of an ELF file, its loaded sections, its symbols."""
    with open(path, 'rb') as f:
        elf = bytearray(f.read())
    if elf[:5] != b'\x7fELF' + bytes([bits // 32]):
        sys.exit(f'{path}: not a {bits}-bit ELF file')
    table, entries, word, header, symbol = LAYOUTS[bits]
    shoff, = struct.unpack_from(word, elf, table)
    size, count = struct.unpack_from('<HH', elf, entries)
    # name, type, flags, address, offset, size, link, info, align, entry size
    sections = [struct.unpack_from(header, elf, shoff + i * size) for i in range(count)]
    symbols = {}
    for section in sections:
        if section[1] != 2:  # SHT_SYMTAB
            continue
        names = sections[section[6]][4]
        for at in range(section[4], section[4] + section[5], struct.calcsize(symbol)):
            name, value = struct.unpack_from(symbol, elf, at)
            end = elf.index(b'\0', names + name)
            symbols[elf[names + name:end].decode()] = value
    return elf, [s for s in sections if s[1] == 1 and s[3]], symbols


def jump_table(sections, symbols):
    """Addresses of the table of sites and of its end, and its place in the file."""
    start, stop = symbols['__start___jump_table'], symbols['__stop___jump_table']
    section, = [s for s in sections if s[3] <= start and stop <= s[3] + s[5]]
    return start, stop, section[4] + start - section[3]
