"""What environments show of a position: text, a picture as an array, or both in a notebook."""

from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from herzen.envs.common import missing

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from herzen.game import Game
    from herzen.view import View

RenderMode: TypeAlias = Literal["human", "ansi", "rgb_array"]
RENDER_MODES: tuple[str, ...] = ("human", "ansi", "rgb_array")


def frame(shown: Game | View, mode: str) -> str | NDArray[np.uint8] | None:
    """The table, of a view as far as its seat may know it, of a game with all hands.

    mode: "ansi" returns text; "rgb_array" a picture, uint8 of the shape (height, width, 3); "human" shows picture and
    text in a notebook, prints the text elsewhere, and returns None.
    """
    if mode == "ansi":
        return str(shown)
    if mode == "rgb_array":
        from herzen.render.svg import picture

        return raster(picture(shown).svg)
    if not in_notebook():
        print(shown)
        return None
    sys.modules["IPython.display"].display(shown)
    return None


def raster(svg: str) -> NDArray[np.uint8]:
    """An SVG picture as pixels on white: uint8 (height, width, 3), the same on every machine."""
    try:
        import resvg_py
        from PIL import Image
    except ModuleNotFoundError as error:
        raise missing('render_mode="rgb_array"', error.name or "resvg_py") from error
    import numpy as np

    png = resvg_py.svg_to_bytes(
        svg_string=svg,
        background="white",
        skip_system_fonts=True,  # many machines have none, and reading them takes long
        font_files=_fonts(),
        sans_serif_family="DejaVu Sans",
    )
    with Image.open(BytesIO(bytes(png))) as image:
        return np.array(image.convert("RGB"))


def _fonts() -> list[str]:
    """The files of DejaVu Sans that matplotlib brings."""
    try:
        from matplotlib import get_data_path
    except ModuleNotFoundError as error:
        raise missing('render_mode="rgb_array"', "matplotlib") from error
    fonts = Path(get_data_path(), "fonts", "ttf")
    return [str(fonts / name) for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")]


def in_notebook() -> bool:
    """Whether this process is the kernel of a notebook."""
    if "IPython" not in sys.modules:
        return False
    shell: Any = sys.modules["IPython"].get_ipython()
    return shell is not None and hasattr(shell, "kernel")
