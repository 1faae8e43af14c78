/* Yardstick: uniformly random games of Herzsammler (2 players, our deck, default options) in hand-written C, one
 * thread. It plays the games that herzen plays for child(42, 0), child(42, 1), ...: the same streams, the same moves,
 * nothing that other options, decks with equal cards or more players would need.
 *   cc -O3 -march=native -o bound herzsammler_bound.c
 *   ./bound 200000   prints games/s, ns per action, the number of actions, the misses and the sums of the seats' totals
 */
#include "bound_streams.h"

enum { CARDS = 90, OPEN = 6, STALLED = 30 };

static const char text[] =      /* colour, value or heart, two objects */
    "R1dhR1diR2abR2ciR3afR3ehR4bjR4fgR5cjR5egRHahRHbeRHcdRHceRHdfRHfiRHgjRHhi"
    "Y1acY1ghY2djY2eiY3bgY3fhY4ejY4fiY5adY5bcYHagYHajYHbdYHbhYHcgYHciYHefYHij"
    "G1afG1beG2fjG2gjG3aeG3cdG4bdG4hiG5chG5giGHacGHaiGHbjGHcfGHdeGHdjGHegGHgh"
    "B1bgB1ijB2ceB2cfB3agB3bfB4deB4hjB5ahB5diBHaeBHbcBHbiBHdgBHdhBHehBHfgBHfj"
    "V1chV1ejV2aiV2dgV3bhV3dfV4biV4cgV5ajV5efVHabVHadVHbfVHcjVHeiVHfhVHgiVHhj";

typedef struct { u64 low, high; } set_t;
static set_t takes[CARDS], hearts[5], worth[5][3];      /* worth: the numerals by the bits of their values */

static inline set_t bit(int card) { return (set_t){(u64)(card < 64) << (card & 63), (u64)(card >> 6) << (card & 63)}; }
static inline set_t both(set_t a, set_t b) { return (set_t){a.low | b.low, a.high | b.high}; }
static inline int common(set_t a, set_t b) { return __builtin_popcountll(a.low & b.low) + __builtin_popcountll(a.high & b.high); }

static void tables(void) {
    for (int i = 0; i < CARDS; i++) {
        const char *card = text + 4 * i;
        int colour = i / 18;
        for (int j = 0; j < CARDS; j++) {
            const char *other = text + 4 * j;
            if (card[2] == other[2] || card[2] == other[3] || card[3] == other[2] || card[3] == other[3])
                takes[i] = both(takes[i], bit(j));
        }
        if (card[1] == 'H') hearts[colour] = both(hearts[colour], bit(i));
        else
            for (int b = 0; b < 3; b++)
                if ((card[1] - '0') >> b & 1) worth[colour][b] = both(worth[colour][b], bit(i));
    }
}

int main(int argc, char **argv) {
    long games = argc > 1 ? atol(argv[1]) : 200000, sums[2] = {0, 0};
    u64 actions = 0, missed = 0;
    u32 seed[8] = {42}, child[64];
    rng_t deal, play;
    tables();
    double start = seconds();
    for (long game = 0; game < games; game++) {
        u8 stack[128], hand[2][2], deck[CARDS];
        set_t open = {0, 0}, collected[2] = {{0, 0}, {0, 0}};
        u32 top = 0, size = CARDS - 4 - OPEN, seat = 0, misses = 0;     /* seat 1 deals the first game */
        chacha8x4(seed, 1, (u64)game, 0, child);
        rng_open(&deal, child, 0, 0);
        rng_open(&play, child, 2, 0);
        for (int i = 0; i < CARDS; i++) deck[i] = (u8)i;
        shuffle(&deal, deck, CARDS);
        for (int p = 0; p < 2; p++) {
            hand[p][0] = deck[p] < deck[2 + p] ? deck[p] : deck[2 + p];
            hand[p][1] = deck[p] < deck[2 + p] ? deck[2 + p] : deck[p];
        }
        for (int i = 0; i < OPEN; i++) open = both(open, bit(deck[4 + i]));
        memcpy(stack, deck + 4 + OPEN, size);
        for (;;) {
            u8 card = stack[top], *two = hand[seat];
            u8 least = card < two[0] ? card : two[0], rest = card < two[0] ? two[0] : card;
            u8 three[3] = {least, rest < two[1] ? rest : two[1], rest < two[1] ? two[1] : rest};
            u32 chosen = bounded(&play, 3);
            int shown = three[chosen];
            set_t taken = {open.low & takes[shown].low, open.high & takes[shown].high};
            actions++;
            two[0] = three[chosen == 0];
            two[1] = three[2 - (chosen == 2)];
            top = (top + 1) & 127;
            size--;
            if (!(taken.low | taken.high)) {
                stack[(top + size++) & 127] = (u8)shown;
                missed++;
                if (++misses == STALLED) break;
            } else {
                u32 missing = (u32)common(taken, taken) - 1;
                misses = 0;
                collected[seat] = both(collected[seat], taken);
                open = both((set_t){open.low ^ taken.low, open.high ^ taken.high}, bit(shown));
                if (missing > size) missing = size;
                for (u32 i = 0; i < missing; i++) open = both(open, bit(stack[(top + i) & 127]));
                top = (top + missing) & 127;
                size -= missing;
                if (!size) break;
            }
            seat ^= 1;
        }
        for (int colour = 0; colour < 5; colour++) {
            int mine = common(collected[0], hearts[colour]), yours = common(collected[1], hearts[colour]);
            for (int b = 0; b < 3; b++) {
                if (mine >= yours) sums[0] += common(collected[0], worth[colour][b]) << b;
                if (yours >= mine) sums[1] += common(collected[1], worth[colour][b]) << b;
            }
        }
    }
    double spent = seconds() - start;
    printf("%ld games %.3f s %.0f games/s %.1f ns/action %llu actions %llu misses %ld %ld points\n", games, spent,
           (double)games / spent, spent * 1e9 / (double)actions, (unsigned long long)actions, (unsigned long long)missed,
           sums[0], sums[1]);
    return 0;
}
