"""Pictures made for the tests of fitting, and what comes out decoded again by Pillow alone."""

from __future__ import annotations

from functools import cache
from io import BytesIO
from typing import Any

import numpy as np
from PIL import Image, ImageDraw

from toolnexus_media.part import make_part, part_data
from toolnexus_media.types import Change, ContentPart

RED, BLUE = (220, 20, 20), (20, 20, 220)


@cache
def photo(width: int, height: int, seed: int = 1) -> Image.Image:
    """Something like a photograph: soft shapes, and a little noise everywhere."""
    random = np.random.default_rng(seed)
    soft = Image.fromarray(random.integers(0, 256, (9, 12, 3), dtype=np.uint8)).resize(
        (width, height), Image.Resampling.BICUBIC
    )
    noise = random.integers(-6, 7, (height, width, 3), dtype=np.int16)
    return Image.fromarray((np.asarray(soft) + noise).clip(0, 255).astype(np.uint8))


@cache
def screenshot(width: int, height: int) -> Image.Image:
    """Something like a window: flat areas, lines of print, many colours."""
    made = Image.new("RGB", (width, height), (250, 250, 252))
    draw = ImageDraw.Draw(made)
    draw.rectangle((0, 0, width // 5, height), fill=(40, 44, 52))
    for row in range(12, height - 12, 22):
        draw.text(
            (width // 4, row), f"line {row}: the quick brown fox, {row * 7919 % 1000} items", fill=(row % 200, 30, 60)
        )
    return made


def halves(width: int = 64, height: int = 32) -> Image.Image:
    """Red on the left, blue on the right."""
    made = Image.new("RGB", (width, height), RED)
    made.paste(BLUE, (width // 2, 0, width, height))
    return made


def file_of(im: Image.Image, kind: str = "PNG", **options: Any) -> bytes:
    buffer = BytesIO()
    im.save(buffer, kind, **options)
    return buffer.getvalue()


def part_of(im: Image.Image, kind: str = "PNG", **options: Any) -> ContentPart:
    """The picture as a part, its type named by Pillow."""
    return make_part(file_of(im, kind, **options), Image.MIME[kind])


def decoded(part: ContentPart) -> Image.Image:
    """The part's pixels, by Pillow alone; its label must be true."""
    assert part["type"] == "image"
    im = Image.open(BytesIO(part_data(part)))
    im.load()
    assert im.format is not None
    assert Image.MIME[im.format] == part["mimeType"]
    return im


def transform_of(change: Change) -> tuple[float, ...]:
    """The change's transform, which it must have."""
    found = change.get("transform")
    assert found is not None
    return tuple(found)
