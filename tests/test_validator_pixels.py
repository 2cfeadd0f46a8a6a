"""What the model sees is what the file shows: claims about pixels, each against a value worked out here by hand."""

from __future__ import annotations

import base64
import io
import struct
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image, PngImagePlugin

from toolnexus_media import attach
from toolnexus_media.fit import fit, to_original, to_sent

Array = NDArray[np.float64]
T = Image.Transpose
STORED = {  # how a picture is stored, that is shown upright under an orientation
    1: None,
    2: T.FLIP_LEFT_RIGHT,
    3: T.ROTATE_180,
    4: T.FLIP_TOP_BOTTOM,
    5: T.TRANSPOSE,
    6: T.ROTATE_90,
    7: T.TRANSVERSE,
    8: T.ROTATE_270,
}
PROVIDERS = ["anthropic", "openai", "gemini", "bedrock", "mistral", "ollama", "xai", "safe", "mcp"]
JPEG_ONLY = {"image": {"mimes": ["image/jpeg"], "advised": []}}
SECRET = b"N51-SECRET"


def _sent(
    image: Image.Image, kind: str, provider: str = "anthropic", /, save: dict[str, Any] | None = None, **options: Any
) -> Any:
    out = io.BytesIO()
    image.save(out, kind, **(save or {}))
    parts, changes = fit(attach(out.getvalue()), provider, **options)
    return parts, changes


def _shown(part: Any) -> Image.Image:
    """The picture as a decoder without any knowledge of EXIF or profiles shows it."""
    return Image.open(io.BytesIO(base64.b64decode(part["data"])))


def _array(part: Any, mode: str = "RGB") -> Array:
    return np.asarray(_shown(part).convert(mode), dtype=np.float64)


def _halves(width: int = 60, height: int = 40) -> Image.Image:
    image = Image.new("RGB", (width, height), (0, 0, 255))
    image.paste((255, 0, 0), (0, 0, width // 2, height))
    return image


def _oriented(image: Image.Image, orientation: int) -> tuple[Image.Image, Image.Exif]:
    method = STORED[orientation]
    exif = Image.Exif()
    exif[0x0112] = orientation
    return image if method is None else image.transpose(method), exif


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_red_left_and_blue_right_stay_so(kind: str, orientation: int) -> None:
    stored, exif = _oriented(_halves(), orientation)
    parts, _ = _sent(stored, kind, save={"exif": exif})
    pixels = _array(parts[0])
    assert pixels.shape == (40, 60, 3)
    assert np.abs(pixels[:, :25] - (255, 0, 0)).max() < 12
    assert np.abs(pixels[:, 35:] - (0, 0, 255)).max() < 12


@pytest.mark.parametrize("alpha", [0, 1, 64, 128, 200, 254, 255])
@pytest.mark.parametrize("background", ["white", "#204060"])
def test_alpha_lies_over_the_background_within_two_levels(alpha: int, background: str) -> None:
    colour, under = np.array((200, 30, 90)), np.array((255, 255, 255) if background == "white" else (32, 64, 96))
    image = Image.new("RGBA", (32, 32), (*map(int, colour), alpha))
    parts, _ = _sent(image, "PNG", limits=JPEG_ONLY, background=background)
    wanted = colour * alpha / 255 + under * (255 - alpha) / 255
    assert parts[0]["mimeType"] == "image/jpeg"
    assert np.abs(_array(parts[0]) - wanted).max() <= 2


@pytest.mark.parametrize("mode", ["LA", "P"])
def test_transparency_of_grey_and_of_palettes_lies_over_white(mode: str) -> None:
    image = Image.new("LA", (32, 32), (0, 0)) if mode == "LA" else Image.new("P", (32, 32), 0)
    save: dict[str, Any] = {}
    if mode == "P":
        image.putpalette([10, 20, 30, 200, 0, 0])
        save = {"transparency": 0}
    parts, _ = _sent(image, "PNG", limits=JPEG_ONLY, save=save)
    assert np.abs(_array(parts[0]) - 255).max() <= 2


def test_alpha_is_kept_where_png_is_taken() -> None:
    parts, _ = _sent(Image.new("RGBA", (3000, 3000), (200, 30, 90, 128)), "PNG")
    pixels = _array(parts[0], "RGBA")
    assert pixels.shape[0] < 3000
    assert np.abs(pixels - (200, 30, 90, 128)).max() <= 2


@pytest.mark.parametrize("kind", ["PNG", "TIFF"])
def test_a_ramp_of_sixteen_bits_keeps_256_levels(kind: str) -> None:
    ramp = np.tile((np.arange(256) * 257).astype(np.uint16), (16, 1))
    parts, _ = _sent(Image.fromarray(ramp), kind)
    row = _array(parts[0], "L")[8]
    assert np.array_equal(row, np.arange(256))


def test_a_cmyk_red_is_red() -> None:
    parts, _ = _sent(Image.new("CMYK", (64, 64), (0, 255, 255, 0)), "JPEG", save={"quality": 95})
    assert np.abs(_array(parts[0]) - (255, 0, 0)).max() <= 10


RED, GREEN, BLUE = (0.51512, 0.24120, -0.00105), (0.29198, 0.69225, 0.04189), (0.15710, 0.06657, 0.78407)
SRGB = np.array(((0.43607, 0.22249, 0.01392), (0.38515, 0.71687, 0.09708), (0.14307, 0.06061, 0.71410))).T


def _fixed(*values: float) -> bytes:
    return struct.pack(f">{len(values)}i", *(round(value * 65536) for value in values))


def _p3() -> bytes:
    """A Display-P3 profile, made of its three primaries and the sRGB curve."""
    curve = b"para\0\0\0\0\0\3\0\0" + _fixed(2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)
    text = b"mluc\0\0\0\0" + struct.pack(">II2s2sII", 1, 12, b"en", b"US", 20, 28) + "Display P3".encode("utf-16-be")
    tags = {
        b"desc": text,
        b"cprt": text,
        b"wtpt": b"XYZ \0\0\0\0" + _fixed(0.9642, 1.0, 0.8249),
        **{
            name: b"XYZ \0\0\0\0" + _fixed(*xyz)
            for name, xyz in zip((b"rXYZ", b"gXYZ", b"bXYZ"), (RED, GREEN, BLUE), strict=True)
        },
        **dict.fromkeys((b"rTRC", b"gTRC", b"bTRC"), curve),
    }
    at, table, body = 132 + 12 * len(tags), b"", b""
    for name, value in tags.items():
        value += bytes(-len(value) % 4)
        table += struct.pack(">4sII", name, at + len(body), len(value))
        body += value
    size = at + len(body)
    head = struct.pack(">I4sI4s4s4s", size, b"\0\0\0\0", 0x04000000, b"mntr", b"RGB ", b"XYZ ")
    head += struct.pack(">6H4s4sIIIQI", 2026, 1, 1, 0, 0, 0, b"acsp", bytes(4), 0, 0, 0, 0, 0) + _fixed(
        0.9642, 1.0, 0.8249
    )
    return head.ljust(128, b"\0") + struct.pack(">I", len(tags)) + table + body


def _as_srgb(patch: tuple[int, int, int]) -> Array:
    """A Display-P3 colour in sRGB, by the two matrices and the curve."""
    encoded = np.array(patch) / 255
    linear = np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)
    seen = np.clip(np.linalg.inv(SRGB) @ np.array((RED, GREEN, BLUE)).T @ linear, 0, 1)
    shown: Array = np.where(seen <= 0.0031308, seen * 12.92, 1.055 * seen ** (1 / 2.4) - 0.055) * 255
    return shown


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
@pytest.mark.parametrize("patch", [(120, 170, 100), (200, 120, 90), (60, 60, 200), (128, 128, 128), (255, 0, 0)])
def test_a_display_p3_patch_has_its_srgb_value(kind: str, patch: tuple[int, int, int]) -> None:
    save = {"icc_profile": _p3(), **({} if kind == "PNG" else {"quality": 100})}
    parts, _ = _sent(Image.new("RGB", (32, 32), patch), kind, save=save)
    assert np.abs(_array(parts[0]).mean(axis=(0, 1)) - _as_srgb(patch)).max() <= 3
    assert "icc_profile" not in _shown(parts[0]).info


def _full_of_words(kind: str) -> dict[str, Any]:
    exif = Image.Exif()
    exif[0x010F] = SECRET.decode()
    exif.get_ifd(0x8825)[29] = SECRET.decode()
    packet = b"<x:xmpmeta xmlns:x='adobe:ns:meta/'>" + SECRET + b"</x:xmpmeta>"
    if kind == "PNG":
        words = PngImagePlugin.PngInfo()
        words.add_text("Comment", SECRET.decode())
        words.add_text("Long", SECRET.decode() * 2)
        words.add_itxt("XML:com.adobe.xmp", packet.decode())
        return {"pnginfo": words, "exif": exif}
    return {"exif": exif, "xmp": packet, **({"comment": SECRET} if kind == "JPEG" else {})}


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("side", [40, 2600])
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_no_word_of_the_metadata_is_left(kind: str, side: int, provider: str) -> None:
    parts, _ = _sent(_halves(side, 20), kind, provider, save=_full_of_words(kind))
    data = base64.b64decode(parts[0]["data"])
    info = {
        name
        for name in _shown(parts[0]).info
        if name in {"exif", "xmp", "comment", "Comment", "Long", "XML:com.adobe.xmp"}
    }
    assert SECRET not in data
    assert not info
    assert not dict(_shown(parts[0]).getexif())


def _marked(size: tuple[int, int], at: tuple[int, int]) -> Image.Image:
    """White, with a red square of 80 pixels around a point."""
    image = Image.new("RGB", size, "white")
    image.paste((255, 0, 0), (at[0] - 40, at[1] - 40, at[0] + 40, at[1] + 40))
    return image


def _centre(part: Any) -> tuple[float, float] | None:
    """Where the red square's middle is in what was sent; None where it is not whole."""
    red = 1 - _array(part)[:, :, 1] / 255
    red[red < 0.1] = 0
    if red.sum() == 0 or red[0].any() or red[-1].any() or red[:, 0].any() or red[:, -1].any():
        return None
    ys, xs = np.indices(red.shape)
    return float(((xs + 0.5) * red).sum() / red.sum()), float(((ys + 0.5) * red).sum() / red.sum())


@settings(max_examples=25)
@given(
    orientation=st.integers(1, 8),
    at=st.tuples(st.integers(500, 1900), st.integers(500, 1500)),
    crop=st.sampled_from([None, (300, 200, 2300, 1800), (437, 391, 2001, 1777)]),
    provider=st.sampled_from(["anthropic", "openai", "safe", "mcp"]),
)
def test_a_square_lies_where_to_original_says(
    orientation: int, at: tuple[int, int], crop: tuple[int, int, int, int] | None, provider: str
) -> None:
    stored, exif = _oriented(_marked((2400, 2000), at), orientation)
    parts, changes = _sent(stored, "JPEG", provider, save={"exif": exif, "quality": 95}, region=crop)
    found = _centre(parts[0])
    assert found is not None
    x, y = to_original(changes[0], *found)
    assert abs(x - at[0]) < 1
    assert abs(y - at[1]) < 1
    back = to_sent(changes[0], *at)
    assert abs(back[0] - found[0]) < 1
    assert abs(back[1] - found[1]) < 1


@settings(max_examples=8)
@given(orientation=st.integers(1, 8), at=st.tuples(st.integers(100, 700), st.integers(200, 5800)))
def test_slices_of_a_tall_page_say_where_they_lie(orientation: int, at: tuple[int, int]) -> None:
    stored, exif = _oriented(_marked((800, 6000), at), orientation)
    parts, changes = _sent(stored, "PNG", save={"exif": exif}, tall="slice")
    assert len(parts) > 1
    seen = [(change, _centre(parts[change["index"]])) for change in changes]
    whole = [(change, found) for change, found in seen if found]
    assert whole
    for change, found in whole:
        x, y = to_original(change, *found)
        assert abs(x - at[0]) < 1
        assert abs(y - at[1]) < 1


def test_slices_leave_no_row_out() -> None:
    parts, changes = _sent(_halves(800, 6000), "PNG", tall="slice")
    reach = 0.0
    for part, change in zip(parts, changes, strict=True):
        height = _array(part).shape[0]
        assert to_original(change, 0, 0)[1] <= reach
        reach = to_original(change, 0, height)[1]
    assert abs(reach - 6000) < 1
