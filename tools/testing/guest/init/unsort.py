# SPDX-License-Identifier: GPL-2.0
"""Turn the table of sites of a 64-bit kernel back to front: unsort.py VMLINUX OUTPUT

The sites stay what they are, as the distances are made to fit their new places.
"""
import struct
import sys

import vmlinux

ENTRY = struct.Struct('<3i')


def main():
    elf, sections, symbols = vmlinux.load(sys.argv[1], 64)
    start, stop, table = vmlinux.jump_table(sections, symbols)
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
