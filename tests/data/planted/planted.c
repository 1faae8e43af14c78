/* Faults on purpose: what tools/sanitize.py runs first, so that a silent sanitizer is noticed. */
#include <stdlib.h>

static long shared;

/* AddressSanitizer: reads behind the end of a block. */
int overflow(int n) {
    volatile char *block = malloc((size_t)n);
    int found;
    block[0] = 1;
    found = block[n];
    free((void *)block);
    return found;
}

/* UndefinedBehaviorSanitizer: a signed sum that does not fit. */
int sum(int a, int b) { return a + b; }

/* ThreadSanitizer: called by two threads at once. */
long race(long turns) {
    for (long i = 0; i < turns; i++) shared += i & 1;
    return shared;
}
