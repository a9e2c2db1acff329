# SPDX-License-Identifier: GPL-2.0
"""Where the sites of a 32-bit kernel are: sites.py VMLINUX OUTPUT

One physical address in hex a line, in the order of the table; sites in init
text, which is freed at boot, are left out.
"""
import struct
import sys

PAGE_OFFSET = 0xC0000000


def load(path):
    """The bytes of an ELF32 file, its loaded sections, its symbols."""
    with open(path, 'rb') as f:
        elf = f.read()
    if elf[:5] != b'\x7fELF\x01':
        sys.exit(f'{path}: not a 32-bit ELF file')
    shoff, = struct.unpack_from('<I', elf, 0x20)
    size, count = struct.unpack_from('<HH', elf, 0x2e)
    # name, type, flags, address, offset, size, link, info, align, entry size
    sections = [struct.unpack_from('<10I', elf, shoff + i * size) for i in range(count)]
    symbols = {}
    for section in sections:
        if section[1] != 2:  # SHT_SYMTAB
            continue
        names = sections[section[6]][4]
        for at in range(section[4], section[4] + section[5], 16):
            name, value = struct.unpack_from('<II', elf, at)
            end = elf.index(b'\0', names + name)
            symbols[elf[names + name:end].decode()] = value
    return elf, [s for s in sections if s[1] == 1 and s[3]], symbols


def main():
    elf, sections, symbols = load(sys.argv[1])
    start, stop = symbols['__start___jump_table'], symbols['__stop___jump_table']
    init = range(symbols['__init_begin'], symbols['__init_end'])
    section, = [s for s in sections if s[3] <= start and stop <= s[3] + s[5]]
    with open(sys.argv[2], 'w', encoding='ascii') as out:
        for at in range(start, stop, 12):
            code, = struct.unpack_from('<i', elf, section[4] + at - section[3])
            if (at + code) not in init:
                print(f'{at + code - PAGE_OFFSET:x}', file=out)


main()
