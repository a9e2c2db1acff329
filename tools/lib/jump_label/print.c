// SPDX-License-Identifier: GPL-2.0
/*
 * Messages of the engine on stderr
 *
 * Knows what the engine writes: %d %u %s %lx %p %%, %pS (an address as object
 * and offset) and %*ph (bytes). Safe in signal handlers.
 */
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "host.h"

struct line {
	char text[512];
	size_t len;
};

static void put_char(struct line *line, char c)
{
	if (line->len < sizeof(line->text))
		line->text[line->len++] = c;
}

static void put_string(struct line *line, const char *s)
{
	while (*s)
		put_char(line, *s++);
}

static void put_number(struct line *line, unsigned long n, unsigned int base,
		       int width)
{
	char digits[24];
	int nr = 0;

	do {
		digits[nr++] = "0123456789abcdef"[n % base];
		n /= base;
	} while (n || nr < width);
	while (nr)
		put_char(line, digits[--nr]);
}

static void put_signed(struct line *line, int n)
{
	if (n < 0)
		put_char(line, '-');
	put_number(line, n < 0 ? -(unsigned int)n : (unsigned int)n, 10, 1);
}

static void put_bytes(struct line *line, const u8 *bytes, int nr)
{
	int i;

	for (i = 0; i < nr; i++) {
		if (i)
			put_char(line, ' ');
		put_number(line, bytes[i], 16, 2);
	}
}

/* An address as "object+0xoffset", as addr2line and nm count. */
static void put_symbol(struct line *line, unsigned long addr)
{
	struct jump_object *object;

	for_each_jump_object(object) {
		if (addr < object->base || addr >= object->end)
			continue;
		put_string(line, object->name);
		put_string(line, "+0x");
		put_number(line, addr - object->bias, 16, 1);
		return;
	}
	put_string(line, "0x");
	put_number(line, addr, 16, 1);
}

static const char *put_pointer(struct line *line, const char *fmt, int width,
			       void *pointer)
{
	if (*fmt == 'S') {
		put_symbol(line, (unsigned long)pointer);
		return fmt + 1;
	}
	if (*fmt == 'h') {
		put_bytes(line, pointer, width);
		return fmt + 1;
	}
	put_string(line, "0x");
	put_number(line, (unsigned long)pointer, 16, 1);
	return fmt;
}

static void put_format(struct line *line, const char *fmt, va_list args)
{
	int width = 0;

	while (*fmt) {
		if (*fmt != '%') {
			put_char(line, *fmt++);
			continue;
		}
		fmt++;
		if (*fmt == '*') {
			width = va_arg(args, int);
			fmt++;
		}
		switch (*fmt++) {
		case 'd':
			put_signed(line, va_arg(args, int));
			break;
		case 'u':
			put_number(line, va_arg(args, unsigned int), 10, 1);
			break;
		case 's':
			put_string(line, va_arg(args, const char *));
			break;
		case 'l':	/* %lx */
			fmt++;
			put_number(line, va_arg(args, unsigned long), 16, 1);
			break;
		case 'p':
			fmt = put_pointer(line, fmt, width,
					  va_arg(args, void *));
			break;
		default:	/* %% */
			put_char(line, '%');
		}
	}
}

void jump_host_print(const char *fmt, ...)
{
	struct line line = { .len = 0 };
	int saved = errno;
	va_list args;

	va_start(args, fmt);
	put_format(&line, fmt, args);
	va_end(args);
	syscall(SYS_write, STDERR_FILENO, line.text, line.len);
	errno = saved;
}
