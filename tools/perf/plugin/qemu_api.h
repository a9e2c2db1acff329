/* SPDX-License-Identifier: GPL-2.0 */
/*
 * qemu_api.h - the part of QEMU's plugin interface, version 1, used here
 *
 * QEMU 4.2 to 8.2 offer this interface but distributions do not package its
 * header. Only what the counting plugin calls is declared. Nothing here may
 * be called outside the callback whose argument it takes, unless it says so.
 */
#ifndef PERF_QEMU_API_H
#define PERF_QEMU_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define QEMU_API_VERSION 1
#define QEMU_EXPORT __attribute__((visibility("default")))

struct qemu_plugin_tb;
struct qemu_plugin_insn;

typedef uint64_t qemu_plugin_id_t;
typedef uint32_t qemu_plugin_meminfo_t;

/* What QEMU tells at load time. */
struct qemu_plugin_info {
	const char *target_name;
	struct {
		int min;
		int cur;
	} version;
	bool system_emulation;
	union {
		struct {
			int smp_vcpus;
			int max_vcpus;
		} system;
	};
};

enum qemu_plugin_cb_flags {
	QEMU_PLUGIN_CB_NO_REGS,
	QEMU_PLUGIN_CB_R_REGS,
	QEMU_PLUGIN_CB_RW_REGS,
};

enum qemu_plugin_mem_rw {
	QEMU_PLUGIN_MEM_R = 1,
	QEMU_PLUGIN_MEM_W,
	QEMU_PLUGIN_MEM_RW,
};

enum qemu_plugin_op {
	QEMU_PLUGIN_INLINE_ADD_U64,
};

typedef void (*qemu_plugin_tb_trans_fn)(qemu_plugin_id_t id,
					struct qemu_plugin_tb *tb);
typedef void (*qemu_plugin_exec_fn)(unsigned int vcpu, void *data);
typedef void (*qemu_plugin_mem_fn)(unsigned int vcpu,
				   qemu_plugin_meminfo_t info, uint64_t address,
				   void *data);
typedef void (*qemu_plugin_exit_fn)(qemu_plugin_id_t id, void *data);

/* Offered by a plugin: the version it speaks, and what QEMU calls first. */
extern QEMU_EXPORT int qemu_plugin_version;
QEMU_EXPORT int qemu_plugin_install(qemu_plugin_id_t id,
				    const struct qemu_plugin_info *info,
				    int argc, char **argv);

/* At load time: a callback for each translation, one for QEMU's exit. */
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id,
					   qemu_plugin_tb_trans_fn fn);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id,
				    qemu_plugin_exit_fn fn, void *data);

/* While translating: the block and its instructions. */
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *
qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t i);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
/* Where the instruction lies in the emulator's memory; NULL for a device. */
void *qemu_plugin_insn_haddr(const struct qemu_plugin_insn *insn);

/*
 * While translating: what to do each time the block or instruction starts.
 * For one instruction calls run before inline additions. An inline addition
 * is not atomic.
 */
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb,
					  qemu_plugin_exec_fn fn,
					  enum qemu_plugin_cb_flags flags,
					  void *data);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn,
					    qemu_plugin_exec_fn fn,
					    enum qemu_plugin_cb_flags flags,
					    void *data);
void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *insn,
						enum qemu_plugin_op op,
						void *counter, uint64_t n);

/*
 * While translating: a call for each access to memory an instruction makes.
 * Ask for both directions: in QEMU 7.2 a call for reads alone comes for
 * writes and one for writes comes for both.
 */
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn,
				      qemu_plugin_mem_fn fn,
				      enum qemu_plugin_cb_flags flags,
				      enum qemu_plugin_mem_rw rw, void *data);
/* In that call. */
bool qemu_plugin_mem_is_store(qemu_plugin_meminfo_t info);

/* At any time: into QEMU's log. */
void qemu_plugin_outs(const char *text);

#endif /* PERF_QEMU_API_H */
