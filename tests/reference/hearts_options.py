"""Random valid rules of Hearts, for comparing the engine with its twin.

Most draws change a few options, some many; matches are short. The result holds plain values
only: numbers, texts, lists and dicts.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

from tests.reference.hearts_rules import KINDS, QUEEN, deck_of, resolve, table_of

Draw = Callable[[random.Random, dict[str, Any]], Any]

NO_HEARTS = [card for card in KINDS if card[1] != "H" and card != QUEEN]
MOONS = ["choice", "choice", "add", "subtract", "auto", "auto"]
DIRECTIONS = ["left", "right", "across", "hold"]
USUAL_REMOVED: dict[int, list[list[str]]] = {
    3: [["2C"], ["2D"], ["2H"]],
    4: [[], ["2C", "2D", "2H", "2S"]],
    5: [["2D", "2S"], ["2C", "2D"]],
    6: [["2C", "2D", "2H", "2S"]],
    7: [["2D", "3D", "3C"], ["2H", "3H", "4H"]],
}


def is_valid(given: dict[str, Any]) -> bool:
    """Whether these fields make a valid rules object (their types are taken as right)."""
    rules = resolve(given)
    n, packs = rules["players"], rules["decks"]
    if not (3 <= n <= 7 if packs == 1 else 5 <= n <= 11):
        return False
    if any(count > packs for count in Counter(rules["removed"]).values()):
        return False
    deck = deck_of(rules)
    if len(deck) // n < max(1, rules["pass_count"]):
        return False
    if rules["extras"] == "remove" and len(deck) % n:
        return False
    return _cards_are_valid(rules, deck) and _options_agree(rules)


def _cards_are_valid(rules: dict[str, Any], deck: list[str]) -> bool:
    # The deck keeps every card with points of its own; the opening club exists.
    extra, bonus = rules["extra_penalties"], rules["bonus"]
    special = [*extra, *bonus, *([QUEEN] if rules["queen_points"] > 0 else [])]
    if any(card not in deck for card in special) or set(extra) & set(bonus):
        return False
    if any(card == QUEEN or card[1] == "H" for card in [*extra, *bonus]):
        return False
    if rules["lead"] in ("low_club", "any_club"):
        clubs = [card for card in deck if card[1] == "C"]
        if len(clubs) <= table_of(rules).kitty_size:
            return False
        lowest = min(clubs, key=KINDS.index)
        return rules["decks"] == 1 or clubs.count(lowest) == 1
    return True


def _options_agree(rules: dict[str, Any]) -> bool:
    if rules["moon_needs_bonus"] and not rules["bonus"]:
        return False
    if rules["pass_cycle"] != "random" and "across" in rules["pass_cycle"] and rules["players"] % 2:
        return False
    resets = rules["exact_reset"]
    return not any(new in resets for new in resets.values())


def _removed(rng: random.Random, given: dict[str, Any]) -> list[str]:
    # A multiset that mostly makes the deck divide.
    rules = resolve({**given, "removed": []})
    n, packs = rules["players"], rules["decks"]
    if packs == 1 and rng.random() < 0.3:
        return list(rng.choice(USUAL_REMOVED[n]))
    size = 52 * packs
    count = size % n if rng.random() < 0.8 else rng.randrange(n)
    if rng.random() < 0.4:
        count += n * rng.randrange(max(1, (size - count) // n - 3))
    elif rng.random() < 0.3:
        count += n
    cards: list[str] = KINDS * packs
    if rng.random() < 0.3:  # mostly the low cards
        cards.sort(key=lambda card: (KINDS.index(card) % 13, rng.random()))
        return cards[:count]
    return rng.sample(cards, min(count, size - n))


def _cycle(rng: random.Random, given: dict[str, Any]) -> Any:
    if rng.random() < 0.35:
        return "random"
    allowed = DIRECTIONS if resolve(given)["players"] % 2 == 0 else ["left", "right", "hold"]
    return [rng.choice(allowed) for _ in range(rng.randrange(5))]


def _heart_points(rng: random.Random, _given: dict[str, Any]) -> Any:
    kind = rng.randrange(4)
    if kind == 0:
        return rng.choice([0, 0, 2, 5, 100])
    if kind == 1:
        return [rng.choice([0, 0, 1, 2, 10, 100]) for _ in range(13)]
    return rng.choice(["rank", "face", "spot"])


def _extra_penalties(rng: random.Random, _given: dict[str, Any]) -> dict[str, int]:
    if rng.random() < 0.5:
        return {"KS": 10, "AS": 7}
    cards = rng.sample(NO_HEARTS, rng.randrange(1, 6))
    return {card: rng.choice([1, 5, 100]) for card in cards}


def _bonus(rng: random.Random, _given: dict[str, Any]) -> dict[str, int]:
    if rng.random() < 0.5:
        return {"JD": -10}
    if rng.random() < 0.5:
        return {"TD": -10, "JD": -5}
    return {card: -rng.randrange(1, 101) for card in rng.sample(NO_HEARTS, rng.randrange(1, 4))}


def _exact_reset(rng: random.Random, given: dict[str, Any]) -> dict[int, int]:
    target = resolve(given)["target"]
    old = {target, *(rng.randrange(-30, 60) for _ in range(rng.choice([0, 3, 20])))}
    new = [total for total in range(-60, 80) if total not in old]
    return {total: rng.choice(new) for total in sorted(old)}


def _one_of(*values: Any) -> Draw:
    return lambda rng, _given: rng.choice(values)


# In the order of drawing: later draws may look at earlier ones.
DRAWS: list[tuple[str, Draw]] = [
    ("extras", _one_of("remove", "kitty", "kitty")),
    ("removed", _removed),
    ("kitty_to", _one_of("first_points", "last_trick")),
    ("pass_count", _one_of(0, 1, 2, 4)),
    ("pass_cycle", _cycle),
    ("keep_spades", _one_of(True)),
    ("lead", _one_of("low_club", "any_club", "dealer_left", "dealer_left")),
    ("first_trick_points", _one_of("allow")),
    ("break_required", _one_of(False)),
    ("queen_breaks", _one_of(False)),
    ("lead_when_stuck", _one_of("hearts_or_queen", "pass_lead")),
    ("queen_lead", _one_of("after_hearts")),
    ("heart_points", _heart_points),
    ("queen_points", _one_of(0, 0, 5, 100)),
    ("extra_penalties", _extra_penalties),
    ("bonus", _bonus),
    ("no_trick_bonus", _one_of(-5, -100)),
    ("moon", _one_of("add", "subtract", "auto", "auto", "off")),
    ("moon_needs_bonus", _one_of(True)),
    ("sun", _one_of("double")),
    ("end_test", _one_of("exceed")),
    ("exact_reset", _exact_reset),
    ("floor", _one_of(0)),
    ("tie", _one_of("play_on")),
    ("stop_when_decided", _one_of(True)),
    ("last_cancelled", _one_of("second")),
]


def _easy_moon(rng: random.Random, given: dict[str, Any]) -> dict[str, Any]:
    # One or two penalty cards: moons, their choice and the sun come up often.
    hearts = [0] * 13
    hearts[rng.randrange(13)] = rng.choice([1, 13])
    theme = {"heart_points": rng.choice([0, hearts]), "moon": rng.choice(MOONS)}
    if rng.random() < 0.4:
        theme["sun"] = "double"
        theme["pass_count"] = 0
        theme["removed"] = _thinned(rng, given, rng.choice([1, 2, 3]))
    if rng.random() < 0.4:
        theme.update(bonus={rng.choice(NO_HEARTS): -7}, moon_needs_bonus=rng.random() < 0.7)
    return theme


def _many_hearts(rng: random.Random, given: dict[str, Any]) -> dict[str, Any]:
    # Few other cards: stuck leaders, leads passed on, hearts on trick 1.
    removed = _thinned(rng, given, rng.choice([2, 3, 4, 5]), hearts_first=True)
    stuck = rng.choice(["pass_lead", "pass_lead", "hearts_or_queen", "hearts_only"])
    return {
        "removed": removed,
        "lead_when_stuck": stuck,
        "lead": rng.choice(["dealer_left", "dealer_left", "low_club", "any_club"]),
        "queen_lead": rng.choice(["any_time", "after_hearts"]),
        "pass_count": rng.choice([0, 1, 2]),
    }


def _many_pairs(rng: random.Random, given: dict[str, Any]) -> dict[str, Any]:
    # Two packs of few kinds: cards cancel, tricks are held over.
    given["decks"] = 2
    n = given["players"] = rng.randrange(5, 12)
    kinds = rng.sample(KINDS, rng.randrange(n, min(52, 3 * n)))
    if QUEEN not in kinds:
        kinds[0] = QUEEN
    removed = [card for card in KINDS if card not in kinds] * 2
    return {"removed": removed, "pass_count": rng.choice([0, 1])}


def _thinned(
    rng: random.Random, given: dict[str, Any], size: int, hearts_first: bool = False
) -> list[str]:
    # All cards but `size` for each player: QS, a club, and others.
    rules = resolve({**given, "removed": []})
    cards: list[str] = KINDS * rules["decks"]
    players: int = rules["players"]
    rng.shuffle(cards)
    club = rng.choice([card for card in cards if card[1] == "C"])

    def last_to_go(card: str) -> int:
        if card in (QUEEN, club):
            return 0
        return 1 if hearts_first and card[1] == "H" else 2

    cards.sort(key=last_to_go)
    return cards[size * players :]


THEMES = [_easy_moon, _easy_moon, _many_hearts, _many_pairs]


def _length(rng: random.Random) -> dict[str, Any]:
    # Matches of a few hands; a hopeless target is always capped by max_hands.
    length: dict[str, Any] = {}
    if rng.random() < 0.75:
        length["target"] = rng.choice([1, 5, 13, 20, 26, 40, 60])
    if rng.random() < 0.6 or "target" not in length:
        length["max_hands"] = rng.randrange(1, 6)
    else:
        length["max_hands"] = 12
    return length


def random_rules(rng: random.Random) -> dict[str, Any]:
    """Fields of a valid rules object; those left out stand for their defaults."""
    while True:
        given = _length(rng)
        if rng.random() < 0.25:
            given["decks"] = 2
        if rng.random() < 0.6:
            given["players"] = rng.randrange(5, 12) if "decks" in given else rng.randrange(3, 8)
        if rng.random() < 0.3:
            given.update(rng.choice(THEMES)(rng, given))
        share = rng.choice([0.0, 0.08, 0.08, 0.15, 0.15, 0.3, 0.6])
        for name, draw in DRAWS:
            if name not in given and rng.random() < share:
                given[name] = draw(rng, given)
        if is_valid(given):
            return given
