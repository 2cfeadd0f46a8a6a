"""Facts of pictures: what the headers say, without Pillow and without the pixels."""

from __future__ import annotations

import io
import mmap
import struct
import subprocess
import sys
import tracemalloc
import zlib
from typing import Any

import pytest
from PIL import Image

from toolnexus_media.probe import _shown, image
from toolnexus_media.probe._exif import orientation

MAX = 100_000_000


def saved(mode: str = "RGB", size: tuple[int, int] = (40, 20), fmt: str = "PNG", **options: Any) -> bytes:
    out = io.BytesIO()
    Image.new(mode, size, 1).save(out, fmt, **options)
    return out.getvalue()


def exif(value: int) -> Image.Exif:
    block = Image.Exif()
    block[274] = value
    return block


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width: int, height: int, *chunks: bytes, depth: int = 8, colour: int = 0) -> bytes:
    """A PNG whose pixels are all zero."""
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0))
    rows = zlib.compress(bytes((width + 1) * height), 9)
    return b"\x89PNG\r\n\x1a\n" + header + b"".join(chunks) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


FORMATS = [
    ("PNG", "RGBA", "image/png", {"mode": "RGBA", "frames": 1}),
    ("PNG", "1", "image/png", {"mode": "1", "frames": 1}),
    ("JPEG", "RGB", "image/jpeg", {"mode": "RGB"}),
    ("JPEG", "CMYK", "image/jpeg", {"mode": "CMYK"}),
    ("JPEG", "L", "image/jpeg", {"mode": "L"}),
    ("GIF", "P", "image/gif", {"frames": 1}),
    ("WEBP", "RGB", "image/webp", {"mode": "RGB", "frames": 1}),
    ("WEBP", "RGBA", "image/webp", {"frames": 1}),
    ("BMP", "RGB", "image/bmp", {"mode": "RGB"}),
    ("TIFF", "RGB", "image/tiff", {"mode": "RGB", "frames": 1}),
    ("TIFF", "L", "image/tiff", {"mode": "L", "frames": 1}),
    ("AVIF", "RGB", "image/avif", {"frames": 1}),
    ("JPEG2000", "RGB", "image/jp2", {}),
    ("TGA", "RGB", "image/x-tga", {}),
    ("QOI", "RGB", "image/qoi", {"mode": "RGB"}),
    ("PPM", "RGB", "image/x-portable-pixmap", {"mode": "RGB"}),
    ("PPM", "1", "image/x-portable-bitmap", {"mode": "1"}),
    ("PCX", "RGB", "image/x-pcx", {}),
    ("DDS", "RGB", "image/vnd.ms-dds", {}),
    ("SGI", "RGB", "image/sgi", {}),
    ("XBM", "1", "image/x-xbitmap", {"mode": "1"}),
]


@pytest.mark.parametrize(("fmt", "mode", "mime", "more"), FORMATS)
def test_size_of_every_format(fmt: str, mode: str, mime: str, more: dict[str, Any]) -> None:
    found = image.facts(saved(mode, fmt=fmt), mime)
    assert (found.get("width"), found.get("height")) == (40, 20)
    assert more.items() <= found.items()


@pytest.mark.parametrize(("fmt", "mode", "mime", "more"), FORMATS)
def test_what_is_found_is_what_the_decoder_gives(fmt: str, mode: str, mime: str, more: dict[str, Any]) -> None:
    data = saved(mode, fmt=fmt)
    opened = image.load(image.open_image(data, mime, max_pixels=MAX), mime)
    assert opened.size == (40, 20)
    assert more.get("mode", opened.mode) == opened.mode


@pytest.mark.parametrize(("fmt", "mode", "mime", "more"), FORMATS)
def test_every_buffer_gives_the_same_facts(fmt: str, mode: str, mime: str, more: dict[str, Any]) -> None:
    data = saved(mode, fmt=fmt)
    with mmap.mmap(-1, len(data)) as mapped:
        mapped[:] = data
        assert image.facts(mapped, mime) == image.facts(data, mime)
        image.verify(mapped, mime, level="full", max_pixels=MAX)
    for other in (bytearray(data), memoryview(data)):
        assert image.facts(other, mime) == image.facts(data, mime)
        image.verify(other, mime, level="full", max_pixels=MAX)


@pytest.mark.parametrize(("fmt", "mime"), [("JPEG", "image/jpeg"), ("PNG", "image/png"), ("WEBP", "image/webp")])
@pytest.mark.parametrize("value", range(1, 9))
def test_size_is_as_shown_and_upright_shows_it(fmt: str, mime: str, value: int) -> None:
    data = saved(fmt=fmt, exif=exif(value))
    found = image.facts(data, mime)
    assert found.get("orientation") == value
    shown = image.upright(image.open_image(data, mime, max_pixels=MAX))
    assert shown.size == (found.get("width"), found.get("height")) == ((20, 40) if value >= 5 else (40, 20))


@pytest.mark.parametrize("value", [1, 3, 6, 8])
def test_tiff_is_turned_once(value: int) -> None:
    data = saved(fmt="TIFF", tiffinfo={274: value})
    found = image.facts(data, "image/tiff")
    shown = image.upright(image.load(image.open_image(data, "image/tiff", max_pixels=MAX), "image/tiff"))
    assert (found.get("width"), found.get("height")) == shown.size == ((20, 40) if value >= 5 else (40, 20))


def test_upright_turns_as_pillow_does_and_drops_the_tag() -> None:
    left = Image.new("RGB", (40, 20))
    left.putpixel((0, 0), (255, 0, 0))
    out = io.BytesIO()
    left.save(out, "PNG", exif=exif(6))
    shown = image.upright(image.open_image(out.getvalue(), "image/png", max_pixels=MAX))
    assert shown.getpixel((19, 0)) == (255, 0, 0)
    assert "exif" not in shown.info


def test_no_orientation_where_none_is_stated() -> None:
    assert "orientation" not in image.facts(saved(fmt="JPEG"), "image/jpeg")


@pytest.mark.parametrize(
    "block",
    [
        b"",
        b"II",
        b"II*\0\xff\xff\xff\xff",
        b"II*\0\x08\0\0\0\xff\xff",
        b"II*\0\x08\0\0\0\x01\0\x12\x01\x02\0",
        bytes(99),
    ],
)
def test_damaged_exif_states_nothing(block: bytes) -> None:
    assert orientation(b"Exif\0\0" + block) is None


def test_exif_behind_the_pixels_of_a_png_counts() -> None:
    data = png(8, 6)
    late = data[:-12] + chunk(b"eXIf", exif(6).tobytes()[6:]) + data[-12:]
    assert image.facts(late, "image/png").get("orientation") == 6


@pytest.mark.parametrize("sizes", [[9] * 40 + [4], [9] * 7, [9, 9, 8, 9, 9, 9], [9] * 5 + [10] * 5 + [1], [9] * 16])
def test_exif_is_found_behind_any_run_of_pixel_chunks(sizes: list[int]) -> None:
    turned = chunk(b"eXIf", exif(6).tobytes()[6:])
    data = png(7, 5, *(chunk(b"IDAT", bytes(size)) for size in sizes), turned, chunk(b"tEXt", b"a" * 100))
    assert image.facts(data, "image/png").get("orientation") == 6
    assert image.facts(memoryview(data), "image/png").get("orientation") == 6


def test_frames_and_duration_of_animations() -> None:
    frames = [Image.new("RGB", (40, 20), colour) for colour in ("red", "green", "blue")]
    for fmt, mime in (("PNG", "image/png"), ("GIF", "image/gif"), ("WEBP", "image/webp"), ("AVIF", "image/avif")):
        out = io.BytesIO()
        frames[0].save(out, fmt, save_all=True, append_images=frames[1:], duration=500)
        found = image.facts(out.getvalue(), mime)
        assert found.get("frames") == 3
        assert found.get("duration") == pytest.approx(1.5)
        image.verify(out.getvalue(), mime, level="full", max_pixels=MAX)


def test_pages_of_a_tiff_are_frames() -> None:
    out = io.BytesIO()
    Image.new("L", (4, 4)).save(out, "TIFF", save_all=True, append_images=[Image.new("L", (4, 4))] * 2)
    assert image.facts(out.getvalue(), "image/tiff").get("frames") == 3


def test_bigtiff_is_read() -> None:
    data = saved(fmt="TIFF", big_tiff=True)
    assert data[2] == 43
    assert image.facts(data, "image/tiff").get("width") == 40
    image.verify(data, "image/tiff", level="full", max_pixels=MAX)


def test_apng_counts_its_animation_and_not_the_default_image() -> None:
    frames = [Image.new("RGB", (4, 4), colour) for colour in ("red", "green", "blue")]
    out = io.BytesIO()
    frames[0].save(out, "PNG", save_all=True, append_images=frames[1:], default_image=True)
    with Image.open(out) as opened:
        assert getattr(opened, "n_frames", 0) == 3  # Pillow counts the default image too
    assert image.facts(out.getvalue(), "image/png").get("frames") == 2


def test_gif_is_as_large_as_its_canvas() -> None:
    data = bytearray(saved("P", (40, 20), "GIF"))
    data[6:10] = struct.pack("<HH", 10, 10)
    found = image.facts(bytes(data), "image/gif")
    assert (found.get("width"), found.get("height")) == (10, 10)


def test_icon_is_as_large_as_its_largest_entry() -> None:
    out = io.BytesIO()
    Image.new("RGBA", (64, 64)).save(out, "ICO", sizes=[(16, 16), (64, 64), (32, 32)])
    data = out.getvalue()
    found = image.facts(data, "image/vnd.microsoft.icon")
    assert (found.get("width"), found.get("height")) == (64, 64)
    assert image.open_image(data, "image/vnd.microsoft.icon", max_pixels=MAX).size == (64, 64)


def test_icon_of_bitmaps_is_read_without_a_warning_about_its_directory() -> None:
    out = io.BytesIO()
    Image.new("RGBA", (32, 32)).save(out, "ICO", sizes=[(32, 32)], bitmap_format="bmp")
    data = bytearray(out.getvalue())
    data[6:8] = b"\x10\x10"  # the directory says 16x16
    assert image.facts(bytes(data), "image/vnd.microsoft.icon").get("width") == 32
    image.verify(bytes(data), "image/vnd.microsoft.icon", level="full", max_pixels=MAX)


def test_psd_size_and_mode() -> None:
    data = struct.pack(">4sH6xHIIHH", b"8BPS", 1, 3, 20, 40, 8, 3)
    assert image.facts(data, "image/vnd.adobe.photoshop") == {"width": 40, "height": 20, "mode": "RGB"}


def test_jxl_size_is_read_though_nothing_decodes_it() -> None:
    bits = 0 | (0 << 1) | (19 << 3) | (0 << 12) | (0 << 15) | (39 << 17)
    data = b"\xff\x0a" + bits.to_bytes(10, "little")
    assert image.facts(data, "image/jxl") == {"width": 40, "height": 20}


def test_mpo_is_its_first_picture() -> None:
    out = io.BytesIO()
    Image.new("RGB", (40, 20)).save(out, "MPO", save_all=True, append_images=[Image.new("RGB", (40, 20))])
    data = out.getvalue()
    assert image.open_image(data, "image/jpeg", max_pixels=MAX).format == "JPEG"
    assert image.facts(data, "image/mpo").get("width") == 40


@pytest.mark.parametrize(("fmt", "mode", "mime", "more"), FORMATS)
def test_a_cut_file_keeps_its_size(fmt: str, mode: str, mime: str, more: dict[str, Any]) -> None:
    data = saved(mode, (300, 200), fmt=fmt)
    if fmt in ("TIFF", "XBM"):
        pytest.skip("its directory stands at the end" if fmt == "TIFF" else "it is all text")
    assert image.facts(data[: len(data) * 9 // 10], mime).get("width") == 300


def test_facts_of_a_huge_png_do_not_decode_it() -> None:
    rows = zlib.compress(bytes(10_001 * 10_000), 1)
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 10_000, 10_000, 8, 0, 0, 0, 0))
    data = b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    tracemalloc.start()
    found = image.facts(data, "image/png")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.get("width") == 10_000
    assert peak < 100_000


def test_facts_load_neither_pillow_nor_a_decoder() -> None:
    code = (
        "import sys; from toolnexus_media.probe import image\n"
        "image.facts(b'GIF89a', 'image/gif'); image.facts(b'', 'image/png')\n"
        "sys.exit('PIL' in sys.modules or 'pi_heif' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=30).returncode == 0


def test_an_unknown_type_has_no_facts() -> None:
    assert image.facts(b"anything", "image/x-nothing") == {}


def ftyp_box(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body) + 8) + kind + body


def heif(width: int, height: int, *properties: bytes) -> bytes:
    """The boxes in front of a HEIF picture, with the properties of its primary item."""
    ispe = ftyp_box(b"ispe", struct.pack(">III", 0, width, height))
    everything = (ispe, *properties)
    links = struct.pack(">IIHB", 0, 1, 1, len(everything)) + bytes(range(1, len(everything) + 1))
    iprp = ftyp_box(b"iprp", ftyp_box(b"ipco", b"".join(everything)) + ftyp_box(b"ipma", links))
    meta = ftyp_box(b"meta", bytes(4) + ftyp_box(b"pitm", struct.pack(">IH", 0, 1)) + iprp)
    return ftyp_box(b"ftyp", b"heic\0\0\0\0mif1heic") + meta


def test_heif_metadata_is_unhooked_before_its_decoder_sees_it() -> None:
    iref = ftyp_box(b"iref", bytes(4) + ftyp_box(b"cdsc", struct.pack(">HHH", 2, 1, 1)))
    data = ftyp_box(b"ftyp", b"heic\0\0\0\0mif1") + ftyp_box(b"meta", bytes(4) + iref)
    shown = _shown.heif(data).read()
    assert len(shown) == len(data)
    assert b"iref" in shown
    assert b"cdsc" not in shown


def test_heif_is_cropped_and_turned_as_its_properties_say() -> None:
    clap = ftyp_box(b"clap", struct.pack(">8I", 30, 1, 20, 1, 0, 1, 0, 1))
    turn = ftyp_box(b"irot", b"\x01")
    found = image.facts(heif(64, 32, clap, turn), "image/heic")
    assert (found.get("width"), found.get("height")) == (20, 30)
    avif = image.facts(heif(64, 32, clap, turn), "image/avif")
    assert (avif.get("width"), avif.get("height")) == (32, 64)  # libavif turns and does not crop
