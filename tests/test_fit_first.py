"""A first look at a part says yes only where a close one would, whatever stands in the file."""

from __future__ import annotations

import random
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from tests._pictures import file_of, photo
from toolnexus_media import _b64
from toolnexus_media.errors import LimitError
from toolnexus_media.fit import _metadata, fit
from toolnexus_media.fit._bare import bare_size
from toolnexus_media.part import make_part, part_data
from toolnexus_media.probe.image import facts
from toolnexus_media.sniff import sniff

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
FILES = sorted(path for folder in ("media", "cases") for path in (FIXTURES / folder).rglob("*") if path.is_file())
KINDS = {"PNG": "image/png", "JPEG": "image/jpeg", "GIF": "image/gif", "WEBP": "image/webp"}


def check(data: bytes, mime: str) -> bool:
    """Whether the first look says yes; and where it does, that the close one finds nothing else."""
    size = bare_size(_b64.encode(data), mime)
    if size is None:
        return False
    seen, beside = facts(data, mime), _metadata.find(data, mime)
    assert size == (seen.get("width"), seen.get("height"))
    assert (seen.get("frames", 1), seen.get("orientation", 1)) == (1, 1)
    assert seen.get("mode") != "CMYK"
    assert beside == _metadata.NOTHING
    assert sniff(data) == mime
    return True


def small(kind: str) -> Image.Image:
    return photo(48, 32).quantize(64) if kind == "GIF" else photo(48, 32)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_of_every_fixture_the_first_look_says_nothing_that_is_not_so(path: Path) -> None:
    data = path.read_bytes()
    for mime in KINDS.values():
        check(data, mime)


@pytest.mark.parametrize("kind", KINDS)
def test_a_plain_picture_is_seen_at_first_sight(kind: str) -> None:
    assert check(file_of(small(kind), kind), KINDS[kind])


@pytest.mark.parametrize("kind", KINDS)
def test_of_damaged_copies_the_first_look_says_nothing_that_is_not_so(kind: str) -> None:
    dice = random.Random(kind)
    whole = file_of(small(kind), kind)
    for _ in range(3000):
        data = bytearray(whole)
        for _ in range(dice.randint(1, 3)):
            data[min(int(dice.expovariate(1 / 60)), len(data) - 1)] = dice.choice((0, 1, 0x21, 0xFF, 0xE1, 0xD8, 0x2C))
        cut = dice.randint(0, len(data)) if dice.random() < 0.1 else len(data)
        check(bytes(data[:cut]) + b"tail" * (dice.random() < 0.1), KINDS[kind])


def exif() -> bytes:
    block = Image.Exif()
    block[0x0112] = 6
    return block.tobytes()


def beside(kind: str) -> list[bytes]:
    """Files of a kind that hold more than a picture."""
    im, text = small(kind), PngInfo()
    text.add_text("Author", "somebody")
    two: dict[str, Any] = {
        "save_all": True,
        "append_images": [im.transpose(Image.Transpose.FLIP_LEFT_RIGHT)],
        "duration": 50,
    }
    more: dict[str, list[dict[str, Any]]] = {
        "PNG": [{"pnginfo": text}, {"exif": exif()}, {"icc_profile": b"no profile"}, two],
        "JPEG": [{"exif": exif()}, {"comment": b"seen by nobody"}, {"icc_profile": b"no profile"}],
        "GIF": [{"comment": b"seen by nobody"}, two],
        "WEBP": [{"exif": exif()}, {"icc_profile": b"no profile"}, {"xmp": b"<x/>"}, two],
    }
    made = [file_of(im, kind, **options) for options in more[kind]]
    if kind == "JPEG":
        made.append(file_of(im.convert("CMYK"), kind))
    if kind == "PNG":
        made.append(file_of(Image.new("I;16", (8, 8)), kind))
    return [*made, file_of(im, kind) + b"tail"]


@pytest.mark.parametrize("kind", KINDS)
def test_what_stands_beside_a_picture_is_never_overlooked(kind: str) -> None:
    assert [bare_size(_b64.encode(data), KINDS[kind]) for data in beside(kind)] == [None] * len(beside(kind))


def test_a_large_picture_is_told_by_its_header_as_a_small_one_is() -> None:
    """Above some size not all of the base64 is decoded."""
    for kind in ("PNG", "JPEG"):
        data = file_of(photo(1000, 700), kind)
        assert len(_b64.encode(data)) > _metadata.SHORT
        assert check(data, KINDS[kind])
        assert bare_size(_b64.encode(data + b"tail"), KINDS[kind]) is None


@pytest.mark.parametrize("pad", range(3))
def test_the_end_of_a_large_jpeg_is_seen_however_its_base64_is_padded(pad: int) -> None:
    files = (file_of(photo(1000, 700), "JPEG", quality=quality) for quality in range(85, 101))
    data = next(data for data in files if len(data) % 3 == pad)
    header = _metadata.header(_b64.encode(data), "image/jpeg")
    assert header is not None
    assert not _metadata.find(header, "image/jpeg").metadata


def test_a_picture_at_the_cap_of_bytes_stays_and_one_over_it_does_not() -> None:
    part = make_part(file_of(photo(200, 150), "JPEG", quality=90), "image/jpeg")
    size = len(part_data(part))
    for cap, same in ((size, True), (size - 1, False)):
        limits = {"image": {"max_bytes": cap, "counted": "raw"}}
        assert (fit(part, "anthropic", limits=limits)[0][0] is part) is same


def test_a_quarter_of_the_bytes_costs_quality_and_no_pixels() -> None:
    """Small print is read at a low quality where it is lost with the pixels."""
    whole = photo(1200, 900)
    part = make_part(file_of(whole, "PNG"), "image/png")
    cap = len(file_of(whole, "JPEG", quality=85)) // 4
    sent = part_data(fit(part, "anthropic", limits={"image": {"max_bytes": cap, "counted": "raw"}})[0][0])
    assert Image.open(BytesIO(sent)).size == (1200, 900)
    assert 0.95 * cap <= len(sent) <= cap


@pytest.mark.parametrize("cap", [0, 1, 3])
@pytest.mark.parametrize("mime", ["image/png", "image/jpeg", "image/webp"])
def test_a_cap_of_hardly_a_byte_is_an_error_that_says_so(cap: int, mime: str) -> None:
    limits = {"image": {"max_bytes": cap, "counted": "encoded", "mimes": [mime]}}
    with pytest.raises(LimitError):
        fit(make_part(file_of(photo(50, 30), "TIFF"), "image/tiff"), "anthropic", limits=limits)


def test_a_cap_is_used_up_where_the_next_quality_still_fits() -> None:
    im = photo(460, 340).quantize(200)
    limits = {"image": {"max_bytes": 47_070, "counted": "raw", "mimes": ["image/webp"]}}
    assert len(part_data(fit(make_part(file_of(im), "image/png"), "openai", limits=limits)[0][0])) > 0.95 * 47_070


@pytest.mark.parametrize("mime", ["image/png", "image/jpeg", "image/webp"])
@pytest.mark.parametrize("spare", [40, 300, 1100])
def test_what_fits_at_some_size_is_never_refused(mime: str, spare: int) -> None:
    """Headers and palettes do not shrink with the pixels."""
    least = len(file_of(Image.new("RGB", (1, 1), "navy"), mime.partition("/")[2].upper()))
    ramp = Image.merge("RGB", [Image.linear_gradient("L"), Image.radial_gradient("L"), Image.linear_gradient("L")])
    limits = {"image": {"max_bytes": least + spare, "counted": "raw", "mimes": [mime]}}
    sent = fit(make_part(file_of(ramp, "TIFF"), "image/tiff"), "anthropic", limits=limits)[0][0]
    assert len(part_data(sent)) <= least + spare
