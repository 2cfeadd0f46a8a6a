"""A PNG without a profile looks as its gamma and its primaries say, and is sent as sRGB."""

from __future__ import annotations

from struct import pack
from typing import Any

import numpy as np
import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from tests._pictures import decoded, part_of
from toolnexus_media.fit import _icc, _png_colour, fit
from toolnexus_media.types import ContentPart

SRGB = (31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000)
P3 = (31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000)


def png(im: Image.Image, **chunks: bytes) -> ContentPart:
    """The picture with these chunks before its pixels."""
    info = PngInfo()
    for name, body in chunks.items():
        info.add(name.encode("ascii"), body)
    return part_of(im, "PNG", pnginfo=info)


def gamma(value: int) -> bytes:
    return pack(">I", value)


def first_pixel(part: ContentPart) -> np.ndarray[Any, Any]:
    (sent,), _ = fit(part, "anthropic")
    seen: np.ndarray[Any, Any] = np.asarray(decoded(sent).convert("RGB"), dtype=int)[0, 0]
    return seen


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "L", "LA", "P"])
@pytest.mark.parametrize(
    ("stated", "stored"), [(100_000, 55), (55_556, 109), (35_000, 149)], ids=["linear", "1.8", "2.86"]
)
def test_a_grey_is_as_bright_as_the_files_gamma_says(stated: int, stored: int, mode: str) -> None:
    grey = Image.new("RGB", (8, 8), (stored,) * 3)
    im = grey.quantize(2) if mode == "P" else grey.convert(mode)
    assert abs(first_pixel(png(im, gAMA=gamma(stated))) - 128).max() <= 3


def test_a_grey_with_a_transparent_level_is_too() -> None:
    info = PngInfo()
    info.add(b"gAMA", gamma(100_000))
    part = part_of(Image.new("L", (8, 8), 55), "PNG", pnginfo=info, transparency=9)
    assert abs(first_pixel(part) - 128).max() <= 3


def test_primaries_of_display_p3_are_made_srgb() -> None:
    part = png(Image.new("RGB", (8, 8), (187, 87, 67)), cHRM=pack(">8I", *P3))
    assert abs(first_pixel(part) - (200, 80, 60)).max() <= 3


@pytest.mark.parametrize(
    "chunks",
    [
        {"gAMA": gamma(45_455)},
        {"gAMA": gamma(45_455), "cHRM": pack(">8I", *SRGB)},
        {"sRGB": b"\0", "gAMA": gamma(100_000)},
        {"gAMA": gamma(0)},
        {"cHRM": bytes(32)},
    ],
    ids=["gamma", "primaries", "sRGB first", "no gamma", "no primaries"],
)
def test_what_is_srgb_or_says_nothing_is_left_alone(chunks: dict[str, bytes]) -> None:
    part = png(Image.new("RGB", (8, 8), (187, 87, 67)), **chunks)
    assert fit(part, "anthropic")[0][0] is part


@pytest.mark.parametrize("corners", [(0.0,) * 8, (0.3, 0.3) * 4, (1e-5,) * 8, (42_949.0,) * 8])
@pytest.mark.parametrize("power", [1e-5, 0.5, 42_949.0])
def test_numbers_that_are_no_colours_do_no_harm(power: float, corners: tuple[float, ...]) -> None:
    for mode in ("RGB", "L"):
        made = _png_colour.profile(power, corners, grey=mode == "L")
        assert made is not None
        assert _icc.verdict(made, mode) == "other"
