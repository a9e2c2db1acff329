// SPDX-License-Identifier: GPL-2.0
/*
 * Static keys on 32-bit x86: does this processor execute an instruction
 *
 * Tried under an interrupt table of our own, so that it works at any time: on
 * the boot CPU before the kernel's handlers are in place, and on a CPU that is
 * just starting and has none. It must not depend on them in any case: the
 * kernel's handler of invalid opcodes has sites, with the very NOPs in question.
 */
#include "../../../kernel/jump_label_internal.h"
#include <linux/linkage.h>
#include <asm/desc.h>
#include <asm/irqflags.h>
#include <asm/jump_label_nops.h>
#include <asm/segment.h>
#include <asm/trapnr.h>

/*
 * int x86_try(void (*insn)(void)): 1 when @insn returns. The instruction that
 * is invalid has changed nothing, so the frame is still there in ebp when the
 * trap comes; the flags that the trap saved are those of now but for a cleared
 * IF, as interrupts are off.
 */
asm(".pushsection .noinstr.text, \"ax\"\n"
	".globl x86_try_nopl, x86_try_ud2\n"
	"x86_try:\n\t"
	"pushl %ebp\n\t"
	"movl %esp, %ebp\n\t"
	"call *%eax\n\t"
	"movl $1, %eax\n\t"
	"popl %ebp\n\t"
	ASM_RET
	"x86_try_trap:\n\t"
	"movl %ebp, %esp\n\t"
	"xorl %eax, %eax\n\t"
	"popl %ebp\n\t"
	ASM_RET
	"x86_try_nopl:\n\t"
	".byte 0x0f, 0x1f, 0x44, 0x00, 0x00\n\t"
	ASM_RET
	"x86_try_ud2:\n\t"
	".byte 0x0f, 0x0b\n\t"
	ASM_RET
	".popsection");

/**
 * x86_executes() - does the running CPU execute an instruction
 * @insn: x86_try_nopl() or x86_try_ud2(), which execute one and return
 *
 * Context: any in the kernel. Exceptions go where they went before, but for the
 * invalid opcode.
 */
bool x86_executes(void (*insn)(void))
{
	gate_desc table[NUM_EXCEPTION_VECTORS] = { };
	struct desc_ptr before, ours = {
		.size = sizeof(table) - 1,
		.address = (unsigned long)table,
	};
	unsigned long flags;
	bool ran;

	raw_local_irq_save(flags);
	store_idt(&before);
	if (before.size >= ours.size)
		memcpy(table, (void *)before.address, sizeof(table));
	pack_gate(&table[X86_TRAP_UD], GATE_INTERRUPT,
		  (unsigned long)x86_try_trap, 0, 0, __KERNEL_CS);
	native_load_idt(&ours);
	ran = x86_try(insn);
	native_load_idt(&before);
	raw_local_irq_restore(flags);
	return ran;
}
