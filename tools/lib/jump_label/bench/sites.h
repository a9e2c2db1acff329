/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _BENCH_SITES_H
#define _BENCH_SITES_H

/*
 * Many sites of one key, written by hand: sites_<nr>() runs through <nr> sites of
 * key_<nr>, one in each cache line. They start as a NOP, and so must the key.
 */
#define SITE_DISTANCE	64

#ifdef __aarch64__
#define SITE_NOP	".fill 1, 4, 0xd503201f\n\t"
#define SITE_REST	".fill 15, 4, 0xd503201f\n"
#define SITE_ROOM	".fill 16, 4, 0xd503201f\n\t"
#else
/* The NOP that the library takes for one on all processors. */
#ifdef __x86_64__
#define SITE_NOP	".byte 0x0f, 0x1f, 0x44, 0x00, 0x00\n\t"
#else
#define SITE_NOP	".byte 0x3e, 0x8d, 0x74, 0x26, 0x00\n\t"
#endif
#define SITE_REST	".fill 59, 1, 0x90\n"
#define SITE_ROOM	".fill 64, 1, 0x90\n\t"
#endif

#define SITES(nr)							\
__asm__(".pushsection .text\n"						\
	".balign 4096\n"						\
	".globl sites_" #nr "\n"					\
	".hidden sites_" #nr "\n"					\
	"sites_" #nr ":\n\t"						\
	".rept " #nr "\n"						\
	"661:\t" SITE_NOP						\
	SITE_REST							\
	"662:\n\t"							\
	".pushsection __jump_table, \"aw\"\n\t"				\
	".balign 4\n\t"							\
	".long 661b - ., 662b - ., key_" #nr " - .\n\t"			\
	".popsection\n\t"						\
	".endr\n\t"							\
	"ret\n\t"							\
	".popsection");							\
extern char sites_##nr[]

/* As much text without entries. */
#define ROOM(nr)							\
__asm__(".pushsection .text\n"						\
	".balign 4096\n"						\
	".globl room_" #nr "\n"						\
	".hidden room_" #nr "\n"					\
	"room_" #nr ":\n\t"						\
	".rept " #nr "\n\t"						\
	SITE_ROOM							\
	".endr\n\t"							\
	"ret\n\t"							\
	".balign 4096\n"						\
	".popsection");							\
extern char room_##nr[]

#endif /* _BENCH_SITES_H */
