#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# "No perf", "no permission", "no PMU", "not counted" and a number are five
# different things, and none of the first four is ever shown as 0.

. "${0%/*}/../lib/tap.sh"

# TEXT [EVENT]: the reading of one event in a text perf might have written
reading() {
	printf '%s' "$1" >"$scratch/text"
	python3 -B - "$scratch/text" "${2:-instructions}" <<'END' 2>&1
import sys
import os
sys.path.insert(0, os.environ["LIB"])
import perfstat
with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read()
try:
    reading = perfstat.parse(text, "text")[sys.argv[2]]
    deviation = reading.deviation
    print(reading, *([] if deviation is None else [f"{deviation:.2f}%"]))
except perfstat.PerfError as error:
    print("error:", error)
END
}

# What measure() makes of a command that stands in for perf.
fake() {
	cat >"$scratch/perf"
	chmod +x "$scratch/perf"
	measured "$scratch/perf"
}

measured() {
	python3 -B - "$1" <<'END' 2>&1
import sys
import os
sys.path.insert(0, os.environ["LIB"])
import perfstat
try:
    readings = perfstat.measure(["true"], 2, sys.argv[1])
    print(*(str(readings[e]) for e in ("instructions", "cycles")), sep=", ")
except perfstat.PerfError as error:
    print("error:", error)
END
}

export LIB=$top/tools/perf/lib

is "$(reading $'845934117,,instructions,0.12%,1000,100.00,,\n')" \
	'845934117 0.12%' 'a number with its deviation'
is "$(reading $'# started on Mon\n\n123,,instructions:u,500,100.00,,\n')" 123 \
	'an event that perf restricted to user mode'
is "$(reading $'<not supported>,,instructions,0,100.00,,\n')" 'no PMU' \
	'an event that is not supported'
is "$(reading $'<not counted>,,instructions,0,0.00,,\n')" 'not counted' \
	'an event that was not counted'
is "$(reading $',,instructions,0,0.00,,\n')" 'not counted' 'an empty value'
is "$(reading $'0,,instructions,500,100.00,,\n')" 0 'a 0 that was counted'
is "$(reading $'865,139070,msec,task-clock,1000,100.00,0,533,CPUs utilized\n' \
	task-clock)" 865.139 'a decimal comma between commas'
is "$(reading $'865,139070;msec;task-clock;0,35%;1000;100,00;;\n' task-clock)" \
	'865.139 0.35%' 'a decimal comma between semicolons'
is "$(reading $'7,,instructions,1,100.00,0.5,insn per cycle\n,,,,,1.2,stalled\n')" \
	7 'a second metric line'
like "$(reading '')" '^error: text: no events' 'an empty file is an error'
like "$(reading $'hello\n')" '^error: text:1: not perf stat' \
	'so is a foreign one'
like "$(reading $'1,,instructions,1,100.00,,\n2,,\x01\x02,1,1,,\n')" \
	'^error: text:2: no event' 'so is a corrupt line'
like "$(reading $'twelve,,instructions,1,100.00,,\n')" \
	'^error: text:1: not a number' 'so is a word for a number'

is "$(measured /nonexistent/perf)" 'no perf, no perf' 'perf is not installed'
is "$(fake <<'END'
#!/bin/sh
echo 'WARNING: perf not found for kernel 1.2' >&2
exit 2
END
)" 'no perf, no perf' 'perf is a wrapper without its program'
is "$(fake <<'END'
#!/bin/sh
[ "$1" = --version ] && { echo 'perf version 6.1'; exit; }
echo 'Error: Access to performance monitoring and observability operations is limited.' >&2
echo 'Consider adjusting /proc/sys/kernel/perf_event_paranoid setting' >&2
exit 255
END
)" 'no permission, no permission' 'perf may not count'
is "$(fake <<'END'
#!/bin/sh
[ "$1" = --version ] && { echo 'perf version 6.1'; exit; }
echo '# started on today' >&2
echo '<not supported>,,instructions,0.00%,0,100.00,,' >&2
echo '4711,,cycles,0.50%,100,100.00,,' >&2
END
)" 'no PMU, 4711' 'some events exist and some do not'
is "$(fake <<'END'
#!/bin/sh
[ "$1" = --version ] && { echo 'perf version 6.1'; exit; }
echo '4711,,cycles,0.50%,100,100.00,,' >&2
END
)" 'not counted, 4711' 'an event perf kept silent about'
like "$(fake <<'END'
#!/bin/sh
[ "$1" = --version ] && { echo 'perf version 6.1'; exit; }
echo 'Segmentation fault' >&2
exit 139
END
)" '^error: perf stat: status 139: Segmentation fault' 'perf itself failed'
finish
