"""The colours of pictures: four-colour suits (the default), the usual two colours, and high contrast."""

from __future__ import annotations

from typing import Any, NamedTuple


class Theme(NamedTuple):
    """Colours as SVG and CSS write them. Text stands on its ground with a contrast of 4.5 to 1 or more."""

    name: str
    page: str
    """The ground behind everything."""
    panel: str
    """The ground of a seat."""
    ink: str
    """Text on `page` and `panel`."""
    muted: str
    """Text of less weight there."""
    line: str
    """Borders there."""
    felt: str
    """The table."""
    felt_ink: str
    """Text on the table."""
    accent: str
    """Ground of what marks the seat to move."""
    accent_ink: str
    """Text on it."""
    card: str
    """A card's face."""
    edge: str
    """A card's border, and drawings on the face that have no suit."""
    back: str
    """A card's back."""
    back_line: str
    """The pattern of the back."""
    suits: tuple[str, str, str, str]
    """Clubs, diamonds, hearts, spades."""
    hues: tuple[str, str, str, str, str, str, str, str]
    """Red, yellow, green, blue, violet, orange, grey, brown."""
    hue_inks: tuple[str, str, str, str, str, str, str, str]
    """What is written on them."""
    series: tuple[str, str, str, str, str, str]
    """Lines of a graph on `panel`; they differ in their dashes, too."""


_HUES = ("#c62828", "#f5bd1f", "#2e7d32", "#1565c0", "#7b1fa2", "#ef8a17", "#616161", "#5d4037")
_HUE_INKS = ("#ffffff", "#000000", "#ffffff", "#ffffff", "#ffffff", "#000000", "#ffffff", "#ffffff")
_FOUR = Theme(
    name="four-colour",
    page="#f4f1ea",
    panel="#ffffff",
    ink="#1d2126",
    muted="#545b63",
    line="#8a9199",
    felt="#1f5c46",
    felt_ink="#ffffff",
    accent="#ffd54a",
    accent_ink="#1d2126",
    card="#ffffff",
    edge="#33383d",
    back="#35507a",
    back_line="#9db7dd",
    suits=("#147a33", "#1558c0", "#cc1f2d", "#15181b"),
    hues=_HUES,
    hue_inks=_HUE_INKS,
    series=("#1558c0", "#c2410c", "#147a33", "#8a1c7c", "#5d4037", "#0f6f78"),
)
THEMES: dict[str, Theme] = {
    theme.name: theme
    for theme in (
        _FOUR,
        _FOUR._replace(name="two-colour", suits=("#15181b", "#cc1f2d", "#cc1f2d", "#15181b")),
        Theme(
            name="high-contrast",
            page="#000000",
            panel="#000000",
            ink="#ffffff",
            muted="#ffffff",
            line="#ffffff",
            felt="#000000",
            felt_ink="#ffffff",
            accent="#ffee00",
            accent_ink="#000000",
            card="#ffffff",
            edge="#000000",
            back="#000000",
            back_line="#ffffff",
            suits=("#005a18", "#0033cc", "#ad0000", "#000000"),
            hues=(
                "#b00000", "#ffd400", "#006400", "#0033cc", "#6a0dad", "#ff9500", "#444444",
                "#4a2c00",
            ),
            hue_inks=_HUE_INKS,
            series=("#66b3ff", "#ffb000", "#5dff7a", "#ff8af0", "#ffffff", "#4df3ff"),
        ),
    )
}  # fmt: skip
"""The themes by name; the first is the default."""


def find_theme(name: str) -> Theme:
    """The theme of this name; ValueError if there is none."""
    theme = THEMES.get(name)
    if theme is None:
        raise ValueError(f"no such theme: {name!r} (there are: {', '.join(THEMES)})")
    return theme


def variables(theme: Theme) -> dict[str, str]:
    """The colours as CSS custom properties."""
    found: dict[str, str] = {}
    for field in theme._fields[1:]:
        value = getattr(theme, field)
        if isinstance(value, str):
            found[f"--{field.replace('_', '-')}"] = value
        else:
            for place, colour in enumerate(value):
                found[f"--{field.replace('_', '-')}-{place}"] = colour
    return found


def _by_variables() -> Theme:
    names = iter(variables(_FOUR))
    values: dict[str, Any] = {
        field: f"var({next(names)})"
        if isinstance(getattr(_FOUR, field), str)
        else tuple(f"var({next(names)})" for _ in getattr(_FOUR, field))
        for field in Theme._fields[1:]
    }
    return _FOUR._replace(name="page", **values)


BY_VARIABLES = _by_variables()
"""Every colour is a CSS custom property: for drawings on a page whose style sheet has the themes."""
