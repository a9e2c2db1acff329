/* SPDX-License-Identifier: GPL-2.0 */
/*
 * loops.S - regions of known length
 *
 *	10	1000 times dec, jne
 *	11	100 times call, nop, ret, dec, jne
 *	12	nothing
 *	13	rep movsb of 100 bytes, between two moves
 *	14	50 times a jump over two nops
 *	16	100 times a call of an instruction that two pages share
 *	17	the same with a conditional branch, taken
 *	15	mov, left at its fifth instruction by a fault; the handler ends it
 */
	.macro	begin id
	.byte	0x0f, 0x1f, 0x84, 0x00, \id, 'S', 'L', 'J'
	.endm
	.macro	end id
	.byte	0x0f, 0x1f, 0x84, 0x00, \id, 'E', 'L', 'J'
	.endm

	.text
	.globl	_start
	.type	_start, @function
_start:
	movl	$1000, %ecx
	begin	10
1:	decl	%ecx
	jne	1b
	end	10

	movl	$100, %ecx
	begin	11
1:	call	leaf
	decl	%ecx
	jne	1b
	end	11

	begin	12
	end	12

	leaq	from(%rip), %rsi
	leaq	to(%rip), %rdi
	begin	13
	movl	$100, %ecx
	rep movsb
	movl	%ecx, %eax
	end	13

	movl	$50, %ecx
	begin	14
1:	jmp	2f
	nop
	nop
2:	decl	%ecx
	jne	1b
	end	14

	movl	$100, %ecx
	begin	16
1:	call	across
	decl	%ecx
	jne	1b
	end	16

	movl	$100, %ecx
	begin	17
1:	call	branch_across
	decl	%ecx
	jne	1b
	end	17

	/* rt_sigaction(SIGSEGV, &action, 0, 8) */
	movl	$13, %eax
	movl	$11, %edi
	leaq	action(%rip), %rsi
	xorl	%edx, %edx
	movl	$8, %r10d
	syscall
	xorl	%ebx, %ebx
	begin	15
	movl	$1, %ecx
	addl	%ecx, %ecx
	nop
	leaq	8(%rcx), %rdx
	movq	(%rbx), %rax
	nop
	nop
	addl	%ecx, %ecx
	end	15

	.type	handler, @function
handler:
	end	15
	movl	$60, %eax
	xorl	%edi, %edi
	syscall

	.type	leaf, @function
leaf:	nop
	ret
	.size	leaf, . - leaf

	.data
action:	.quad	handler, 0x04000000, handler, 0
	.bss
from:	.skip	100
to:	.skip	100
	.section .note.GNU-stack, "", @progbits

	/* Instructions that lie in two pages, each after one that does not. */
	.text
	.balign	4096
	.skip	4096 - 4
across:
	xorl	%eax, %eax
	movl	$1, %edx
	ret
	.balign	4096
	.skip	4096 - 3
branch_across:
	xorl	%eax, %eax
	je	1f
	nop
1:	ret
