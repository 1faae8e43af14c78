"""What a position is written down as besides views and records: its bytes, a call of `setup`, the state of a pickle."""

from __future__ import annotations

from functools import cache

from herzen.decks import decks_to_come, texts_of
from herzen.log import first_deal
from herzen.rules import canonical_json, framed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TypeVar

    from herzen.game import Game

    G = TypeVar("G", bound=Game)

_NO_DECKS = framed(b"[]")


# ---- bytes -------------------------------------------------------------------------------------------------


def identity(game: Game) -> bytes:
    """The byte form of the position (docs/fingerprint.rst)."""
    frame = game._frame
    if frame is None:
        seed = b"\1" + game._seed_bytes() if game.has_seed else b"\0"
        frame = game.rules._frame() + framed(seed)
        game._frame = frame
    decks = _texts_to_come(game) if game.decks else []
    told = framed(canonical_json(decks)) if decks else _NO_DECKS
    zones: bytes = game._zones.digest(game)
    return b"".join((frame, told, len(zones).to_bytes(4, "little"), zones))


def fingerprint(game: Game) -> str:
    """32 hex digits of the byte form."""
    digest = _empty_digest().copy()  # cheaper than to make one
    digest.update(identity(game))
    text: str = digest.hexdigest()
    return text


@cache
def _empty_digest() -> Any:
    """The hash of fingerprints before any byte, made when it is first needed."""
    from hashlib import blake2b

    return blake2b(digest_size=16, person=b"herzen-state")


def _texts_to_come(game: Game) -> list[tuple[int, list[str]]]:
    """(deal number, card texts) of the explicit decks still to come."""
    return [(number, list(texts_of(game.rules, deck))) for number, deck in decks_to_come(game)]


# ---- a call ------------------------------------------------------------------------------------------------


def setup_call(game: Game) -> str:
    """The call of `setup` that makes the position, as source text."""
    zones = game._setup_zones(game)
    pending = _texts_to_come(game)
    parts = [] if not game.rules.changed() else [f"herzen.{game.rules!r}"]
    parts += [f"{name}={value!r}" for name, value in zones.items()]
    if game.has_seed:
        parts.append(f"seed=0x{game._seed_int():x}")
    if game._names:
        parts.append(f"names={list(game._names)!r}")
    if pending:
        last = pending[-1][0]
        decks = dict(pending)
        parts.append(f"deals={[decks.get(n) for n in range(game.deal_number + 1, last + 1)]!r}")
    return f"herzen.{type(game).__name__}.setup({', '.join(parts)})"


# ---- pickles -----------------------------------------------------------------------------------------------


def state_of(game: Game) -> dict[str, Any]:
    """The state of a pickle: how the history begins, in zones, and the texts of its moves."""
    deal = None if game._deal is None else first_deal(game)
    start = game if deal is None else deal.start
    last = game._last if deal is None else deal.last
    return {
        "rules": game.rules,
        "seed": game.seed,
        "first_deck": game.first_deck,
        "decks": game.decks,
        "names": game._names,
        "zones": game._setups.all_zones(start),
        "last": None if last is None else game._setups.all_zones(last),
        "began": None if deal is None else (deal.flags, deal.events, deal.version),
        "moves": [
            (seat, game._from_code(code)._text, version) for seat, code, version in game._entries()
        ],
        "version": game.version,
        "opened": game._opened_all(),
    }


def game_of(kind: type[G], state: Mapping[str, Any]) -> G:
    """The game of a pickle's state."""
    rules = kind._read_rules(state["rules"])
    game = kind.__new__(kind)
    game._found(rules, state["seed"], state["first_deck"], state["decks"], state["names"])
    if state["last"] is not None:
        game._zones.place(game, state["last"])
        game._set_last()
    game._zones.place(game, state["zones"])
    if state["began"] is not None:
        game._adopt(*state["began"])
    game._restore(
        [(seat, game.parse(text).code, version) for seat, text, version in state["moves"]],
        state["version"],
        state["opened"],
    )
    return game
