"""Sampled worlds: what must hold for each, and for those of views that somebody edited."""

from __future__ import annotations

import random
from typing import Any

import pytest

import herzen
from herzen.seeds import Stream
from tests.contract.adapter import Adapter


def seen(view: herzen.View) -> dict[str, Any]:
    """A view without its events."""
    return {name: zone for name, zone in view.to_dict().items() if name != "events"}


def drawn(view: herzen.View, seed: Any) -> herzen.Game | None:
    """A sample; None where a combination of options is left out."""
    try:
        return view.sample(seed)
    except NotImplementedError:
        assert len(view.rules.changed()) >= 2
        return None


def sampled(case: Adapter, view: herzen.View, seed: int) -> herzen.Game | None:
    """A sample, with what must hold for every one."""
    game = drawn(view, seed)
    if game is None:
        return None
    assert type(game) is case.kind
    assert seen(game.view(view.seat)) == seen(view)
    assert game.view(view.seat).events == ()
    assert game.moves == () == game.log
    assert (game.ply, game.version) == (view.ply, view.version)
    assert game.seed == Stream(seed, 5, 1).seed()
    with pytest.raises(herzen.HerzenError) as caught:
        game.undo()
    assert caught.value.code == "nothing_to_undo"
    return game


def sampled_edited(one: herzen.View, two: herzen.View, rng: random.Random) -> bool:
    """A field of one view in another one: False for a clear error, True if the view makes sense all the same."""
    name = rng.choice([name for name in one._readers if name not in ("game", "rules")])
    try:
        view = herzen.View.from_dict(one.to_dict() | {name: two.to_dict()[name]})
        other = drawn(view, rng.getrandbits(64))
    except (herzen.SetupError, herzen.RecordError) as error:
        assert str(error)
        return False
    assert other is None or seen(other.view(view.seat)) == seen(view)
    return True
