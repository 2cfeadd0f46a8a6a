"""In the child: a cleaned SVG drawn by resvg, which is native code and which a few lines can keep busy for hours."""

from __future__ import annotations

import os
from io import BytesIO
from typing import TYPE_CHECKING

import resvg_py

from toolnexus_media.probe import _child

if TYPE_CHECKING:
    from typing import Any

SANS = (
    "Arial",
    "Helvetica",
    "Liberation Sans",
    "DejaVu Sans",
    "Noto Sans",
    "Roboto",
    "Ubuntu",
    "Open Sans",
    "FreeSans",
)
SERIF = ("Times New Roman", "Times", "Liberation Serif", "DejaVu Serif", "Noto Serif", "FreeSerif")
MONO = ("Courier New", "Menlo", "Liberation Mono", "DejaVu Sans Mono", "Noto Sans Mono", "FreeMono")
FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "/Library/Fonts", "/System/Library/Fonts")
MAX_FILES = 200  # font files looked at where none of the names above is installed


def run(request: dict[str, Any]) -> None:
    """Answer with a PNG, and whether there were fonts where the drawing has text."""
    source = bytes(_child.given()).decode("utf-8", "replace")
    families = fonts() if "<text" in source or ":text" in source else {}
    try:
        picture = resvg_py.svg_to_bytes(svg_string=source, width=request["width"], **families)
    except Exception as error:  # noqa: BLE001 - resvg raises whatever the content provokes
        _child.say(refused=str(error)[:200])
        return
    _child.hand_over(bytes(picture), fonts=families != {"font_family": ""})


def fonts() -> dict[str, Any]:
    """The family for each generic name: resvg draws no text at all in a family that is not installed."""
    sans = next(filter(is_installed, SANS), "") or next(filter(is_installed, _any()), "")
    if not sans:
        return {"font_family": ""}
    serif, mono = next(filter(is_installed, SERIF), sans), next(filter(is_installed, MONO), sans)
    named = {"font_family": sans, "sans_serif_family": sans, "serif_family": serif, "monospace_family": mono}
    return {**named, "cursive_family": sans, "fantasy_family": sans}


def is_installed(family: str) -> bool:
    """Does text in this family leave ink?"""
    from PIL import Image

    text = f'<text y="8" font-family="{family}">H</text>'
    text = f'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">{text}</svg>'
    drawn = Image.open(BytesIO(bytes(resvg_py.svg_to_bytes(svg_string=text))), formats=["PNG"])
    return drawn.getbbox() is not None


def _any() -> list[str]:
    """The families of some font files that are there."""
    from PIL import ImageFont

    found: list[str] = []
    files = (os.path.join(place, name) for top in FOLDERS for place, _, names in os.walk(top) for name in names)
    for _, path in zip(range(MAX_FILES), files, strict=False):
        if path.lower().endswith((".ttf", ".otf", ".ttc")):
            try:
                family = ImageFont.truetype(path).getname()[0]
            except (OSError, ImportError, ValueError):
                continue
            if family and family.isprintable() and not set(family) & set('"<&'):
                found.append(family)
    return found[:9]
