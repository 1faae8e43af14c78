# The worlds of a view of Hearts: tables compiled from what the view tells, and the function that draws from them.

from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t, uint64_t

from herzen cimport _worlds as common
from herzen._counting cimport Graph, Node
from herzen.hearts._rules cimport CARDS, SEATS, Block, Hearts

cdef enum:
    KITTY = 11              # places besides the seats
    GONE = 12               # cards captured before a set-up
    PLACES = 13

ctypedef struct Plan:
    # One of the disjoint cases: classes of cards, groups of places.
    uint32_t root
    uint8_t kinds, groups
    uint8_t first_card[CARDS + 1]       # of each class, in `cards`
    uint8_t cards[CARDS]                # lanes
    uint8_t first_place[PLACES + 1]     # of each group, in `places`
    uint8_t places[PLACES]
    uint8_t kept[SEATS][4]  # spades passed of those that keep_spades keeps back, NO_CARD = none
    uint8_t slots           # captured cards that count, of the cards gone
    int16_t slot_points[CARDS]
    uint8_t slot_pile[CARDS]            # by whom captured; players: held over

ctypedef struct Known:
    const Block *block
    Hearts at               # the position without the unseen cards
    const Plan *plans
    uint32_t start          # the node that draws the plan
    const Node *nodes
    const uint32_t *children
    const uint32_t *words
    uint8_t room[PLACES]
    uint64_t played_one[SEATS]          # by seat, in this deal
    uint64_t played_two[SEATS]
    uint16_t passes         # givers whose pass the view does not tell
    uint8_t gone

cdef class Worlds(common.Worlds):
    cdef Graph graph        # whose nodes `known` points to
