#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# scripts/setup, with stand-ins for dpkg-query, apt-get, id and sudo: what it
# installs, what it says, and what it does without the right to install.
#
# shellcheck disable=SC2016	# what is quoted is for the stand-ins

# shellcheck source=tools/testing/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
bin=$scratch/bin
mkdir "$bin"
stub() { # NAME, script on stdin
	{ echo '#!/bin/sh'; cat; } >"$bin/$1"
	chmod +x "$bin/$1"
}
stub dpkg-query <<'END'
for p; do case " $ABSENT " in *" $p "*) ;; *) echo "installed $p" ;; esac; done
[ -z "$ABSENT" ]
END
stub id <<<'echo "${STUB_UID-0}"'
stub sudo <<<'echo "sudo $*" >>"$CALLS"'
stub apt-get <<<'echo "apt-get $*" >>"$CALLS"; exit "${APT_STATUS-0}"'
export CALLS=$scratch/calls ABSENT='' PATH=$bin:$PATH
setup() { : >"$CALLS"; "$top/scripts/setup" "$@"; }
output() { echo "$(<"$scratch/output")"; }

exits 0 'nothing is missing' setup host kernel lint
is "$(output)" '' 'and nothing is said'
is "$(<"$CALLS")" '' 'and nothing is installed'

export ABSENT='flex qemu-system-x86'
exits 0 'root installs what is missing' setup kernel
is "$(<"$CALLS")" $'apt-get update -q\napt-get install -q -y --no-install-recommends flex qemu-system-x86' \
	'that and no more'
like "$(output)" 'missing: flex qemu-system-x86' 'and says what'
exits 0 'another need does not care' setup host
is "$(<"$CALLS")" '' 'and installs nothing'
APT_STATUS=100 exits 2 'a failed installation is a failure' setup kernel
like "$(output)" 'the installation failed' 'and says so'

export STUB_UID=1000
exits 2 'without the right to install the status is 2' setup kernel
is "$(<"$CALLS")" '' 'nothing is installed'
like "$(output)" 'apt-get update && apt-get install -y --no-install-recommends flex qemu-system-x86' \
	'and the exact command is printed'
exits 2 'an unknown need' setup everything
exits 2 'no need' setup

is "$(cd "$top" && make run T= >"$scratch/output" 2>&1 </dev/null; echo $?)" 2 \
	'make run passes the status on'

# A busybox of another architecture is unpacked, not installed.
export ABSENT='' STUB_UID=0
mkdir -p "$scratch/tree/scripts"
cp "$top/scripts/setup" "$scratch/tree/scripts/setup"
setup32() { : >"$CALLS"; "$scratch/tree/scripts/setup" kernel32; }
busybox=$scratch/tree/build/i386/bin/busybox
stub apt-get <<'END'
echo "apt-get $*" >>"$CALLS"
case $* in *' download '*) [ -z "$APT_STATUS" ] || exit "$APT_STATUS"; : >busybox-static_1_i386.deb ;; esac
END
stub dpkg-deb <<<'mkdir -p "$3/bin" && echo "#!/bin/sh" >"$3/bin/busybox" && chmod +x "$3/bin/busybox"'
APT_STATUS=100 exits 2 'a busybox for 32 bits that cannot be had is a failure' setup32
like "$(output)" 'busybox-static of i386: not to be had' 'and says so'
exits 0 'it is fetched' setup32
ok 'to where scripts/boot looks for it' test -x "$busybox"
like "$(<"$CALLS")" 'Architecture=i386.*update.*Architecture=i386.*download busybox-static' \
	'with lists of its own'
not_ok 'and nothing is installed' grep -q ' install ' "$CALLS"
exits 0 'once it is there' setup32
is "$(<"$CALLS")" '' 'nothing is fetched'

finish
