#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# scripts/boot keeps its promises: status, output, files, splats, timeouts.
# needs: stock-small
#
# shellcheck disable=SC2016	# what is quoted is for the guest's shell

# shellcheck source=tools/testing/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
log=$scratch/log
boot() { "$top/scripts/boot" --kernel stock-small --log "$log" "$@"; }
output() { echo "$(<"$scratch/output")"; }
# A line in the kernel log, as a splat would be.
splat='echo "<4>WARNING: CPU: 0 PID: 1 at somewhere" >/dev/kmsg'

exits 7 'the exit status of the command is passed on' boot -- 'echo out; echo err >&2; exit 7'
is "$(output)" $'out\nerr' 'stdout and stderr arrive, and nothing else does'
like "$(<"$log")" 'Linux version' 'the kernel log is in the log file'

mkdir "$scratch/dir"
echo inside >"$scratch/dir/file"
exits 0 'arguments, files, directories, modules and mounts' \
	boot --cpus 3 --mem 300 --modules --append 'probe=17' --file "$scratch/dir" \
	--file "$scratch/dir/file:/etc/other name" -- sh -c '
		echo "$1"; cat /dir/file "/etc/other name"; nproc; ls /ko | grep -c static_key
		grep -o probe=17 /proc/cmdline
		for fs in proc sysfs debugfs tracefs cgroup2; do
			grep -qw $fs /proc/mounts || echo "no $fs"; done
		cat /sys/fs/cgroup/cgroup.subtree_control' sh "it's one \$word"
is "$(output)" $'it\'s one $word\ninside\ninside\n3\n2\nprobe=17\ncpu' 'are all there'

exits 0 'the cpu controller in a v1 hierarchy' \
	boot --cgroup v1 -- 'ls /sys/fs/cgroup/cpu/cpu.cfs_quota_us; test ! -e /sys/fs/cgroup/cgroup.procs'

exits 3 'a splat fails the run though the command succeeds' boot -- "$splat; echo fine"
like "$(output)" 'fine.*splat in the kernel log.*WARNING: CPU: 0 PID: 1 at somewhere' \
	'and is shown'
exits 0 'a splat that is allowed does not' boot --allow-splat 'at some[w]here' -- "$splat"
exits 3 'another one still does' boot --allow-splat 'at nowhere' -- "$splat"
exits 0 'a splat that is expected is found' boot --expect-splat 'at some[w]here' -- "$splat"
exits 3 'and missed when it is absent' boot --expect-splat 'at some[w]here' -- true
block='(echo "<4>------------[ cut here ]------------"; echo "<4>the message"
	echo "<4>WARNING: CPU: 0"; echo "<4>Call Trace:"; echo "<4>---[ end trace 0 ]---"
	) | while read -r l; do echo "$l" >/dev/kmsg; done'
exits 0 'from cut here to end trace it is one splat' boot --allow-splat 'the message' -- "$block"
exits 3 'of which all lines are shown' boot -- "$block"
like "$(output)" 'cut here.*the message.*Call Trace' 'from first to last'

exits 4 'a guest that ends early is noticed' boot -- 'reboot -f'
exits 124 'a guest that does not end is ended' boot --timeout 6 -- 'sleep 100'
exits 3 'a panic is a splat' boot --append rdinit=/none -- true
like "$(output)" 'Kernel panic' 'and is shown'
exits 0 'a bzImage boots as well' \
	boot --kernel "$top/build/out/stock-small/arch/x86/boot/bzImage" -- true
exits 0 'instructions are counted as time' boot --icount --append quiet -- 'test "$(nproc)" = 1'
like "$(<"$log")" 'Linux version' 'a quiet kernel still leaves its log'

exits 0 '--dry-run prints the command' boot --dry-run --icount --plugin x.so -- true
like "$(output)" '^qemu-system-x86_64 .*thread=single.*-icount shift=0.*-plugin x.so' 'of QEMU'
exits 2 'no command' boot --cpus 2
exits 2 'an unknown option' boot --cpu5 -- true
exits 2 'a number that is none' boot --cpus two -- true
exits 2 'a kernel that is not there' boot --kernel ours-nothing -- true
like "$(output)" 'scripts/kbuild ours-nothing' 'with the command that makes it'
exits 2 'a file that is not there' boot --file "$scratch/none" -- true
finish
