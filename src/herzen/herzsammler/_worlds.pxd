# The worlds of a view of Herzsammler: which cards the other hands lack, and how many ways there are to deal them.

from libc.stdint cimport int8_t, int32_t, uint8_t, uint64_t

from herzen._core cimport MAX_DECK
from herzen._worlds cimport Worlds as AnyWorlds
from herzen.herzsammler._rules cimport HAND, SEATS, Herzsammler

cdef enum:
    FILLINGS = 14           # of three barred places: see fillings
    WHOLE = 3               # level of a card that no barred place of a hand takes

# A card's level in a hand is the first of the hand's barred places that takes it: 0 if all do. A filling says how
# many cards of each level were put into the hand.
ctypedef struct Barred:
    uint8_t seat, places
    uint8_t level[MAX_DECK]             # of each hidden card
    uint8_t fillings                    # 0 is empty
    int8_t grown[FILLINGS][HAND]        # the filling with a card of that level more, -1 if the hand has no room for it
    uint8_t full[FILLINGS]              # the hand is full
    int32_t stride                      # of this hand in the number of a state

ctypedef struct Known:
    Herzsammler table                   # what all know and the viewer's hand; other hands hold their known cards
    uint8_t hidden[MAX_DECK]            # the cards that lie in other hands or above the known part of the stack
    uint8_t hidden_count
    uint8_t slots[SEATS]                # cards that a hand lacks, where any will do
    uint8_t barred_count
    Barred barred[SEATS]                # the hands that lack cards and do not take every one
    int32_t states                      # the product of their fillings
    # ways[i * states + state]: the ways to go on from a state with the hidden cards from i on
    uint64_t ways[1]

cdef class Worlds(AnyWorlds):
    pass
