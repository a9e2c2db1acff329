# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# For tests that count instructions between two addresses with span.c; source it
# after tap.sh, from the top of the repository.

# The address of a symbol.
address() { # VARIANT SYMBOL
	awk -v name="$2" '$3 == name { print $1; exit }' "build/out/$1/System.map"
}

# Where CALLER goes on after it has called FUNCTION, one address for each call.
after_call() { # VARIANT CALLER FUNCTION
	objdump -d --no-show-raw-insn --disassemble="$2" "build/out/$1/vmlinux" |
		awk -v call="<$3>" 'seen { sub(":", "", $1); print $1; seen = 0 } index($0, call) { seen = 1 }'
}

# What span.c is told of a function that is reached through THROUGH, which CALLER
# calls: from its first instruction until CALLER goes on.
span_of() { # VARIANT FUNCTION CALLER THROUGH
	printf 'start=%s' "$(address "$1" "$2")"
	after_call "$1" "$3" "$4" | sed 's/^/,end=/' | tr -d '\n'
}

build_span() {
	mkdir -p build/cost build/bench/summary.d
	ok 'the plugin that counts between two places builds' gcc -O2 -g -Wall -shared -fPIC \
		-o build/cost/span.so tools/testing/guest/cost/span.c
}

# The least of the lines of a file: what comes from elsewhere only adds.
least() { sort -n "$1" | head -n 1; }
