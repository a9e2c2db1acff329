// SPDX-License-Identifier: GPL-2.0
/*
 * span.c - QEMU plugin: instructions from one address to another
 *
 *	-plugin build/cost/span.so,out=FILE,start=ADDRESS,end=ADDRESS[,end=...]
 *
 * FILE gets one line for each time START was reached and then one END: the
 * instructions executed in between, the one at START included and the one at
 * END not. For one CPU.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../perf/plugin/qemu_api.h"

QEMU_EXPORT int qemu_plugin_version = QEMU_API_VERSION;

#define ENDS_MAX 8

static uint64_t executed, at_start, start, ends[ENDS_MAX];
static int ends_nr;
static bool inside;
static FILE *out;

static void reach_start(unsigned int vcpu, void *data)
{
	inside = true;
	at_start = executed;
}

static void reach_end(unsigned int vcpu, void *data)
{
	if (inside)
		fprintf(out, "%" PRIu64 "\n", executed - at_start);
	inside = false;
	fflush(out);
}

static bool is_end(uint64_t address)
{
	int i;

	for (i = 0; i < ends_nr; i++)
		if (ends[i] == address)
			return true;
	return false;
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	size_t i, n = qemu_plugin_tb_n_insns(tb);

	for (i = 0; i < n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		uint64_t address = qemu_plugin_insn_vaddr(insn);

		/* Calls run before the addition. */
		if (address == start)
			qemu_plugin_register_vcpu_insn_exec_cb(insn, reach_start,
				QEMU_PLUGIN_CB_NO_REGS, NULL);
		if (is_end(address))
			qemu_plugin_register_vcpu_insn_exec_cb(insn, reach_end,
				QEMU_PLUGIN_CB_NO_REGS, NULL);
		qemu_plugin_register_vcpu_insn_exec_inline(insn,
			QEMU_PLUGIN_INLINE_ADD_U64, &executed, 1);
	}
}

QEMU_EXPORT int qemu_plugin_install(qemu_plugin_id_t id,
				    const struct qemu_plugin_info *info,
				    int argc, char **argv)
{
	int i;

	for (i = 0; i < argc; i++) {
		if (!strncmp(argv[i], "out=", 4))
			out = fopen(argv[i] + 4, "w");
		else if (!strncmp(argv[i], "start=", 6))
			start = strtoull(argv[i] + 6, NULL, 16);
		else if (!strncmp(argv[i], "end=", 4) && ends_nr < ENDS_MAX)
			ends[ends_nr++] = strtoull(argv[i] + 4, NULL, 16);
	}
	if (!out || !start || !ends_nr || !ends[0]) {
		fprintf(stderr, "span: needs out=FILE,start=ADDRESS,end=ADDRESS\n");
		return -1;
	}
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	return 0;
}
