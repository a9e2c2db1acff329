# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2154	# names come from and go to others
#
# What the bandwidth tests share on the host; source after tap.sh.
#
#	bandwidth CLAIM CPUS SCRIPT [BOOT-ARGUMENTS]
#
# runs SCRIPT in the guest, with the programs of this directory in / and guest.sh
# of this directory sourced. Time in the guest is counted in instructions, so that
# a busy machine changes no figure.
#
# KERNEL names the kernel under test (ours-small); what only our kernel has is
# asked of it only where it is one of ours.

kernel=${KERNEL:-ours-small}
case $kernel in
*ours-*) ours=1 ;;
*) ours='' ;;
esac
programs=$top/build/bandwidth

ok 'the programs build' make -s -C "$top/tools/testing/guest/bandwidth"

bandwidth() {
	local claim=$1 cpus=$2 script=$3
	shift 3
	guest "$claim" --kernel "$kernel" --cpus "$cpus" --shift 4 --timeout 900 \
		--file "$programs:/bandwidth" \
		--file "$top/tools/testing/guest/bandwidth/guest.sh:/bandwidth.sh" "$@" \
		-- ". /guest.sh; . /bandwidth.sh; $script"
}
