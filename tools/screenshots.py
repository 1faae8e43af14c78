"""Make the screenshots of docs/pictures.rst: terminal, notebook and replay page of each game.

    python tools/screenshots.py [--only NAME] [DIRECTORY]

Needs the packages of `.[dev]`, and Chromium on the path or named by HERZEN_CHROMIUM. The terminal's picture is the
output of the command itself in a colour terminal; the notebook's is what a notebook puts on its page. Matches and
positions are fixed, so only changes of the drawings change the pictures.
"""

from __future__ import annotations

import argparse
import io
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright
from rich.console import Console
from rich.text import Text

import herzen
from herzen.render.page import page

ROOT = Path(__file__).parents[1]
# Position (moves played) and the seat that looks on, for each game.
SHOTS = {"hearts": (142, 2), "vonherzen": (31, 0), "herzsammler": (14, 0)}
STYLE = "body{margin:0;padding:12px;background:#fff;font:15px/1.35 'DejaVu Sans',sans-serif}"
TERMINAL = (
    "body{margin:0;padding:14px;background:#15181c;color:#e8e8e8}"
    "pre{margin:0;font:16px/1.3 'DejaVu Sans Mono',monospace}"
)


def match(name: str) -> herzen.Record:
    """The recorded match that the pictures show: bots change, it does not."""
    return herzen.Record.load(ROOT / "docs" / "images" / f"{name}.json")


def terminal(name: str, whole: herzen.Record, folder: Path) -> str:
    """What the command prints, with its colours, as a page."""
    moves, seat = SHOTS[name]
    file = folder / f"{name}.json"
    whole.dump(file)
    arguments = ["replay", file.name, "--at", str(moves), "--seat", str(seat)]
    printed = subprocess.run(
        [sys.executable, "-m", "herzen", *arguments],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONIOENCODING": "utf-8",
            "PYTHONPATH": str(ROOT / "src"),
            "FORCE_COLOR": "1",
            "TERM": "xterm-256color",
            "COLUMNS": "84",
        },
        capture_output=True,
        check=True,
        encoding="utf-8",
    ).stdout
    console = Console(record=True, width=84, file=io.StringIO(), force_terminal=True)
    console.print(f"$ herzen {' '.join(arguments)}", style="bold", highlight=False)
    console.print(Text.from_ansi(printed), soft_wrap=True)
    body = console.export_html(inline_styles=True, code_format="<pre>{code}</pre>")
    body = body.replace("#800000", "#ff6b6b")  # the dark red of old terminals
    return f"<!DOCTYPE html><meta charset=utf-8><style>{TERMINAL}</style>{body}"


def notebook(name: str, whole: herzen.Record) -> str:
    """What a notebook shows of a view."""
    moves, seat = SHOTS[name]
    shown = whole.replay(moves).view(seat)._repr_html_()
    return f"<!DOCTYPE html><meta charset=utf-8><style>{STYLE}</style>{shown}"


def shoot(browser: Browser, address: str, target: Path, width: int, height: int) -> None:
    """A picture of a page in a window of this size; of height 0: of all of it."""
    tab = browser.new_page(viewport={"width": width, "height": height or 10})
    tab.goto(address)
    tab.wait_for_load_state()
    tab.screenshot(path=target, full_page=not height)
    tab.close()


def smaller(path: Path) -> None:
    """The picture in 200 colours: there are few in it."""
    from PIL import Image

    with Image.open(path) as image:
        reduced = image.convert("RGB").quantize(200, dither=Image.Dither.NONE)
    reduced.save(path, optimize=True)


def main() -> None:
    """Make the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", nargs="?", type=Path, default=ROOT / "docs" / "images")
    parser.add_argument("--only", default="", help="part of the names of those to make")
    options = parser.parse_args()
    found = os.environ.get("HERZEN_CHROMIUM") or shutil.which("chromium")
    if found is None:
        sys.exit("Chromium is not on the path and HERZEN_CHROMIUM does not name it")
    with tempfile.TemporaryDirectory() as name, sync_playwright() as driver:
        folder = Path(name)
        browser = driver.chromium.launch(executable_path=found)
        for game, (moves, seat) in SHOTS.items():
            whole = match(game)
            texts = {
                "terminal": (terminal(game, whole, folder), "", 840, 0),
                "notebook": (notebook(game, whole), "", 904, 0),
                "page": (page(whole), f"#{moves}/{seat}", 1280, 900),
                "phone": (page(whole, seat), f"#{moves}", 412, 915),
            }
            for kind, (text, place, width, height) in texts.items():
                if options.only not in f"{game}-{kind}":
                    continue
                source = folder / f"{game}-{kind}.html"
                source.write_text(text, encoding="utf-8")
                target = options.directory / f"{game}-{kind}.png"
                shoot(browser, source.as_uri() + place, target, width, height)
                smaller(target)
                print(f"{target}: {target.stat().st_size // 1024} KiB")
        browser.close()


if __name__ == "__main__":
    main()
