#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Keys under pressure from several sides: every key of the kernel turned, four
# threads that take a first reference at once, deferred keys, init text, a module
# that cannot be taken in.
# needs: ours-small ours-debug ours-x86_32
#
# shellcheck disable=SC2016	# what is quoted is for the guest's shell

# shellcheck source=tools/testing/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

script='
. /guest.sh
action() { # NAME: load, show the line it prints, unload
	dmesg -c >/dev/null
	insmod /ko/jump_label_torture.ko action=$1 && rmmod jump_label_torture
	status=$?
	dmesg | sed -n "s/.*jump_label_torture: //p"
	return $status
}
ok "every key that is not sealed turns and turns back, all sites right each time" \
	action toggle_all
verify "after all keys turned"
ok "after an inc the branch is taken, whoever turned the key" action inc_race
ok "200 deferred pairs cost one turn on and one turn off" action deferred
ok "a pending release does not outlive its module" true

ok "init text follows its key while it runs" action init_text
i=0
while [ $i -lt 50 ]; do
	insmod /ko/jump_label_torture.ko action=init_text && rmmod jump_label_torture || break
	i=$((i + 1))
done
ok "50 reloads with the key on and its init text gone" [ $i -eq 50 ]

insmod /ko/test_static_key_base.ko
insmod /ko/jump_label_torture.ko action=fail_load
not_loaded() { ! insmod /ko/test_static_keys.ko 2>/tmp/error; }
tables=$(value tables)
ok "a module is not loaded without memory for its table" not_loaded
ok "the reason is ENOMEM" grep -qi "memory" /tmp/error
ok "the log names the module" sh -c "dmesg | grep -q \"no memory for the .* sites of module test_static_keys\""
ok "no table is left behind" [ "$(value tables)" = "$tables" ]
verify "after the refusal"
rmmod jump_label_torture
ok "with memory it loads" insmod /ko/test_static_keys.ko
rmmod test_static_keys test_static_key_base
not_loaded() { ! insmod /ko/jump_label_torture.ko action=nothing 2>/dev/null; }
ok "an action that is not there is refused" not_loaded
verify "at the end"
ok "no site was refused" [ "$(value sites_refused)" = 0 ]
'
guest 'small kernel' --kernel ours-small --modules --cpus 4 --timeout 300 -- "$script"
guest 'debugging kernel' --kernel ours-debug --modules --cpus 2 --mem 1024 --timeout 900 -- "$script"
guest '32-bit kernel' --kernel ours-x86_32 --modules --cpus 4 --timeout 300 -- "$script"
finish
