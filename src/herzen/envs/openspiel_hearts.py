"""Between OpenSpiel's own game `hearts`, which is written in C++, and ours.

OpenSpiel's switches and our options (all the switches it has):

============================== =======================================================
pass_cards                     pass_cycle: () if off
no_pts_on_first_trick          first_trick_points: "forbid" if on, else "allow"
can_lead_any_club              lead: "any_club" if on, else "low_club"
jd_bonus                       bonus: {"JD": -10} if on
avoid_all_tricks_bonus         no_trick_bonus: -5 if on
must_break_hearts              break_required
qs_breaks_hearts               queen_breaks
can_lead_hearts_instead_of_qs  lead_when_stuck: "hearts_or_queen" if on, else "hearts_only"
============================== =======================================================

Fixed on its side: four players, one hand, the moon adds, the jack is not needed for it, seat 0 gets the first card
(our dealer 3). A pass is three picks in seat order. Actions are rank * 4 + suit, ours are suit * 13 + rank. Its
`returns()` are 26 minus the points. Its `apply_action` takes any card that is held, also a revoke.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from herzen.envs.common import missing
from herzen.hearts import Card, Hearts, HeartsRules, Pass, Play
from herzen.hearts.cards import CARDS

SWITCHES = (
    "pass_cards",
    "no_pts_on_first_trick",
    "can_lead_any_club",
    "jd_bonus",
    "avoid_all_tricks_bonus",
    "must_break_hearts",
    "qs_breaks_hearts",
    "can_lead_hearts_instead_of_qs",
)
DIRECTIONS = ("hold", "left", "across", "right")
"""OpenSpiel's pass directions by its number: cards go to seat + number."""
SEATS, DEALT, PICKS = 4, 52, 3


def spiel_action(index: int) -> int:
    """OpenSpiel's number of the card that we number `index`."""
    return index % 13 * 4 + index // 13


def card_index(action: int) -> int:
    """The inverse of `spiel_action`."""
    return action % 4 * 13 + action // 4


def rules_for(
    options: Mapping[str, bool], directions: Sequence[str] | str = "random"
) -> HeartsRules:
    """Our rules for OpenSpiel's switches; `directions` is the pass cycle if cards are passed."""
    return HeartsRules.openspiel(
        pass_cycle=directions if options["pass_cards"] else (),
        first_trick_points="forbid" if options["no_pts_on_first_trick"] else "allow",
        lead="any_club" if options["can_lead_any_club"] else "low_club",
        bonus={"JD": -10} if options["jd_bonus"] else {},
        no_trick_bonus=-5 if options["avoid_all_tricks_bonus"] else 0,
        break_required=options["must_break_hearts"],
        queen_breaks=options["qs_breaks_hearts"],
        lead_when_stuck="hearts_or_queen"
        if options["can_lead_hearts_instead_of_qs"]
        else "hearts_only",
    )


def switches_for(rules: HeartsRules) -> dict[str, bool]:
    """OpenSpiel's switches for our rules, the inverse of `rules_for`; ValueError for rules that it does not have."""
    options = {
        "pass_cards": bool(rules.pass_cycle),
        "no_pts_on_first_trick": rules.first_trick_points == "forbid",
        "can_lead_any_club": rules.lead == "any_club",
        "jd_bonus": bool(rules.bonus),
        "avoid_all_tricks_bonus": rules.no_trick_bonus != 0,
        "must_break_hearts": rules.break_required,
        "qs_breaks_hearts": rules.queen_breaks,
        "can_lead_hearts_instead_of_qs": rules.lead_when_stuck == "hearts_or_queen",
    }
    same = rules_for(options, rules.pass_cycle)
    differing = [name for name in rules._fields if getattr(rules, name) != getattr(same, name)]
    if differing:
        raise ValueError(f"OpenSpiel's hearts cannot be played with these options: {differing}")
    return options


# ---- positions -------------------------------------------------------------------------------------------
def from_pyspiel(state: Any) -> Hearts:
    """A match of ours at the position of a state of OpenSpiel's game `hearts`, all moves played again.

    The rules are OpenSpiel's, with the direction that was drawn. A pass of which only some cards are picked is left
    out. ValueError for a state of another game, or one that is not dealt yet; IllegalMove where it holds a revoke.
    """
    game = state.get_game()
    if game.get_type().short_name != "hearts":
        raise ValueError(f"a state of OpenSpiel's hearts is needed, not of {game}")
    actions: list[int] = list(state.history())
    if len(actions) <= DEALT:
        raise ValueError("the state is not dealt yet")
    direction, deck, rest = DIRECTIONS[actions[0]], actions[1 : DEALT + 1], actions[DEALT + 1 :]
    options = game.get_parameters()
    rules = rules_for(options, (direction,))
    cards = [CARDS[card_index(action)] for action in deck]
    match = Hearts(rules, seed=0, dealer=SEATS - 1, deals=[cards])
    moves = [CARDS[card_index(action)] for action in rest]
    if direction != "hold":
        for first in range(0, SEATS * PICKS, PICKS):
            if len(moves) < first + PICKS:
                return match
            match.play(Pass(moves[first : first + PICKS]))
        moves = moves[SEATS * PICKS :]
    for card in moves:
        match.play(Play(card))
    return match


def to_pyspiel(match: Hearts) -> Any:
    """The state of OpenSpiel's game `hearts` at the position of a match of ours, all moves played again.

    ValueError for rules that OpenSpiel does not have, a match whose moves are not known from its beginning, and
    passes that were not committed in the order of the seats. ImportError without OpenSpiel.
    """
    try:
        import pyspiel
    except ModuleNotFoundError as error:
        raise missing("to_pyspiel", "open-spiel") from error

    options = switches_for(match.rules)
    record = match.record()
    if len(match.moves) != match.ply or record.setup is not None:
        raise ValueError("the match is not known from its beginning")
    deck = [Card.parse(text).index for text in record.deals[0]]
    state = pyspiel.load_game("hearts", options).new_initial_state()
    state.apply_action(DIRECTIONS.index(match.pass_direction))
    for row in range(0, DEALT, SEATS):
        for seat in range(SEATS):
            state.apply_action(spiel_action(deck[row + (seat - record.dealer - 1) % SEATS]))
    for seat, move in match.history:
        assert isinstance(move, (Pass, Play))
        cards = move.cards if isinstance(move, Pass) else (move.card,)
        if state.current_player() != seat:
            raise ValueError("in OpenSpiel cards are passed in the order of the seats")
        for card in cards:
            state.apply_action(spiel_action(card.index))
    return state
