/* Yardstick: a flat Monte Carlo player of Hearts for four, one pack, classic rules, in hand-written C.
 *
 * For each card that it may play, it finishes the hand in the same worlds by a plain policy: lead the lowest card,
 * duck under the winner where possible, throw the queen of spades, then the highest heart, then the highest card.
 * A moon counts 26 for the others. Cards are lanes: suit * 16 + rank; suits clubs, diamonds, hearts, spades. */
#include <stdint.h>
#include <string.h>
typedef uint64_t u64;
#define SUIT 0x1FFFULL
#define HEARTS (SUIT << 32)
#define QUEEN (1ULL << 58)
#define PENALTIES (HEARTS | QUEEN)
#define LOW(x) ((x) & (0 - (x)))
#define HIGH(x) (1ULL << (63 - __builtin_clzll(x)))

typedef struct {
    u64 hand[4];      /* of the seat to move, and in a world of all */
    u64 taken[4];     /* penalty cards captured */
    u64 trick[4];     /* cards of the trick in the order played */
    int32_t leader, in_trick, broken, opening;
} table_t;

static u64 rng_next(u64 *s) {
    u64 z = (*s += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

static u64 suit_of(u64 card) { return SUIT << (__builtin_ctzll(card) & 0x30); }

static u64 legal(const table_t *t, int seat) {
    u64 hand = t->hand[seat], cards;
    if (t->in_trick == 0) {
        cards = t->broken ? hand : hand & ~HEARTS;
        return cards ? cards : hand;
    }
    cards = hand & suit_of(t->trick[0]);
    if (cards) return cards;
    cards = t->opening ? hand & ~PENALTIES : hand;
    return cards ? cards : hand;
}

static u64 winning(const table_t *t) {
    u64 cards = 0;
    for (int i = 0; i < t->in_trick; i++) cards |= t->trick[i];
    return HIGH(cards & suit_of(t->trick[0]));
}

static u64 highest_rank(u64 cards) { /* over the suits */
    u64 best = 0;
    int rank = -1;
    for (int s = 0; s < 64; s += 16) {
        u64 held = cards & SUIT << s;
        if (held && (63 - __builtin_clzll(held)) - s > rank) {
            rank = 63 - __builtin_clzll(held) - s;
            best = HIGH(held);
        }
    }
    return best;
}

static u64 lowest_rank(u64 cards) {
    u64 best = 0;
    int rank = 99;
    for (int s = 0; s < 64; s += 16) {
        u64 held = cards & SUIT << s;
        if (held && __builtin_ctzll(held) - s < rank) {
            rank = __builtin_ctzll(held) - s;
            best = LOW(held);
        }
    }
    return best;
}

static u64 policy(const table_t *t, int seat) {
    u64 cards = legal(t, seat), best, under;
    if (t->in_trick == 0) return lowest_rank(cards);
    if (cards & suit_of(t->trick[0])) {
        best = winning(t);
        under = cards & (best - 1);
        if (under) return under & QUEEN ? QUEEN : HIGH(under);
        if (cards & ~QUEEN) cards &= ~QUEEN;
        return t->in_trick == 3 ? HIGH(cards) : LOW(cards);
    }
    if (cards & QUEEN) return QUEEN;
    return cards & HEARTS ? HIGH(cards & HEARTS) : highest_rank(cards);
}

static void play(table_t *t, int seat, u64 card) {
    t->hand[seat] ^= card;
    t->trick[t->in_trick++] = card;
    if (card & PENALTIES) t->broken = 1;
    if (t->in_trick < 4) return;
    u64 best = winning(t), cards = 0;
    int winner = t->leader;
    for (int i = 0; i < 4; i++) {
        cards |= t->trick[i];
        if (t->trick[i] == best) winner = (t->leader + i) & 3;
    }
    t->taken[winner] |= cards & PENALTIES;
    t->leader = winner;
    t->in_trick = t->opening = 0;
}

/* Three times how far the seat is ahead of the others' mean once the hand has been played out. */
static int32_t finish(table_t *t, int seat) {
    int points[4], sum = 0;
    while (t->hand[(t->leader + t->in_trick) & 3]) {
        int mover = (t->leader + t->in_trick) & 3;
        play(t, mover, policy(t, mover));
    }
    for (int p = 0; p < 4; p++)
        points[p] = __builtin_popcountll(t->taken[p] & HEARTS) + (t->taken[p] & QUEEN ? 13 : 0);
    for (int p = 0; p < 4; p++)
        if (points[p] == 26)
            return p == seat ? 3 * 26 : -26;
    for (int p = 0; p < 4; p++) sum += points[p];
    return sum - 4 * points[seat];
}

/* A uniform world: deals at random until nobody holds a suit that it has failed to follow. known: cards that must lie
 * in a hand; after many failures the voids are given up. */
static void deal(table_t *t, int seat, const uint8_t *unseen, int n, const int32_t *sizes, const u64 *voids,
                 const u64 *known, u64 *rng) {
    uint8_t cards[64];
    for (int attempt = 0;; attempt++) {
        int at = 0, fits = 1;
        memcpy(cards, unseen, (size_t)n);
        for (int i = n - 1; i > 0; i--) {
            int j = (int)((rng_next(rng) >> 32) * (u64)(i + 1) >> 32);
            uint8_t c = cards[i];
            cards[i] = cards[j];
            cards[j] = c;
        }
        for (int p = 0; p < 4 && fits; p++) {
            if (p == seat) continue;
            u64 hand = known[p];
            for (int i = __builtin_popcountll(hand); i < sizes[p]; i++) hand |= 1ULL << cards[at++];
            t->hand[p] = hand;
            fits = (hand & voids[p]) == 0 || attempt > 3000;
        }
        if (fits) return;
    }
}

/* Values (summed, three times the margin) of the legal cards, by lane; returns how many playouts were made. */
int64_t flat_values(const table_t *table, int32_t seat, const uint8_t *unseen, int32_t n, const int32_t *sizes,
                    const u64 *voids, const u64 *known, int32_t worlds, u64 seed, u64 candidates, int64_t *values) {
    int64_t playouts = 0;
    memset(values, 0, 64 * sizeof *values);
    for (int32_t w = 0; w < worlds; w++) {
        table_t world = *table;
        deal(&world, seat, unseen, n, sizes, voids, known, &seed);
        for (u64 left = candidates; left; left &= left - 1) {
            table_t t = world;
            play(&t, seat, LOW(left));
            values[__builtin_ctzll(left)] += finish(&t, seat);
            playouts++;
        }
    }
    return playouts;
}
