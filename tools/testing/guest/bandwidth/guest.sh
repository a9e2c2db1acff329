# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash disable=SC2034,SC2086,SC2154	# names come from and go to others
#
# Helpers of the bandwidth tests for what runs in the guest; source /guest.sh,
# then /bandwidth.sh. The names of the control files are those of the hierarchy
# that is mounted.

PATH=$PATH:/bandwidth
slice_us=5000		# sched_cfs_bandwidth_slice_us
tick_us=4000

if [ -d $cg/cpu ]; then
	v=1
	cg=$cg/cpu
else
	v=2
fi

# Set a limit: DIR QUOTA [PERIOD], the quota in microseconds or "max".
limit() {
	if [ $v = 2 ]; then
		echo "$2 $3" >"$1/cpu.max"
	else
		[ -z "$3" ] || echo "$3" >"$1/cpu.cfs_period_us"
		[ "$2" = max ] || { echo "$2" >"$1/cpu.cfs_quota_us"; return; }
		echo -1 >"$1/cpu.cfs_quota_us"
	fi
}

# The limit as "QUOTA PERIOD BURST", the quota "max" or in microseconds.
limits() {
	if [ $v = 2 ]; then
		echo "$(cat "$1/cpu.max") $(cat "$1/cpu.max.burst")"
	else
		echo "$(cat "$1/cpu.cfs_quota_us") $(cat "$1/cpu.cfs_period_us") $(
			cat "$1/cpu.cfs_burst_us")" | sed 's/^-1/max/'
	fi
}

burst() { # DIR MICROSECONDS
	if [ $v = 2 ]; then echo "$2" >"$1/cpu.max.burst"; else echo "$2" >"$1/cpu.cfs_burst_us"; fi
}

# One counter of a file: NAME FILE.
counter() { awk -v name="$1" '$1 == name { print $2 }' "$2"; }

# What a group did in MS milliseconds, as variables: $use_us and so on.
watch_group() { # DIR MS
	eval "$(observe "$2" "$1")"
}

# The same since the group was made, up to the end of a period.
watch_life() { # DIR MS
	eval "$(observe -t "$2" "$1")"
}

between() { # GOT LEAST MOST
	[ "$1" -ge "$2" ] && [ "$1" -le "$3" ]
}

# Is GOT within PERCENT (in tenths) of WANT, or SLACK off it?
near() { # GOT WANT TENTHS SLACK
	between "$1" $(($2 - $2 * $3 / 1000 - $4)) $(($2 + $2 * $3 / 1000 + $4))
}

# Judge what watch_group saw: the use is the quota of the periods that passed, to
# 2 % and one slice for each CPU.
exact() { # CLAIM QUOTA PERIOD CPUS
	want=$(($2 * wall_us / $3))
	ok "$1: used $use_us us, quota $want us" near $use_us $want 20 $(($4 * slice_us))
}

# Spin in a group: DIR THREADS MS, in the background.
hog() { load -g "$1" -n "$2" -d "$3" >/dev/null & }

# The count of the key that all limits share, whatever the kernel: read by a probe
# that fetches it from memory.
key_count() {
	[ -e $tracing/events/bandwidth/key ] ||
		echo 'p:bandwidth/key do_sys_openat2 count=@__cfs_bandwidth_used:s32' \
			>$tracing/kprobe_events || return
	echo >$tracing/trace
	echo 1 >$tracing/events/bandwidth/key/enable
	: </dev/null
	echo 0 >$tracing/events/bandwidth/key/enable
	sed -n 's/.* count=//p' $tracing/trace | head -n 1
}

# Groups are freed some time after they are removed: wait until the count is WANT.
key_settles() { # WANT
	i=0
	while [ "$(key_count)" != "$1" ] && [ $i -lt 50 ]; do
		sleep .1
		i=$((i + 1))
	done
	[ "$(key_count)" = "$1" ]
}

# Timers of limits that are armed.
armed() { grep -cE 'sched_cfs_(period|slack)_timer' /proc/timer_list; }
