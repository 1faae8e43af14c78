/* The streams of docs/seeds.rst for the hand-written yardsticks: ChaCha with 8 rounds, four blocks at a time, as in
 * hearts_bound.c with -DCHACHA; bounded numbers; the n-th set bit. */
#ifndef BOUND_STREAMS_H
#define BOUND_STREAMS_H
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __BMI2__
#include <immintrin.h>
#endif
typedef uint64_t u64;
typedef uint32_t u32;
typedef uint16_t u16;
typedef uint8_t u8;

typedef u32 v4 __attribute__((vector_size(16)));
#define ROT(v, n) (((v) << (n)) | ((v) >> (32 - (n))))
#define QR(a, b, c, d) \
    a += b; d ^= a; d = ROT(d, 16); c += d; b ^= c; b = ROT(b, 12); \
    a += b; d ^= a; d = ROT(d, 8); c += d; b ^= c; b = ROT(b, 7);

static void chacha8x4(const u32 key[8], u32 domain, u64 index, u32 block, u32 out[64]) {
    static const u32 c[4] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
    v4 x[16], s[16];
    u32 lo = (u32)index, hi = (u32)(index >> 32);
    for (int i = 0; i < 4; i++) s[i] = (v4){c[i], c[i], c[i], c[i]};
    for (int i = 0; i < 8; i++) s[4 + i] = (v4){key[i], key[i], key[i], key[i]};
    s[12] = (v4){block, block + 1, block + 2, block + 3};
    s[13] = (v4){domain, domain, domain, domain};
    s[14] = (v4){lo, lo, lo, lo};
    s[15] = (v4){hi, hi, hi, hi};
    memcpy(x, s, sizeof x);
    for (int r = 0; r < 4; r++) {
        QR(x[0], x[4], x[8], x[12]) QR(x[1], x[5], x[9], x[13]) QR(x[2], x[6], x[10], x[14]) QR(x[3], x[7], x[11], x[15])
        QR(x[0], x[5], x[10], x[15]) QR(x[1], x[6], x[11], x[12]) QR(x[2], x[7], x[8], x[13]) QR(x[3], x[4], x[9], x[14])
    }
    for (int i = 0; i < 16; i++) {
        x[i] += s[i];
        for (int b = 0; b < 4; b++) out[16 * b + i] = x[i][b];
    }
}

typedef struct { u32 key[8], domain, block, n; u64 index; u32 buf[64]; } rng_t;

static inline void rng_open(rng_t *r, const u32 key[8], u32 domain, u64 index) {
    memcpy(r->key, key, 32);
    r->domain = domain;
    r->index = index;
    r->block = 0;
    r->n = 64;
}

static inline u32 next32(rng_t *r) {
    if (r->n == 64) {
        chacha8x4(r->key, r->domain, r->index, r->block, r->buf);
        r->block += 4;
        r->n = 0;
    }
    return r->buf[r->n++];
}

static inline u32 bounded(rng_t *r, u32 n) {
    u64 m = (u64)next32(r) * n;
    if ((u32)m < n) {
        u32 t = -n % n;
        while ((u32)m < t) m = (u64)next32(r) * n;
    }
    return (u32)(m >> 32);
}

static inline void shuffle(rng_t *r, u8 *deck, int n) {
    for (int i = n - 1; i > 0; i--) {
        u32 j = bounded(r, (u32)i + 1);
        u8 t = deck[i];
        deck[i] = deck[j];
        deck[j] = t;
    }
}

/* The n-th set bit of a small set. */
static inline int nth(u32 x, u32 n) {
#ifdef __BMI2__
    return __builtin_ctz(_pdep_u32(1u << n, x));
#else
    while (n--) x &= x - 1;
    return __builtin_ctz(x);
#endif
}

static inline double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}
#endif
