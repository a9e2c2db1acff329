#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What the engine costs beside stock, in instructions, both counted here and now:
# one turn of a key, a turn of 10000 sites at once, jump_label_init() a site. And in
# interrupts on four CPUs, for one turn. Then what 10000 sites cost the grafted kernel
# in sync rounds and in instructions with interrupts off. The figures go to
# build/bench/summary.d/toggle.csv.
# needs: ours-small stock-small
#
# shellcheck disable=SC2016	# what is quoted is for the guest's shell

# shellcheck source=tools/testing/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
cd "$top" || exit 1

# shellcheck source=tools/testing/guest/cost/cost.sh
. tools/testing/guest/cost/cost.sh

here=tools/testing/guest/cost
cost=build/cost
build_span

module() { # TREE VARIANT: the module for a kernel
	mkdir -p "$cost/$2"
	seq 0 79 | sed 's/.*/FUNCTION(&)/' >"$cost/$2/functions.h"
	cp "$here/jump_label_cost.c" "$here/Kbuild" "$cost/$2" &&
		make -s -C "build/$1" O="$top/build/out/$2" M="$top/$cost/$2" modules
}

# How many sites the linker saw: three relocations each.
sites() {
	readelf -SW "build/out/$1/vmlinux.o" |
		awk '{ sub(/^ *\[ *[0-9]+\] */, "") } $1 == ".rela__jump_table" { print $5; exit }' |
		{ read -r bytes && echo $((16#$bytes / 24 / 3)); }
}

# Figures go to the array: VARIANT.one_site and so on.
declare -A figure
measure() { # TREE VARIANT
	local start stop name value
	ok "$2: the module builds" module "$1" "$2"
	rm -f $cost/span.out
	scripts/boot --kernel "$2" --icount --mem 1024 --timeout 600 \
		--file "$cost/$2/jump_label_cost.ko:/cost.ko" \
		--plugin "$cost/span.so,out=$cost/span.out,start=$(address "$2" jump_label_init),end=$(
			after_call "$2" setup_arch jump_label_init)" \
		-- 'insmod /cost.ko && dmesg | sed -n "s/.*jump_label_cost: //p"' >"$scratch/$2"
	is $? 0 "$2: all of it works"
	while read -r name value _; do
		figure[$2.$name]=$value
	done <"$scratch/$2"
	figure[$2.init]=$(head -n 1 $cost/span.out)
	start=$(address "$2" __start___jump_table)
	stop=$(address "$2" __stop___jump_table)
	figure[$2.table]=$((16#$stop - 16#$start))
	figure[$2.sites]=$(sites "$2")
	note "$2: ${figure[$2.sites]} sites"
}
measure stock stock-small
measure linux ours-small

# Interrupts for one turn of a key, the same for each of many.
interrupts() { # VARIANT
	# The watchdog of the clock, which turns a key, is of no use on a busy machine.
	figure[$1.calls]=$(scripts/boot --kernel "$1" --cpus 4 --append tsc=nowatchdog \
		--file tools/testing/guest/guest.sh -- '
. /guest.sh
stats=/proc/sys/kernel/sched_schedstats i=0
echo 1 >$tracing/events/csd/csd_queue_cpu/enable
while [ $i -lt 16 ]; do
	for on in 1 0; do
		echo >$tracing/trace
		echo $on >$stats
		sync_calls
	done
	i=$((i + 1))
done | sort -nu | tr "\n" " "' 2>/dev/null | tail -n 1)
	figure[$1.calls]=${figure[$1.calls]% }
	[[ ${figure[$1.calls]} =~ ^[0-9]+$ ]]
	is $? 0 "$1: interrupts for a turn are counted"
}
interrupts stock-small
interrupts ours-small

summary=build/bench/summary.d/toggle.csv
: >$summary
row() { # METRIC KEY UNIT [DIVISOR]: print, and keep for the summary
	local stock=${figure[stock-small.$2]:-0} ours=${figure[ours-small.$2]:-0}
	local by=${4:-1} by_stock by_ours
	by_stock=$by by_ours=$by
	[ "$by" != sites ] || by_stock=${figure[stock-small.sites]} by_ours=${figure[ours-small.sites]}
	row_stock=$((stock / by_stock)) row_ours=$((ours / by_ours))
	note "$1: stock $row_stock, ours $row_ours $3"
	echo "$1,$row_stock,$row_ours,$3" >>$summary
}
at_most() { # CLAIM PERCENT-OF-STOCK
	[ "$row_stock" -gt 0 ] && [ "$row_ours" -gt 0 ] &&
		[ $((row_ours * 100)) -le $((row_stock * $2)) ]
	is $? 0 "$1"
}

row toggle.one_site.instructions one_site instructions
at_most 'one key with one site: no more than stock' 100
row toggle.one_key.interrupts calls interrupts
is "$row_ours" 9 'a turn on four CPUs: three interrupts to each of the other three'
row toggle.wide_key.instructions_per_site wide_key instructions 10000
at_most '10000 sites of one key: less than stock' 100
row toggle.wide_keys.instructions_per_site wide_keys instructions 10000
at_most '10000 keys of one site: less than stock' 100
row jump_label_init.instructions_per_site init instructions sites
at_most 'jump_label_init: less than stock' 100
[ "$row_ours" -le 40 ]
is $? 0 'jump_label_init: at most 40 instructions a site'
row jump_table.bytes_per_site table bytes sites
is "$row_ours" 12 'an entry has 12 bytes'

# A boot for each kind of turn. The load itself writes the chosen NOPs: the same for
# all kinds, and known from the one that turns nothing.
declare -A rounds longest
loading=0
large() { # KIND: count rounds for a turn, and the longest stretch with interrupts off
	local spans=$scratch/$1.spans
	: >"$spans"
	scripts/boot --kernel ours-small --icount --mem 1024 --timeout 600 \
		--file $cost/ours-small/jump_label_cost.ko:/cost.ko \
		--file tools/testing/guest/guest.sh --plugin "$cost/span.so,out=$spans,$(
			span_of ours-small text_poke_inside jump_text_write text_poke_inside)" -- "
. /guest.sh
before=\$(value sync_rounds) transactions=\$(value transactions)
insmod /cost.ko only=$1 || exit
echo rounds \$((\$(value sync_rounds) - before))
echo transactions \$((\$(value transactions) - transactions))
dmesg | sed -n 's/.*jump_label_cost: [a-z_]* [0-9]* /turns /p'
verify afterwards
value sites_refused" >"$scratch/output"
	is $? 0 "$1: turns and is back"
	like "$(<"$scratch/output")" ' bad 0' "$1: every site is right"
	rounds[$1]=$(sed -n 's/^rounds //p' "$scratch/output")
	longest[$1]=$(tail -n +$((loading + 1)) "$spans" | sort -n | tail -n 1)
	note "$1: $(xargs <"$scratch/output"); longest with interrupts off: ${longest[$1]}"
}
large none
loading=$(wc -l <"$scratch/none.spans")
like "$(<"$scratch/output")" $'transactions [01]\n' 'a module of 20000 sites is loaded in one transaction'
[ "${rounds[none]}" -le 1 ]
is $? 0 'and in one sync round'
for kind in one_page wide_key wide_keys; do
	large $kind
	is $((rounds[$kind] - rounds[none])) 6 "$kind: three rounds for on and three for off"
	echo "toggle.$kind.sync_rounds,,$(((rounds[$kind] - rounds[none]) / 2)),rounds" >>$summary
	echo "toggle.$kind.interrupts_off,,${longest[$kind]},instructions" >>$summary
done
for kind in wide_key wide_keys; do
	[ "${longest[$kind]}" -gt 0 ] && [ "${longest[$kind]}" -le "${longest[one_page]}" ]
	is $? 0 "$kind: interrupts are never off for longer than for one page"
done
ok 'the headlines are merged' tools/perf/summary
finish
