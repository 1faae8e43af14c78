"""What environments show of a position: text, a picture as an array, or both in a notebook."""

from __future__ import annotations

from io import BytesIO
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
    from IPython.display import display

    display(shown)
    return None


def raster(svg: str) -> NDArray[np.uint8]:
    """An SVG picture as pixels on white: uint8 (height, width, 3)."""
    try:
        import resvg_py
        from PIL import Image
    except ModuleNotFoundError as error:
        raise missing('render_mode="rgb_array"', "resvg_py and pillow") from error
    import numpy as np

    png: Any = resvg_py.svg_to_bytes(svg_string=svg, background="white")
    with Image.open(BytesIO(bytes(png))) as image:
        return np.asarray(image.convert("RGB"))


def in_notebook() -> bool:
    """Whether this process is the kernel of a notebook."""
    import sys

    if "IPython" not in sys.modules:
        return False
    shell: Any = sys.modules["IPython"].get_ipython()
    return shell is not None and hasattr(shell, "kernel")
