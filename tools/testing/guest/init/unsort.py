# SPDX-License-Identifier: GPL-2.0
"""Turn the table of sites of a 64-bit kernel back to front: unsort.py VMLINUX OUTPUT

The sites stay what they are, as the distances are made to fit their new places.
"""
import struct
import sys

ENTRY = struct.Struct('<3i')


def load(path):
    """The bytes of an ELF64 file, its loaded sections, its symbols."""
    with open(path, 'rb') as f:
        elf = bytearray(f.read())
    if elf[:5] != b'\x7fELF\x02':
        sys.exit(f'{path}: not a 64-bit ELF file')
    shoff, = struct.unpack_from('<Q', elf, 0x28)
    size, count = struct.unpack_from('<HH', elf, 0x3a)
    # name, type, flags, address, offset, size, link, info, align, entry size
    sections = [struct.unpack_from('<IIQQQQIIQQ', elf, shoff + i * size)
                for i in range(count)]
    symbols = {}
    for section in sections:
        if section[1] != 2:  # SHT_SYMTAB
            continue
        names = sections[section[6]][4]
        for at in range(section[4], section[4] + section[5], 24):
            name, value = struct.unpack_from('<I4xQ', elf, at)
            end = elf.index(b'\0', names + name)
            symbols[bytes(elf[names + name:end])] = value
    return elf, [s for s in sections if s[1] == 1 and s[3]], symbols


def main():
    elf, sections, symbols = load(sys.argv[1])
    start, stop = symbols[b'__start___jump_table'], symbols[b'__stop___jump_table']
    section, = [s for s in sections if s[3] <= start and stop <= s[3] + s[5]]
    table = section[4] + start - section[3]
    nr = (stop - start) // ENTRY.size
    entries = [ENTRY.unpack_from(elf, table + i * ENTRY.size) for i in range(nr)]
    for i, entry in enumerate(entries):
        to = nr - 1 - i
        moved = (to - i) * ENTRY.size
        ENTRY.pack_into(elf, table + to * ENTRY.size, *(field - moved for field in entry))
    with open(sys.argv[2], 'wb') as out:
        out.write(elf)
    print(nr)


main()
