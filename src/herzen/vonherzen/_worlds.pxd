# The worlds of a view of Von Herzen: which cards the other hands lack, and where those that the viewer gave away
# may be.

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

from herzen._worlds cimport Worlds as AnyWorlds
from herzen.vonherzen._rules cimport CARDS, SEATS, SWAPS, VonHerzen

cdef enum:
    CLASSES = SWAPS + 1

ctypedef struct Step:               # a swap in the order of the swaps
    uint8_t proposer, partner, size
    uint8_t own                     # the viewer's: its cards stand in the table
    uint8_t fresh                   # of an own one: the class that the viewer's cards made
    uint32_t back[CLASSES]          # of an own one: cards of classes that came back to the viewer

# One way to share out the hidden cards of the classes, and of swaps that lead to it.
ctypedef struct Choice:
    uint64_t below                  # the weights of the choices before and of this one
    uint8_t count[CLASSES][SEATS]
    uint8_t given[SWAPS][CLASSES]           # for each step of others: cards of each class from the proposer
    uint8_t received[SWAPS][CLASSES]        # and to it

ctypedef struct Known:
    VonHerzen table                 # what all know and the viewer's hand; other hands hold the cards known there
    uint32_t free                   # hidden cards that may lie in any hand or in the stock
    uint32_t hidden[CLASSES]        # hidden cards of each class; they lie in hands
    uint32_t shown[CLASSES][SEATS]  # cards of a class that were seen to be a seat's at the end of the exchange
    uint8_t laid[SEATS][CARDS]      # cards of no class that were seen to be a seat's own, in that order
    uint8_t laid_count[SEATS]
    uint8_t slots[SEATS]            # cards that a hand lacks
    uint8_t hidden_stock            # cards of the stock that nobody has seen
    uint8_t classes, steps, hand_size
    Step step[SWAPS]
    uint8_t viewer                  # SEATS: a spectator
    uint8_t remembered              # the steps are all swaps of the deal
    uint8_t offered, agreed         # numbers of cards that the proposer has chosen and the viewer has not seen
    int32_t choices
    Choice choice[1]

cdef class Worlds(AnyWorlds):
    pass
