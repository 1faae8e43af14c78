/* Yardstick: uniformly random matches of Von Herzen (2 players, default options, 4 deals a match) in hand-written C,
 * one thread. It plays the matches that herzen plays for child(42, 0), child(42, 1), ...: the same streams, the same
 * learners' actions, nothing that other options or more players would need.
 *   cc -O3 -march=native -o bound vonherzen_bound.c
 *   ./bound 50000    prints deals/s, ns per action, the number of actions and the sums of the seats' totals
 * Only kinds matter to the rules, so a hand is two sets of 16 kinds: held at least once (low half) and held twice. */
#include "bound_streams.h"

enum { STALE = 4 };     /* idle turns that block a deal */

typedef struct { u16 own, others; u8 owner, colour, first, length, joker; } run_t;   /* own, others: the kinds it takes */
typedef struct { u8 real, joker, first, length; } shape_t;

static shape_t shapes[225];
static u64 jokered[256];        /* melds by the ranks held of a colour: byte r, how many have their joker at rank r */
static u8 natural[256];
static u16 from[256];
static u8 listed[2785];

static inline u32 turn(u32 ranks, int by) { return (ranks << by | ranks >> (8 - by)) & 0xFF; }

static void tables(void) {
    int count = 0, used = 0;
    for (int length = 3; length <= 8; length++)
        for (int first = 0; first < (length < 8 ? 8 : 1); first++)
            for (int place = -1; place < (length > 3 ? length : 0); place++) {
                u32 window = turn((1u << length) - 1, first), joker = place < 0 ? 0 : turn(1, (first + place) & 7);
                shapes[count++] = (shape_t){(u8)(window & ~joker), (u8)joker, (u8)first, (u8)length};
            }
    for (int mine = 0; mine < 256; mine++) {
        from[mine] = (u16)used;
        for (int s = 0; s < count; s++) {
            if (shapes[s].real & ~mine) continue;
            listed[used++] = (u8)s;
            if (shapes[s].joker) jokered[mine] += 1ULL << 8 * __builtin_ctz(shapes[s].joker);
            else natural[mine]++;
        }
    }
}

static inline u32 melds(u32 mine, u32 other) {
    const u64 ones = 0x0101010101010101ULL;
    u64 ranks = other * ones & 0x8040201008040201ULL;
    ranks = ((ranks + 0x7F * ones) >> 7 & ones) * 0xFF;
    return natural[mine] + (u32)((jokered[mine] & ranks) * ones >> 56);
}

static inline const shape_t *nth_meld(u32 mine, u32 other, u32 n) {
    for (const u8 *s = listed + from[mine];; s++)
        if (!(shapes[*s].joker & ~other) && n-- == 0) return &shapes[*s];
}

static inline u32 plus(u32 cards, int kind) { return cards | (cards >> kind & 1 ? 1u << 16 : 1u) << kind; }
static inline u32 minus(u32 cards, int kind) { return cards & ~((cards >> 16 >> kind & 1 ? 1u << 16 : 1u) << kind); }
static inline u32 minus_set(u32 cards, u32 kinds) { return cards & ~(kinds & ~(cards >> 16)) & ~(kinds << 16); }

static inline void takes(run_t *run) {
    u32 ends = run->length == 8 ? 0 : turn(1, (run->first + 7) & 7) | turn(1, (run->first + run->length) & 7);
    run->others = (u16)(ends << 8 * run->colour);
    run->own = (u16)(run->others | (run->joker ? 0 : ends << 8 * (1 - run->colour)));
}

static u64 actions;

/* Random picks of `count` cards out of a pool. */
static inline u32 picks(rng_t *play, u32 pool, int count) {
    u32 picked = 0;
    while (count--) {
        int kind = nth(pool & 0xFFFF, bounded(play, (u32)__builtin_popcount(pool & 0xFFFF)));
        actions++;
        pool = minus(pool, kind);
        picked = plus(picked, kind);
    }
    return picked;
}

static inline u32 without(u32 cards, u32 gone) { return minus_set(minus_set(cards, gone & 0xFFFF), gone >> 16); }
static inline u32 with(u32 cards, u32 added) {
    for (int half = 0; half < 32; half += 16)
        for (u32 kinds = added >> half & 0xFFFF; kinds; kinds &= kinds - 1) cards = plus(cards, __builtin_ctz(kinds));
    return cards;
}

static inline void swap(u32 hand[2], int proposer, u32 given, u32 received) {
    hand[proposer] = with(without(hand[proposer], given), received);
    hand[1 - proposer] = with(without(hand[1 - proposer], received), given);
}

static inline void propose(rng_t *play, u32 hand[2], int proposer) {
    u32 offered = 0, left = hand[proposer];
    int size = 0;
    for (;;) {
        u32 n = (u32)__builtin_popcount(left & 0xFFFF), chosen = bounded(play, n + 1);
        actions++;
        if (chosen == n) break;
        int kind = nth(left & 0xFFFF, chosen);
        left = minus(left, kind);
        offered = plus(offered, kind);
        size++;
    }
    if (!size) return;
    u32 answer = bounded(play, 1 + (u32)size);      /* accept, decline, counter 1 .. size - 1 */
    actions++;
    if (answer == 1) return;
    if (answer > 1) {
        size = (int)answer - 1;
        actions++;
        if (bounded(play, 2)) return;               /* withdraw */
        offered = picks(play, offered, size);
    }
    swap(hand, proposer, offered, picks(play, hand[1 - proposer], size));
}

static void play_deal(rng_t *play, const u8 *deck, int dealer, int32_t totals[2]) {
    run_t runs[10];
    u8 pile[32];
    u32 hand[2] = {0, 0};
    int stock = 16, piled = 0, count = 0, melded[2] = {0, 0}, turns = 0, idle = 0, last = 0, seat = 1 - dealer;
    for (int i = 0; i < 16; i++) hand[(dealer + 1 + i) & 1] = plus(hand[(dealer + 1 + i) & 1], deck[i]);
    propose(play, hand, 1 - dealer);
    propose(play, hand, dealer);
    for (;;) {
        int moved = 0, over = 0;
        u32 cards = hand[seat], barred = 0;
        if (!last && stock < 32 && (!piled || (actions++, bounded(play, 2)) == 0)) {
            if (!piled) { actions++; bounded(play, 1); }
            cards = plus(cards, deck[stock++]);
            moved = 1;
        } else if (!last && piled) {
            if (stock == 32) { actions++; bounded(play, 1); }
            int kind = pile[--piled];
            cards = plus(cards, kind);
            barred = 1u << kind;
        }
        while (cards) {
            u32 kinds = cards & 0xFFFF, black = kinds & 0xFF, red = kinds >> 8, fitting[10];
            u32 blacks = melds(black, red), reds = melds(red, black), fits = 0, discards = last ? 0 : kinds & ~barred;
            if (melded[seat])
                for (int i = 0; i < count; i++) {
                    fitting[i] = kinds & (runs[i].owner == seat ? runs[i].own : runs[i].others);
                    fits += (u32)__builtin_popcount(fitting[i]);
                }
            u32 chosen = bounded(play, blacks + reds + fits + (u32)__builtin_popcount(discards) + 1);
            actions++;
            if (chosen < blacks + reds) {
                int colour = chosen >= blacks;
                const shape_t *s = colour ? nth_meld(red, black, chosen - blacks) : nth_meld(black, red, chosen);
                cards = minus_set(cards, (u32)s->real << 8 * colour | (u32)s->joker << 8 * (1 - colour));
                runs[count] = (run_t){0, 0, (u8)seat, (u8)colour, s->first, s->length, s->joker != 0};
                takes(&runs[count++]);
                melded[seat] = moved = 1;
                continue;
            }
            chosen -= blacks + reds;
            if (chosen < fits) {
                u32 any = 0;
                int kind, i;
                for (i = 0; i < count; i++) any |= fitting[i];
                for (;; any &= any - 1) {
                    kind = __builtin_ctz(any);
                    for (i = 0; i < count; i++)
                        if (fitting[i] >> kind & 1 && chosen-- == 0) break;
                    if (i < count) break;
                }
                run_t *run = &runs[i];
                if ((kind & 7) != ((run->first + run->length) & 7)) run->first = (run->first + 7) & 7;
                if (++run->length == 8) run->first = 0;
                run->joker |= kind >> 3 != run->colour;
                takes(run);
                cards = minus(cards, kind);
                moved = 1;
                continue;
            }
            chosen -= fits;
            if (chosen < (u32)__builtin_popcount(discards)) {
                int kind = nth(discards, chosen);
                pile[piled++] = (u8)kind;
                cards = minus(cards, kind);
            }
            break;
        }
        hand[seat] = cards;
        if (last) break;
        turns++;
        idle = moved ? 0 : idle + 1;
        if (!cards) {
            over = turns >= 2;
            last = 1;
        } else {
            over = idle >= STALE;
        }
        if (over) break;
        seat = 1 - seat;
    }
    for (int p = 0; p < 2; p++) totals[p] -= __builtin_popcount(hand[p]);
    for (int i = 0; i < count; i++) totals[runs[i].owner] += runs[i].length - runs[i].joker + (runs[i].length == 8 ? 2 : 0);
}

int main(int argc, char **argv) {
    long matches = argc > 1 ? atol(argv[1]) : 50000, sums[2] = {0, 0};
    u32 seed[8] = {42}, child[64];
    rng_t deal, play;
    tables();
    double start = seconds();
    for (long match = 0; match < matches; match++) {
        int32_t totals[2] = {0, 0};
        chacha8x4(seed, 1, (u64)match, 0, child);
        rng_open(&play, child, 2, 0);
        for (int number = 0; number < 4; number++) {
            u8 deck[32];
            rng_open(&deal, child, 0, (u64)number);
            for (int i = 0; i < 32; i++) deck[i] = (u8)((i >> 3 == 1 || i >> 3 == 2 ? 8 : 0) + (i & 7));    /* kinds */
            shuffle(&deal, deck, 32);
            play_deal(&play, deck, (1 + number) & 1, totals);
        }
        sums[0] += totals[0];
        sums[1] += totals[1];
    }
    double spent = seconds() - start, deals = 4.0 * (double)matches;
    printf("%.0f deals %.3f s %.0f deals/s %.1f ns/action %llu actions %ld %ld points\n", deals, spent, deals / spent,
           spent * 1e9 / (double)actions, (unsigned long long)actions, sums[0], sums[1]);
    return 0;
}
