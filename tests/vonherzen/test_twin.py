"""The generator of melds against brute force, and the random play of learners against the twin.

Whole deals against the twin are played by tests/contract.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from herzen.simulation import play_randomly
from herzen.vonherzen import VonHerzen, VonHerzenRules
from tests.contract.checks import assert_same
from tests.reference.vonherzen import VonHerzenTwin
from tests.reference.vonherzen_melds import brute_lay_off, brute_melds
from tests.reference.vonherzen_moves import code_of, text_of
from tests.reference.vonherzen_options import random_rules
from tests.reference.vonherzen_rules import CARDS, resolve
from tests.tiers import scale
from tests.vonherzen.table import all_cards, texts

PARTS = scale(quick=1, ci=2, full=40)
"""Long tests run in parts, each with a seed of its own, so that several processes can share them."""
parts = pytest.mark.parametrize("part", range(PARTS))


# ---- melds and lay-offs --------------------------------------------------------------------------


def hand_at_the_table(
    fields: dict[str, Any], hand: list[str], runs: list[tuple[int, list[str]]] | None = None
) -> VonHerzen:
    """Seat 0 is in the meld phase with this hand; the others hold one card each."""
    laid = runs or []
    used = {*hand, *(card for _, run in laid for card in run)}
    rest = [card for card in CARDS if card not in used]
    return VonHerzen.setup(
        VonHerzenRules(**fields),
        hands=[hand, rest[:1], rest[1:2]],
        turn=0,
        phase="meld",
        runs=laid,
        stock=rest[2:],
        seed=0,
    )


@parts
def test_melds_are_those_of_brute_force(part: int) -> None:
    """V-MELD-2, V-MELD-3, V-MELD-7, V-MELD-8, V-CARD-3: all subsets of sampled hands, in all orders of ranks."""
    rng = random.Random(2_000 + part)
    lengths: Counter[int] = Counter()
    for _ in range(scale(quick=600, ci=4_000 // 4, full=50_000 // 40)):
        fields = {name: rng.random() < 0.6 for name in ("wrap", "joker_ends")}
        hand = rng.sample(CARDS, rng.choice([3, 5, 6, 7, 8, 8, 8, 9, 10]))
        game = hand_at_the_table(fields, hand)
        expected = [text_of("meld", meld) for meld in brute_melds(resolve(fields), hand)]
        found = [text for text in texts(game.legal_moves()) if text.startswith("meld")]
        assert found == sorted(expected, key=code_of), (fields, hand)
        lengths.update(len(meld.split()) - 1 for meld in expected)
    assert set(lengths) >= {3, 4, 5, 6}


@parts
def test_long_melds_are_those_of_brute_force(part: int) -> None:
    """V-MELD-2, V-MELD-3: hands of one suit's pair and a third suit, which hold runs of all lengths."""
    rng = random.Random(3_000 + part)
    lengths: Counter[int] = Counter()
    for _ in range(scale(quick=15, ci=15, full=15)):
        fields = {name: rng.random() < 0.5 for name in ("wrap", "joker_ends")}
        hand = [*rng.sample(CARDS[:8], 7), *rng.sample(CARDS[8:16], 5)]
        game = hand_at_the_table(fields, hand)
        expected = [text_of("meld", meld) for meld in brute_melds(resolve(fields), hand)]
        found = [text for text in texts(game.legal_moves()) if text.startswith("meld")]
        assert found == sorted(expected, key=code_of), (fields, hand)
        lengths.update(len(meld.split()) - 1 for meld in expected)
    assert set(lengths) == {3, 4, 5, 6, 7, 8}


def test_lay_offs_are_those_of_brute_force() -> None:
    """V-LAY-1 to V-LAY-7: every card on every run, own and others', under the options for runs."""
    rng = random.Random(6)
    closed = 0
    for _ in range(scale(quick=80, ci=96, full=25_000)):
        names = ("wrap", "joker_ends", "own_joker_extend")
        fields = {name: rng.random() < 0.6 for name in names}
        rules = resolve(fields)
        pool = rng.sample(CARDS, 32)
        melds = sorted(brute_melds(rules, pool[:9]), key=len)
        if not melds:
            continue
        others = melds[-1] if rng.random() < 0.5 else rng.choice(melds)
        left = [card for card in pool if card not in others]
        mine = brute_melds(rules, left[:9])
        if not mine:
            continue
        own = rng.choice(mine)
        hand = [card for card in left if card not in own][:12]
        game = hand_at_the_table(fields, hand, [(1, others), (0, own)])
        for card in hand:
            for number, run in ((0, others), (1, own)):
                after = brute_lay_off(rules, run, card, own=number == 1)
                text = f"layoff {card} {number}"
                assert game.is_legal(text) == (after is not None), (fields, run, card)
                if after is not None:
                    later = game.copy()
                    later.play(text)
                    assert texts(later.runs[number][2]) == after
                    closed += len(after) == 8
    assert closed


# ---- the learners' actions -----------------------------------------------------------------------


@parts
def test_random_play_is_the_documented_stream(part: int) -> None:
    """V-CARD-3: the engine's own loop draws the twin's actions: the same ends, to the last zone."""
    rng = random.Random(4_000 + part)
    for _ in range(scale(quick=60, ci=400 // 4, full=20_000 // 40)):
        fields, seed = random_rules(rng), rng.getrandbits(256)
        game, twin = VonHerzen(VonHerzenRules(**fields), seed=seed), VonHerzenTwin(fields, seed)
        game._playout()
        twin.random_action_play()
        assert_same(game, twin, [None, 0])
        assert texts(game.pile) == twin.pile
        assert [texts(laid) for _, _, laid in game.runs] == [run for _, run in twin.runs]
        assert game._setup_zones(game)["stock"] == twin.stock
        assert all_cards(game) == CARDS
        assert game.last_deal is not None
        assert twin.hand_result is not None
        assert list(game.last_deal.totals) == twin.hand_result["points"]


@parts
def test_random_play_move_by_move(part: int) -> None:
    """V-CARD-3: the same drawn move by move: every move is the twin's, and the end is that of the engine's loop."""
    rng = random.Random(5_000 + part)
    for _ in range(scale(quick=30, ci=300 // 4, full=8_000 // 40)):
        fields, seed = random_rules(rng), rng.getrandbits(256)
        rules = VonHerzenRules(**fields)
        game, fast, twin = (
            VonHerzen(rules, seed=seed),
            VonHerzen(rules, seed=seed),
            VonHerzenTwin(fields, seed),
        )
        play_randomly(game)
        fast._playout()
        played = [(seat, text) for seat, text, _ in twin.random_action_play()]
        assert [(seat, str(move)) for seat, move in game.history] == played
        assert game == fast
        assert game.fingerprint() == fast.fingerprint()
        assert game.ply == fast.ply == len(played)


def test_a_playout_can_begin_in_the_middle() -> None:
    """V-SCORE-7: from any position the loop comes to the end of the match, with all cards."""
    rng = random.Random(7)
    for number in range(scale(quick=60, ci=72, full=6_000)):
        game = VonHerzen(VonHerzenRules(**random_rules(rng)), seed=number)
        for _ in range(rng.randrange(60)):
            if game.over:
                break
            game.play(rng.choice(game.codes()))
        rest = game.copy(history=False)
        rest._playout()
        assert rest.over
        assert rest.deal_number >= game.deal_number
        assert all_cards(rest) == CARDS
