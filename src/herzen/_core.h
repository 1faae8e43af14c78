/* Bit and stream primitives of herzen, shared by every compiled module.
 *
 * The streams are ChaCha with 8 rounds (docs/seeds.rst). Everything is defined on 32-bit numbers, so the
 * results do not depend on byte order, compiler or processor.
 */
#ifndef HERZEN_CORE_H
#define HERZEN_CORE_H

#include <assert.h>
#include <stdint.h>
#include <string.h>

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
static inline int hz_popcount(uint64_t x) { return (int)__popcnt64(x); }
static inline int hz_lowest(uint64_t x) { unsigned long i; _BitScanForward64(&i, x); return (int)i; }
static inline int hz_highest(uint64_t x) { unsigned long i; _BitScanReverse64(&i, x); return (int)i; }
#else
static inline int hz_popcount(uint64_t x) { return __builtin_popcountll(x); }
static inline int hz_lowest(uint64_t x) { return __builtin_ctzll(x); }
static inline int hz_highest(uint64_t x) { return 63 - __builtin_clzll(x); }
#endif

/* ---- rows of eight bytes in a word, the first one lowest ---------------------------------------------- */
static inline uint64_t hz_row8(const uint8_t *bytes) {
    uint64_t row = 0;
    int i;
    for (i = 0; i < 8; i++) row |= (uint64_t)bytes[i] << 8 * i;
    return row;
}

static inline void hz_put_row8(uint8_t *bytes, uint64_t row) {
    int i;
    for (i = 0; i < 8; i++) bytes[i] = (uint8_t)(row >> 8 * i); /* compilers make one store of it */
}

/* Place of a byte that stands in the row: the first, if it stands there twice. */
static inline int hz_place_in_row8(uint64_t row, uint8_t byte) {
    uint64_t x = row ^ 0x0101010101010101ULL * byte;
    return hz_lowest((x - 0x0101010101010101ULL) & ~x & 0x8080808080808080ULL) >> 3;
}

/* ---- the n-th set bit --------------------------------------------------------------------------------
 * Random play is one such search per ply. With BMI2 it is two instructions; a build for all processors asks
 * at load time and takes the instruction through inline assembly, so that no function is compiled twice.
 * AMD's first two Zen generations have a slow PDEP and use the broadword search like every other processor. */
#define HZ_ONES 0x0101010101010101ULL
#define HZ_HIGHS 0x8080808080808080ULL

/* For each byte the places of its set bits, four bits each, the lowest first. */
#define HZ_BELOW(x, i) ((x) & ((1 << (i)) - 1))
#define HZ_FEW(x) (((x) & 1) + ((x) >> 1 & 1) + ((x) >> 2 & 1) + ((x) >> 3 & 1) + ((x) >> 4 & 1) + ((x) >> 5 & 1) + ((x) >> 6 & 1))
#define HZ_PLACE(x, i) ((uint32_t)((x) >> (i) & 1 ? (i) : 0) << 4 * HZ_FEW(HZ_BELOW((x), i)))
#define HZ_PLACES(x) \
    HZ_PLACE(x, 1) | HZ_PLACE(x, 2) | HZ_PLACE(x, 3) | HZ_PLACE(x, 4) | HZ_PLACE(x, 5) | HZ_PLACE(x, 6) | HZ_PLACE(x, 7)
#define HZ_FOUR(x) HZ_PLACES(x), HZ_PLACES(x + 1), HZ_PLACES(x + 2), HZ_PLACES(x + 3)
#define HZ_SIXTEEN(x) HZ_FOUR(x), HZ_FOUR(x + 4), HZ_FOUR(x + 8), HZ_FOUR(x + 12)
#define HZ_MANY(x) HZ_SIXTEEN(x), HZ_SIXTEEN(x + 16), HZ_SIXTEEN(x + 32), HZ_SIXTEEN(x + 48)
static const uint32_t hz_nth_in_byte[256] = {HZ_MANY(0), HZ_MANY(64), HZ_MANY(128), HZ_MANY(192)};

static inline int hz_nth_bit_broadword(uint64_t x, uint32_t n) {
    /* cumulative population counts of the bytes, lowest byte first, each in its own byte */
    uint64_t c = x - ((x >> 1) & 0x5555555555555555ULL);
    c = (c & 0x3333333333333333ULL) + ((c >> 2) & 0x3333333333333333ULL);
    c = ((c + (c >> 4)) & 0x0F0F0F0F0F0F0F0FULL) * HZ_ONES;
    /* a byte's high bit stays set where its count is at most n: these bytes lie below the bit sought */
    uint64_t below = ((HZ_ONES * n | HZ_HIGHS) - c) & HZ_HIGHS;
    unsigned shift = 8u * (unsigned)hz_popcount(below);
    unsigned byte = (unsigned)(x >> shift) & 0xFFu;
    unsigned left = n - (unsigned)((c << 8) >> shift & 0xFFu);
    return (int)(shift + (hz_nth_in_byte[byte] >> 4 * left & 7u));
}

/* The bits of x at the places of `mask`, next to each other; and the other way round. */
static inline uint64_t hz_gather_by_bits(uint64_t x, uint64_t mask) {
    uint64_t out = 0;
    for (x &= mask; x; x &= x - 1) out |= 1ULL << hz_popcount(mask & ((x & (0 - x)) - 1));
    return out;
}
static inline uint64_t hz_scatter_by_bits(uint64_t x, uint64_t mask) {
    uint64_t out = 0;
    for (; x && mask; x >>= 1, mask &= mask - 1) out |= mask & (0 - mask) & (0 - (x & 1));
    return out;
}

#if defined(__BMI2__)
#include <immintrin.h>
static inline uint64_t hz_nth_set(uint64_t x, uint32_t n) { return _pdep_u64(1ULL << n, x); }
static inline uint64_t hz_gather(uint64_t x, uint64_t mask) { return _pext_u64(x, mask); }
static inline uint64_t hz_scatter(uint64_t x, uint64_t mask) { return _pdep_u64(x, mask); }
#elif defined(__x86_64__) && defined(__GNUC__) && !defined(HZ_PLAIN)
static int hz_fast_pdep = 0;
__attribute__((constructor)) static void hz_find_pdep(void) {
    __builtin_cpu_init();
    hz_fast_pdep = __builtin_cpu_supports("bmi2") && !__builtin_cpu_is("znver1") && !__builtin_cpu_is("znver2");
}
static inline uint64_t hz_nth_set(uint64_t x, uint32_t n) {
    if (hz_fast_pdep) {
        uint64_t bit;
        __asm__("pdep %2, %1, %0" : "=r"(bit) : "r"(1ULL << n), "r"(x));
        return bit;
    }
    return 1ULL << hz_nth_bit_broadword(x, n);
}
static inline uint64_t hz_gather(uint64_t x, uint64_t mask) {
    if (hz_fast_pdep) {
        uint64_t bits;
        __asm__("pext %2, %1, %0" : "=r"(bits) : "r"(x), "r"(mask));
        return bits;
    }
    return hz_gather_by_bits(x, mask);
}
static inline uint64_t hz_scatter(uint64_t x, uint64_t mask) {
    if (hz_fast_pdep) {
        uint64_t bits;
        __asm__("pdep %2, %1, %0" : "=r"(bits) : "r"(x), "r"(mask));
        return bits;
    }
    return hz_scatter_by_bits(x, mask);
}
#else
static inline uint64_t hz_nth_set(uint64_t x, uint32_t n) { return 1ULL << hz_nth_bit_broadword(x, n); }
static inline uint64_t hz_gather(uint64_t x, uint64_t mask) { return hz_gather_by_bits(x, mask); }
static inline uint64_t hz_scatter(uint64_t x, uint64_t mask) { return hz_scatter_by_bits(x, mask); }
#endif
/* hz_nth_set is the bit itself, as a set of one; this is its number. */
static inline int hz_nth_bit(uint64_t x, uint32_t n) { return hz_lowest(hz_nth_set(x, n)); }

#if defined(_MSC_VER)
#define HZ_NOINLINE __declspec(noinline)
#define HZ_RARE(x) (x)
#else
#define HZ_NOINLINE __attribute__((noinline, unused))
#define HZ_RARE(x) __builtin_expect(!!(x), 0)
#endif

/* ---- sets as rows of bytes ----------------------------------------------------------------------------
 * Sixteen bits at a time where there are vectors: each byte gets a copy of the byte that holds its bit, and is
 * compared with that bit. Otherwise eight at a time: a multiplication copies them into every byte, each byte keeps
 * its own bit, and an addition carries that bit to the top of its byte. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define HZ_DIAGONAL 0x0102040810204080ULL
#else
#define HZ_DIAGONAL 0x8040201008040201ULL
#endif

static inline void hz_spread8(uint64_t bits, uint8_t *out) {
    uint64_t x = (bits & 0xFFu) * HZ_ONES & HZ_DIAGONAL;
    x = (x + 0x7F7F7F7F7F7F7F7FULL) >> 7 & HZ_ONES;
    memcpy(out, &x, 8);
}

#if (defined(__SSSE3__) || defined(__aarch64__)) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
typedef uint8_t hz_bytes __attribute__((vector_size(16)));
typedef uint64_t hz_pair __attribute__((vector_size(16)));
#if defined(__clang__)
#define HZ_SHUFFLE(x, ...) __builtin_shufflevector(x, x, __VA_ARGS__)
#else
#define HZ_SHUFFLE(x, ...) __builtin_shuffle(x, (hz_bytes){__VA_ARGS__})
#endif
static inline void hz_spread16(uint64_t bits, uint8_t *out) {
    const hz_pair own = {HZ_DIAGONAL, HZ_DIAGONAL}, word = {bits, 0};
    const hz_bytes copy = HZ_SHUFFLE((hz_bytes)word, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
    const hz_bytes row = (hz_bytes)((copy & (hz_bytes)own) == (hz_bytes)own) & 1;
    memcpy(out, &row, 16);
}
#define HZ_SUIT(s, a, b) \
    { \
        const hz_bytes copy = HZ_SHUFFLE((hz_bytes)word, a, a, a, a, a, a, a, a, b, b, b, b, b, b, b, b); \
        const hz_bytes row = (hz_bytes)((copy & (hz_bytes)own) == (hz_bytes)own) & 1; \
        memcpy(out + 13 * s, &row, 16); \
    }
/* One pack as lanes (suit * 16 + rank) as 52 bytes; each suit overwrites the three empty ranks of the one before. */
static inline void hz_spread_pack(uint64_t lanes, uint8_t *out) {
    const hz_pair own = {HZ_DIAGONAL, HZ_DIAGONAL}, word = {lanes, 0};
    HZ_SUIT(0, 0, 1)
    HZ_SUIT(1, 2, 3)
    HZ_SUIT(2, 4, 5)
    hz_spread16(lanes >> 48 << 3 | (lanes >> 42 & 7), out + 36);
}
#else
static inline void hz_spread16(uint64_t bits, uint8_t *out) {
    hz_spread8(bits, out);
    hz_spread8(bits >> 8, out + 8);
}
static inline void hz_spread_pack(uint64_t lanes, uint8_t *out) {
    hz_spread16(lanes, out);
    hz_spread16(lanes >> 16, out + 13);
    hz_spread16(lanes >> 32, out + 26);
    hz_spread16(lanes >> 48 << 3 | (lanes >> 42 & 7), out + 36);
}
#endif

/* The first n bits, lowest first, as n bytes 0 or 1. */
static inline void hz_spread(const uint64_t *words, int n, uint8_t *out) {
    int i, at;
    uint64_t bits;
    for (i = 0; i + 16 <= n; i += 16) hz_spread16(words[i >> 6] >> (i & 63), out + i);
    if (i == n) return;
    if (n < 16) {
        for (i = 0; i < n; i++) out[i] = words[0] >> i & 1u;
        return;
    }
    at = n - 16; /* the last sixteen bits once more, at their own place */
    bits = words[at >> 6] >> (at & 63);
    if ((at & 63) > 48) bits |= words[(at >> 6) + 1] << (64 - (at & 63));
    hz_spread16(bits, out + at);
}

/* n bytes, the same eight again and again. A call of memset, or what compilers make of a loop that they know to be
 * one, costs more than so few stores: keep the word from them. */
static inline void hz_fill(uint8_t *out, int n, uint64_t word) {
    const uint64_t pair[2] = {word, word};
    int i;
    for (i = 0; i + 16 <= n; i += 16) memcpy(out + i, pair, 16);
    if (i == n) return;
    if (n >= 16) memcpy(out + n - 16, pair, 16);
    else
        for (i = 0; i < n; i++) out[i] = (uint8_t)word;
}

/* A position that will be needed soon. */
#if defined(__GNUC__)
#define hz_prefetch(p) __builtin_prefetch((p), 1)
#else
#define hz_prefetch(p) ((void)(p))
#endif

/* ---- streams ------------------------------------------------------------------------------------------ */
typedef struct {
    uint32_t key[8];   /* the seed, least significant word first */
    uint32_t domain, block, used;
    uint64_t index;
    uint32_t words[64]; /* four blocks at a time: one deal's shuffle needs 51 words */
} hz_stream;

#define HZ_ROUND(R) \
    R(0, 4, 8, 12) R(1, 5, 9, 13) R(2, 6, 10, 14) R(3, 7, 11, 15) \
    R(0, 5, 10, 15) R(1, 6, 11, 12) R(2, 7, 8, 13) R(3, 4, 9, 14)
#define HZ_ROT(v, n) ((v) << (n) | (v) >> (32 - (n)))
#if defined(__GNUC__) && !defined(__clang__) && defined(__SSSE3__)
/* by whole bytes: one shuffle of bytes instead of two shifts and an or */
typedef uint8_t hz_bytes __attribute__((vector_size(16)));
#define HZ_ROT16(v) ((lanes)__builtin_shuffle((hz_bytes)(v), \
    (hz_bytes){2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13}))
#define HZ_ROT8(v) ((lanes)__builtin_shuffle((hz_bytes)(v), \
    (hz_bytes){3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14}))
#else
#define HZ_ROT16(v) HZ_ROT(v, 16)
#define HZ_ROT8(v) HZ_ROT(v, 8)
#endif
#define HZ_QUARTER(a, b, c, d) \
    x[a] += x[b]; x[d] ^= x[a]; x[d] = HZ_ROT16(x[d]); x[c] += x[d]; x[b] ^= x[c]; x[b] = HZ_ROT(x[b], 12); \
    x[a] += x[b]; x[d] ^= x[a]; x[d] = HZ_ROT8(x[d]); x[c] += x[d]; x[b] ^= x[c]; x[b] = HZ_ROT(x[b], 7);

/* Four blocks side by side, 16 words each, one after the other in `out`: block, block + 1, ... of one stream
 * (many = 0), or the same block of the streams index, index + 1, ... (many = 1). */
static inline void hz_blocks(const uint32_t key[8], uint32_t domain, uint64_t index, uint32_t block, int many, uint32_t *out) {
    static const uint32_t sigma[4] = {0x61707865u, 0x3320646eu, 0x79622d32u, 0x6b206574u};
    uint32_t last[4][4]; /* words 12 to 15 of block b: where the blocks differ */
    int i, b;
    for (b = 0; b < 4; b++) {
        uint64_t at = many ? index + (uint64_t)b : index;
        last[0][b] = many ? block : block + (uint32_t)b;
        last[1][b] = domain;
        last[2][b] = (uint32_t)at;
        last[3][b] = (uint32_t)(at >> 32);
    }
#if defined(__GNUC__)
    typedef uint32_t lanes __attribute__((vector_size(16))); /* lane b is block b */
    lanes x[16], end[4], t0, t1, t2, t3;
    const lanes zero = {0, 0, 0, 0};
    memcpy(end, last, sizeof end);
    for (i = 0; i < 4; i++) x[i] = zero + sigma[i];
    for (i = 0; i < 8; i++) x[4 + i] = zero + key[i];
    for (i = 0; i < 4; i++) x[12 + i] = end[i];
    for (i = 0; i < 4; i++) { HZ_ROUND(HZ_QUARTER) }
    for (i = 0; i < 4; i++) x[i] += sigma[i];
    for (i = 0; i < 8; i++) x[4 + i] += key[i];
    for (i = 0; i < 4; i++) x[12 + i] += end[i];
    for (i = 0; i < 16; i += 4) { /* turn four words of four blocks about */
#if defined(__clang__)
        t0 = __builtin_shufflevector(x[i], x[i + 1], 0, 4, 1, 5);
        t1 = __builtin_shufflevector(x[i + 2], x[i + 3], 0, 4, 1, 5);
        t2 = __builtin_shufflevector(x[i], x[i + 1], 2, 6, 3, 7);
        t3 = __builtin_shufflevector(x[i + 2], x[i + 3], 2, 6, 3, 7);
        x[i] = __builtin_shufflevector(t0, t1, 0, 1, 4, 5);
        x[i + 1] = __builtin_shufflevector(t0, t1, 2, 3, 6, 7);
        x[i + 2] = __builtin_shufflevector(t2, t3, 0, 1, 4, 5);
        x[i + 3] = __builtin_shufflevector(t2, t3, 2, 3, 6, 7);
#else
        t0 = __builtin_shuffle(x[i], x[i + 1], (lanes){0, 4, 1, 5});
        t1 = __builtin_shuffle(x[i + 2], x[i + 3], (lanes){0, 4, 1, 5});
        t2 = __builtin_shuffle(x[i], x[i + 1], (lanes){2, 6, 3, 7});
        t3 = __builtin_shuffle(x[i + 2], x[i + 3], (lanes){2, 6, 3, 7});
        x[i] = __builtin_shuffle(t0, t1, (lanes){0, 1, 4, 5});
        x[i + 1] = __builtin_shuffle(t0, t1, (lanes){2, 3, 6, 7});
        x[i + 2] = __builtin_shuffle(t2, t3, (lanes){0, 1, 4, 5});
        x[i + 3] = __builtin_shuffle(t2, t3, (lanes){2, 3, 6, 7});
#endif
        for (b = 0; b < 4; b++) memcpy(out + 16 * b + i, &x[i + b], 16);
    }
#else
    for (b = 0; b < 4; b++) {
        uint32_t x[16];
        for (i = 0; i < 4; i++) x[i] = sigma[i];
        for (i = 0; i < 8; i++) x[4 + i] = key[i];
        for (i = 0; i < 4; i++) x[12 + i] = last[i][b];
        for (i = 0; i < 4; i++) { HZ_ROUND(HZ_QUARTER) }
        for (i = 0; i < 16; i++) {
            out[16 * b + i] = x[i] + (i < 4 ? sigma[i] : i < 12 ? key[i - 4] : last[i - 12][b]);
        }
    }
#endif
}

/* The first four blocks of two streams of one seed, side by side where there are vectors of eight words. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(HZ_PLAIN)
#define HZ_WIDE
static int hz_has_avx2 = 0;
__attribute__((constructor)) static void hz_find_avx2(void) {
    __builtin_cpu_init();
    hz_has_avx2 = __builtin_cpu_supports("avx2");
}
typedef uint32_t hz_lanes8 __attribute__((vector_size(32))); /* the blocks of the one stream, then of the other */
typedef uint8_t hz_bytes32 __attribute__((vector_size(32)));
#define HZ_TURN8(v, a, b, c, d) ((hz_lanes8)__builtin_shuffle((hz_bytes32)(v), (hz_bytes32){ \
    a, b, c, d, a + 4, b + 4, c + 4, d + 4, a + 8, b + 8, c + 8, d + 8, a + 12, b + 12, c + 12, d + 12, \
    a + 16, b + 16, c + 16, d + 16, a + 20, b + 20, c + 20, d + 20, a + 24, b + 24, c + 24, d + 24, \
    a + 28, b + 28, c + 28, d + 28}))
#define HZ_QUARTER8(a, b, c, d) \
    x[a] += x[b]; x[d] ^= x[a]; x[d] = HZ_TURN8(x[d], 2, 3, 0, 1); \
    x[c] += x[d]; x[b] ^= x[c]; x[b] = HZ_ROT(x[b], 12); \
    x[a] += x[b]; x[d] ^= x[a]; x[d] = HZ_TURN8(x[d], 3, 0, 1, 2); \
    x[c] += x[d]; x[b] ^= x[c]; x[b] = HZ_ROT(x[b], 7);
__attribute__((target("avx2"))) static void hz_blocks_of_two(
    const uint32_t key[8], uint32_t domain_a, uint32_t domain_b, uint32_t *a, uint32_t *b
) {
    static const uint32_t sigma[4] = {0x61707865u, 0x3320646eu, 0x79622d32u, 0x6b206574u};
    const hz_lanes8 zero = {0}, block = {0, 1, 2, 3, 0, 1, 2, 3};
    const hz_lanes8 domain = {domain_a, domain_a, domain_a, domain_a, domain_b, domain_b, domain_b, domain_b};
    hz_lanes8 x[16], t0, t1, t2, t3;
    int i, j;
    for (i = 0; i < 4; i++) x[i] = zero + sigma[i];
    for (i = 0; i < 8; i++) x[4 + i] = zero + key[i];
    x[12] = block;
    x[13] = domain;
    x[14] = x[15] = zero;
    for (i = 0; i < 4; i++) { HZ_ROUND(HZ_QUARTER8) }
    for (i = 0; i < 4; i++) x[i] += sigma[i];
    for (i = 0; i < 8; i++) x[4 + i] += key[i];
    x[12] += block;
    x[13] += domain;
    for (i = 0; i < 16; i += 4) { /* turn four words of four blocks about, in both halves */
        t0 = __builtin_shuffle(x[i], x[i + 1], (hz_lanes8){0, 8, 1, 9, 4, 12, 5, 13});
        t1 = __builtin_shuffle(x[i + 2], x[i + 3], (hz_lanes8){0, 8, 1, 9, 4, 12, 5, 13});
        t2 = __builtin_shuffle(x[i], x[i + 1], (hz_lanes8){2, 10, 3, 11, 6, 14, 7, 15});
        t3 = __builtin_shuffle(x[i + 2], x[i + 3], (hz_lanes8){2, 10, 3, 11, 6, 14, 7, 15});
        x[i] = __builtin_shuffle(t0, t1, (hz_lanes8){0, 1, 8, 9, 4, 5, 12, 13});
        x[i + 1] = __builtin_shuffle(t0, t1, (hz_lanes8){2, 3, 10, 11, 6, 7, 14, 15});
        x[i + 2] = __builtin_shuffle(t2, t3, (hz_lanes8){0, 1, 8, 9, 4, 5, 12, 13});
        x[i + 3] = __builtin_shuffle(t2, t3, (hz_lanes8){2, 3, 10, 11, 6, 7, 14, 15});
        for (j = 0; j < 4; j++) {
            memcpy(a + 16 * j + i, &x[i + j], 16);
            memcpy(b + 16 * j + i, (const char *)&x[i + j] + 16, 16);
        }
    }
}
#endif

static HZ_NOINLINE void hz_stream_fill(hz_stream *s) {
    hz_blocks(s->key, s->domain, s->index, s->block, 0, s->words);
    s->block += 4;
    s->used = 0;
}

static inline void hz_stream_open(hz_stream *s, const uint32_t key[8], uint32_t domain, uint64_t index) {
    memcpy(s->key, key, 32);
    s->domain = domain;
    s->index = index;
    s->block = 0;
    s->used = 64;
}

/* Open the first streams of two domains, with their first words ready. */
static inline void hz_stream_open_two(
    hz_stream *a, hz_stream *b, const uint32_t key[8], uint32_t domain_a, uint32_t domain_b
) {
    hz_stream_open(a, key, domain_a, 0);
    hz_stream_open(b, key, domain_b, 0);
#if defined(HZ_WIDE)
    if (hz_has_avx2) {
        hz_blocks_of_two(key, domain_a, domain_b, a->words, b->words);
        a->block = b->block = 4;
        a->used = b->used = 0;
    }
#endif
}

/* The number of words taken so far, and going there in a stream just opened. */
static inline uint64_t hz_stream_tell(const hz_stream *s) { return (uint64_t)s->block * 16 + s->used - 64; }

static inline void hz_stream_seek(hz_stream *s, uint64_t word) {
    s->block = (uint32_t)(word / 64 * 4);
    s->used = 64;
    if (word % 64) {
        hz_stream_fill(s);
        s->used = (uint32_t)(word % 64);
    }
}

static inline uint32_t hz_next(hz_stream *s) {
    if (HZ_RARE(s->used == 64)) hz_stream_fill(s);
    return s->words[s->used++];
}

static HZ_NOINLINE uint32_t hz_bounded_rest(hz_stream *s, uint32_t n, uint64_t m) {
    uint32_t t = (0u - n) % n;
    while ((uint32_t)m < t) m = (uint64_t)hz_next(s) * n;
    return (uint32_t)(m >> 32);
}

static inline uint32_t hz_bounded(hz_stream *s, uint32_t n) {
    uint64_t m = (uint64_t)hz_next(s) * n;
    if (HZ_RARE((uint32_t)m < n)) return hz_bounded_rest(s, n, m);
    return (uint32_t)(m >> 32);
}

static inline void hz_shuffle(hz_stream *s, uint8_t *cards, int n) {
    int i;
    for (i = n - 1; i > 0; i--) {
        uint32_t j = hz_bounded(s, (uint32_t)i + 1);
        uint8_t t = cards[i];
        cards[i] = cards[j];
        cards[j] = t;
    }
}

/* The seeds of games index .. index + 3. */
static inline void hz_children(const uint32_t key[8], uint64_t index, uint32_t out[4][8]) {
    uint32_t words[64];
    int i;
    hz_blocks(key, 1, index, 0, 1, words);
    for (i = 0; i < 4; i++) memcpy(out[i], words + 16 * i, 32);
}

static inline void hz_child(const uint32_t key[8], uint64_t index, uint32_t out[8]) {
    uint32_t words[64];
    hz_blocks(key, 1, index, 0, 0, words);
    memcpy(out, words, 32);
}

#endif
