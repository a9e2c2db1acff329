// SPDX-License-Identifier: GPL-2.0
/*
 * prog.c - a program two counters must agree on
 *
 * Everything is between work() and done(), and nothing of the C library, as
 * that chooses its code by processor and by where the stack lies.
 */
#pragma GCC optimize("no-inline", "no-ipa-cp", "no-ipa-sra")

static unsigned int numbers[3000];

void done(void)
{
	asm volatile("");
}

static unsigned int fibonacci(unsigned int n)
{
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static void sift(unsigned int root, unsigned int n)
{
	while (2 * root + 1 < n) {
		unsigned int child = 2 * root + 1, swap;

		if (child + 1 < n && numbers[child] < numbers[child + 1])
			child++;
		if (numbers[root] >= numbers[child])
			return;
		swap = numbers[root];
		numbers[root] = numbers[child];
		numbers[child] = swap;
		root = child;
	}
}

static void sort(unsigned int n)
{
	unsigned int i, swap;

	for (i = n / 2; i--;)
		sift(i, n);
	for (i = n; --i;) {
		swap = numbers[0];
		numbers[0] = numbers[i];
		numbers[i] = swap;
		sift(0, i);
	}
}

static unsigned int plus(unsigned int a, unsigned int b)
{
	return a + b;
}

static unsigned int minus(unsigned int a, unsigned int b)
{
	return a - b;
}

static unsigned int (*const operations[])(unsigned int, unsigned int) = {
	plus, minus,
};

unsigned int work(void)
{
	unsigned int seed = 1, i, sum = 0;

	for (i = 0; i < 3000; i++) {
		seed = seed * 1103515245 + 12345;
		numbers[i] = seed >> 8;
	}
	sort(3000);
	for (i = 0; i < 3000; i++)
		sum = operations[numbers[i] & 1](sum, numbers[i] / (i + 1));
	return sum + fibonacci(16);
}

int main(void)
{
	unsigned int result = work();

	done();
	return result == 0;
}
