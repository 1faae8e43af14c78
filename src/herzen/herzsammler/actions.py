"""Names of the learners' actions of Herzsammler (docs/batch.rst)."""

from __future__ import annotations

from herzen.herzsammler.rules import HerzsammlerRules


def names(rules: HerzsammlerRules) -> tuple[str, ...]:
    """The name of each action: a card to show, and by its second object. Equal cards have their ids in brackets."""
    cards = [rules._card(index) for index in rules._deck()]
    texts = [str(card) for card in cards]
    found = []
    for index, (card, text) in enumerate(zip(cards, texts, strict=True)):
        alike = f" [{index}]" if texts.count(text) > 1 else ""
        first, second = card.objects
        by = f" by {first}" if rules.choose_object else ""
        double = " again" if first == second else ""  # no action of this name is ever legal
        found += [f"show {text}{by}{alike}", f"show {text} by {second}{double}{alike}"]
    return tuple(found)
