/* SPDX-License-Identifier: GPL-2.0 */
/*
 * rdi counts down, rax sums, r8 counts up; rcx, rdx and rsi are scratch. The
 * numbers are positions within one iteration, first with the site off.
 */
	.text
	.balign	64
	.globl	jump_test_loop, jump_test_site, jump_test_on
	.type	jump_test_loop, @function
jump_test_loop:
	xorl	%eax, %eax
	xorl	%r8d, %r8d
	.balign	64
1:	movq	%rdi, %rsi			/* 1 */
jump_test_site:
	.byte	0x0f, 0x1f, 0x44, 0x00, 0x00	/* 2, the site */
	movq	jump_test_flag(%rip), %rdx	/* 3 */
	addq	%rsi, %rdx			/* 4 */
	testq	%rdx, %rdx			/* 5 */
	je	2f				/* 6, the condition */
	leaq	1(%rdx), %rcx			/* 7 */
	shrq	$3, %rdx			/* 8 */
	xorq	%rdx, %rcx			/* 9 */
	andl	$255, %ecx			/* 10 */
	jmp	3f				/* 11, the return */
2:	movq	%rsi, %rcx
3:	addq	%rcx, %rax			/* 12, on: 17 */
	incq	%r8				/* 13, on: 18 */
	decq	%rdi				/* 14, on: 19 */
	jne	1b				/* 15, on: 20 */
	ret
jump_test_on:
	movq	jump_test_flag(%rip), %rdx	/* 3 */
	addq	%rsi, %rdx			/* 4 */
	testq	%rdx, %rdx			/* 5 */
	je	2b				/* 6, the condition */
	leaq	3(%rdx), %rcx			/* 7 */
	shrq	$3, %rdx			/* 8 */
	xorq	%rdx, %rcx			/* 9 */
	shrq	$2, %rdx			/* 10 */
	xorq	%rdx, %rcx			/* 11 */
	addq	%r8, %rcx			/* 12 */
	shrq	$1, %rdx			/* 13 */
	xorq	%rdx, %rcx			/* 14 */
	andl	$255, %ecx			/* 15 */
	jmp	3b				/* 16, the return */
	.size	jump_test_loop, . - jump_test_loop

	.section .note.GNU-stack, "", @progbits
