"""The walks over a picture's header read any bytes, take out what is private, and are at rest on their own answer."""

from __future__ import annotations

from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageCms

from tests._pictures import decoded, file_of, halves, photo
from toolnexus_media import _b64
from toolnexus_media.fit import _bare, _icc, _metadata, fit
from toolnexus_media.part import make_part, part_data

KINDS = ["JPEG", "PNG", "WEBP", "GIF"]
FILES = {f"image/{kind.lower()}": file_of(photo(24, 16), kind, exif=b"Exif\0\0II*\0", comment=b"x") for kind in KINDS}
BIG = file_of(photo(320, 240), "PNG", dpi=(72, 72), compress_level=1)
MIMES = st.sampled_from([*FILES, "image/tiff", "image/heic", "image/avif"])


@settings(max_examples=300, deadline=None)
@given(MIMES, st.data())
def test_no_bytes_break_the_walks(mime: str, data: st.DataObject) -> None:
    whole = FILES.get(mime, b"II*\0\x08\0\0\0" + bytes(40))
    at = data.draw(st.integers(0, len(whole)))
    damaged = whole[:at] + data.draw(st.binary(max_size=12)) + whole[at + data.draw(st.integers(0, 12)) :]
    _metadata.find(damaged, mime)
    bare = _metadata.strip(damaged, mime, profile=True)
    if bare is not None:
        assert len(bare) <= len(damaged) + 2
        assert _metadata.strip(bare, mime, profile=True) == bare


@settings(deadline=None)
@given(st.binary(max_size=300), st.sampled_from(["RGB", "L", "CMYK"]))
def test_no_profile_breaks_its_reader(tail: bytes, mode: str) -> None:
    head = bytes(16) + b"RGB " + bytes(16) + b"acsp" + bytes(88)
    assert _icc.verdict(head + tail, mode) in {"srgb", "other", "broken"}
    assert _icc.verdict(tail, mode) == "broken"


def test_pillows_own_srgb_profile_is_srgb_and_a_lab_one_is_no_use() -> None:
    assert _icc.verdict(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()) == "srgb"
    assert _icc.verdict(ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB")).tobytes()) == "broken"


@pytest.mark.parametrize("kind", KINDS)
def test_a_plain_file_is_its_own_bare_file(kind: str) -> None:
    data, mime = file_of(halves(), kind), f"image/{kind.lower()}"
    assert not _metadata.find(data, mime).metadata
    assert _metadata.strip(data, mime) is data


def test_a_comment_between_two_scans_of_a_jpeg_goes() -> None:
    data = file_of(photo(40, 40), "JPEG", progressive=True)
    second = data.index(b"\xff\xda", data.index(b"\xff\xda") + 2)
    table = data.rindex(b"\xff\xc4", 0, second)
    hidden = data[:table] + b"\xff\xfe\x00\x08SECRET" + data[table:]
    assert _metadata.strip(hidden, "image/jpeg") == data


def test_a_damaged_chunk_of_a_png_goes() -> None:
    data = file_of(halves(), "PNG", dpi=(72, 72))
    at = data.index(b"pHYs")
    damaged = data[: at + 4] + b"\xff" + data[at + 5 :]
    assert _metadata.find(damaged, "image/png").metadata
    bare = _metadata.strip(damaged, "image/png")
    assert bare == data[: at - 4] + data[at + 17 :]


def test_the_animation_of_a_loop_stays_in_a_gif() -> None:
    frames = [Image.new("L", (8, 8), grey) for grey in (0, 99, 200)]
    data = file_of(frames[0], "GIF", save_all=True, append_images=frames[1:], loop=0)
    assert _metadata.strip(data, "image/gif") is data
    commented = data[:-1] + b"!\xfe\x06SECRET\0;"
    assert _metadata.strip(commented, "image/gif") == data


@settings(deadline=None)
@given(st.sampled_from([None, *range(8, 400)]), st.binary(max_size=3))
def test_a_png_without_its_pixels_tells_what_the_whole_file_tells(cut: int | None, tail: bytes) -> None:
    from toolnexus_media import _b64
    from toolnexus_media.probe.image import facts

    data = (BIG[:cut] if cut else BIG) + tail
    short = _metadata.header(_b64.encode(data), "image/png")
    if short is not None:
        assert len(short) < 500
        assert facts(short, "image/png") == facts(data, "image/png")
        assert _metadata.find(short, "image/png") == _metadata.find(data, "image/png")


def test_the_pixels_of_a_large_png_are_not_decoded_to_judge_it() -> None:
    from toolnexus_media import _b64

    assert _metadata.header(_b64.encode(BIG), "image/png") is not None


def test_what_no_decoder_draws_of_a_gif_goes() -> None:
    data = file_of(halves(), "GIF")
    assert not _metadata.find(data, "image/gif").metadata
    for hidden in (data[:-1] + b"SECRET;", data + b"SECRET"):
        assert _metadata.find(hidden, "image/gif").metadata
        assert b"SECRET" not in (_metadata.strip(hidden, "image/gif") or b"SECRET")


THUMBNAIL = b"\xff\xe0\0\x13JFIF\0\1\1\0\0\1\0\1\1\1abc"
LONG_ADOBE = b"\xff\xee\0\x14Adobe\0\x64\0\0\0\0\1secret"
ODD_ADOBE = b"\xff\xee\0\x08secret"


@pytest.mark.parametrize("segment", [THUMBNAIL, LONG_ADOBE, ODD_ADOBE], ids=["thumbnail", "long", "odd"])
def test_what_tells_colours_in_a_jpeg_hides_nothing_else(segment: bytes) -> None:
    plain = file_of(photo(48, 32), "JPEG")
    assert _bare.bare_size(_b64.encode(plain[:2] + segment + plain[2:]), "image/jpeg") is None
    made = decoded(fit(make_part(plain[:2] + segment + plain[2:], "image/jpeg"), "anthropic")[0][0])
    assert made.tobytes() == Image.open(BytesIO(plain)).tobytes()
    sent = part_data(fit(make_part(plain[:2] + segment + plain[2:], "image/jpeg"), "anthropic")[0][0])
    assert not {word for word in (b"abc", b"secret") if word in sent[:64]}


@pytest.mark.parametrize(("at", "value"), [(1, 0xC9), (4, 12)], ids=["arithmetic", "12 bits"])
def test_a_jpeg_that_only_some_decoders_know_is_not_left_alone(at: int, value: int) -> None:
    data = bytearray(file_of(photo(48, 32), "JPEG"))
    data[data.index(b"\xff\xc0") + at] = value
    assert _bare.bare_size(_b64.encode(bytes(data)), "image/jpeg") is None
    assert _metadata.find(bytes(data), "image/jpeg").deep


def test_a_text_inside_a_gif_goes() -> None:
    plain = file_of(photo(24, 16).quantize(8), "GIF")
    data = plain[:-1] + b"!\x01\x0c" + bytes(12) + b"\x06secret\0;"
    assert _metadata.find(data, "image/gif").metadata
    assert _metadata.strip(data, "image/gif") == plain
