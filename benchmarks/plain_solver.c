/* A straightforward paranoid solver of Hearts endings, as a yardstick for `herzen.hearts.solve`: zero windows,
 * alpha-beta, of neighbours in a suit only one, moves in the order of a few rules of thumb, and a table of the positions
 * before a lead with ranks compressed to those left. Four players, one pack, hearts 1 and Q of spades 13, which
 * breaks hearts, no moon.
 *
 * Cards are lanes: suit * 16 + rank; hearts are suit 2 and spades suit 3. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define QUEEN (1ULL << (3 * 16 + 10))
#define HEARTS (0xFFFFULL << 32)
#define SUIT(lane) (0xFFFFULL << ((lane) & 48))
#define BITS 18

typedef struct { uint64_t key[4]; uint32_t age; int16_t low, high; } entry_t;
typedef struct {
    uint64_t hand[4], left;
    int seat, broken;
    int64_t nodes;
} state_t;

static entry_t *table;
static uint32_t age;

static int points(uint64_t cards) { return __builtin_popcountll(cards & HEARTS) + (cards & QUEEN ? 13 : 0); }

static uint64_t places(uint64_t cards, uint64_t left) {
    uint64_t out = 0;
    for (; cards; cards &= cards - 1) out |= 1ULL << __builtin_popcountll(left & ((cards & -cards) - 1));
    return out;
}

static int lead(state_t *s, int leader, int bound);

static int follow(state_t *s, uint64_t trick, int played, int turn, int best, int taker, int bound) {
    uint64_t hand = s->hand[turn], legal = hand, moves = 0, others;
    int order[16], rate[16], n = 0, mine = turn == s->seat, found = mine ? 1000 : -1000;
    s->nodes++;
    if (played == 0) {
        if (!s->broken && hand & ~HEARTS) legal &= ~HEARTS;
    } else if (hand & SUIT(best)) {
        legal &= SUIT(best);
    }
    others = s->left & ~hand & ~trick;
    if (played) others |= 1ULL << best;
    for (uint64_t rest = legal; rest; rest &= rest - 1) {
        int lane = __builtin_ctzll(rest), below;
        /* a neighbour of the card before it, with no other card between and of the same worth, is as good */
        uint64_t lower = legal & SUIT(lane) & ((1ULL << lane) - 1);
        if (lower) {
            below = 63 - __builtin_clzll(lower);
            if (!(others & ((1ULL << lane) - 1) & ~((2ULL << below) - 1)) && ((1ULL << lane | 1ULL << below) & QUEEN) == 0) continue;
        }
        moves |= 1ULL << lane;
        int rank = lane & 15, worth = points(1ULL << lane), value;
        if (played == 0) value = -rank;
        else if ((lane ^ best) & 48) value = mine || taker == s->seat ? rank + 20 * worth : rank - 20 * worth;
        else if (mine) value = lane < best ? 100 + rank : 50 + rank;
        else if (taker == s->seat) value = lane < best ? 100 + rank + 4 * worth : 50 - rank;
        else value = -rank - 4 * worth;
        int i = n++;
        for (; i && rate[i - 1] < value; i--) { rate[i] = rate[i - 1]; order[i] = order[i - 1]; }
        rate[i] = value;
        order[i] = lane;
    }
    for (int i = 0; i < n; i++) {
        int lane = order[i], value;
        uint64_t bit = 1ULL << lane;
        int over = played == 0 || (lane > best && !((lane ^ best) & 48));
        s->hand[turn] ^= bit;
        if (played < 3) {
            value = follow(s, trick | bit, played + 1, (turn + 1) & 3, over ? lane : best, over ? turn : taker, bound);
        } else {
            uint64_t all = trick | bit;
            int to = over ? turn : taker, gain = to == s->seat ? points(all) : 0, broken = s->broken;
            s->left ^= all;
            s->broken |= (all & (HEARTS | QUEEN)) != 0;
            value = gain + lead(s, to, bound - gain);
            s->broken = broken;
            s->left ^= all;
        }
        s->hand[turn] ^= bit;
        if (mine ? value < found : value > found) found = value;
        if (mine ? found < bound : found >= bound) break;
    }
    return found;
}

/* What the seat still gets: a number >= bound if it is at least that, else one < bound that it is at most. */
static int lead(state_t *s, int leader, int bound) {
    int open = points(s->left), value, i;
    uint64_t key[4], hash = 0;
    s->nodes++;
    if (open < bound) return open;
    if (bound <= 0) return 0;
    for (i = 0; i < 3; i++) key[i] = places(s->hand[i], s->left);
    key[3] = (uint64_t)leader | (uint64_t)s->broken << 2;
    for (i = 0; i < 4; i++) key[3] |= (uint64_t)__builtin_popcountll(s->left >> 16 * i & 0xFFFF) << (8 + 8 * i);
    key[3] |= (s->left & QUEEN ? 1 + (uint64_t)__builtin_popcountll(s->left & (QUEEN - 1)) : 0) << 40;
    for (i = 0; i < 4; i++) { hash = (hash ^ key[i]) * 0xFF51AFD7ED558CCDULL; hash ^= hash >> 32; }
    entry_t *e = &table[hash & ((1 << BITS) - 1)];
    if (e->age == age && !memcmp(e->key, key, sizeof key)) {
        if (e->low >= bound) return e->low;
        if (e->high < bound) return e->high;
    } else {
        memcpy(e->key, key, sizeof key);
        e->age = age;
        e->low = 0;
        e->high = (int16_t)open;
    }
    value = follow(s, 0, 0, leader, 0, leader, bound);
    if (e->age != age || memcmp(e->key, key, sizeof key)) {
        memcpy(e->key, key, sizeof key);
        e->age = age;
        e->low = 0;
        e->high = (int16_t)open;
    }
    if (value >= bound) { if (value > e->low) e->low = (int16_t)value; }
    else if (value < e->high) e->high = (int16_t)value;
    return value;
}

/* The points that the seat which leads still gets; nodes: the positions searched. */
int plain_value(const uint64_t *hands, int leader, int broken, int64_t *nodes) {
    state_t s;
    int low = 0, high, value;
    if (!table) table = calloc(1 << BITS, sizeof(entry_t));
    age++;
    memset(&s, 0, sizeof s);
    memcpy(s.hand, hands, sizeof s.hand);
    for (int i = 0; i < 4; i++) s.left |= hands[i];
    s.seat = leader;
    s.broken = broken;
    high = points(s.left);
    while (low < high) {
        value = lead(&s, leader, low + 1);
        if (value > low) low = value; else high = value;
    }
    *nodes = s.nodes;
    return low;
}
