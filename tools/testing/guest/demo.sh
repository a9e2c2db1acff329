#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Runs in the booted guest, for "make run": shows the static keys of the running
# kernel at work.  Exit status 0 only if everything that is shown held.

d=/sys/kernel/debug/jump_label
key=__cfs_bandwidth_used
failed=0

title() { printf '\n%s\n' "$1"; }
say() { printf '  %s\n' "$*"; }
fail() { printf '  FAILED: %s\n' "$*"; failed=1; }
must() { # CLAIM COMMAND...
	claim=$1
	shift
	if "$@"; then say "$claim: yes"; else fail "$claim"; fi
}
value() { sed -n "s/^$1: *//p" $d/summary; }

# Every site must hold the encoding of its key's state.
verify() {
	set -- "$1" "$(cat $d/verify)"
	case $2 in
	*' bad 0') say "$1: every site holds what its key says ($2)" ;;
	*) fail "$1: sites that do not hold what their key says ($2)"
	   grep ' bad$' $d/sites | head -n 5 ;;
	esac
}

if [ ! -r $d/summary ]; then
	fail "$d is not there: this kernel does not carry our static keys"
	exit 1
fi

title "Linux $(uname -r): the static keys of the running kernel"
say "$(value sites) sites of $(value keys) keys in $(value tables) tables"
say "the NOPs:"
sed 's/^/    /' $d/nops || failed=1
verify 'after boot'

title "Stock's self-tests"
dmesg >/tmp/dmesg
must 'at boot, CONFIG_STATIC_KEYS_SELFTEST' grep -q 'jump_label: self-test done' /tmp/dmesg
must 'module test_static_key_base loads' insmod /ko/test_static_key_base.ko
must 'module test_static_keys loads, which runs it' insmod /ko/test_static_keys.ko
verify 'with both modules'
must 'both modules unload' rmmod test_static_keys test_static_key_base
verify 'without them'

title 'A quota for a group of tasks: the scheduler tests it only while one is set'
# Other keys may turn meanwhile (timers have some), so only this key's sites count.
snapshot() { awk -v key=$key '$2 ~ "^" key "([+]|$)"' $d/sites >"/tmp/sites.$1"; }
site() { awk -v name="$name" '$1 == name { print $3, $5; exit }' "/tmp/sites.$1"; }
count() { awk -v key=$key '$1 ~ "^" key "([+]|$)" { print $2 }' $d/keys; }

snapshot before
name=$(awk '$3 == "nop" { print $1; exit }' /tmp/sites.before)
[ -n "$name" ] || fail "$key: no site in this kernel"
rounds=$(value sync_rounds)
start=$(count)
g=/sys/fs/cgroup/demo
must 'mkdir demo; echo "50000 100000" >cpu.max' \
	sh -c "mkdir $g && echo '50000 100000' >$g/cpu.max"
snapshot on
on=$(count)
used=$(($(value sync_rounds) - rounds))
verify 'with the quota'
must 'echo max >cpu.max; rmdir demo' sh -c "echo max >$g/cpu.max && rmdir $g"
snapshot after
verify 'without it'

flipped() { awk 'NR == FNR { was[NR] = $0; next } was[FNR] != $0 { n++ } END { print n + 0 }' "$@"; }
turned=$(flipped /tmp/sites.before /tmp/sites.on)
back=$(flipped /tmp/sites.on /tmp/sites.after)
say "key $key: count $start -> $on -> $(count)"
say "its sites: $(wc -l </tmp/sites.before); flipped by the quota: $turned, by lifting it: $back;" \
	"sync rounds: $used"
awk 'NR == FNR { was[FNR] = $0; next }
was[FNR] != $0 && ++n <= 6 { print "    " $1 "  " $3 " " $5 }
END { if (n > 6) print "    and " n - 6 " more" }' /tmp/sites.before /tmp/sites.on
say "one site, $name:"
for state in before on after; do
	printf '    %-7s %s\n' "$state" "$(site $state)"
done
must 'the quota turned its sites, and lifting it turned them back' \
	[ "$turned" -gt 0 -a "$turned" = "$back" ]
must 'the bytes on differ from those before' [ "$(site before)" != "$(site on)" ]
must 'the bytes after equal those before' cmp -s /tmp/sites.before /tmp/sites.after
must 'the count is back' [ "$(count)" = "$start" ]

title 'A pipe ping-pong between two tasks'
/pipe-test 20000 >/tmp/pipe || failed=1
sed 's/^/  /' /tmp/pipe
[ -s /tmp/pipe ] || fail 'pipe-test printed nothing'

echo
if [ $failed -eq 0 ]; then echo 'All of this held.'; else echo 'Not all of this held.'; fi
exit $failed
