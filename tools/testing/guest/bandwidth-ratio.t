#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A group gets its quota and no more: over 30 periods the CPU time used is the
# quota within 2 %, give or take one slice for each CPU, for one, two and four CPUs,
# from 1 % to 350 %. And how long at a time its tasks stand still.
# needs: ours-small
#
# shellcheck disable=SC2016	# what is quoted is for the guest's shell

# shellcheck source=tools/testing/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source=tools/testing/guest/bandwidth/host.sh
. "$(dirname "$0")/bandwidth/host.sh"

# One more thread than CPUs, so that there is always one to run.
script='
cpus=$(nproc)
ratio() { # QUOTA PERIOD
	mkdir $cg/g
	limit $cg/g $1 $2
	hog $cg/g $((cpus + 1)) $(($2 / 1000 * 30 + 400))
	sleep .2
	watch_group $cg/g $(($2 / 1000 * 30))
	exact "v$v: $1 of $2 us" $1 $2 $cpus
	ok "v$v: $1 of $2 us: $periods periods counted, $throttled throttled" \
		[ $periods -ge 29 -a $periods -le 31 -a $throttled -le $periods ]
	wait
	rmdir $cg/g
}
'
bandwidth 'one CPU' 1 "$script"'
for limit in "1000 100000" "1000 10000" "10000 100000" "50000 100000" "90000 100000" \
	"97000 100000" "2000 4000" "100000 1000000"; do
	ratio $limit
done
# How long a single task stands still, and that its own clock agrees.
gap() { # QUOTA PERIOD LONGEST_MS
	mkdir $cg/g
	limit $cg/g $1 $2
	eval "$(load -g $cg/g -d 6000)"
	ok "$1 of $2 us: stands still at most $gap_us us" [ $gap_us -le $(($3 * 1000)) ]
	# The last period may have begun just before the end.
	ok "$1 of $2 us: $cpu_us us of CPU in $wall_us us" \
		near $cpu_us $(($1 * wall_us / $2)) 20 $(($1 + slice_us))
	rmdir $cg/g
}
# A quota below a tick is overrun and paid back in the periods that follow.
gap 1000 10000 100
gap 10000 100000 100
gap 50000 100000 60
gap 100000 1000000 910
gap 1000 100000 900'
bandwidth 'two CPUs' 2 "$script"'
for limit in "2000 100000" "10000 100000" "50000 100000" "100000 100000" "150000 100000" \
	"190000 100000"; do
	ratio $limit
done'
bandwidth 'four CPUs' 4 "$script"'
for limit in "4000 100000" "10000 100000" "50000 100000" "100000 100000" "200000 100000" \
	"350000 100000" "30000 10000"; do
	ratio $limit
done'
bandwidth 'two CPUs, older hierarchy' 2 "$script"'
for limit in "2000 100000" "50000 100000" "150000 100000"; do
	ratio $limit
done' --cgroup v1
finish
