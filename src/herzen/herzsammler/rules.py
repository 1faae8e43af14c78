"""The options of Herzsammler (docs/rules/herzsammler.rst gives every option its numbers)."""

from __future__ import annotations

from herzen.errors import HerzenError, RulesError
from herzen.herzsammler import _rules
from herzen.herzsammler.cards import Card, deck_of, default_deck, read_rows
from herzen.herzsammler.moves import Move, parse
from herzen.rules import Rules, flag, integer, word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Self

    from herzen.herzsammler.cards import Row
    from herzen.rules import Check


def _deck(field: str, value: Any) -> tuple[Row, ...]:
    try:
        return read_rows(value)
    except TypeError:
        raise RulesError("deck: a sequence of rows is needed, or None") from None
    except HerzenError as error:
        raise RulesError(str(error)) from None


_CHECKS: dict[str, Check] = {
    "players": integer(2, 4),
    "deck": _deck,
    "choose_object": flag,
    "must_match": flag,
    "end": word("empty", "short"),
    "majority_tie": word("all", "none"),
    "require_heart": flag,
    "tie_break": word("shared", "hearts"),
    "games": integer(1, 10_000),
    "stall_limit": integer(1, 10_000),
}

_DEFAULTS: dict[str, Any] = {
    "players": 2,
    "choose_object": False,
    "must_match": False,
    "end": "empty",
    "majority_tie": "all",
    "require_heart": False,
    "tie_break": "shared",
    "games": 1,
    "stall_limit": 30,
}


class HerzsammlerRules(Rules):
    """The options of a match of Herzsammler.

    All arguments are keywords; None gives the default. RulesError names the field, the value and what is allowed.
    """

    game = "herzsammler"
    _fields = tuple(_CHECKS)
    __slots__ = (*_CHECKS, "_cards")

    players: int
    """Seats: 2 or 3; 4 is unofficial."""
    deck: tuple[Row, ...]
    """Rows (colour, "numeral" or "heart", value, object a, object b); our deck by default."""
    choose_object: bool
    """Whether the player names one object and takes by that alone."""
    must_match: bool
    """Whether a move that takes a card must be made where there is one."""
    end: str
    """"empty": a game ends when the stack is empty; "short": when the open cards cannot be filled up."""
    majority_tie: str
    """Who keeps a colour's numerals when tied for most hearts: "all" or "none"."""
    require_heart: bool
    """Whether a majority needs at least one heart."""
    tie_break: str
    """"shared", or "hearts": more hearts decide between the best."""
    games: int
    """Number of games in the match; their points are added."""
    stall_limit: int
    """So many misses in a row end a game."""
    _cards: type[Card]

    def __init__(
        self,
        *,
        players: int | None = None,
        deck: Iterable[Any] | None = None,
        choose_object: bool | None = None,
        must_match: bool | None = None,
        end: str | None = None,
        majority_tie: str | None = None,
        require_heart: bool | None = None,
        tie_break: str | None = None,
        games: int | None = None,
        stall_limit: int | None = None,
    ) -> None:
        given = dict(locals())
        self._fill(given, _CHECKS)
        least = 2 * self.players + 7
        if len(self.deck) < least:
            raise RulesError(
                f"deck: at least {least} cards for {self.players} players, not {len(self.deck)}"
            )
        cards = deck_of(self.deck)
        object.__setattr__(self, "_cards", cards)
        colours = list(dict.fromkeys(row[0] for row in self.deck))
        table = [
            (colours.index(colour), kind == "heart", value, first, second)
            for colour, kind, value, first, second in self.deck
        ]
        kinds = [card.index for card in cards._by_id]
        object.__setattr__(self, "_compiled", _rules.compile_rules(self, table, kinds))

    def _default(self, field: str) -> Any:
        return default_deck()._rows if field == "deck" else _DEFAULTS[field]

    def _deck(self) -> list[int]:
        return list(range(len(self.deck)))

    def _cards_each(self) -> int:
        return 2

    def _card(self, index: int) -> Card:
        return self._cards._by_id[index]

    def _parse_card(self, text: str) -> Card:
        return self._cards.parse(text)

    def _parse_move(self, text: str) -> Move:
        return parse(text, self._cards, self.choose_object)

    @classmethod
    def classic(cls, **fields: Any) -> Self:
        """All defaults. Keywords override."""
        return cls(**fields)
