"""Hidden information: what a seat cannot know does not change one byte of what it gets.

A random position is taken; everything that the viewer cannot know (other hands, stock, kitty,
other seats' secret choices, the seed and with it all later cards) is replaced by another
arrangement that fits everything the viewer saw; the deal is played again from it. Then views,
pickles, events and errors must be equal to the byte. Planted leaks show that the check sees them.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

import herzen
from herzen.seeds import seed_text
from tests.contract.adapter import Adapter
from tests.contract.checks import all_viewers, every_game, parts, refusals, shown
from tests.tiers import scale

STATES = scale(quick=20, ci=20, full=500)  # in each part: 20,000 in full
MOST_CHANCES = 5  # draws of public chance that a new seed must repeat


@dataclass
class Pair:
    """A game and the same game as it may also be, for one viewer."""

    viewer: int | None
    true: herzen.Game
    other: herzen.Game
    fields: dict[str, Any]


def positions(
    case: Adapter, states: int, seed: int
) -> Iterator[tuple[herzen.Game, Any, int, dict[str, Any]]]:
    """(game, twin, moves before this deal, fields) at random places of random matches.

    The last places are kept for phases that were not met before, unless they are few.
    """
    rng = random.Random(seed)
    enough = states // 20  # positions of each phase; phases that are rare are looked for
    seen: Counter[str] = Counter()
    missing = {str(phase) for phase in case.kind.phases} if enough else set()
    while states > 0:
        fields = case.random_rules(rng)
        match_seed = rng.getrandbits(256)
        game, twin = case.new(fields, match_seed), case.twin(fields, match_seed)
        mark = 0
        while True:
            wanted = game.phase in missing or states > len(missing)
            if wanted and rng.random() < (0.4 if seen[game.phase] < enough else 0.012):
                seen[game.phase] += 1
                missing.discard(game.phase)
                states -= 1
                yield game, twin, mark, fields
            if game.over or len(case.public_chance(fields, 0, game.deal_number)) > MOST_CHANCES:
                break
            seat = rng.choice(twin.to_move)
            # First the kind of move: of some there are many, of those that lead on few.
            texts = twin.legal(seat)
            kind = rng.choice(sorted({text.split()[0] for text in texts}))
            text = rng.choice([text for text in texts if text.split()[0] == kind])
            deal = twin.deal_number
            game.play(text, seat=seat)
            twin.play(seat, text)
            if twin.deal_number != deal:
                mark = game.ply


def other_seed(case: Adapter, fields: dict[str, Any], game: herzen.Game, rng: random.Random) -> int:
    """A seed that draws the same public chance in the deals so far."""
    assert game.seed is not None
    seen = case.public_chance(fields, game.seed, game.deal_number)
    while True:
        seed = rng.getrandbits(256)
        if all(
            case.public_chance(fields, seed, deal)[-1:] == seen[deal : deal + 1]
            for deal in range(len(seen))
        ):
            return seed


def rearranged(
    case: Adapter,
    game: herzen.Game,
    twin: Any,
    mark: int,
    fields: dict[str, Any],
    viewer: int | None,
    rng: random.Random,
) -> herzen.Game | None:
    """The game with all that is hidden from the viewer rearranged; None if nothing was found."""
    another = case.resample(twin, viewer, rng)
    if another is None:
        return None
    data = game.record().to_dict()
    deck, moves = case.retell(another, [(seat, text) for seat, text in data["moves"][mark:]])
    data["seed"] = seed_text(other_seed(case, fields, game, rng))
    data["deals"] = [*data["deals"][: game.deal_number], deck]
    data["moves"] = data["moves"][:mark] + [list(move) for move in moves]
    data["fingerprints"] = []
    return herzen.Record.from_dict(data).replay()


def pairs(case: Adapter, states: int, seed: int) -> Iterator[Pair]:
    """For random positions and all viewers: the game and its rearrangement."""
    rng = random.Random(seed)
    tried = found = 0
    for game, twin, mark, fields in positions(case, states, seed):
        true = game.record().replay()
        for viewer in all_viewers(game):
            tried += 1
            other = rearranged(case, game, twin, mark, fields, viewer, rng)
            if other is not None:
                found += 1
                yield Pair(viewer, true, other, fields)
    assert found > tried // 2  # the resampler finds arrangements mostly


def differences(case: Adapter, pair: Pair, rng: random.Random) -> list[str]:
    """The names of what the viewer gets in the two games that is not equal to the byte."""
    out = []
    whole = rng.random() < 0.25
    mine = shown(pair.true, pair.viewer, whole=whole)
    theirs = shown(pair.other, pair.viewer, whole=whole)
    out += [name for name in mine if mine[name] != theirs[name]]
    if whole:
        # Positions born from a setup text, too: nobody has memories there.
        mine = shown(_set_up(pair.true), pair.viewer)
        theirs = shown(_set_up(pair.other), pair.viewer)
        out += [f"{name} after setup" for name in mine if mine[name] != theirs[name]]
    texts = [case.moves(rng, pair.fields) for _ in range(8)]
    texts += ["", "no such move", str(pair.true.players)]
    if pair.viewer is not None:
        texts += [case.held(str(card)) for card in pair.true.hand(pair.viewer)]
    if refusals(pair.true, pair.viewer, texts) != refusals(pair.other, pair.viewer, texts):
        out.append("errors")
    return out


def _set_up(game: herzen.Game) -> herzen.Game:
    copied: herzen.Game = eval(game.to_setup(), {"herzen": herzen})
    return copied


@parts
@every_game
def test_what_a_seat_cannot_know_changes_nothing_it_gets(case: Adapter, part: int) -> None:
    rng = random.Random(part)
    phases: Counter[str] = Counter()
    moved = total = 0
    for pair in pairs(case, STATES, 1_000 + part):
        phases[pair.true.phase] += 1
        total += 1
        moved += pair.true.fingerprint() != pair.other.fingerprint()
        hands = [[game.hand(s) for s in range(game.players)] for game in (pair.true, pair.other)]
        phases["hands differ"] += hands[0] != hands[1]
        found = differences(case, pair, rng)
        assert not found, (found, pair.viewer, pair.fields, pair.true.to_setup())
    # The check has something to see: other seeds always, other hands mostly.
    assert moved == total
    assert phases["hands differ"] > total // 2
    assert {str(phase) for phase in case.kind.phases} <= set(phases)


@every_game
def test_no_view_or_event_names_an_unseen_card_or_the_seed(case: Adapter) -> None:
    """Rows 67 and 68, in words: cards only others hold stand nowhere in what a seat gets.

    What the viewer has seen before, its events name: there the rest of the view is looked at. At
    the first move of a deal nothing has been seen but the own hand.
    """
    checked = 0
    for game, _, mark, fields in positions(case, STATES // 2, 31):
        for viewer in all_viewers(game):
            view, seen = game.view(viewer), shown(game, viewer)
            assert game.seed is not None
            everything = repr(seen) + repr(refusals(game, viewer, ["no such move"]))
            assert f"{game.seed:x}" not in everything
            assert str(game.seed) not in everything
            if len(set(case.deck(fields))) < len(case.deck(fields)):
                continue  # with two packs a text is no single card
            others = {
                f'"{card}"'
                for seat in range(game.players)
                for card in game.hand(seat)
                if seat != viewer
            }
            rules = json.dumps(view.rules.to_dict())
            told = json.dumps(view.to_dict()["events"])
            known = json.dumps({seat: list(map(str, cards)) for seat, cards in view.known.items()})
            hidden = {card for card in others if card not in rules + known}
            if game.ply > mark:
                hidden = {card for card in hidden if card not in told}
            checked += len(hidden)
            assert not {card for card in hidden if card in seen["json"]}, viewer
    assert checked > STATES // 2


# ---- positive controls: the check sees planted leaks ---------------------------------------------


def _caught(case: Adapter, states: int = 8) -> tuple[set[str], int, int]:
    """What differs under a planted leak: (names, pairs with a difference, all pairs)."""
    rng = random.Random(3)
    names: set[str] = set()
    found = total = 0
    for pair in pairs(case, states, 32):
        different = differences(case, pair, rng)
        names |= set(different)
        found += bool(different)
        total += 1
    return names, found, total


@every_game
def test_a_view_that_shows_one_more_card_is_caught(
    case: Adapter, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = case.kind._view_zones

    def leaky(game: herzen.Game, seat: int | None) -> dict[str, Any]:
        zones = honest(game, seat)
        other = (0 if seat is None else seat + 1) % game.players
        known = dict(zones["known"])
        known[other] = known.get(other, ()) + game.hand(other)[:1]
        return zones | {"known": known}

    monkeypatch.setattr(case.kind, "_view_zones", leaky)
    names, found, total = _caught(case)
    assert {"json", "pickle", "fingerprint"} <= names
    assert found > total // 10


@every_game
def test_events_that_are_not_redacted_are_caught(
    case: Adapter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(herzen.Event, "for_seat", lambda event, seat: event)
    names, found, total = _caught(case)
    assert {"json", "events"} <= names
    assert found > total // 3


@every_game
def test_an_error_that_names_another_hand_is_caught(
    case: Adapter, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = case.kind._admit

    def leaky(game: Any, move: Any, seat: int | None, expect: int | None) -> Any:
        try:
            return honest(game, move, seat, expect)
        except herzen.IllegalMove as error:
            holders = [
                s for s in range(game.players) if any(str(c) in str(move) for c in game.hand(s))
            ]
            raise herzen.IllegalMove(move, seat, f"{error}: held by {holders}") from None

    monkeypatch.setattr(case.kind, "_admit", leaky)
    names, found, total = _caught(case)
    assert names == {"errors"}
    assert found > total // 10


@every_game
def test_a_repr_that_holds_the_seed_is_caught(
    case: Adapter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(case.kind, "__repr__", lambda game: f"<seed {game.seed}>")
    names, found, total = _caught(case, 2)
    assert names == {"game", "game after setup"}
    assert found == total
