#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# All at once on four CPUs: threads that run sites without pause, keys that turn
# one by one and in transactions of up to a thousand, modules that come and go,
# CPUs that go off and on line, kprobes placed and removed beside sites. No branch
# goes the wrong way, no site is wrong, no count is left. Then again with failing
# memory and text.
#
# FLIPS (20000), FAULT_FLIPS (4000) and FLIPS_32 (4000, for the 32-bit kernel) say
# how often keys turn; "make soak" asks for more.
# needs: ours-small ours-x86_32
#
# shellcheck disable=SC2016	# what is quoted is for the guest's shell

# shellcheck source=tools/testing/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

script='
. /guest.sh
flips=$1 inject=$2
modules() {
	while [ ! -e /tmp/over ]; do
		if insmod /ko/test_static_key_base.ko && insmod /ko/test_static_keys.ko &&
			rmmod test_static_keys && rmmod test_static_key_base; then
			echo >>/tmp/modules
		elif [ $inject = 1 ]; then
			# Refused for want of memory or text, as it should be.
			rmmod test_static_keys
			rmmod test_static_key_base
		else
			echo "not ok modules load and unload"
		fi
		usleep 50000
	done 2>/dev/null
}
cpus() {
	while [ ! -e /tmp/over ]; do
		for cpu in 3 2 1; do echo 0 >/sys/devices/system/cpu/cpu$cpu/online; usleep 100000; done
		for cpu in 1 2 3; do echo 1 >/sys/devices/system/cpu/cpu$cpu/online; usleep 100000; done
		echo >>/tmp/cpus
	done
}
# Every address around the sites of one reader; those inside a site are refused.
probes() {
	while [ ! -e /tmp/over ]; do
		grep -q "read_key_0" $jl/sites || { usleep 50000; continue; }
		at=0
		while [ $at -lt 96 ] && [ ! -e /tmp/over ]; do
			if echo "p:site/at$at jump_label_torture:read_key_0+$at" \
				>>$tracing/kprobe_events 2>/dev/null; then
				if echo 1 >$tracing/events/site/at$at/enable 2>/dev/null; then
					echo >>/tmp/probes
					usleep 20000
					echo 0 >$tracing/events/site/at$at/enable
				fi
				echo "-:site/at$at" >>$tracing/kprobe_events
			fi
			at=$((at + 1))
		done
	done
}
modules & cpus & probes &
dmesg -c >/dev/null
ok "no wrong branch, no wrong site, count 0" \
	insmod /ko/jump_label_torture.ko flips=$flips inject=$inject
>/tmp/over
wait
dmesg | sed -n "s/.*jump_label_torture: //p"
echo "$(wc -l </tmp/modules) module rounds, $(wc -l </tmp/cpus) hotplug rounds, $(wc -l </tmp/probes) probes"
ok "modules came and went" [ -s /tmp/modules ]
ok "CPUs went and came" [ -s /tmp/cpus ]
ok "kprobes were placed" [ -s /tmp/probes ]
rmmod jump_label_torture
verify "afterwards"
ok "no site was refused" [ "$(value sites_refused)" = 0 ]
echo "transactions done in steps: $(value steps_split)"
ok "they are, and only, when memory fails" [ $(($(value steps_split) > 0)) = $inject ]
ok "four CPUs are back" [ "$(nproc)" = 4 ]
'
guest 'storm' --kernel ours-small --modules --cpus 4 --mem 1024 --timeout 3600 \
	-- sh -c "$script" sh "${FLIPS:-20000}" 0
guest 'storm with faults' --kernel ours-small --modules --cpus 4 --mem 1024 \
	--timeout 3600 -- sh -c "$script" sh "${FAULT_FLIPS:-4000}" 1
guest 'storm, 32-bit' --kernel ours-x86_32 --modules --cpus 4 --timeout 3600 \
	-- sh -c "$script" sh "${FLIPS_32:-4000}" 0
finish
