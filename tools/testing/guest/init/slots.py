# SPDX-License-Identifier: GPL-2.0
"""Make of lines "ADDRESS BYTES" on stdin a binary for objdump on stdout.

Each line gets 32 bytes, filled up with NOPs: whatever the bytes are, the
disassembler is in step again at the next multiple of 32.
"""
import sys

for line in sys.stdin:
    sys.stdout.buffer.write(bytes.fromhex(line.split()[1]).ljust(32, b'\x90'))
