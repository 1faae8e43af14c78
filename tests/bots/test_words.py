"""Bots by words."""

from __future__ import annotations

import pytest

import herzen
from herzen.bots import RandomBot, RuleBot, bot_maker, bot_seed, bot_word, is_imported, seated
from herzen.bots.search import SearchBot
from tests.arena.bots import First


@pytest.mark.parametrize(
    ("word", "spelling"),
    [
        ("rule", "rule"),
        (" Random ", "random"),
        ("search", "search:1000"),
        ("SEARCH:0250", "search:250"),
        ("search:.50s", "search:0.5s"),
        ("search:2s", "search:2s"),
        ("search:0.000001s", "search:0.000001s"),
        ("search:1234.567890s", "search:1234.56789s"),
        ("Package.module:Class.make", "Package.module:Class.make"),
    ],
)
def test_a_word_has_one_spelling(word: str, spelling: str) -> None:
    assert bot_word(word) == bot_word(spelling) == spelling
    assert is_imported(word) == ("." in spelling and not spelling.startswith("search"))


@pytest.mark.parametrize(
    "word",
    [
        "", "genius", ":", "rule:", "rule:2", "search:", "search:0", "search:-5", "search:1e3",
        "search:0s", "search:s", "search:1.s", "search:99999999999", "search:9999s", "search:nan",
        "search:infs", "search:١٢", "a b:C", "module:", ":Class", "a.:B", "1:2",
    ],
)  # fmt: skip
def test_other_words_are_refused(word: str) -> None:
    with pytest.raises(ValueError, match=r"(no such bot|no parameter|a number of simulations)"):
        bot_word(word)
    with pytest.raises(ValueError, match=r"."):
        bot_maker(word)


def test_what_is_no_text_is_no_word() -> None:
    for thing in (5, None, b"rule", ["rule"]):
        with pytest.raises(TypeError, match="a bot's word is needed"):
            bot_word(thing)  # type: ignore[arg-type]


def test_words_make_bots_with_their_seed() -> None:
    view = herzen.Hearts(seed=3).view(0)
    for word, kind in (("rule", RuleBot), ("random", RandomBot)):
        assert type(bot_maker(word)(5)) is kind
    assert bot_maker("random")(77).choose(view) == RandomBot(77).choose(view)
    assert seated("random", 9, 2).choose(view) == RandomBot(bot_seed(9, 2)).choose(view)
    assert isinstance(bot_maker("tests.arena.bots:First")(1), First)


def test_search_takes_its_limit_from_the_word() -> None:
    for word, simulations, time in (
        ("search", 1000, None),
        ("search:250", 250, None),
        ("search:0.5s", None, 0.5),
    ):
        bot = bot_maker(word)(4)
        assert isinstance(bot, SearchBot)
        assert (bot.simulations, bot.time) == (simulations, time)


@pytest.mark.parametrize(
    ("word", "sentence"),
    [
        ("no.such.module:Bot", "bot 'no.such.module:Bot': No module named 'no'"),
        ("tests.arena.bots:Missing", "has no attribute 'Missing'"),
        ("tests.arena.bots:NUMBER", "a class or function is needed, not int"),
    ],
)
def test_what_cannot_be_imported(word: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        bot_maker(word)


def test_what_is_made_has_to_be_a_bot() -> None:
    with pytest.raises(TypeError, match="Dumb has no method choose"):
        bot_maker("tests.arena.bots:Dumb")(1)
    with pytest.raises(TypeError):
        bot_maker("builtins:len")(1)


def test_simulate_reads_the_same_words() -> None:
    rules = herzen.HerzsammlerRules()
    for policy in ("tests.arena.bots:First", ["Random", "rule"]):
        result = herzen.simulate(rules, 2, seed=1, policy=policy)
        assert result.games == 2
    by_word = herzen.simulate(rules, 5, seed=1, policy=" RANDOM")
    assert by_word.histograms == herzen.simulate(rules, 5, seed=1).histograms
