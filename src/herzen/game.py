"""`Game`: one match of any game, as programs play it. The rules themselves are in each game's folder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum

from herzen._codes import Codes, Combinations
from herzen._core import Position, State
from herzen.cards import Card, read_cards
from herzen.decks import read_decks, without_seeded
from herzen.errors import (
    GameOver,
    HerzenError,
    IllegalMove,
    RulesError,
    SeedError,
    SetupError,
    StaleState,
)
from herzen.events import Event
from herzen.forms import fingerprint, game_of, identity, setup_call, state_of
from herzen.integers import exact_int, short
from herzen.log import deal_log, deal_log_for, first_deal, keep_on, retell, tell
from herzen.moves import Move
from herzen.rules import Rules, default_rules
from herzen.scoring import ScoreSheet
from herzen.seats import Seat, read_names, read_seat
from herzen.seeds import LIMIT, Seed, parse_seed
from herzen.view import View

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar, NoReturn, Self, SupportsIndex

    from herzen.decks import Deck
    from herzen.log import Told
    from herzen.record import Record

Sequence.register(Codes)  # pyright: ignore[reportAttributeAccessIssue]
Sequence.register(Combinations)  # pyright: ignore[reportAttributeAccessIssue]


class Game(State):
    """One match: create it, ask for legal moves, play them, look at it, take moves back, record it.

    The server holds the Game; clients get views and redacted events. A Game is meant for one thread at a time.

    rules: options; None for the defaults. seed: an int 0 <= s < 2**256, a str, bytes, or None for a fresh one from
    the operating system. dealer: who deals first; None for the last seat. deals: explicit decks, top first, for the
    first deals; the seed goes on after them. names: one for each seat.

    Raises TypeError or IndexError for arguments of the wrong kind, SeedError, and SetupError for wrong decks.
    """

    __slots__ = ()
    name: ClassVar[str] = ""
    COUNTS: ClassVar[tuple[str, ...]] = ()
    """What a simulation counts besides scores, at most 4 (tallied by the game's C functions)."""
    phases: ClassVar[tuple[StrEnum, ...]] = ()
    move_type: ClassVar[type[Move]]
    rules_type: ClassVar[type[Rules]]
    view_type: ClassVar[type[View]]

    def __init__(
        self,
        rules: Rules | None = None,
        *,
        seed: Seed = None,
        dealer: int | None = None,
        deals: Iterable[Deck] = (),
        names: Sequence[str] | None = None,
    ) -> None:
        if rules is None or type(rules) is not self.rules_type:
            rules = self._read_rules(rules)
        # A plain integer, for which simulations pay no call; all other seeds are checked and read elsewhere.
        number = seed if type(seed) is int and 0 <= seed < LIMIT else parse_seed(seed)
        if dealer is None and names is None and not deals:
            self._begin(rules, number, -1, (), None)
        else:
            self._start(rules, number, dealer, deals, names)

    def _start(
        self,
        rules: Rules,
        seed: int | None,
        dealer: int | None,
        deals: Iterable[Deck | None],
        names: Sequence[str] | None,
    ) -> None:
        first = rules.players - 1 if dealer is None else read_seat(dealer, rules.players)
        decks = read_decks(rules, deals) if deals else ()
        self._start_with(rules, seed, first, decks, read_names(names, rules.players))

    def _start_with(
        self,
        rules: Rules,
        seed: int | None,
        dealer: int,
        decks: tuple[bytes | None, ...],
        names: tuple[str, ...] | None,
    ) -> None:
        """Begin with what has been read and checked."""
        self._begin(rules, seed, dealer, decks, names)
        if decks:
            self._set_decks(without_seeded(self))

    @classmethod
    def from_hands(
        cls,
        hands: Sequence[Iterable[Card | str]],
        rules: Rules | None = None,
        *,
        dealer: int | None = None,
        rest: Iterable[Card | str] = (),
        seed: Seed = None,
    ) -> Self:
        """A match whose first deal gives these hands, as they are before passing or the exchange.

        rest: the cards that are not dealt to hands, top first: kitty, stock, or open cards and stack. SetupError
        where hands and rest are not exactly the cards in play.
        """
        checked = cls._read_rules(rules)
        n, size = checked.players, checked._cards_each()
        first = n - 1 if dealer is None else read_seat(dealer, n)
        if (
            isinstance(hands, (str, bytes, Mapping))
            or not isinstance(hands, Sequence)
            or len(hands) != n
        ):
            raise SetupError(f"hands: {n} are needed, one a seat")
        read = [
            read_cards(checked._parse_card, hand, f"hands[{seat}]")
            for seat, hand in enumerate(hands)
        ]
        for seat, hand in enumerate(read):
            if len(hand) != size:
                raise SetupError(f"hands[{seat}]: {size} cards are needed, not {len(hand)}")
        order = [read[(first + 1 + place) % n][row] for row in range(size) for place in range(n)]
        deck = [*order, *read_cards(checked._parse_card, rest, "rest")]
        return cls(checked, seed=seed, dealer=first, deals=[deck])

    @classmethod
    def _from_setup(
        cls,
        rules: Rules,
        seed: int | None,
        names: Sequence[str] | None,
        deals: Iterable[Deck | None],
        keywords: Mapping[str, Any],
    ) -> Self:
        """`setup` with a seed that may be unknown and the keywords of the zones."""
        zones = cls._setups.read_zones(rules, **keywords)
        game = cls.__new__(cls)
        decks = read_decks(rules, deals) if deals else ()
        game._found(rules, seed, zones["deal_number"] + 1, decks, read_names(names, rules.players))
        if decks:
            game._set_decks(without_seeded(game))
        game._zones.place(game, zones)
        game._adopt(0, 0, 0)
        game._check_setup(zones)
        return game

    @classmethod
    def _read_rules(cls, rules: Rules | None) -> Rules:
        if rules is None:
            return default_rules(cls.rules_type)
        if not isinstance(rules, cls.rules_type):
            raise TypeError(
                f"{cls.__name__} needs {cls.rules_type.__name__}, not {type(rules).__name__}"
            )
        return rules

    # ---- what each game gives --------------------------------------------------------------------------
    _zones: ClassVar[Any]
    """The game's compiled module `_zones`: digest(position), place(state, zones)."""
    _setups: ClassVar[Any]
    """The game's module `setup`: read_zones(rules, **zones), write_zones(rules, position), all_zones(position)."""

    def _from_code(self, code: int) -> Move:
        """The move of a code; IllegalMove "unknown_move"."""
        raise NotImplementedError

    def _judge(self, move: Move, seat: int) -> tuple[str, str] | None:
        """Why a seat that may act may not make this move: (error code, sentence); None if it may."""
        raise NotImplementedError

    def _code_of(self, move: Move, seat: int) -> int:
        """The code by which a legal move is played."""
        return move.code

    def _points_now(self) -> tuple[int, ...]:
        raise NotImplementedError

    def _hand(self, seat: int) -> tuple[Card, ...]:
        raise NotImplementedError

    def _sheet(self, position: Position) -> ScoreSheet:
        """The score sheet of a finished deal."""
        raise NotImplementedError

    def _tell_move(self, at: Position, seat: int, code: int, flags: int, automatic: bool) -> Told:
        """The events of a move, but GameEnded. `at`: the position after it, before any new deal."""
        raise NotImplementedError

    def _tell_deal(self, at: Position, flags: int) -> Told:
        """The events of dealing. `at`: the position after it."""
        raise NotImplementedError

    def _view_zones(self, seat: int | None) -> dict[str, Any]:
        """`known` and the game's own fields of a view."""
        raise NotImplementedError

    def _setup_zones(self, position: Position) -> dict[str, Any]:
        """The keywords of `setup` for a position, JSON-ready, without rules, seed, names and deals."""
        zones: dict[str, Any] = self._setups.write_zones(self.rules, position)
        return zones

    def _check_setup(self, zones: dict[str, Any]) -> None:
        """SetupError for what shows only once the zones are in place."""

    # ---- looking ---------------------------------------------------------------------------------------
    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats, clockwise from 0."""
        return tuple(Seat(self, seat) for seat in range(self.players))

    @property
    def turn(self) -> Seat | None:
        """The lowest seat that may act; None when the match is over."""
        seat = self._turn
        return None if seat < 0 else Seat(self, seat)

    @property
    def to_move(self) -> tuple[Seat, ...]:
        """All seats that may act now, ascending; () when the match is over."""
        actors = self._actors
        return tuple(Seat(self, seat) for seat in range(self.players) if actors >> seat & 1)

    @property
    def phase(self) -> StrEnum:
        """What is to be decided now."""
        return self.phases[self._phase]

    @property
    def scores(self) -> tuple[int, ...]:
        """Totals of the finished deals, by seat."""
        return self._scores()

    @property
    def points(self) -> tuple[int, ...]:
        """Points of this deal so far, by seat, from public knowledge only."""
        return self._points_now()

    @property
    def winners(self) -> tuple[Seat, ...]:
        """Who won; () before the end."""
        return tuple(Seat(self, seat) for seat in self._winning()) if self.over else ()

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the players; "Seat 0" and so on where none were given."""
        return self._names or tuple(f"Seat {seat}" for seat in range(self.players))

    @property
    def seed(self) -> int | None:
        """The seed as an integer: secret while the match runs. None if a record did not hold it."""
        return self._seed_int() if self.has_seed else None

    @property
    def last_deal(self) -> ScoreSheet | None:
        """The score sheet of the deal that was finished last; None before the first."""
        return None if self._last is None else self._sheet(self._last)

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """Number of cards in each hand."""
        return tuple(len(self._hand(seat)) for seat in range(self.players))

    def hand(self, seat: SupportsIndex) -> tuple[Card, ...]:
        """The cards that a seat holds, in canonical order."""
        return self._hand(self._seat(seat))

    def _seat(self, seat: Any) -> int:
        return read_seat(seat, self.players)

    # ---- moves -----------------------------------------------------------------------------------------
    def legal_moves(self, seat: SupportsIndex | None = None) -> tuple[Move, ...]:
        """The legal moves of a seat (None: of `turn`), in ascending code; () if it may not act."""
        return tuple(map(self._from_code, self.codes(seat)))

    def parse(self, text: str) -> Move:
        """The move of a text; IllegalMove "unknown_move" if it cannot be read. Legality is not checked."""
        if not isinstance(text, str):
            raise TypeError(f"a text is needed, not {type(text).__name__}")
        return self.rules._parse_move(str.__str__(text))

    def _read(self, move: Move | str | int) -> Move:
        if isinstance(move, Move):
            return self._read_move(move)
        if isinstance(move, str):
            return self.parse(move)
        code = exact_int(move)
        if code is None:
            raise TypeError(f"a move, its text or its code is needed, not {type(move).__name__}")
        return self._from_code(code)

    def _read_move(self, move: Move) -> Move:
        """The move itself; for one of a class that is not ours, the move of its code."""
        try:
            code = move.code
        except AttributeError:
            raise IllegalMove(move, None, "an unfinished move", code="unknown_move") from None
        if not isinstance(move, self.move_type):
            raise IllegalMove(move, None, f"{move} is no move of this game", code="unknown_move")
        return move if type(move) in self.move_type._kinds else self._read(code)

    def _admit(
        self, move: Move | str | int, seat: SupportsIndex | None, expect: int | None
    ) -> tuple[int, Move]:
        """The seat that acts and the move, checked in the order over, stale, turn, syntax, held, rule."""
        actor = None if seat is None else self._seat(seat)
        if expect is not None and type(expect) is not int:
            version = exact_int(expect)
            if version is None:
                raise TypeError(f"expect is a version, not {type(expect).__name__}")
            expect = version
        if type(move) is not int and not isinstance(move, Move):
            move = _plain(move)
        turn = self._turn
        if turn < 0:
            raise GameOver(move, actor, "the match is over")
        if actor is None:
            actor = turn
        acts = self._actors >> actor & 1
        if expect is not None:
            if expect > self.version:
                raise StaleState(
                    move, actor, f"version {short(expect)} is not reached yet: it is {self.version}"
                )
            if acts and expect < self._opened(actor):
                raise StaleState(
                    move, actor, f"the game has moved on since version {short(expect)}"
                )
        if not acts:
            raise IllegalMove(move, actor, f"it is not seat {actor}'s turn", code="not_your_turn")
        try:
            read = self._read(move)
        except IllegalMove as error:
            raise IllegalMove(move, actor, error.reason, code=error.code) from None
        fault = self._judge(read, actor)
        if fault is not None:
            raise IllegalMove(move, actor, fault[1], code=fault[0])
        return actor, read

    def _moved_on(self, seat: int, code: int) -> NoReturn:
        raise StaleState(code, seat, "the game has moved on while this move was read")

    def _refuse(self, code: int) -> NoReturn:
        """Raise what `play` raises for a code that play_code found to be illegal."""
        self._admit(code, None, None)
        raise AssertionError("the engine refused a move that the rules allow")

    def play(
        self, move: Move | str | int, seat: SupportsIndex | None = None, expect: int | None = None
    ) -> tuple[Event, ...]:
        """Play a move for a seat (None: for `turn`); the last move of a deal scores it and deals the next.

        move: a move, its text or its code. expect: the version the mover had seen. Returns the events, unredacted.
        Raises, and changes nothing: GameOver; StaleState if the seat's decision was opened after version `expect`;
        IllegalMove; TypeError and IndexError for arguments of the wrong kind.
        """
        actor, read = self._admit(move, seat, expect)
        version = self.version
        code = self._code_of(read, actor)
        automatic = len(self.codes(actor)) == 1
        kept, index, deal = self._log, self._events, self.deal_number
        flags, dealt = self._play(actor, code, version)
        events = tell(self, actor, code, flags, dealt, automatic, index, deal, self.version)
        keep_on(self, kept, version, events)
        return events

    def play_forced(self) -> tuple[Event, ...]:
        """Play steps that leave their seat no choice until there is one; the events of all of them."""
        events: list[Event] = []
        while not self.over:
            codes = self.codes()
            if len(codes) != 1:
                break
            events += self.play(codes[0])
        return tuple(events)

    def is_legal(self, move: Move | str | int, seat: SupportsIndex | None = None) -> bool:
        """Whether a seat (None: `turn`) may make this move now. TypeError, IndexError as `play`."""
        return self.why_illegal(move, seat) is None

    def why_illegal(self, move: Move | str | int, seat: SupportsIndex | None = None) -> str | None:
        """The sentence that says which rule forbids the move; None if it is legal."""
        try:
            self._admit(move, seat, None)
        except IllegalMove as error:
            return error.reason
        return None

    def undo(self) -> Move:
        """Take back the last move, whoever made it, and return it. The version rises by one.

        Also across a deal's end and out of "over". HerzenError "nothing_to_undo" where there is none.
        """
        if not self._count:
            raise HerzenError("there is no move to take back", code="nothing_to_undo")
        _, code = self._undo()
        self._log = None
        return self._from_code(code)

    # ---- history ---------------------------------------------------------------------------------------
    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves played, in order."""
        return tuple(self._from_code(code) for _, code, _ in self._entries())

    @property
    def history(self) -> tuple[tuple[int, Move], ...]:
        """(seat, move) of the moves played, in order."""
        return tuple((seat, self._from_code(code)) for seat, code, _ in self._entries())

    @property
    def log(self) -> tuple[Event, ...]:
        """All events of the match, unredacted: the server's."""
        if self._deal is None:
            return ()
        return tuple(retell(self, first_deal(self)))

    def events(self, seat: SupportsIndex | None = None, since: int = 0) -> tuple[Event, ...]:
        """The events from index `since` on, as a seat may see them (None: as the public may)."""
        who = None if seat is None else self._seat(seat)
        if self._deal is None:
            return ()
        events = deal_log(self) if since >= self._deal.events else self.log
        return tuple(event.for_seat(who) for event in events if event.index >= since)

    # ---- views -----------------------------------------------------------------------------------------
    def view(self, seat: SupportsIndex | None) -> View:
        """All that a seat may know (None: a spectator), and nothing else."""
        who = None if seat is None else self._seat(seat)
        return self.view_type(
            {
                "legal_moves": () if who is None else self.legal_moves(who),
                "events": deal_log_for(self, who),
                "rules": self.rules,
                **self._table_of(who),
            }
        )

    def _table_of(self, who: int | None) -> dict[str, Any]:
        """What a view tells of the position: its values but for moves, events and rules."""
        turn = self._turn
        actors = self._actors
        return {
            "game": self.name,
            "seat": who,
            "over": self.over,
            "winners": self._winning() if self.over else (),
            "phase": self.phase.value,
            "turn": None if turn < 0 else turn,
            "to_move": tuple(at for at in range(self.players) if actors >> at & 1),
            "version": self.version,
            "ply": self.ply,
            "dealer": self.dealer,
            "deal_number": self.deal_number,
            "scores": self.scores,
            "points": self.points,
            "names": self.names,
            "hand": () if who is None else self._hand(who),
            "hand_sizes": self.hand_sizes,
            **self._view_zones(who),
        }

    # ---- identity, copies, records ---------------------------------------------------------------------
    def fingerprint(self) -> str:
        """32 hex digits that name the position: BLAKE2b-128 over a documented byte form. A server's secret."""
        return fingerprint(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return type(self) is type(other) and identity(self) == identity(other)

    __hash__ = None  # type: ignore[assignment]

    def to_setup(self) -> str:
        """A call of `setup` that evaluates, with only `herzen` imported, to this position. Secret."""
        return setup_call(self)

    def record(
        self,
        meta: Mapping[str, Any] | None = None,
        *,
        fingerprints: int | None = None,
        stamps: Sequence[int | None] | None = None,
        notes: Mapping[int, str] | None = None,
    ) -> Record:
        """The match as a file: see `Record`, and `Record.of` for the options. Secret while the match runs: it holds
        the seed.
        """
        from herzen.record import Record

        return Record.of(self, meta, fingerprints=fingerprints, stamps=stamps, notes=notes)

    def __copy__(self) -> Self:
        copied: Self = self.copy()
        return copied

    def __deepcopy__(self, memo: object) -> Self:
        copied: Self = self.copy()
        return copied

    def __reduce__(self) -> tuple[object, ...]:
        return _unpickle, (type(self), state_of(self))

    def __str__(self) -> str:
        """The table as text, with all hands: for the server's eyes."""
        from herzen.render.text import table

        return table(self.copy())  # one position, whoever plays on

    def _repr_svg_(self) -> str:
        """The table as a picture, with all hands: for the server's eyes."""
        from herzen.render.svg import picture

        return picture(self.copy()).svg

    def _repr_html_(self) -> str:
        """The picture and the table as text, for notebooks."""
        from herzen.render.svg import html

        return html(self.copy())

    def __repr__(self) -> str:
        state = "over" if self.over else f"{self.phase.value}, seat {self._turn} to move"
        return f"<{type(self).__name__}: {self.players} players, deal {self.deal_number}, ply {self.ply}, {state}>"

    def _no_deck(self) -> NoReturn:
        raise SeedError("the seed is not recorded: no further deal can be dealt", code="no_seed")


def _unpickle(kind: type[Game], state: Mapping[str, Any]) -> Game:
    """What pickles call, also those of older versions, by this name."""
    return game_of(kind, state)


def _plain(move: Any) -> Any:
    """A text or code as errors keep it, which may be sent to clients: without the object that it came in."""
    if isinstance(move, str):
        return str.__str__(move)
    code = exact_int(move)
    return move if code is None else code


def new(
    game: str,
    rules: Rules | None = None,
    *,
    seed: Seed = None,
    dealer: int | None = None,
    deals: Iterable[Deck] = (),
    names: Sequence[str] | None = None,
    **fields: Any,
) -> Game:
    """A match of the game of this name: "hearts", "vonherzen", "herzsammler".

    fields: options, overriding those of `rules`. ValueError for an unknown game, RulesError for an unknown option;
    otherwise as the game's class.
    """
    from herzen.registry import game_class

    kind = game_class(game)
    checked = kind._read_rules(rules)
    if fields:
        unknown = sorted(set(fields) - set(checked._fields))
        if unknown:
            raise RulesError(f"{type(checked).__name__} has no option {unknown[0]!r}")
        checked = checked.replace(**fields)
    return kind(checked, seed=seed, dealer=dealer, deals=deals, names=names)
