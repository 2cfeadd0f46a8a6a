"""Verifying and opening pictures: what decodes passes, what does not is our error, and nothing leaks."""

from __future__ import annotations

import gc
import io
import os
import struct
import threading
import tracemalloc
import warnings
import zlib
from typing import Any, Literal

import pytest
from PIL import Image, ImageFile

from toolnexus_media import _extras
from toolnexus_media.errors import CorruptMediaError, MediaError, MediaTypeError, MissingExtraError
from toolnexus_media.probe import image

MAX = 100_000_000


def noise(size: tuple[int, int] = (200, 150), mode: str = "RGB") -> Image.Image:
    return Image.frombytes(mode, size, bytes((n * n * 7919 >> 5) & 255 for n in range(size[0] * size[1] * len(mode))))


def saved(im: Image.Image, fmt: str, **options: Any) -> bytes:
    out = io.BytesIO()
    im.save(out, fmt, **options)
    return out.getvalue()


def refuse(data: bytes, mime: str, level: Literal["header", "full"] = "full", max_pixels: int = MAX) -> MediaError:
    with pytest.raises(MediaError) as caught:
        image.verify(data, mime, level=level, max_pixels=max_pixels)
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 400
    return caught.value


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(size: tuple[int, int], *chunks: bytes, pixels: bytes | None = None) -> bytes:
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", *size, 8, 0, 0, 0, 0))
    rows = zlib.compress(bytes((size[0] + 1) * size[1])) if pixels is None else pixels
    return b"\x89PNG\r\n\x1a\n" + header + b"".join(chunks) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


@pytest.mark.parametrize(("fmt", "mime"), [("PNG", "image/png"), ("JPEG", "image/jpeg"), ("WEBP", "image/webp")])
def test_half_a_file_is_refused_by_full_and_not_by_header(fmt: str, mime: str) -> None:
    data = saved(noise(), fmt)
    half = data[: len(data) // 2]
    image.verify(data, mime, level="full", max_pixels=MAX)
    image.verify(half, mime, level="header", max_pixels=MAX)
    assert refuse(half, mime).code in ("truncated", "corrupt")


def test_a_cut_png_is_told_by_the_name_of_its_chunk() -> None:
    data = saved(noise(), "PNG")
    assert str(refuse(data[: len(data) // 2], "image/png")).startswith("this PNG is cut in its IDAT chunk; ")
    assert str(refuse(data[:-200] + bytes(20), "image/png")).isprintable()


def test_half_a_progressive_jpeg_is_refused() -> None:
    data = saved(noise(), "JPEG", progressive=True)
    assert refuse(data[: len(data) // 2], "image/jpeg").code == "truncated"


def test_a_png_with_a_hole_is_refused() -> None:
    data = saved(noise(), "PNG")
    assert refuse(data[:900] + data[1900:], "image/png").code in ("truncated", "corrupt")


def test_a_flipped_bit_in_the_pixels_of_a_png_is_refused() -> None:
    data = bytearray(saved(noise(), "PNG"))
    data[len(data) // 2] ^= 1
    assert refuse(bytes(data), "image/png").code == "corrupt"


@pytest.mark.parametrize("signature", [b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF89a", b"BM", b"II*\0", b"RIFF"])
def test_garbage_after_a_signature_is_refused(signature: bytes) -> None:
    kinds = {b"\x89": "png", b"\xff": "jpeg", b"G": "gif", b"B": "bmp", b"I": "tiff", b"R": "webp"}
    refuse(signature + bytes(n * 37 & 255 for n in range(2000)), "image/" + kinds[signature[:1]])


def test_a_png_that_browsers_show_passes_though_an_ancillary_chunk_is_damaged() -> None:
    broken = bytearray(chunk(b"gAMA", b"\0\0\xb1\x8f"))
    broken[-1] ^= 1
    data = png((8, 6), bytes(broken), chunk(b"sRGB", b""), chunk(b"zTXt", b"x\0\0" + zlib.compress(bytes(1 << 22))))
    with pytest.raises((OSError, SyntaxError, ValueError)), Image.open(io.BytesIO(data)) as opened:
        opened.load()
    image.verify(data, "image/png", level="full", max_pixels=MAX)


def test_the_pixel_cap_is_decided_from_the_header_in_little_memory() -> None:
    data = png((30_000, 30_000), pixels=zlib.compress(bytes(30_001 * 1000)))
    tracemalloc.start()
    error = refuse(data, "image/png")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert error.code == "too-many-pixels"
    assert "max_pixels" in str(error)
    assert peak < 1_000_000
    with pytest.raises(CorruptMediaError, match="raise max_pixels"):
        image.open_image(data, "image/png", max_pixels=MAX)


def test_a_picture_above_pillow_s_warning_and_under_the_cap_passes_in_silence() -> None:
    data = saved(Image.new("1", (10_000, 9_500)), "PNG")
    image.verify(data, "image/png", level="full", max_pixels=MAX)
    data = saved(Image.new("1", (10_000, 9_500)), "TIFF", compression="group4")
    image.verify(data, "image/tiff", level="full", max_pixels=MAX)


def test_a_gif_frame_far_larger_than_its_canvas_is_too_many_pixels() -> None:
    data = bytearray(saved(Image.new("P", (32, 32)), "GIF"))
    at = data.index(b",\0\0\0\0\x20\0\x20\0")
    data[at + 5 : at + 9] = b"\xff\xff\xff\xff"
    assert image.facts(bytes(data), "image/gif").get("width") == 32
    assert refuse(bytes(data), "image/gif").code == "too-many-pixels"


def test_an_icon_whose_bitmap_lies_about_its_size_is_refused() -> None:
    data = bytearray(saved(Image.new("RGBA", (16, 16)), "ICO", sizes=[(16, 16)], bitmap_format="bmp"))
    data[26:34] = struct.pack("<II", 65535, 65534)
    assert image.facts(bytes(data), "image/vnd.microsoft.icon").get("width") == 16
    assert refuse(bytes(data), "image/vnd.microsoft.icon").code == "corrupt"


def test_a_tiff_tile_far_larger_than_its_picture_is_too_many_pixels() -> None:
    tags = [(256, 4, 8), (257, 4, 8), (258, 3, 8), (259, 3, 5), (262, 3, 1), (322, 4, 65536), (323, 4, 65536)]
    data = b"II*\0\x08\0\0\0" + struct.pack("<H", len(tags))
    data += b"".join(struct.pack("<HHII", tag, kind, 1, value) for tag, kind, value in tags) + bytes(4)
    assert refuse(data, "image/tiff").code == "too-many-pixels"


def test_a_second_frame_header_that_is_larger_does_not_pass_the_cap() -> None:
    data = saved(noise(), "JPEG")
    at = data.index(b"\xff\xc0")
    size = struct.unpack_from(">H", data, at + 2)[0]
    lie = bytearray(data[at : at + 2 + size])
    lie[5:9] = b"\xff\xf0\xff\xf0"
    refuse(data[: at + 2 + size] + bytes(lie) + data[at + 2 + size :], "image/jpeg")


@pytest.mark.parametrize("fmt", ["PNG", "GIF", "WEBP"])
def test_a_cut_later_frame_is_found(fmt: str) -> None:
    frames = [noise((60, 50)).rotate(90 * n) for n in range(3)]
    data = saved(frames[0], fmt, save_all=True, append_images=frames[1:])
    image.verify(data, f"image/{fmt.lower()}", level="full", max_pixels=MAX)
    refuse(data[: len(data) * 4 // 5], f"image/{fmt.lower()}")


def test_a_long_animation_is_decoded_only_while_the_sum_of_pixels_is_under_the_cap() -> None:
    frames = [noise((60, 50)).rotate(90 * n) for n in range(4)]
    data = bytearray(saved(frames[0], "PNG", save_all=True, append_images=frames[1:]))
    at = data.rindex(b"fdAT")
    size = struct.unpack_from(">I", data, at - 4)[0]
    data[at + 8 : at + 4 + size] = bytes(size - 4)
    data[at + 4 + size : at + 8 + size] = struct.pack(">I", zlib.crc32(bytes(data[at : at + 4 + size])))
    refuse(bytes(data), "image/png")
    image.verify(bytes(data), "image/png", level="full", max_pixels=80_000)


@pytest.mark.parametrize(
    "mime", ["image/jxl", "image/x-canon-cr2", "image/wmf", "application/postscript", "image/x-eps"]
)
def test_what_nothing_decodes_says_so(mime: str) -> None:
    assert refuse(b"\xff\x0a" + bytes(20), mime).code == "no-decoder"
    with pytest.raises(MediaTypeError, match="convert it to PNG or JPEG"):
        image.open_image(b"%!PS", mime, max_pixels=MAX)


def test_heic_without_its_extra_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_extras, "load", lambda _module: None)
    monkeypatch.setattr(image, "facts", lambda _data, _mime: {"width": 8, "height": 8})
    error = refuse(bytes(40), "image/heic", level="header")
    assert isinstance(error, MissingExtraError)
    assert error.extra == "heic"


def test_damaged_exif_does_not_warn() -> None:
    broken = b"Exif\0\0II*\0\x08\0\0\0\x09\0" + b"\x1a\x01\x05\0\x01\0\0\0\xff\xff\xff\x7f" * 3
    for fmt, mime in (("JPEG", "image/jpeg"), ("PNG", "image/png"), ("WEBP", "image/webp")):
        data = saved(noise(), fmt, exif=broken)
        image.verify(data, mime, level="full", max_pixels=MAX)
        image.upright(image.load(image.open_image(data, mime, max_pixels=MAX), mime))


def test_damaged_tiff_tags_do_not_warn() -> None:
    data = bytearray(saved(noise(), "TIFF", tiffinfo={270: "a description", 305: "a program", 33432: "somebody"}))
    start = struct.unpack_from("<I", data, 4)[0]
    for entry in range(start + 2, start + 2 + 12 * struct.unpack_from("<H", data, start)[0], 12):
        if struct.unpack_from("<H", data, entry)[0] in (270, 305, 33432):
            struct.pack_into("<II", data, entry + 4, 0x7FFFFFFF, 0x7FFFFFFF)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        image.verify(bytes(data), "image/tiff", level="full", max_pixels=MAX)
    opened = image.load(image.open_image(bytes(data), "image/tiff", max_pixels=MAX), "image/tiff")
    assert opened.tobytes() == noise().tobytes()


def test_a_tiff_that_links_to_nowhere_does_not_warn() -> None:
    data = bytearray(saved(noise((8, 8)), "TIFF"))
    start = struct.unpack_from("<I", data, 4)[0]
    link = start + 2 + 12 * struct.unpack_from("<H", data, start)[0]
    struct.pack_into("<I", data, link, 0x7FFFFFF0)
    image.verify(bytes(data), "image/tiff", level="full", max_pixels=MAX)


def test_a_wrong_animation_header_does_not_warn_and_leaves_the_picture() -> None:
    data = png((8, 6), chunk(b"acTL", bytes(8)))
    image.verify(data, "image/png", level="full", max_pixels=MAX)
    assert image.facts(data, "image/png").get("frames") == 1


def test_pillow_s_globals_are_left_alone_and_do_not_change_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    half = saved(noise(), "JPEG")[:3000]
    monkeypatch.setattr(ImageFile, "LOAD_TRUNCATED_IMAGES", True)
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 10)
    assert refuse(half, "image/jpeg").code == "truncated"
    for fmt in ("PNG", "JPEG", "GIF", "BMP", "TIFF"):
        image.verify(saved(noise(), fmt), f"image/{fmt.lower()}", level="full", max_pixels=MAX)
    assert (ImageFile.LOAD_TRUNCATED_IMAGES, Image.MAX_IMAGE_PIXELS) == (True, 10)


def test_a_host_that_takes_truncated_files_does_not_make_us_take_a_png_with_missing_rows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ImageFile, "LOAD_TRUNCATED_IMAGES", True)
    refuse(png((40, 40), pixels=zlib.compress(bytes(400))), "image/png")


def test_only_the_plugin_of_the_type_is_asked() -> None:
    refuse(saved(noise(), "JPEG"), "image/png")
    refuse(saved(noise(), "PNG"), "image/jpeg")


def test_a_mapped_buffer_is_free_again_after_verifying() -> None:
    data = bytearray(saved(noise(), "PNG") + b"")
    image.verify(data, "image/png", level="full", max_pixels=MAX)
    half = bytearray(data[: len(data) // 2])
    with pytest.raises(MediaError):
        image.verify(half, "image/png", level="full", max_pixels=MAX)
    gc.collect()
    data.append(0)  # a bytearray that is looked at cannot grow
    half.append(0)


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="counts open files through /proc")
def test_no_file_handle_is_left_open() -> None:
    before = len(os.listdir("/proc/self/fd"))
    for fmt in ("PNG", "JPEG", "GIF", "WEBP", "TIFF", "AVIF"):
        image.verify(saved(noise(), fmt), f"image/{fmt.lower()}", level="full", max_pixels=MAX)
    assert len(os.listdir("/proc/self/fd")) == before


def test_threads_get_the_same_answers() -> None:
    files = [(saved(noise(), fmt), f"image/{fmt.lower()}") for fmt in ("PNG", "JPEG", "GIF", "WEBP", "TIFF")]
    wrong: list[object] = []

    def work() -> None:
        for data, mime in files * 3:
            image.verify(data, mime, level="full", max_pixels=MAX)
            if image.facts(data, mime).get("width") != 200:
                wrong.append(mime)
            if image.load(image.open_image(data, mime, max_pixels=MAX), mime).size != (200, 150):
                wrong.append(mime)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_large_picture_in_a_mac_icon_is_refused() -> None:
    inner = png((9000, 9000), pixels=b"")
    data = b"icns" + struct.pack(">I", len(inner) + 16) + b"ic09" + struct.pack(">I", len(inner) + 8) + inner
    assert image.facts(data, "image/icns") == {"width": 512, "height": 512}
    assert refuse(data, "image/icns").code == "corrupt"


def test_a_mac_icon_is_judged_by_the_size_that_its_decoder_makes_room_for() -> None:
    buffer = io.BytesIO()
    Image.new("RGB", (64, 64)).save(buffer, "JPEG2000")
    inner = bytearray(buffer.getvalue())
    at = inner.index(b"ihdr") + 4
    inner[at : at + 8] = struct.pack(">II", 1 << 20, 1 << 20)
    data = b"icns" + struct.pack(">I", len(inner) + 16) + b"ic09" + struct.pack(">I", len(inner) + 8) + inner
    assert refuse(bytes(data), "image/icns").code == "corrupt"


def test_slow_decoders_get_a_share_of_the_cap() -> None:
    data = b"qoif" + struct.pack(">IIBB", 5000, 5000, 4, 0) + b"\xfd" * 400_000
    assert refuse(data, "image/qoi").code == "too-many-pixels"


def test_decoders_that_need_more_memory_are_held_to_fewer_pixels() -> None:
    data = b"RIFF\x20\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0" + (9999).to_bytes(3, "little") * 2
    assert image.facts(data, "image/webp").get("width") == 10_000
    assert refuse(data, "image/webp", level="header").code == "too-many-pixels"
    image.verify(data, "image/webp", level="header", max_pixels=4 * MAX)
