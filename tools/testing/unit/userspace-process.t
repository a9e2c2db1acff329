#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What else happens in a process while keys change: constructors, fork, threads
# that come and go, signals, other users of SIGTRAP, text that cannot be written,
# debuggers, mappings.

cd "$(dirname "$0")/../../.." || exit 1
. tools/testing/lib/tap.sh
. tools/lib/jump_label/test/lib.sh

run=$scratch/process
ok "the library builds" build_lib jump_label
ok "the program builds" program "$run" gcc \
	"$lib_test"/process.c "$lib_test"/signals.c "$lib_test"/traps.c

ok "a toggle before jump_label_init() is honoured" limited "$run" early
ok "counts" limited "$run" counts
like "$(cat "$scratch/output")" 'dec refused, the count is 0' \
	"a dec too many is refused with a message"
ok "fork before, during and after a toggle" limited "$run" fork
ok "threads that come, go and are cancelled during a toggle" limited "$run" threads
ok "walking keys and sites" limited "$run" walk
ok "descriptors that are closed behind our back" limited "$run" closed
ok "signal handlers that run sites and change keys" limited "$run" signals
ok "threads and handlers with all signals blocked" limited "$run" masks
ok "breakpoints of others reach the program's handler" limited "$run" chain
ok "breakpoints of others kill when there is no handler" limited "$run" chain-die
ok "text that cannot be written: sites load their keys" limited "$run" sealed
like "$(cat "$scratch/output")" 'jump_label: text cannot be written' \
	"and the library says so"
ok "text that can no longer be written: keys stay" limited "$run" sealed-late
ok "the program for mappings builds" program "$scratch/maps" gcc "$lib_test/maps.c"
ok "10,000 sites: no mapping writable and executable at any time, none added" \
	limited "$scratch/maps"
note "$(cat "$scratch/output")"

ok "a debugger that comes and goes: no change meanwhile" limited "$run" traced
like "$(cat "$scratch/output")" 'could not be written' \
	"and the library says so"

ok "JUMP_LABEL=off: sites load their keys" env JUMP_LABEL=off "$run" fallback
like "$(JUMP_LABEL_DEBUG=1 "$run" walk 2>&1)" \
	'process\+0x[0-9a-f]+: [0-9a-f ]+ -> [0-9a-f ]+' \
	"JUMP_LABEL_DEBUG prints each change"
like "$(JUMP_LABEL_NOP=k8 JUMP_LABEL_DEBUG=1 "$run" walk 2>&1)" \
	'66 66 66 66 90' "JUMP_LABEL_NOP chooses the NOP"

if command -v valgrind >/dev/null; then
	ok "valgrind: sites load their keys" valgrind -q --error-exitcode=9 \
		"$run" fallback
	like "$(cat "$scratch/output")" 'emulator' "and the library says so"
else
	skip "valgrind" "not installed"
fi
if command -v gdb >/dev/null; then
	ok "gdb: sites load their keys" gdb -q -batch -return-child-result \
		-ex run --args "$run" fallback
	like "$(cat "$scratch/output")" 'tracer' "and the library says so"
else
	skip "gdb" "not installed"
fi

finish
