"""Seeds, streams, shuffles and the small functions that all games share, against plain Python.

tests/data/vectors.json is golden: a seed deals the same cards for ever (docs/seeds.rst).
"""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import herzen
from herzen import seeds
from herzen._core import gather, nth_bit, scatter, trick_winner
from herzen.decks import texts_of
from tests.reference import chacha
from tests.reference.hearts import HeartsTwin
from tests.reference.hearts_options import random_rules
from tests.reference.hearts_rules import KINDS, sort_cards
from tests.tiers import scale

VECTORS: dict[str, list[dict[str, Any]]] = json.loads(
    (Path(__file__).parent / "data" / "vectors.json").read_text(encoding="utf-8")
)


def test_the_vectors_have_rows() -> None:
    kinds = ("seeds", "streams", "bounded", "children", "shuffles", "random_directions")
    assert all(len(VECTORS[kind]) >= 8 for kind in kinds)
    assert len(VECTORS["hearts_random_play"]) >= 8


# ---- seeds ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "row", VECTORS["seeds"], ids=lambda row: f"{row['form']} {row['value']!a:.20}"
)
def test_seed_forms(row: dict[str, str]) -> None:
    forms: dict[str, Any] = {"int": int, "str": str, "bytes": bytes.fromhex}
    value = forms[row["form"]](row["value"])
    seed = seeds.parse_seed(value)
    assert seeds.seed_text(seed) == row["seed"]
    assert seeds.read_seed(row["seed"]) == seed  # the text form, on command lines
    game = herzen.Hearts(seed=value)
    assert game.seed == seed
    if isinstance(value, bytes):
        assert seeds.parse_seed(bytearray(value)) == seed  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "bad",
    [
        -1,
        2**256,
        2**4000,
        -(2**300),
        True,
        False,
        1.0,
        float("nan"),
        "\ud800",
        "a\udfff",
        [],
        (1,),
        {},
    ],
    ids=lambda bad: f"{type(bad).__name__} {ascii(bad)[:12]}",
)
def test_what_is_no_seed(bad: Any) -> None:
    for make in (seeds.parse_seed, lambda seed: herzen.Hearts(seed=seed)):
        with pytest.raises(herzen.SeedError, match="seed") as caught:
            make(bad)
        assert caught.value.code == "bad_seed"
        assert len(str(caught.value)) < 200


def test_seeds_on_command_lines() -> None:
    """Digits are an integer, 64 hex digits the text form, all else a text."""
    assert seeds.read_seed("42") == 42
    assert seeds.read_seed("0042") == 42
    assert seeds.read_seed("-1") == seeds.parse_seed("-1")
    assert seeds.read_seed("4 2") == seeds.parse_seed("4 2")
    assert seeds.read_seed("٤٢") == seeds.parse_seed("٤٢")  # not the digits of an integer
    text = seeds.seed_text(2**255 + 1)
    assert seeds.read_seed(text) == seeds.read_seed(text.upper()) == 2**255 + 1
    assert seeds.read_seed("0" * 64) == 0
    assert seeds.read_seed("f" * 63) == seeds.parse_seed("f" * 63)
    with pytest.raises(herzen.SeedError):
        seeds.read_seed(str(2**256))


# ---- streams -------------------------------------------------------------------------------------


def test_the_first_block_is_the_published_chacha8_vector() -> None:
    stream = seeds.Stream(0, 0, 0)
    words = b"".join(stream.next().to_bytes(4, "little") for _ in range(16))
    assert words.hex() == (
        "3e00ef2f895f40d67f5bb8e81f09a5a12c840ec3ce9a7f3b181be188ef711a1e"
        "984ce172b9216f419f445367456d5619314a42a3da86b001387bfdb80e0cfe42"
    )


@pytest.mark.parametrize(
    "row", VECTORS["streams"], ids=lambda row: f"{row['seed'][-6:]}-{row['domain']}-{row['index']}"
)
def test_stream_words(row: dict[str, Any]) -> None:
    address = (int(row["seed"], 16), row["domain"], int(row["index"]))
    stream = seeds.Stream(*address)
    assert [stream.next() for _ in range(40)] == row["words"]
    key = seeds.Stream(*address).seed()
    assert key.to_bytes(32, "little") == chacha.Stream(*address).read(32)


@pytest.mark.parametrize("row", VECTORS["bounded"])
def test_bounded(row: dict[str, Any]) -> None:
    stream = seeds.Stream(int(row["seed"], 16), row["domain"], int(row["index"]))
    assert [stream.bounded(n) for n in row["n"]] == row["results"]
    assert stream.next() == row["next_word"]


@pytest.mark.parametrize("n", [0, -1, 2**32, 2**64])
def test_bounded_of_nothing(n: int) -> None:
    with pytest.raises(ValueError, match="bounded"):
        seeds.Stream(0, 0).bounded(n)


@pytest.mark.parametrize("row", VECTORS["children"])
def test_children(row: dict[str, str]) -> None:
    assert seeds.seed_text(seeds.child(int(row["seed"], 16), int(row["index"]))) == row["child"]


def test_streams_of_random_addresses_equal_the_twin() -> None:
    rng = random.Random(1)
    for _ in range(scale(quick=30, ci=72, full=6_000)):
        address = (rng.getrandbits(rng.choice([8, 64, 256])), rng.randrange(6), rng.getrandbits(40))
        mine, theirs = seeds.Stream(*address), chacha.Stream(*address)
        for _ in range(rng.randrange(60)):
            n = rng.choice([1, 2, 13, 52, 2**31 + 1, 3_000_000_000, 2**32 - 1])
            assert mine.bounded(n) == theirs.bounded(n)
        cards = list(range(rng.randrange(105)))
        shuffled = mine.shuffle(bytes(cards))
        theirs.shuffle(cards)
        assert list(shuffled) == cards
        assert mine.next() == theirs.next32()


def test_shuffle_leaves_what_it_is_given() -> None:
    deck = bytes(range(52))
    shuffled = seeds.Stream(1, 0).shuffle(deck)
    assert deck == bytes(range(52)) != shuffled
    assert sorted(shuffled) == list(deck)
    for small in (b"", b"a"):
        assert seeds.Stream(1, 0).shuffle(small) == small


# ---- decks ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "row",
    VECTORS["shuffles"],
    ids=lambda row: f"{row['seed'][-6:]}-{row['deal']}-{row['decks']}-{len(row['removed'])}",
)
def test_decks(row: dict[str, Any]) -> None:
    """The engine deals the golden decks; a record of deal 0 holds that deck."""
    rules = herzen.HeartsRules(decks=row["decks"], removed=row["removed"], extras="kitty")
    game = herzen.Hearts(rules, seed=int(row["seed"], 16))
    assert list(texts_of(rules, game._deck(row["deal"]))) == row["deck"]
    if row["deal"] == 0:
        assert game.record().to_dict()["deals"] == [row["deck"]]
        first = (game.dealer + 1) % game.players
        size = len(row["deck"]) // game.players
        dealt = row["deck"][: size * game.players : game.players]
        assert [str(card) for card in game.hand(first)] == sort_cards(dealt)


@pytest.mark.parametrize(
    "row", VECTORS["random_directions"], ids=lambda row: f"{row['seed'][-6:]}-{row['players']}"
)
def test_random_directions(row: dict[str, Any]) -> None:
    rules = herzen.HeartsRules(
        players=row["players"], pass_cycle="random", pass_count=0, max_hands=30, target=1_000_000
    )
    game = herzen.Hearts(rules, seed=int(row["seed"], 16))
    directions = [game.pass_direction]
    while not game.over:
        deal = game.deal_number
        game.play_code(game.codes()[0])
        if game.deal_number != deal:
            directions.append(game.pass_direction)
    assert directions == row["directions"]


# ---- random play ---------------------------------------------------------------------------------


def actions(game: herzen.Hearts, picks: list[str]) -> list[int]:
    """The learners' actions of the seat to move, from the engine's own legal moves."""
    if game.phase == "pass":
        rest = Counter(picks)
        return sorted(
            {
                KINDS.index(card)
                for move in game.legal_moves()
                if not rest - Counter(texts := str(move).split()[1:])
                for card in Counter(texts) - rest
            }
        )
    return [int(code) for code in game.codes()]


@pytest.mark.parametrize(
    "row", VECTORS["hearts_random_play"], ids=lambda row: f"{row['seed'][-6:]}-{len(row['rules'])}"
)
def test_random_play_vectors(row: dict[str, Any]) -> None:
    """One bounded(n) of stream (seed, 2, 0) for each action, forced ones too."""
    seed = int(row["seed"], 16)
    game = herzen.Hearts(herzen.HeartsRules(**row["rules"]), seed=seed)
    stream = seeds.Stream(seed, 2, 0)
    drawn: list[int] = []
    moves: list[list[Any]] = []
    while len(drawn) < len(row["actions"]):
        seat = int(game.turn or 0)
        picks: list[str] = []
        for _ in range(game.rules.pass_count if game.phase == "pass" else 1):
            allowed = actions(game, picks)
            drawn.append(allowed[stream.bounded(len(allowed))])
            picks.append(KINDS[drawn[-1]] if drawn[-1] < 52 else str(game._from_code(drawn[-1])))
        text = " ".join(["pass", *sort_cards(picks)]) if game.phase == "pass" else picks[0]
        game.play(text)
        if len(drawn) <= len(row["actions"]):
            moves.append([seat, text])
    assert drawn[: len(row["actions"])] == row["actions"]
    assert moves == row["moves"]


def test_random_play_of_the_engine_is_that_of_the_twin() -> None:
    """Whole random matches under random rules: the same actions, plies and final scores."""
    rng = random.Random(2)
    for _ in range(scale(quick=100, ci=240, full=20_000)):
        fields, seed = random_rules(rng), rng.getrandbits(256)
        twin = HeartsTwin(fields, seed)
        played = twin.random_action_play()
        game = herzen.Hearts(herzen.HeartsRules(**fields), seed=seed)
        assert game._playout() == sum(len(drawn) for _, _, drawn in played), fields
        assert game.over
        assert (game.ply, game.deal_number) == (twin.ply, twin.deal_number)
        assert list(game.scores) == twin.scores, (fields, seed)
        assert list(game.winners) == twin.winners
        assert list(game.points) == twin.points


# ---- the small functions -------------------------------------------------------------------------


def test_gather_and_scatter_both_ways() -> None:
    """Against one bit after the other, where the processor has an instruction for it and where it has none."""
    rng = random.Random(12)
    for _ in range(scale(quick=500, ci=2000, full=20_000)):
        bits = rng.getrandbits(64)
        mask = rng.choice(
            (0, 2**64 - 1, rng.getrandbits(64), rng.getrandbits(64) & rng.getrandbits(64))
        )
        places = [place for place in range(64) if mask >> place & 1]
        together = sum((bits >> place & 1) << number for number, place in enumerate(places))
        apart = sum((bits >> number & 1) << place for number, place in enumerate(places))
        for portable in (False, True):
            assert gather(bits, mask, portable=portable) == together
            assert scatter(bits, mask, portable=portable) == apart


def test_nth_bit_both_ways() -> None:
    rng = random.Random(3)
    sets = [1 << bit for bit in range(64)] + [2**64 - 1, 2**63 + 1, 0xF0F0]
    sets += [rng.getrandbits(64) & rng.getrandbits(rng.randrange(1, 65)) for _ in range(2_000)]
    sets += [rng.getrandbits(64) | rng.getrandbits(64) for _ in range(500)]
    for bits in sets:
        places = [bit for bit in range(64) if bits >> bit & 1]
        for n, place in enumerate(places):
            assert nth_bit(bits, n) == place
            assert nth_bit(bits, n, portable=True) == place
        for n in (len(places), -1):
            with pytest.raises(ValueError, match="no such bit"):
                nth_bit(bits, n)


def naive_winner(cards: list[tuple[int, int]], cancel: bool) -> tuple[int, int]:
    """(place of the winner or -1, place of the later copy of the highest pair led or -1)."""
    counts = Counter(cards)
    led = cards[0][0]
    fits = [
        (rank, place)
        for place, (suit, rank) in enumerate(cards)
        if suit == led and (not cancel or counts[suit, rank] == 1)
    ]
    pairs = [rank for (suit, rank), count in counts.items() if suit == led and count == 2]
    later = -1
    if cancel and pairs and not fits:
        later = max(place for place, card in enumerate(cards) if card == (led, max(pairs)))
    return max(fits)[1] if fits else -1, later


def test_trick_winner() -> None:
    rng = random.Random(4)
    held_over = 0
    for _ in range(scale(quick=10_000, ci=24_000, full=1_000_000)):
        cancel = rng.random() < 0.6
        kinds = [(rng.randrange(4), rng.randrange(13)) for _ in range(rng.randrange(1, 12))]
        if cancel:  # many pairs
            deck = [card for card in set(kinds) for _ in range(2)]
            cards = rng.sample(deck, rng.randrange(1, min(11, len(deck)) + 1))
        else:
            cards = list(dict.fromkeys(kinds))[:8]  # seven players at most
        lanes = bytes(16 * suit + rank for suit, rank in cards)
        winner, later = trick_winner(lanes, cancel)
        expected = naive_winner(cards, cancel)
        assert winner == expected[0], (cards, cancel)
        if winner < 0:
            held_over += 1
            assert later == expected[1], cards
    assert held_over > 100
    with pytest.raises(ValueError, match="at least one card"):
        trick_winner(b"")
    with pytest.raises(ValueError, match="at most 8 cards"):
        trick_winner(bytes(range(9)))


@pytest.mark.parametrize(
    ("cards", "cancel", "winner"),
    [
        ("5D AS KD 2D", False, 2),
        ("KC 9C KC 4C 2C AH", True, 1),
        ("QS KS QS KS 2S AH", True, 4),
        ("2S 7S 7S 4S 4S 3S", True, 5),
        ("AC AC KH 4C 4C AS", True, -1),
    ],
)
def test_published_tricks(cards: str, cancel: bool, winner: int) -> None:
    """Rows 26 and 29, and the examples of the rules."""
    lanes = bytes(16 * (k // 13) + k % 13 for k in map(KINDS.index, cards.split()))
    assert trick_winner(lanes, cancel)[0] == winner


# ---- row 52: fair shuffles -----------------------------------------------------------------------


def chi_square(counts: Counter[Any], expected: dict[Any, float]) -> float:
    """Pearson's statistic."""
    return sum((counts[cell] - mean) ** 2 / mean for cell, mean in expected.items())


def test_a_card_lies_anywhere_alike_and_two_cards_are_independent() -> None:
    """Over 10,000 seeds: positions of single cards uniform, of pairs independent.

    The seeds are fixed, so the test always gives the same numbers; the bounds are five standard
    deviations of the statistic, on both sides (too even is no better than too uneven).
    """
    game = herzen.Hearts(seed=0)
    deck = bytes(range(52))
    places: dict[int, Counter[int]] = {card: Counter() for card in (0, 25, 51)}
    together: Counter[tuple[int, int]] = Counter()
    for seed in range(10_000):
        dealt = seeds.Stream(seed, 0, 0).shuffle(deck)
        for card, counts in places.items():
            counts[dealt.index(card)] += 1
        together[dealt.index(0) // 13, dealt.index(1) // 13] += 1
    assert game._deck(0) == seeds.Stream(0, 0, 0).shuffle(deck)  # this is how decks are made
    for counts in places.values():
        statistic = chi_square(counts, dict.fromkeys(range(52), 10_000 / 52))
        assert 51 - 5 * (2 * 51) ** 0.5 < statistic < 51 + 5 * (2 * 51) ** 0.5
    pairs = {
        (i, j): 10_000 * 13 * (12 if i == j else 13) / (52 * 51) for i in range(4) for j in range(4)
    }
    assert chi_square(together, pairs) < 15 + 5 * (2 * 15) ** 0.5


def test_deals_of_one_match_are_independent() -> None:
    """Where a card lies in deal 0 tells nothing about deal 1 of the same match."""
    together: Counter[tuple[int, int]] = Counter()
    for seed in range(5_000):
        first, second = (seeds.Stream(seed, 0, deal).shuffle(bytes(range(52))) for deal in (0, 1))
        together[first.index(0) // 13, second.index(0) // 13] += 1
    expected = {(i, j): 5_000 / 16 for i in range(4) for j in range(4)}
    assert chi_square(together, expected) < 15 + 5 * (2 * 15) ** 0.5
