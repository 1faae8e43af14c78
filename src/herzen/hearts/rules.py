"""The options of Hearts and their presets (docs/rules/hearts.rst gives every option its numbers)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set

from herzen.cards import Card as AnyCard
from herzen.errors import CardError, RulesError
from herzen.hearts import _block
from herzen.hearts.cards import CARDS, Card
from herzen.hearts.moves import Move, parse, parse_code
from herzen.rules import FrozenMap, Rules, flag, integer, refuse, word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Self

    from herzen.rules import Check

DIRECTIONS = ("left", "right", "across", "hold")
HEARTS = range(26, 39)
QUEEN = Card("QS")

_REMOVED = {3: ("2D",), 5: ("2C", "2D"), 6: ("3C", "4C", "2D", "3D"), 7: ("3C", "2D", "3D")}
_NAMED_POINTS = {
    "rank": tuple(range(2, 15)),
    "face": (1,) * 9 + (2, 3, 4, 5),
    "spot": (2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 10),
}


def _card(field: str, value: Any) -> Card:
    try:
        return Card.of(value)
    except (CardError, TypeError) as error:
        raise RulesError(f"{field}: {error}") from None


def _cards(field: str, value: Any) -> tuple[Card, ...]:
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
        raise refuse(field, value, "an iterable of cards")
    return tuple(sorted(_card(field, card) for card in value))


def _card_points(low: int, high: int) -> Check:
    number = integer(low, high)

    def check(field: str, value: Any) -> FrozenMap[Card]:
        if not isinstance(value, Mapping):
            raise refuse(field, value, f"a mapping of cards to points {low}..{high}")
        pairs = [
            (_card(field, card), number(f"{field}[{card}]", points))
            for card, points in value.items()
        ]
        table = FrozenMap(pairs)
        if len(table) < len(pairs):
            raise refuse(field, value, "each card once")
        return table

    return check


def _resets(field: str, value: Any) -> FrozenMap[int]:
    total = integer(-1_000_000, 1_000_000)
    if not isinstance(value, Mapping):
        raise refuse(field, value, "a mapping of totals to new totals, or None")
    table = FrozenMap((total(field, old), total(field, new)) for old, new in value.items())
    totals = set(table)
    for new in table.values():
        if new in totals:
            raise refuse(field, value, f"new totals that are not reset themselves ({new} is)")
    return table


def _cycle(field: str, value: Any) -> tuple[str, ...] | str:
    if isinstance(value, str) and str.__str__(value) == "random":
        return "random"
    allowed = '"random" or a sequence of "left", "right", "across", "hold"'
    if isinstance(value, (str, bytes, Set, Mapping)) or not isinstance(value, Iterable):
        raise refuse(field, value, allowed)
    given = tuple(value)
    cycle = tuple(str.__str__(name) for name in given if isinstance(name, str))
    if len(cycle) < len(given) or not all(name in DIRECTIONS for name in cycle):
        raise refuse(field, value, allowed)
    return cycle


def _heart_points(field: str, value: Any) -> int | str | tuple[int, ...]:
    allowed = '0..100, "rank", "face", "spot" or 13 numbers 0..100'
    if isinstance(value, str):
        name = str.__str__(value)
        if name in _NAMED_POINTS:
            return name
        raise refuse(field, value, allowed)
    if isinstance(value, (Set, Mapping)):  # no order of 2 to A
        raise refuse(field, value, allowed)
    if isinstance(value, Iterable):
        table = tuple(integer(0, 100)(field, points) for points in value)
        if len(table) != 13:
            raise refuse(field, value, allowed)
        return table
    points = integer(0, 100)(field, value)
    assert isinstance(points, int)
    return points


def _floor(field: str, value: Any) -> int:
    if type(value) is not int or value != 0:
        raise refuse(field, value, "0 or None")
    return 0


_CHECKS: dict[str, Check] = {
    "decks": integer(1, 2),
    "players": integer(3, 11),
    "extras": word("remove", "kitty"),
    "removed": _cards,
    "kitty_to": word("first_trick", "first_points", "last_trick"),
    "pass_count": integer(0, 4),
    "pass_cycle": _cycle,
    "keep_spades": flag,
    "lead": word("low_club", "any_club", "dealer_left"),
    "first_trick_points": word("forbid", "allow"),
    "break_required": flag,
    "queen_breaks": flag,
    "lead_when_stuck": word("hearts_only", "hearts_or_queen", "pass_lead"),
    "queen_lead": word("any_time", "after_hearts"),
    "heart_points": _heart_points,
    "queen_points": integer(0, 100),
    "extra_penalties": _card_points(1, 100),
    "bonus": _card_points(-100, -1),
    "no_trick_bonus": integer(-100, 0),
    "moon": word("choice", "add", "subtract", "auto", "off"),
    "moon_needs_bonus": flag,
    "sun": word("off", "double"),
    "target": integer(1, 1_000_000),
    "end_test": word("reach", "exceed"),
    "exact_reset": _resets,
    "floor": _floor,
    "tie": word("shared", "play_on"),
    "max_hands": integer(1, 10_000),
    "stop_when_decided": flag,
    "last_cancelled": word("leader", "second"),
}

_DEFAULTS: dict[str, Any] = {
    "decks": 1,
    "kitty_to": "first_trick",
    "pass_count": 3,
    "keep_spades": False,
    "first_trick_points": "forbid",
    "break_required": True,
    "queen_breaks": True,
    "lead_when_stuck": "hearts_only",
    "queen_lead": "any_time",
    "heart_points": 1,
    "queen_points": 13,
    "extra_penalties": FrozenMap(),
    "bonus": FrozenMap(),
    "no_trick_bonus": 0,
    "moon": "choice",
    "moon_needs_bonus": False,
    "sun": "off",
    "target": 100,
    "end_test": "reach",
    "exact_reset": FrozenMap(),
    "floor": None,
    "tie": "shared",
    "max_hands": None,
    "stop_when_decided": False,
    "last_cancelled": "leader",
}


class HeartsRules(Rules):
    """The options of a match of Hearts.

    All arguments are keywords; None gives the default, which for some depends on other options (H-OPT-5).
    RulesError names the field, the value and what is allowed (H-OPT-1). Points are whole numbers.
    """

    game = "hearts"
    _fields = tuple(_CHECKS)
    __slots__ = tuple(_CHECKS)

    decks: int
    """Packs: 1, or 2 for Cancellation (H-CANC-1)."""
    players: int
    """Seats: 3..7 with one pack, 5..11 with two (H-DEAL-3, H-CANC-1)."""
    extras: str
    """Cards that do not divide: "remove", or "kitty" (H-KITTY-1)."""
    removed: tuple[Card, ...]
    """Cards taken out, in canonical order; with two packs a card may stand twice (H-DEAL-4, H-CANC-3)."""
    kitty_to: str
    """Who captures the kitty: "first_trick", "first_points", "last_trick" (H-KITTY-2, H-KITTY-3)."""
    pass_count: int
    """Cards to pass, 0..4 (H-PASS-1)."""
    pass_cycle: tuple[str, ...] | str
    """Directions of the deals in turn, or "random" (H-PASS-2, H-PASS-7)."""
    keep_spades: bool
    """Whether A, K and Q of spades may not be passed (H-PASS-10)."""
    lead: str
    """Who opens: "low_club", "any_club", "dealer_left" (H-LEAD-1, H-LEAD-3, H-LEAD-4)."""
    first_trick_points: str
    """Whether hearts and Q♠ may be thrown on trick 1: "forbid", "allow" (H-PLAY-4)."""
    break_required: bool
    """Whether hearts may be led only when broken (H-LEAD-5)."""
    queen_breaks: bool
    """Whether Q♠ breaks hearts too (H-PLAY-8)."""
    lead_when_stuck: str
    """"hearts_only", "hearts_or_queen", "pass_lead" (H-LEAD-6, H-LEAD-7, H-LEAD-9)."""
    queen_lead: str
    """When Q♠ may be led: "any_time", "after_hearts" (H-LEAD-10)."""
    heart_points: int | str | tuple[int, ...]
    """Points of a heart, a named table, or 13 numbers for 2..A (H-SCORE-1, H-SCORE-2)."""
    queen_points: int
    """Points of Q♠; with 0 it is an ordinary spade (H-SCORE-3, H-CARD-2)."""
    extra_penalties: FrozenMap[Card]
    """Further penalty cards and their points (H-SCORE-4)."""
    bonus: FrozenMap[Card]
    """Bonus cards and their negative points (H-SCORE-5)."""
    no_trick_bonus: int
    """Points, 0 or less, of a seat that took no trick (H-SCORE-6)."""
    moon: str
    """"choice", "add", "subtract", "auto", "off" (H-MOON-1)."""
    moon_needs_bonus: bool
    """Whether the moon needs every bonus card too (H-MOON-7)."""
    sun: str
    """"off", or "double": all tricks double the moon (H-MOON-8)."""
    target: int
    """The total that ends the match (H-END-1)."""
    end_test: str
    """"reach" or "exceed" (H-END-1)."""
    exact_reset: FrozenMap[int]
    """Totals that are set to another when met exactly (H-END-6)."""
    floor: int | None
    """0: totals never fall below 0 (H-END-5)."""
    tie: str
    """"shared", or "play_on" until one seat alone is lowest (H-END-3)."""
    max_hands: int | None
    """Number of hands after which the match ends (H-END-4)."""
    stop_when_decided: bool
    """Whether a hand stops when nothing is left to play for (H-STOP-1)."""
    last_cancelled: str
    """Who takes a cancelled last trick: "leader", "second" (H-CANC-11)."""

    def __init__(
        self,
        *,
        players: int | None = None,
        removed: Iterable[AnyCard | str] | None = None,
        extras: str | None = None,
        kitty_to: str | None = None,
        decks: int | None = None,
        pass_count: int | None = None,
        pass_cycle: Sequence[str] | None = None,
        keep_spades: bool | None = None,
        lead: str | None = None,
        first_trick_points: str | None = None,
        break_required: bool | None = None,
        queen_breaks: bool | None = None,
        lead_when_stuck: str | None = None,
        queen_lead: str | None = None,
        heart_points: int | str | Iterable[int] | None = None,
        queen_points: int | None = None,
        extra_penalties: Mapping[Any, int] | None = None,
        bonus: Mapping[Any, int] | None = None,
        no_trick_bonus: int | None = None,
        moon: str | None = None,
        moon_needs_bonus: bool | None = None,
        sun: str | None = None,
        target: int | None = None,
        end_test: str | None = None,
        exact_reset: Mapping[int, int] | None = None,
        floor: int | None = None,
        tie: str | None = None,
        max_hands: int | None = None,
        stop_when_decided: bool | None = None,
        last_cancelled: str | None = None,
    ) -> None:
        given = dict(locals())
        self._fill(given, _CHECKS)
        points = self._points()
        deck = self._deck()
        self._validate(points, deck)
        object.__setattr__(self, "_compiled", _block.compile_rules(self, points, deck))

    def _default(self, field: str) -> Any:
        if field == "players":
            return 4 if self.decks == 1 else 8
        if field == "extras":
            return "remove" if self.decks == 1 else "kitty"
        if field == "removed":
            usual = (
                _REMOVED.get(self.players, ())
                if self.decks == 1 and self.extras == "remove"
                else ()
            )
            return tuple(map(Card, usual))
        if field == "pass_cycle":
            if self.decks == 2:
                return ()
            return DIRECTIONS if self.players == 4 else DIRECTIONS[:2]
        if field == "lead":
            return "low_club" if self.decks == 1 else "dealer_left"
        return _DEFAULTS[field]

    def _points(self) -> list[int]:
        """Points of each card by index."""
        hearts = self.heart_points
        table = _NAMED_POINTS[hearts] if isinstance(hearts, str) else hearts
        points = [0] * 52
        for place, index in enumerate(HEARTS):
            points[index] = table if isinstance(table, int) else table[place]
        points[QUEEN.index] = self.queen_points
        for cards in (self.extra_penalties, self.bonus):
            for card, value in cards.items():
                points[card.index] = value
        return points

    def _deck(self) -> list[int]:
        """Indices of the cards in play in canonical order; copies of the second pack are 52 + index."""
        gone = Counter(card.index for card in self.removed)
        for index, count in gone.items():
            if count > self.decks:
                raise refuse(
                    "removed",
                    [str(card) for card in self.removed],
                    f"{CARDS[index]} at most {self.decks} times",
                )
        deck = []
        for pack in reversed(range(self.decks)):  # the second pack's copy goes first
            for index in reversed(range(52)):
                if gone[index]:
                    gone[index] -= 1
                else:
                    deck.append(52 * pack + index)
        return deck[::-1]

    def _cards_each(self) -> int:
        return len(self._deck()) // self.players

    def _card(self, index: int) -> Card:
        return CARDS[index % 52]

    def _parse_card(self, text: str) -> Card:
        return Card.parse(text)

    def _parse_move(self, text: str) -> Move:
        return parse(text)

    def _parse_code(self, text: str) -> int:
        return parse_code(text)

    def _needs_seed(self) -> bool:
        return self.pass_cycle == "random"

    def _validate(self, points: list[int], deck: list[int]) -> None:
        """What no field can check alone (H-OPT-8 to H-OPT-14)."""
        least, most = (3, 7) if self.decks == 1 else (5, 11)
        if not least <= self.players <= most:
            raise refuse("players", self.players, f"{least}..{most} with decks={self.decks}")
        named = (("extra_penalties", self.extra_penalties), ("bonus", self.bonus))
        for field, cards in named:
            for card in cards:
                if card.index in HEARTS or card is QUEEN:
                    raise refuse(field, str(card), "a card that is no heart and not QS")
        for card in self.bonus:
            if card in self.extra_penalties:
                raise refuse("bonus", str(card), "a card that is no penalty card")
        kinds = {index % 52 for index in deck}
        if self.queen_points and QUEEN.index not in kinds:
            raise refuse("removed", "QS", "to keep QS, which is worth points (or queen_points=0)")
        for field, cards in named:
            for card in cards:
                if card.index not in kinds:
                    raise refuse("removed", str(card), f"to keep the cards named by {field}")
        size, rest = divmod(len(deck), self.players)
        if rest and self.extras == "remove":
            raise refuse(
                "removed",
                [str(card) for card in self.removed],
                f'cards that leave a multiple of {self.players} (it leaves {len(deck)}), or extras="kitty"',
            )
        if size < max(1, self.pass_count):
            raise refuse(
                "removed",
                [str(card) for card in self.removed],
                f"hands of at least {max(1, self.pass_count)} cards (it leaves {size} each)",
            )
        if self.lead != "dealer_left":
            clubs = [index % 52 for index in deck if index % 52 < 13]
            if len(clubs) <= rest:
                raise refuse(
                    "lead",
                    self.lead,
                    f'"dealer_left", or more clubs in the deck than the {rest} kitty cards',
                )
            if clubs.count(min(clubs)) > 1:
                raise refuse(
                    "lead", self.lead, '"dealer_left", or a deck whose lowest club is single'
                )
        if "across" in self.pass_cycle and self.players % 2:
            raise refuse(
                "pass_cycle", list(self.pass_cycle), '"across" only for an even number of players'
            )
        if self.moon_needs_bonus and not self.bonus:
            raise refuse("moon_needs_bonus", True, "False where there are no bonus cards")

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """The rules of a `to_dict`; RulesError for an unknown option or a wrong value."""
        resets = data.get("exact_reset")
        if isinstance(resets, Mapping):
            try:
                data = {**data, "exact_reset": {int(old): new for old, new in resets.items()}}
            except ValueError:
                raise refuse("exact_reset", resets, "a mapping of totals to new totals") from None
        return super().from_dict(data)

    # ---- presets -------------------------------------------------------------------------------------
    @classmethod
    def classic(cls, **fields: Any) -> Self:
        """All defaults (H-PRE-1). Keywords override, here and in all presets."""
        return cls(**fields)

    @classmethod
    def plain(cls, **fields: Any) -> Self:
        """No passing, no moon, 3 to 5 players (H-PRE-2)."""
        rules = cls(**{"pass_cycle": (), "moon": "off", **fields})
        if rules.players > 5:
            raise refuse("players", rules.players, "3..5 in the preset plain")
        return rules

    @classmethod
    def omnibus(cls, **fields: Any) -> Self:
        """J♦ counts −10 (H-PRE-3)."""
        return cls(**{"bonus": {"JD": -10}, **fields})

    @classmethod
    def black_maria(cls, **fields: Any) -> Self:
        """K♠ 10, A♠ 7, pass 3 to the right, the dealer's left leads, points on trick 1 (H-PRE-4)."""
        preset: dict[str, Any] = {
            "extra_penalties": {"KS": 10, "AS": 7},
            "pass_cycle": ("right",),
            "lead": "dealer_left",
            "first_trick_points": "allow",
        }
        if fields.get("players") == 3 and fields.get("extras") in (None, "remove"):
            preset["removed"] = ("2C",)
        return cls(**preset | fields)

    @classmethod
    def cancellation(cls, **fields: Any) -> Self:
        """Two packs, 8 players (H-PRE-5)."""
        return cls(**{"decks": 2, "players": 8, **fields})

    @classmethod
    def microsoft(cls, **fields: Any) -> Self:
        """The queen does not break hearts, the moon adds (H-PRE-6)."""
        return cls(**{"queen_breaks": False, "moon": "add", **fields})

    @classmethod
    def openspiel(cls, **fields: Any) -> Self:
        """The moon adds, passes go in a random direction, one hand (H-PRE-7)."""
        return cls(**{"moon": "add", "pass_cycle": "random", "max_hands": 1, **fields})

    @classmethod
    def yahoo(cls, **fields: Any) -> Self:
        """Who holds only hearts and Q♠ may lead either (H-PRE-8)."""
        return cls(**{"lead_when_stuck": "hearts_or_queen", **fields})
