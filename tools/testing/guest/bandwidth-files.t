#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The control files of both hierarchies: what is accepted, what is refused and that
# it then changes nothing, the reason in the log, the counters and their units.
# needs: ours-small
#
# shellcheck disable=SC2016	# what is quoted is for the guest's shell

# shellcheck source=tools/testing/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source=tools/testing/guest/bandwidth/host.sh
. "$(dirname "$0")/bandwidth/host.sh"

# Our kernel says in the log which rule refused which value in which file of which
# group: one line, sought by FILE, /g and the value where the text has a number.
script="ours=$ours"'
mkdir $cg/g
accepts() { # FILE TEXT RESULT
	put=$(put $cg/g/$1 "$text")
	now=$(limits $cg/g)
	ok "$1 takes \"$2\": $put, then $now" [ "$put:$now" = "0:$3" ]
}
refuses() { # FILE TEXT ERROR
	before=$(limits $cg/g)
	[ -z "$ours" ] || sleep 6
	dmesg -c >/dev/null
	put=$(put $cg/g/$1 "$text")
	now=$(limits $cg/g)
	ok "$1 refuses \"$2\": $put, still $now" [ "$put:$now" = "$3:$before" ]
	[ -n "$ours" ] || return
	lines=$(dmesg | grep -cF "$1")
	reason=$(dmesg | grep -F "$1" | sed "s/^[^]]*\] //")
	ok "$1 says why it refuses \"$2\": $reason" [ "$lines" = 1 ]
	case $reason in
	*$1*/g:*) ;;
	*) echo "not ok $1 names the group: $reason" ;;
	esac
	[ -z "$4" ] || case ${reason#*/g:} in
	*$4*) ;;
	*) echo "not ok $1 names $4: $reason" ;;
	esac
}
# A line a write: FILE|TEXT|RESULT, the result an error or what can then be read.
# A third | and a word: the log names that as well. \n is a newline.
table() {
	while IFS="|" read -r file shown result word; do
		case $file in ""|"#"*) continue ;; esac
		text=$(printf "%b." "$shown")
		text=${text%.}
		case $result in
		E*) refuses "$file" "$shown" "$result" "$word" ;;
		*) accepts "$file" "$shown" "$result" ;;
		esac
	done
}
'

v2='
cpu.max|500 100000|EINVAL|500
cpu.max|999 100000|EINVAL|999
cpu.max|0 100000|EINVAL|0
cpu.max|-1 100000|EINVAL|-1
cpu.max|1000 999|EINVAL|999
cpu.max|50000 0|EINVAL|0
cpu.max|max 1000001|EINVAL|1000001
cpu.max|Max 100000|EINVAL|Max
cpu.max|1e5 100000|EINVAL|1
cpu.max|0x10000 100000|EINVAL|0
cpu.max|+50000 100000|EINVAL|+50000
cpu.max|\n|EINVAL
cpu.max|abc|EINVAL|abc
cpu.max|max,5|EINVAL|max,5
cpu.max|99999999999999999999 100000|EINVAL
cpu.max|18446744073709 100000|EINVAL|18446744073709
cpu.max|1000 1000|1000 1000 0
cpu.max|max 1000000|max 1000000 0
cpu.max|70000|70000 1000000 0
cpu.max|max 80000|max 80000 0
cpu.max|max|max 80000 0
cpu.max|50000|50000 80000 0
cpu.max|  50000   100000|50000 100000 0
cpu.max|50000	90000|50000 90000 0
cpu.max|50000 100000\n|50000 100000 0
cpu.max|17592186044415 100000|17592186044415 100000 0
# What stands behind is ignored, as it always was.
cpu.max|70000 abc|70000 100000 0
cpu.max|50000,100000|50000 100000 0
cpu.max|80000 100000 7|80000 100000 0
cpu.max|50000 -1|50000 100000 0
cpu.max|max abc|max 100000 0
# Burst: at most the quota, and any where there is none.
cpu.max|50000|50000 100000 0
cpu.max.burst|50001|EINVAL|50001
cpu.max.burst|-1|EINVAL
cpu.max.burst|abc|EINVAL
cpu.max.burst|99999999999999999999|ERANGE
cpu.max.burst|50000|50000 100000 50000
cpu.max|49999|EINVAL|49999
cpu.max|49999 50000|EINVAL|49999
cpu.max.burst|49999|50000 100000 49999
cpu.max|49999|49999 100000 49999
cpu.max|max|max 100000 49999
cpu.max|1000000 100000|1000000 100000 49999
cpu.max.burst|1000000|1000000 100000 1000000
cpu.max|1500000 100000|1500000 100000 1000000
cpu.max|max|max 100000 1000000
cpu.max|999999|EINVAL|999999
cpu.max.burst|0|max 100000 0
'
v1='
cpu.cfs_quota_us|500|EINVAL|500
cpu.cfs_quota_us|999|EINVAL|999
cpu.cfs_quota_us|0|EINVAL|0
cpu.cfs_quota_us|9223372036854775807|EINVAL
cpu.cfs_quota_us|18446744073709|EINVAL|18446744073709
cpu.cfs_quota_us|1000|1000 100000 0
cpu.cfs_quota_us|-1|max 100000 0
cpu.cfs_quota_us|-5|max 100000 0
cpu.cfs_quota_us|0x10000|65536 100000 0
cpu.cfs_quota_us|+50000|50000 100000 0
cpu.cfs_quota_us|50000\n|50000 100000 0
cpu.cfs_period_us|999|EINVAL|999
cpu.cfs_period_us|0|EINVAL|0
cpu.cfs_period_us|1000001|EINVAL|1000001
cpu.cfs_period_us|1000000|50000 1000000 0
cpu.cfs_period_us|0x10000|50000 65536 0
cpu.cfs_period_us|100000|50000 100000 0
cpu.cfs_burst_us|50001|EINVAL|50001
cpu.cfs_burst_us|50000|50000 100000 50000
cpu.cfs_quota_us|49999|EINVAL|49999
cpu.cfs_burst_us|10|50000 100000 10
cpu.cfs_quota_us|49999|49999 100000 10
cpu.cfs_quota_us|-1|max 100000 10
cpu.cfs_period_us|50000|max 50000 10
cpu.cfs_burst_us|0|max 50000 0
'
# Not a number: refused before the scheduler hears of it.
v1_text='
cpu.cfs_quota_us|50000 |EINVAL
cpu.cfs_quota_us|abc|EINVAL
cpu.cfs_quota_us|1e5|EINVAL
cpu.cfs_quota_us|99999999999999999999|ERANGE
cpu.cfs_period_us|-1|EINVAL
cpu.cfs_period_us|abc|EINVAL
cpu.cfs_burst_us|-1|EINVAL
'
after='
# A refused write, 300 times at once: the log does not drown.
dmesg -c >/dev/null
i=0
while [ $i -lt 300 ]; do
	put $cg/g/$1 500
	i=$((i + 1))
done | sort | uniq -c | sed "s/^ */refused: /"
lines=$(dmesg | grep -cF $1)
[ -z "$ours" ] || ok "300 refused writes leave $lines lines" between $lines 1 40
mkdir $cg/gone
ok "a write to a removed group: ENODEV" [ "$(put -r $cg/gone/$1 50000)" = ENODEV ]
# The older hierarchy has always shown the files at its root.
if [ $v = 2 ]; then
	ok "the root has no $1" [ ! -e $cg/$1 ]
else
	ok "the root takes no $1" [ "$(put $cg/$1 50000)" = EINVAL ]
fi
'
# Counters: names, order, and the unit, told by the time that passed.
counters='
mkdir $cg/p
limit $cg/p 20000 100000
limit $cg/g 50000 100000
names=$(cut -d" " -f1 $cg/p/cpu.stat | tr "\n" " ")
ok "cpu.stat: $names" [ "$names" = "$1 " ]
ok "cpu.stat.local: $(cat $cg/p/cpu.stat.local)" \
	[ "$(cut -d" " -f1 $cg/p/cpu.stat.local)" = "$2" ]
hog $cg/p 1 2400
sleep .2
t=$(counter $3 $cg/p/cpu.stat) l=$(counter $2 $cg/p/cpu.stat.local)
watch_group $cg/p 2000
t=$((($(counter $3 $cg/p/cpu.stat) - t) / $4))
l=$((($(counter $2 $cg/p/cpu.stat.local) - l) / $4))
exact "counters" 20000 100000 1
ok "$periods periods in 2 s" between $periods 19 21
ok "$throttled of them throttled" between $throttled 19 21
# Time is counted when it is over: at both ends one stretch may be in or out.
rest=$((wall_us - use_us))
ok "one task was throttled for the other $rest us: $t" near $t $rest 20 80000
ok "so says cpu.stat.local: $l" near $l $rest 20 80000
ok "no burst" [ "$bursts $burst_us" = "0 0" ]
wait
idle=$(counter nr_periods $cg/p/cpu.stat)
sleep 2
ok "periods are not counted while nobody runs" \
	between $(($(counter nr_periods $cg/p/cpu.stat) - idle)) 0 2
'
v2_names='usage_usec user_usec system_usec nice_usec nr_periods nr_throttled'
v2_names+=' throttled_usec nr_bursts burst_usec'
v1_names='nr_periods nr_throttled throttled_time nr_bursts burst_time'
grammar() { # FILE TABLE
	echo "$script"
	echo "table <<'END'"
	echo "$2"
	echo END
	echo "set -- $1"
	echo "$after"
}
bandwidth 'v2' 1 "$(grammar cpu.max "$v2")
set -- '$v2_names' throttled_usec throttled_usec 1
$counters"
bandwidth 'v1' 1 "$(grammar cpu.cfs_quota_us "$v1")
ours=
table <<'END'
$v1_text
END
set -- '$v1_names' throttled_time throttled_time 1000
$counters" --cgroup v1
finish
