#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The arithmetic of bandwidth control as a host program, under the address and
# undefined-behaviour sanitizers: tables, and random sequences of operations beside
# a model. Then the tests are tested: a slip made in each part must turn them red.

cd "$(dirname "$0")/../../.." || exit 1
# shellcheck source=tools/testing/lib/tap.sh
. tools/testing/lib/tap.sh

build() { # TREE PROGRAM CC FLAGS...
	local tree=$1 program=$2 cc=$3
	shift 3
	mkdir -p "${program%/*}"
	$cc -std=gnu11 -g -Wall -Wextra -Wno-sign-compare -Werror "$@" \
		-include "$tree/tools/testing/unit/host/bandwidth_internal.h" \
		-o "$program" "$tree/tools/testing/unit/bandwidth_host.c" \
		"$tree/kernel/sched/bandwidth_pool.c"
}
sanitize=(-O1 "-fsanitize=address,undefined" -fno-sanitize-recover=all)

seed=$(date +%Y%j)
note "seed $seed"
for cc in gcc clang; do
	ok "$cc builds it with sanitizers" \
		build . "build/unit/bandwidth-$cc" $cc "${sanitize[@]}"
	ok "$cc: tables, and three million steps" "build/unit/bandwidth-$cc" 3000000
	ok "$cc: a million steps of another order" "build/unit/bandwidth-$cc" 1000000 "$seed"
done

# A copy with one slip: FILE OLD NEW.
slip() {
	local copy=$scratch/slip
	rm -rf "$copy"
	mkdir -p "$copy/kernel" "$copy/tools/testing/unit/host"
	cp -r kernel/sched "$copy/kernel"
	cp tools/testing/unit/bandwidth_host.c "$copy/tools/testing/unit"
	cp tools/testing/unit/host/bandwidth_internal.h "$copy/tools/testing/unit/host"
	OLD=$2 NEW=$3 perl -0pi -e 's/\Q$ENV{OLD}\E/$ENV{NEW}/ or die "no \"$ENV{OLD}\" in $ARGV"' \
		"$copy/kernel/sched/$1" || return 0
	# Without its own checks: the test has to see it, not the code.
	sed -i 's/assert(condition)$/((void)(condition))/' \
		"$copy/tools/testing/unit/host/bandwidth_internal.h"
	build "$copy" "$copy/program" gcc -O1 -Wno-unused -Wno-unused-value || return 0
	"$copy/program" 200000
}

# WHAT@FILE@OLD@NEW
slips=(
	'a grant above the balance@bandwidth_pool.h@min(pool->balance, want)@want'
	'a grant that is not paid@bandwidth_pool.h@pool->balance -= grant;@;'
	'a refill that forgets the burst@bandwidth_pool.h@limit->quota + limit->burst);@limit->quota);'
	'a refill that keeps everything@bandwidth_pool.h@pool->balance = min(pool->balance, limit->quota + limit->burst);@;'
	'a refill for each late period@bandwidth_pool.h@	bandwidth_pool_refill(pool);@	for (u64 i = 0; i < periods; i++) bandwidth_pool_refill(pool);'
	'a burst that is not counted@bandwidth_pool.h@pool->nr_bursts++;@;'
	'a burst counted from the wrong side@bandwidth_pool.h@pool->snapshot > pool->balance@pool->snapshot >= pool->balance'
	'a group that is never idle@bandwidth_pool.h@pool->idle = !throttled;@;'
	'a grant that leaves the group idle@bandwidth_pool.h@pool->idle = false;
	}
	return grant;@}
	return grant;'
	'a limit that hands out a quota when rewritten@bandwidth_pool.c@quota > old ? quota - old : 0@quota'
	'a time that is given back twice@bandwidth_pool.c@pool->balance += amount;@pool->balance += 2 * amount;'
	'a stretch that forgets the burst@bandwidth_pool.c@.burst = 2 * pool->limit.burst,@.burst = pool->limit.burst,'
	'a period one too long@bandwidth_pool.c@limit->period > BANDWIDTH_MAX_PERIOD@limit->period > BANDWIDTH_MAX_PERIOD + 1000'
	'a quota one too small@bandwidth_pool.c@limit->quota < BANDWIDTH_MIN_QUOTA@limit->quota < BANDWIDTH_MIN_QUOTA - 1000'
	'a debt that is forgiven@bandwidth_pool.h@return slice - left;@return slice;'
	'an account that runs one too long@bandwidth_pool.h@return used < local->until;@return used <= local->until;'
	'a surplus that takes what is to be kept@bandwidth_pool.h@left > (s64)keep ? left - keep : 0@left > (s64)keep ? left : 0'
	'a ratio with too few digits@bandwidth_pool.h@BANDWIDTH_RATIO_SHIFT	20@BANDWIDTH_RATIO_SHIFT	19'
)
for entry in "${slips[@]}"; do
	IFS=@ read -r -d '' what file old new <<<"$entry"
	not_ok "tests see $what" slip "$file" "$old" "${new%$'\n'}"
done
finish
