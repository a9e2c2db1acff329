# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash disable=SC2034	# who sources it uses the names
#
# Helpers for what runs in the guest; source /guest.sh.

jl=/sys/kernel/debug/jump_label
tracing=/sys/kernel/tracing
cg=/sys/fs/cgroup

ok() { # CLAIM COMMAND...: an assertion
	claim=$1
	shift
	if "$@"; then echo "ok $claim"; else echo "not ok $claim"; fi
}

value() { sed -n "s/^$1: *//p" $jl/summary; }

# The count of a key, and how many sites it has.
key_column() { # KEY COLUMN
	awk -v key="$1" -v column="$2" '$1 ~ "^" key "([+]|$)" { print $column }' $jl/keys
}
count() { key_column "$1" 2; }
sites() { key_column "$1" 3; }

# Every site holds what its key says; what does not is shown.
verify() {
	v=$(cat $jl/verify)
	case $v in
	*' bad 0') echo "ok every site is right $1 ($v)" ;;
	*) echo "not ok every site is right $1 ($v)"; grep ' bad$' $jl/sites | head -n 20 ;;
	esac
}

# Set $cal to the interrupts that made a CPU call a function, which is what a sync
# round does, and $rounds to the sync rounds so far.  No process is started, as
# that would interrupt CPUs too.
cal() {
	while read -r name line; do
		[ "$name" = CAL: ] || continue
		cal=0
		for word in $line; do
			case $word in *[!0-9]*) break ;; esac
			cal=$((cal + word))
		done
	done </proc/interrupts
	while read -r name word; do
		[ "$name" != sync_rounds: ] || rounds=$word
	done <$jl/summary
}

# Since "echo >$tracing/trace": the calls of sync rounds, each of which interrupts
# one CPU.  csd/csd_queue_cpu must be on: it names the function of every call that
# one CPU asks of another, where /proc/interrupts also counts those that wake tasks.
sync_calls() { grep -c "csd_queue_cpu:.* func=do_sync_core " $tracing/trace; }
