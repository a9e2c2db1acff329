# SPDX-License-Identifier: GPL-2.0
"""Where the sites of a 32-bit kernel are: sites.py VMLINUX OUTPUT

One physical address in hex a line, in the order of the table; sites in init
text, which is freed at boot, are left out.
"""
import struct
import sys

import vmlinux

PAGE_OFFSET = 0xC0000000


def main():
    elf, sections, symbols = vmlinux.load(sys.argv[1], 32)
    start, stop, table = vmlinux.jump_table(sections, symbols)
    init = range(symbols['__init_begin'], symbols['__init_end'])
    with open(sys.argv[2], 'w', encoding='ascii') as out:
        for at in range(start, stop, 12):
            code, = struct.unpack_from('<i', elf, table + at - start)
            if (at + code) not in init:
                print(f'{at + code - PAGE_OFFSET:x}', file=out)


main()
