"""docs/fingerprint.rst is complete: fingerprints computed from public texts alone, by what that page says."""

from __future__ import annotations

import ast
import csv
import hashlib
import json
import random
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

import herzen
from herzen.registry import GAMES
from tests import tiers

Zones = dict[str, Any]

DIRECTIONS = ("left", "right", "across", "hold")


def read_setup(text: str) -> tuple[dict[str, Any], Zones]:
    """Rules and keywords of the call that `to_setup` writes, read without running it."""
    call = ast.parse(text, mode="eval").body
    assert isinstance(call, ast.Call)
    rules: dict[str, Any] = {}
    for argument in call.args:
        assert isinstance(argument, ast.Call)
        rules = {str(word.arg): ast.literal_eval(word.value) for word in argument.keywords}
    return rules, {str(word.arg): ast.literal_eval(word.value) for word in call.keywords}


def text_keys(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): text_keys(item) for key, item in value.items()}
    return [text_keys(item) for item in value] if isinstance(value, list) else value


def compact(value: Any) -> bytes:
    return json.dumps(text_keys(value), sort_keys=True, separators=(",", ":")).encode("ascii")


def number(value: int) -> bytes:
    return value.to_bytes(4, "little", signed=value < 0)


class Deck:
    """The indices of a deck's cards by their texts."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.index: dict[str, int] = {}
        for place, text in enumerate(texts):
            self.index.setdefault(text, place)

    def pile(self, cards: Iterable[str], *, ordered: bool = False) -> bytes:
        indices = [self.index[card] for card in cards]
        return bytes([len(indices), *(indices if ordered else sorted(indices))])


def herzsammler_texts() -> list[str]:
    with (Path(__file__).parent / "data" / "herzsammler_deck.csv").open(encoding="utf-8") as file:
        return [
            row["colour"][0].upper()
            + ("H" if row["kind"] == "heart" else row["value"])
            + "".join(sorted(chr(ord("a") + int(row[key])) for key in ("obj_a", "obj_b")))
            for row in csv.DictReader(file)
        ]


PACK = Deck(rank + suit for suit in "CDHS" for rank in "23456789TJQKA")
SHORT = Deck(rank + suit for suit in "CDHS" for rank in "789TJQKA")
OBJECTS = Deck(herzsammler_texts())


def hearts(zones: Zones) -> bytes:
    n = len(zones["hands"])
    pile = PACK.pile
    tricks, trick = zones.get("tricks", []), zones.get("trick", [])
    won = list(zones.get("tricks_won", [0] * n))
    held = len(zones.get("held", [])) // n
    for _, _, winner in tricks:
        held += 1
        if winner is not None:
            won[winner] += held
            held = 0
    turn = zones["turn"]
    out = bytes(
        [
            n,
            ("pass", "play", "moon", "over").index(zones["phase"]),
            255 if turn is None else turn,
            zones["dealer"],
            DIRECTIONS.index(zones["pass_direction"]),
            zones["hearts_broken"],
        ]
    )
    out += number(zones["deal_number"])
    for seat in range(n):
        out += number(zones["scores"][seat])
        out += pile(zones["hands"][seat])
        out += pile(zones.get("committed", {}).get(str(seat), []))
        out += bytes([won[seat]])
    for captured in zones.get("taken", [[]] * n):
        out += pile(captured)
    out += pile(zones.get("held", []))
    out += bytes([len(tricks)])
    out += bytes(leader + 16 * (15 if winner is None else winner) for leader, _, winner in tricks)
    played = [card for _, cards, _ in tricks for card in cards]
    out += pile(played + [card for _, card in trick], ordered=True)
    out += bytes([trick[0][0] if trick else 255])
    return out + pile(zones.get("kitty", []))


VONHERZEN_PHASES = ("offer", "answer", "takeover", "agree", "give", "draw", "meld", "over")


def vonherzen(zones: Zones) -> bytes:
    offer = zones.get("offer") or {}
    turn, drawn = zones["turn"], zones.get("drawn")
    out = bytes(
        [
            len(zones["hands"]),
            VONHERZEN_PHASES.index(zones["phase"]),
            255 if turn is None else turn,
            zones["dealer"],
            zones["proposals"],
            offer.get("counter") or 0,
            len(offer.get("asked") or ()),
            len(zones.get("last_turns", ())),
            255 if drawn is None else SHORT.index[drawn],
            zones.get("melded_this_turn", 0),
            zones.get("progress", False),
            zones.get("turned_over", False),
        ]
    )
    for name in ("deal_number", "turns_taken", "idle_turns"):
        out += number(zones.get(name, 0))
    for total, hand in zip(zones["scores"], zones["hands"], strict=True):
        out += number(total) + SHORT.pile(hand)
    out += SHORT.pile(offer.get("cards") or ()) + SHORT.pile(offer.get("agreed") or ())
    out += SHORT.pile(zones["pile"], ordered=True) + SHORT.pile(zones["stock"], ordered=True)
    out += bytes([len(zones["runs"])])
    for owner, cards in zones["runs"]:
        out += bytes([owner]) + SHORT.pile(cards, ordered=True)
    return out


def herzsammler(zones: Zones) -> bytes:
    n = len(zones["hands"])
    pile = OBJECTS.pile
    turn = zones["turn"]
    out = bytes(
        [
            n,
            ("show", "over").index(zones["phase"]),
            255 if turn is None else turn,
            zones["dealer"],
        ]
    )
    out += number(zones["deal_number"]) + number(zones.get("misses", 0))
    for seat in range(n):
        hand, known = zones["hands"][seat], zones.get("known", {}).get(str(seat), ())
        unknown = len(hand) - len(known)
        barred = zones["barred"][seat] if "barred" in zones else [""] * unknown
        out += number(zones["scores"][seat]) + number(zones.get("hearts_won", [0] * n)[seat])
        out += pile(hand) + pile(known)
        out += bytes([len(barred)])
        for objects in barred:
            out += number(sum(1 << ord(letter) - ord("a") for letter in objects))
        out += pile(zones["collections"][seat])
    out += pile(zones["open"]) + pile(zones["stack"], ordered=True)
    return out + bytes([len(zones.get("bottom", ()))])


ZONES: dict[str, Callable[[Zones], bytes]] = {
    "hearts": hearts,
    "vonherzen": vonherzen,
    "herzsammler": herzsammler,
}


def documented(game: herzen.Game) -> str:
    """The fingerprint by docs/fingerprint.rst, from the public text of the position."""
    rules, zones = read_setup(game.to_setup())
    first = zones["deal_number"] + 1
    decks = [
        [number, deck]
        for number, deck in enumerate(zones.get("deals", []), first)
        if deck is not None
    ]
    parts = [
        b"\1",
        game.name.encode("ascii"),
        compact(rules),
        b"\1" + zones["seed"].to_bytes(32, "little") if "seed" in zones else b"\0",
        compact(decks),
        ZONES[game.name](zones),
    ]
    whole = b"".join(len(part).to_bytes(4, "little") + part for part in parts)
    return hashlib.blake2b(whole, digest_size=16, person=b"herzen-state").hexdigest()


def test_every_game_is_described() -> None:
    page = (Path(__file__).parents[1] / "docs" / "fingerprint.rst").read_text(encoding="utf-8")
    described = {line.replace(" ", "").lower() for line in page.splitlines()}
    for name in GAMES:
        assert name in ZONES
        assert name in described


RULES: dict[str, Callable[[], herzen.Rules]] = {
    "classic": lambda: herzen.HeartsRules(target=40),
    "five": lambda: herzen.HeartsRules(players=5, extras="kitty", target=30),
    "omnibus": lambda: herzen.HeartsRules.omnibus(players=6, target=30, no_trick_bonus=-5),
    "resets": lambda: herzen.HeartsRules(exact_reset={100: 50, -7: 3, 9: 1}, max_hands=3),
    "two packs": lambda: herzen.HeartsRules.cancellation(pass_cycle="random", max_hands=2),
    "von Herzen": lambda: herzen.VonHerzenRules(max_deals=2),
    "von Herzen, six": lambda: herzen.VonHerzenRules(
        players=6, stock_refill="turn_over", max_deals=3
    ),
    "Herzsammler": lambda: herzen.HerzsammlerRules(),
    "Herzsammler, strict": lambda: herzen.HerzsammlerRules(players=3, must_match=True, games=2),
}


@pytest.mark.parametrize("name", RULES)
def test_fingerprints_of_whole_matches(name: str) -> None:
    rules = RULES[name]()
    seen = set()
    matches = tiers.scale(quick=1, ci=4, full=500)
    for seed in range(matches):
        game = herzen.new(rules.game, rules, seed=seed)
        play = random.Random(seed)
        while True:
            assert game.fingerprint() == documented(game), game.to_setup()
            seen.add(str(game.phase))
            if game.over:
                break
            game.play(play.choice(game.codes()))
    assert "over" in seen
    assert len(seen) > 1


def test_fingerprint_with_explicit_decks_to_come() -> None:
    deck = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]
    game = herzen.Hearts(seed="friday", deals=[deck, deck[::-1]])
    assert game.fingerprint() == documented(game)
    assert game.fingerprint() != herzen.Hearts(seed="friday", deals=[deck]).fingerprint()


def test_fingerprint_of_a_set_up_position() -> None:
    deck = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]
    hands = [["2H", "3S"], ["4C", "5C"], ["6C", "7C"], ["8C", "9C"]]
    held = {card for hand in hands for card in hand}
    others = [card for card in deck if card not in held]
    game = herzen.Hearts.setup(
        hands=hands, turn=0, taken=[others[:20], others[20:], [], []], scores=[-26, 3, 0, 5], seed=7
    )
    assert game.fingerprint() == documented(game)
    game.play("3S")
    assert game.fingerprint() == documented(game)


def test_fingerprint_with_a_trick_held_over() -> None:
    """All cards of the trick cancel (H-CANC-6), so nobody has taken it yet (H-CANC-8)."""
    trick = ["2C", "3C", "2C", "4C", "4C", "3C"]
    left = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA" for _ in range(2)]
    for card in [*trick, "KS", "KS"]:
        left.remove(card)
    game = herzen.Hearts.setup(
        herzen.HeartsRules.cancellation(players=6),
        hands=[left[seat::6] for seat in range(6)],
        kitty=["KS", "KS"],
        turn=0,
        tricks=[(0, trick, None)],
        seed=3,
    )
    play = random.Random(3)
    while game.deal_number == 0:
        assert game.view(None).to_dict()["tricks"][0][2] is None
        assert game.fingerprint() == documented(game)
        game.play(play.choice(game.codes()))


def test_view_fingerprint() -> None:
    view = herzen.Hearts(seed=1).view(2)
    text = json.dumps(view.to_dict(), sort_keys=True, separators=(",", ":"))
    digest = hashlib.blake2b(text.encode("ascii"), digest_size=16, person=b"herzen-view")
    assert view.fingerprint() == digest.hexdigest()
