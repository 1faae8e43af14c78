"""The options of Von Herzen (docs/rules/vonherzen.rst gives every option its numbers)."""

from __future__ import annotations

from herzen.rules import Rules, flag, integer, refuse, word
from herzen.vonherzen import _moves
from herzen.vonherzen.cards import CARDS, Card
from herzen.vonherzen.moves import Move, parse, parse_code

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Self

    from herzen.rules import Check

_number_of_turns = integer(1, 10_000)


def _blocked_after(field: str, value: Any) -> int | str | None:
    if value is None:
        return None
    if isinstance(value, str):
        if value == "2n":
            return "2n"
        raise refuse(field, value, '"2n", an integer 1..10000 or None')
    number = _number_of_turns(field, value)
    assert isinstance(number, int)
    return number


_CHECKS: dict[str, Check] = {
    "players": integer(2, 6),
    "hand_size": integer(1, 8),
    "turn_up": flag,
    "exchange_rounds": integer(0, 2),
    "others_after_decline": flag,
    "counter_binding": flag,
    "draw_from_pile": word("top", "any"),
    "stock_refill": word("none", "turn_over"),
    "one_meld_per_turn": flag,
    "wrap": flag,
    "joker_ends": flag,
    "own_joker_extend": flag,
    "discard_mandatory": flag,
    "discard_drawn": flag,
    "blocked_after": _blocked_after,
    "flute_bonus": integer(0, 100),
    "natural_flute_bonus": integer(0, 100),
    "full_rounds": integer(1, 10_000),
    "max_deals": integer(1, 10_000),
}

_DEFAULTS: dict[str, Any] = {
    "players": 3,
    "turn_up": False,
    "exchange_rounds": 1,
    "others_after_decline": False,
    "counter_binding": False,
    "draw_from_pile": "top",
    "stock_refill": "none",
    "one_meld_per_turn": False,
    "wrap": True,
    "joker_ends": True,
    "own_joker_extend": True,
    "discard_mandatory": False,
    "discard_drawn": False,
    "blocked_after": "2n",
    "flute_bonus": 2,
    "natural_flute_bonus": 2,
    "full_rounds": 2,
    "max_deals": None,
}


class VonHerzenRules(Rules):
    """The options of a match of Von Herzen.

    All arguments are keywords; None gives the default, but for `blocked_after` and `max_deals`, where it means
    none. RulesError names the field, the value and what is allowed.
    """

    game = "vonherzen"
    _fields = tuple(_CHECKS)
    _none_is_a_value = ("blocked_after",)
    __slots__ = tuple(_CHECKS)

    players: int
    """Seats, 2..6."""
    hand_size: int
    """Cards to each hand; min(8, 32 // players) by default and at most."""
    turn_up: bool
    """Whether the top card of the stock starts the pile."""
    exchange_rounds: int
    """Rounds of proposals, 0..2."""
    others_after_decline: bool
    """Whether the others may take over an offer that was declined."""
    counter_binding: bool
    """Whether the proposer must agree to a counter."""
    draw_from_pile: str
    """"top", or "any" card of the pile."""
    stock_refill: str
    """"none", or "turn_over": an empty stock is renewed from the pile."""
    one_meld_per_turn: bool
    """Whether a turn may lay one new run at most."""
    wrap: bool
    """Whether runs go on from ace to seven."""
    joker_ends: bool
    """Whether a joker may lie at the end of a run."""
    own_joker_extend: bool
    """Whether a joker may be laid off on one's own run."""
    discard_mandatory: bool
    """Whether a turn must end with a discard where one is possible."""
    discard_drawn: bool
    """Whether a card of the kind just taken from the pile may be discarded."""
    blocked_after: int | str | None
    """Idle turns in a row that block a deal: a number, "2n" (2 x players), or None."""
    flute_bonus: int
    """Bonus of a run of eight with a joker."""
    natural_flute_bonus: int
    """Bonus of a run of eight without one."""
    full_rounds: int
    """The match is so many times `players` deals."""
    max_deals: int | None
    """The match ends after so many deals at the latest."""

    def __init__(
        self,
        *,
        players: int | None = None,
        hand_size: int | None = None,
        turn_up: bool | None = None,
        exchange_rounds: int | None = None,
        others_after_decline: bool | None = None,
        counter_binding: bool | None = None,
        draw_from_pile: str | None = None,
        stock_refill: str | None = None,
        one_meld_per_turn: bool | None = None,
        wrap: bool | None = None,
        joker_ends: bool | None = None,
        own_joker_extend: bool | None = None,
        discard_mandatory: bool | None = None,
        discard_drawn: bool | None = None,
        blocked_after: int | str | None = "2n",
        flute_bonus: int | None = None,
        natural_flute_bonus: int | None = None,
        full_rounds: int | None = None,
        max_deals: int | None = None,
    ) -> None:
        given = dict(locals())
        self._fill(given, _CHECKS)
        most = min(8, 32 // self.players)
        if self.hand_size > most:
            raise refuse("hand_size", self.hand_size, f"1..{most} with {self.players} players")
        object.__setattr__(self, "_compiled", _moves.compile_rules(self))

    def _default(self, field: str) -> Any:
        return min(8, 32 // self.players) if field == "hand_size" else _DEFAULTS[field]

    def _deck(self) -> list[int]:
        return list(range(32))

    def _cards_each(self) -> int:
        return self.hand_size

    def _card(self, index: int) -> Card:
        return CARDS[index]

    def _parse_card(self, text: str) -> Card:
        return Card.parse(text)

    def _parse_move(self, text: str) -> Move:
        return parse(text)

    def _parse_code(self, text: str) -> int:
        return parse_code(text)

    @classmethod
    def classic(cls, **fields: Any) -> Self:
        """All defaults. Keywords override."""
        return cls(**fields)
