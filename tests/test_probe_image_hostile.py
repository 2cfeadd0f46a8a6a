"""Whatever the bytes: facts never raise, verifying raises only our errors, and nobody warns."""

from __future__ import annotations

import contextlib
import csv
import io
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from toolnexus_media.errors import MediaError
from toolnexus_media.probe import image

MAX = 1_000_000
CORPUS = os.environ.get("TOOLNEXUS_MEDIA_CORPUS")


def _samples() -> list[tuple[bytes, str]]:
    rgb = Image.frombytes("RGB", (24, 18), bytes(n * n & 255 for n in range(24 * 18 * 3)))
    exif = Image.Exif()
    exif[274] = 6
    samples = []
    for fmt, mime, options in (
        ("PNG", "image/png", {"exif": exif}),
        ("PNG", "image/png", {"save_all": True, "append_images": [rgb.rotate(90)]}),
        ("JPEG", "image/jpeg", {"exif": exif}),
        ("JPEG", "image/jpeg", {"progressive": True}),
        ("GIF", "image/gif", {"save_all": True, "append_images": [rgb.rotate(90)]}),
        ("WEBP", "image/webp", {"exif": exif}),
        ("WEBP", "image/webp", {"save_all": True, "append_images": [rgb.rotate(90)]}),
        ("BMP", "image/bmp", {}),
        ("ICO", "image/vnd.microsoft.icon", {"sizes": [(16, 16)], "bitmap_format": "bmp"}),
        ("TIFF", "image/tiff", {"save_all": True, "append_images": [rgb]}),
        ("TIFF", "image/tiff", {"compression": "tiff_lzw", "tiffinfo": {270: "text"}}),
        ("AVIF", "image/avif", {"exif": exif}),
        ("JPEG2000", "image/jp2", {}),
        ("QOI", "image/qoi", {}),
        ("PPM", "image/x-portable-pixmap", {}),
        ("TGA", "image/x-tga", {}),
        ("PCX", "image/x-pcx", {}),
        ("DDS", "image/vnd.ms-dds", {}),
        ("SGI", "image/sgi", {}),
    ):
        out = io.BytesIO()
        rgb.save(out, fmt, **options)
        samples.append((out.getvalue(), mime))
    svg = b'<svg xmlns="http://www.w3.org/2000/svg" width="4" height="2"><g id="a"/></svg>'
    return [*samples, (svg, "image/svg+xml"), (b"8BPS\0\1" + bytes(60), "image/vnd.adobe.photoshop")]


SAMPLES = _samples()
MIMES = sorted({*image._READERS, *image._ALIASES})
quick = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def try_all(data: bytes, mime: str) -> None:
    found = image.facts(data, mime)
    assert all(value for key, value in found.items() if key != "duration")
    messages = []
    for level in ("header", "full"):
        try:
            image.verify(data, mime, level=level, max_pixels=MAX)
        except MediaError as error:
            messages.append(str(error))
    assert all("\n" not in message and len(message) < 400 for message in messages)
    with contextlib.suppress(MediaError):
        image.open_image(data, mime, max_pixels=MAX).close()


@quick
@given(st.sampled_from(SAMPLES), st.floats(0, 1))
def test_any_prefix(sample: tuple[bytes, str], share: float) -> None:
    data, mime = sample
    try_all(data[: int(len(data) * share)], mime)


@quick
@given(st.sampled_from(SAMPLES), st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), min_size=1, max_size=8))
def test_any_flipped_bytes(sample: tuple[bytes, str], flips: list[tuple[float, int]]) -> None:
    data = bytearray(sample[0])
    for share, value in flips:
        data[min(int(len(data) * share), len(data) - 1)] = value
    try_all(bytes(data), sample[1])


@quick
@given(st.sampled_from(SAMPLES), st.integers(0, 120), st.sampled_from([0, 1, 0x7F, 0x80, 0xFF]))
def test_any_header_byte_at_its_edge(sample: tuple[bytes, str], at: int, value: int) -> None:
    data = bytearray(sample[0])
    data[min(at, len(data) - 1)] = value
    try_all(bytes(data), sample[1])


@quick
@given(st.sampled_from(SAMPLES), st.sampled_from(SAMPLES), st.floats(0, 1), st.floats(0, 1))
def test_any_splice(one: tuple[bytes, str], two: tuple[bytes, str], left: float, right: float) -> None:
    try_all(one[0][: int(len(one[0]) * left)] + two[0][int(len(two[0]) * right) :], one[1])


@quick
@given(st.binary(max_size=300), st.sampled_from(MIMES))
def test_any_bytes_as_any_type(data: bytes, mime: str) -> None:
    try_all(data, mime)


def test_the_samples_are_good() -> None:
    for data, mime in SAMPLES[:-1]:
        image.verify(data, mime, level="full", max_pixels=MAX)


@pytest.mark.skipif(not CORPUS, reason="TOOLNEXUS_MEDIA_CORPUS names no folder of real files")
def test_real_files_have_the_agreed_size_frames_and_orientation() -> None:
    wrong = []
    root = Path(CORPUS or "")
    with (root / "expected.tsv").open(encoding="utf-8") as table:
        rows = [row for row in csv.DictReader(table, delimiter="\t") if row["kind"] == "image"]
    for row in rows:
        found = image.facts((root / row["file"]).read_bytes(), row["mime"])
        width, height = found.get("width"), found.get("height")
        turned = found.get("orientation", 1) >= 5 and not row["mime"].startswith(("image/hei", "image/avif"))
        got = (height, width) if turned else (width, height)
        if row["width"] and width and got != (int(row["width"]), int(row["height"])):
            wrong.append(row["file"])
        if row["frames"] and "frames" in found and found["frames"] != int(row["frames"]):
            wrong.append(row["file"])
        if row["orientation"] and found.get("orientation", 1) != int(row["orientation"]):
            wrong.append(row["file"])
    assert wrong == []
