"""Where to cut a tall page: overlapping slices that are sent unscaled where the target can show them so.

A cut is moved to the quietest row near it, so that it goes between two lines of text and not through one. Imported
only when a picture is decoded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PIL import Image, ImageChops

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolnexus_media.fit._geometry import Box, Size

_TALL = 1.5  # height to width; a page of A4 has 1.41 and is one picture
_SHRUNK = 1.2  # a page that is shown at more than this scale has lost its small print
_OVERLAP = 0.06
_SEARCH = 0.1  # of a slice's height, where a quiet row is looked for
MOST = 20
"""Slices of one picture at most; a longer one is cut into taller ones."""


def is_tall(size: Size, sent: Size) -> bool:
    """Is a picture of this size, sent at that one, better cut?"""
    return size[1] > _TALL * size[0] and size[1] > _SHRUNK * sent[1]


def height_of(size: Size, sent: Callable[[int, int], Size], most: int = MOST) -> int:
    """How tall a slice may be: as tall as goes unscaled, at least half as tall as wide, and not more than ``most``."""
    width, height = size
    low, high = 1, height
    while high - low > 1:
        middle = (low + high) // 2
        if sent(width, middle) == (width, middle):
            low = middle
        else:
            high = middle
    return min(max(low, width // 2, -(-height // max(most * 4 // 5, 1))), height)


def boxes(im: Image.Image, box: Box, tall: int) -> list[Box]:
    """The slices of a box of a picture as shown, from top to bottom, each over the end of the one before it."""
    left, top, right, bottom = box
    overlap = max(int(tall * _OVERLAP), 1) if tall > 2 else 0
    noise = row_noise(im.crop(box))
    found: list[Box] = []
    start = 0
    while start + tall < bottom - top:
        end = _quiet(noise, start + tall - int(tall * _SEARCH), start + tall)
        found.append((left, top + start, right, top + end))
        start = max(end - overlap, start + 1)
    return [*found, (left, top + start, right, bottom)]


def row_noise(im: Image.Image) -> bytes:
    """For each row how much its pixels differ from their left neighbours, 0 for a row of one colour."""
    grey = im.convert("L")
    if grey.width < 2:
        return bytes(grey.height)
    change = ImageChops.difference(
        grey.crop((1, 0, grey.width, grey.height)), grey.crop((0, 0, grey.width - 1, grey.height))
    )
    # a mean over the row would round a few letters to 0: what differs at all counts in full
    hard = change.point([0] * 6 + [255] * 250)
    return hard.resize((1, grey.height), Image.Resampling.BOX).tobytes()


def _quiet(noise: bytes, first: int, last: int) -> int:
    """The end of a slice: the row after which to cut, in the middle of the longest quiet run."""
    window = noise[first : last + 1]
    if not window:
        return last
    least = min(window)
    best = (0, last)
    run = 0
    for place, value in enumerate([*window, 256]):
        if value == least:
            run += 1
            continue
        best = max(best, (run, first + place - (run + 1) // 2))
        run = 0
    return min(max(best[1], first), last)
