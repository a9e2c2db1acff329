# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# TAP for shell tests: source this, call the functions below, end with "finish".
# The plan is counted, not promised; the exit status is the truth.
#
#	ok CLAIM COMMAND...         passes when the command succeeds
#	not_ok CLAIM COMMAND...     passes when it fails
#	exits N CLAIM COMMAND...    passes when it exits with status N
#	is GOT WANT CLAIM           passes when the strings are equal
#	like TEXT REGEX CLAIM       passes when the text matches
#	pass CLAIM / flunk CLAIM    a verdict reached by other means
#	guest CLAIM BOOT-ARGUMENTS  boots; each line "ok CLAIM" or "not ok CLAIM" that the
#	                            guest prints is an assertion here, and so is the end
#	skip CLAIM REASON           a result of its own
#	skip_all REASON             nothing here can run; ends the test
#	note TEXT                   a diagnostic line
#	$top                        the repository
#	$scratch                    a directory that is removed at the end
#
# The output of the last command is kept in $scratch/output.

tap_count=0 tap_failed=0
top=$(cd "${BASH_SOURCE[0]%/*}/../../.." && pwd)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/tap.XXXXXX")
trap 'rm -rf "$scratch"' EXIT

note() { printf '# %s\n' "${*//$'\n'/$'\n# '}"; }

pass() {
	tap_count=$((tap_count + 1))
	echo "ok $tap_count - $1"
}

flunk() {
	tap_count=$((tap_count + 1))
	tap_failed=$((tap_failed + 1))
	echo "not ok $tap_count - $1"
}

skip() {
	tap_count=$((tap_count + 1))
	echo "ok $tap_count - $1 # SKIP $2"
}

skip_all() {
	echo "1..0 # SKIP $1"
	exit 0
}

exits() {
	local want=$1 claim=$2 got=0
	shift 2
	"$@" >"$scratch/output" 2>&1 </dev/null || got=$?
	if [ "$got" -eq "$want" ]; then
		pass "$claim"
		return
	fi
	flunk "$claim"
	note "exit status $got, expected $want, of: $*"
	tail -n 40 "$scratch/output" | sed 's/^/#   /'
}

ok() {
	local claim=$1
	shift
	exits 0 "$claim" "$@"
}

not_ok() {
	local claim=$1 got=0
	shift
	"$@" >"$scratch/output" 2>&1 </dev/null || got=$?
	if [ "$got" -ne 0 ]; then
		pass "$claim"
	else
		flunk "$claim"
		note "succeeded, but should fail: $*"
	fi
}

is() {
	if [ "$1" = "$2" ]; then
		pass "$3"
	else
		flunk "$3"
		note "got:      $1"
		note "expected: $2"
	fi
}

like() {
	if [[ $1 =~ $2 ]]; then
		pass "$3"
	else
		flunk "$3"
		note "nothing matches $2 in:"
		note "$1"
	fi
}

# The guest's helpers are in tools/testing/guest/guest.sh, which comes along.
guest() {
	local claim=$1 status line
	shift
	"$top/scripts/boot" --file "$top/tools/testing/guest/guest.sh" "$@" \
		>"$scratch/output" 2>&1
	status=$?
	while IFS= read -r line; do
		case $line in
		'ok '*) pass "$claim: ${line#ok }" ;;
		'not ok '*) flunk "$claim: ${line#not ok }" ;;
		*) note "$line" ;;
		esac
	done <"$scratch/output"
	is "$status" 0 "$claim: ends well and without a splat"
}

finish() {
	echo "1..$tap_count"
	[ "$tap_failed" -eq 0 ] || note "$tap_failed of $tap_count failed"
	[ "$tap_failed" -eq 0 ]
	exit
}
