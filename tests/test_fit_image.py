"""Pixels come out right: upright, in sRGB, 8 bits, on a background, without metadata, at the size the model sees."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageCms
from PIL.PngImagePlugin import PngInfo

from tests._pictures import BLUE, RED, decoded, file_of, halves, part_of, photo, screenshot, transform_of
from toolnexus_media.errors import CorruptMediaError, LimitError, MissingExtraError
from toolnexus_media.fit import fit
from toolnexus_media.limits import custom, row
from toolnexus_media.part import make_part, part_data
from toolnexus_media.types import ContentPart

TURNS = {
    1: None,
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}
"""What was done to a picture that the orientation undoes."""


def only(part: ContentPart, provider: str = "anthropic", **options: Any) -> Image.Image:
    """The one picture that comes out."""
    (sent,), _ = fit(part, provider, **options)
    return decoded(sent)


def pixel(im: Image.Image, x: float, y: float) -> np.ndarray[Any, Any]:
    """The pixel at a share of width and height, as numbers that can be subtracted."""
    seen: np.ndarray[Any, Any] = np.asarray(im.convert("RGB"), dtype=int)[int(y * im.height), int(x * im.width)]
    return seen


def turned(orientation: int, kind: str) -> ContentPart:
    """Red left and blue right, stored as a camera stores it at this orientation."""
    exif = Image.Exif()
    exif[0x0112] = orientation
    turn = TURNS[orientation]
    im = halves() if turn is None else halves().transpose(turn)
    return part_of(im, kind, exif=exif)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF"])
@pytest.mark.parametrize("orientation", TURNS)
def test_red_left_and_blue_right_stays_so(orientation: int, kind: str) -> None:
    im = only(turned(orientation, kind))
    assert im.size == (64, 32)
    assert abs(pixel(im, 0.2, 0.5) - RED).max() < 12
    assert abs(pixel(im, 0.8, 0.5) - BLUE).max() < 12


@pytest.mark.parametrize("orientation", TURNS)
def test_a_region_is_in_pixels_as_shown(orientation: int) -> None:
    (sent,), (change,) = fit(turned(orientation, "PNG"), "anthropic", region=(30, 0, 40, 8))
    im = decoded(sent).convert("RGB")
    assert im.size == (10, 8)
    assert [im.getpixel((1, 4)), im.getpixel((2, 4))] == [RED, BLUE]
    assert transform_of(change) == (1.0, 0.0, 30.0, 0.0, 1.0, 0.0)


def test_alpha_goes_on_the_background_where_no_encoder_keeps_it() -> None:
    glass = Image.new("RGBA", (40, 40), (200, 0, 0, 128))
    jpeg_only = custom("safe", image={"mimes": ["image/jpeg"]})
    assert abs(pixel(only(part_of(glass), limits=jpeg_only), 0.5, 0.5) - (227, 127, 127)).max() <= 2
    on_blue = only(part_of(glass), limits=jpeg_only, background="#0000ff")
    assert abs(pixel(on_blue, 0.5, 0.5) - (100, 0, 127)).max() <= 2


def test_alpha_is_kept_where_the_target_takes_it() -> None:
    glass = Image.new("RGBA", (3000, 100), (200, 10, 10, 128))
    im = only(part_of(glass)).convert("RGBA")
    assert im.width < 3000
    assert abs(np.asarray(im, dtype=int)[5, im.width // 2] - (200, 10, 10, 128)).max() <= 2


def test_colour_of_transparent_pixels_does_not_bleed_when_scaled() -> None:
    art = Image.new("RGBA", (3000, 90), (0, 255, 0, 0))
    art.paste((255, 0, 0, 255), (0, 0, 1500, 90))
    seen = np.asarray(only(part_of(art)).convert("RGBA"), dtype=int)
    visible = seen[seen[:, :, 3] > 20]
    assert visible[:, 1].max() <= 12


@pytest.mark.parametrize("background", ["no-such-colour", (1, 2), (300, 0, 0), "#12"])
def test_a_background_that_is_no_colour_is_named(background: Any) -> None:
    jpeg_only = custom("safe", image={"mimes": ["image/jpeg"]})
    with pytest.raises(ValueError, match="no colour"):
        fit(part_of(Image.new("RGBA", (8, 8))), "safe", limits=jpeg_only, background=background)


@pytest.mark.parametrize(("kind", "mime"), [("PNG", "image/png"), ("TIFF", "image/tiff")])
def test_a_16_bit_ramp_keeps_256_levels(kind: str, mime: str) -> None:
    ramp = Image.fromarray(np.tile(np.arange(0, 65536, 64, dtype=np.uint16), (4, 1)))
    levels = set(np.asarray(only(make_part(file_of(ramp, kind), mime)))[0].tolist())
    assert levels == set(range(256))


def test_float_pixels_from_0_to_1_use_the_whole_range() -> None:
    ramp = Image.fromarray(np.tile(np.linspace(0, 1, 256, dtype=np.float32), (4, 1)))
    values = np.asarray(only(part_of(ramp, "TIFF")).convert("L"), dtype=int)[0]
    assert abs(values - np.arange(256)).max() <= 1


def test_32_bit_grey_is_stretched_and_not_cut_to_white() -> None:
    ramp = Image.fromarray(np.tile(np.arange(0, 256, dtype=np.int32) * 100_000, (4, 1)))
    values = np.asarray(only(part_of(ramp, "TIFF")).convert("L"), dtype=int)[0]
    assert abs(values - np.arange(256)).max() <= 1


def test_a_16_bit_colour_png_is_sent_with_8_bits() -> None:
    (sent,), _ = fit(make_part(png_of_16_bits(), "image/png"), "anthropic")
    assert part_data(sent)[24] <= 8
    assert decoded(sent).convert("RGB").getpixel((0, 0)) == (0x12, 0x80, 0xFE)


def png_of_16_bits() -> bytes:
    from struct import pack
    from zlib import compress, crc32

    def chunk(kind: bytes, body: bytes) -> bytes:
        return pack(">I", len(body)) + kind + body + pack(">I", crc32(kind + body))

    row = b"\0" + pack(">HHH", 0x1234, 0x8000, 0xFEDC) * 4
    head = pack(">IIBBBBB", 4, 4, 16, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", compress(row * 4)) + chunk(b"IEND", b"")


def test_cmyk_red_is_red() -> None:
    red = Image.new("CMYK", (32, 32), (0, 255, 255, 0))
    assert abs(pixel(only(part_of(red, "JPEG")), 0.5, 0.5) - (255, 0, 0)).max() <= 10


def test_a_palette_with_transparency_keeps_both() -> None:
    art = Image.new("P", (30, 10), 0)
    art.putpalette([10, 20, 30, 200, 100, 50])
    art.paste(1, (10, 0, 20, 10))
    im = only(part_of(art, "GIF", transparency=0), "safe").convert("RGBA")
    assert im.getpixel((0, 0))[3] == 0  # type: ignore[index]  # a tuple for RGBA
    assert im.getpixel((15, 5)) == (200, 100, 50, 255)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA"])
def test_a_large_picture_of_every_mode_keeps_its_grey(mode: str) -> None:
    im = Image.new("RGBA", (2000, 40), (255, 255, 255, 255)).convert(mode)
    shown = only(part_of(im))
    assert shown.width < 2000
    assert shown.convert("RGB").getextrema() == ((255, 255),) * 3


def display_p3() -> bytes:
    """A Display-P3 profile from its published primaries and sRGB's curve, white point D65 adapted to D50."""
    from struct import pack

    def xyz(*values: float) -> bytes:
        return b"XYZ \0\0\0\0" + b"".join(pack(">i", round(value * 65536)) for value in values)

    curve = b"para\0\0\0\0\0\x03\0\0" + b"".join(
        pack(">i", round(value * 65536)) for value in (2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)
    )
    text = b"desc\0\0\0\0\0\0\0\x03P3\0" + bytes(78)
    tags = {
        b"rXYZ": xyz(0.51512, 0.2412, -0.00105),
        b"gXYZ": xyz(0.29198, 0.69225, 0.04189),
        b"bXYZ": xyz(0.1571, 0.06657, 0.78407),
        b"wtpt": xyz(0.9642, 1.0, 0.8249),
        **dict.fromkeys((b"rTRC", b"gTRC", b"bTRC"), curve),
        b"desc": text + bytes(-len(text) % 4),
        b"cprt": b"text\0\0\0\0CC0\0",
    }
    table, body = pack(">I", len(tags)), b""
    for name, value in tags.items():
        table += pack(">4sII", name, 132 + 12 * len(tags) + len(body), len(value))
        body += value + bytes(-len(value) % 4)
    head = pack(">I4sI4s4s4s", 132 - 4 + len(table) + len(body), b"\0\0\0\0", 0x02400000, b"mntr", b"RGB ", b"XYZ ")
    head = head.ljust(36, b"\0") + b"acsp"
    head = head.ljust(68, b"\0") + pack(">iii", 63190, 65536, 54061)
    return head.ljust(128, b"\0") + table + body


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_a_display_p3_patch_round_trips_to_srgb_within_3(kind: str) -> None:
    p3 = ImageCms.ImageCmsProfile(BytesIO(display_p3()))
    wanted = (200, 80, 60)
    patch = Image.new("RGB", (32, 32), wanted)
    in_p3 = ImageCms.profileToProfile(patch, ImageCms.createProfile("sRGB"), p3, outputMode="RGB")
    assert in_p3 is not None
    assert abs(pixel(in_p3, 0.5, 0.5) - wanted).max() > 5
    options = {"lossless": True} if kind == "WEBP" else {"quality": 100} if kind == "JPEG" else {}
    im = only(part_of(in_p3, kind, icc_profile=display_p3(), **options))
    assert abs(pixel(im, 0.5, 0.5) - wanted).max() <= 3
    assert "icc_profile" not in im.info


def test_a_picture_with_an_srgb_profile_is_left_alone() -> None:
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    part = part_of(halves(), "PNG", icc_profile=profile)
    assert fit(part, "anthropic")[0][0] is part


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_a_broken_profile_is_taken_out_and_the_pixels_stay(kind: str) -> None:
    part = part_of(halves(), kind, icc_profile=b"no profile at all" * 20)
    (sent,), _ = fit(part, "anthropic")
    assert "icc_profile" not in decoded(sent).info
    assert decoded(sent).tobytes() == decoded(part).tobytes()


def with_metadata(kind: str) -> bytes:
    exif = Image.Exif()
    exif[0x010E] = "SECRET-PLACE"
    exif.get_ifd(0x8825)[1] = "N"
    options: dict[str, Any] = {"exif": exif}
    if kind == "PNG":
        options["pnginfo"] = PngInfo()
        options["pnginfo"].add_text("Comment", "SECRET-PLACE")
        options["pnginfo"].add_itxt("XML:com.adobe.xmp", "<x>SECRET-PLACE</x>")
    elif kind != "GIF":
        options["xmp"] = b"<x>SECRET-PLACE</x>"
    if kind in ("JPEG", "GIF"):
        options["comment"] = b"SECRET-PLACE"
    if kind == "GIF":
        del options["exif"]
    return file_of(photo(60, 40), kind, **options)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF"])
def test_metadata_goes_and_not_one_pixel_changes(kind: str) -> None:
    part = make_part(with_metadata(kind), Image.MIME[kind])
    (sent,), (change,) = fit(part, "anthropic")
    assert b"SECRET" not in part_data(sent)
    assert decoded(sent).tobytes() == decoded(part).tobytes()
    assert change["what"] == "metadata removed"
    assert fit(sent, "anthropic")[0][0] is sent


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_metadata_does_not_survive_a_new_encoding(kind: str) -> None:
    sent = fit(make_part(with_metadata(kind), Image.MIME[kind]), "anthropic", region=(0, 0, 30, 30))[0][0]
    assert b"SECRET" not in part_data(sent)


def test_metadata_is_kept_on_request_and_the_orientation_is_not() -> None:
    exif = Image.Exif()
    exif[0x010E], exif[0x0112] = "a place", 6
    part = part_of(photo(60, 40), "JPEG", exif=exif)
    kept = only(part, keep_metadata=True).getexif()
    assert (kept[0x010E], kept[0x0112]) == ("a place", 1)
    plain = make_part(with_metadata("JPEG"), "image/jpeg")
    assert fit(plain, "anthropic", keep_metadata=True)[0][0] is plain


def test_what_follows_the_end_of_a_jpeg_goes() -> None:
    first = file_of(photo(60, 40), "JPEG")
    part = make_part(first + b"a film SECRET" + with_metadata("JPEG") + b"trailer", "image/jpeg")
    assert part_data(fit(part, "anthropic")[0][0]) == first


@pytest.mark.parametrize("provider", ["anthropic", "openai", "mistral", "mcp", "safe"])
@pytest.mark.parametrize("size", [(2200, 1500), (700, 2100), (1, 9000), (9000, 1)])
def test_the_size_sent_is_the_published_grid(provider: str, size: tuple[int, int]) -> None:
    from toolnexus_media.limits import sent_size

    im = only(part_of(photo(*size), "BMP"), provider)
    assert im.size == sent_size(*size, row(provider))


def test_nothing_is_enlarged() -> None:
    assert only(part_of(photo(7, 5), "BMP"), "openai").size == (7, 5)


def test_a_screenshot_stays_lossless_and_a_photograph_becomes_a_jpeg() -> None:
    shot, view = screenshot(1700, 1100), photo(1700, 1100)
    assert [fit(part_of(im, "BMP"), "anthropic")[0][0].get("mimeType") for im in (shot, view)] == [
        "image/png",
        "image/jpeg",
    ]


def test_few_colours_are_a_palette_without_loss() -> None:
    (sent,), _ = fit(part_of(halves(), "BMP"), "anthropic")
    im = decoded(sent)
    assert im.mode == "P"
    assert im.convert("RGB").tobytes() == halves().tobytes()


@pytest.mark.parametrize("cap", [6_000, 20_000, 60_000, 150_000])
@pytest.mark.parametrize("make", [photo, screenshot])
def test_a_byte_cap_is_met_in_encoded_bytes(cap: int, make: Any) -> None:
    tight = custom("anthropic", image={"max_bytes": cap})
    sent = fit(part_of(make(1200, 900), "BMP"), "anthropic", limits=tight)[0][0]
    assert len(str(sent.get("data"))) <= cap


def test_a_cap_that_binds_is_used_up() -> None:
    part = part_of(photo(1500, 1000), "BMP")
    free = len(part_data(fit(part, "safe")[0][0]))
    cap = free * 3 // 4
    tight = custom("safe", image={"max_bytes": cap, "counted": "raw"})
    used = len(part_data(fit(part, "safe", limits=tight)[0][0]))
    assert 0.95 * cap <= used <= cap


def test_a_cap_that_cannot_be_met_is_an_error() -> None:
    tight = custom("safe", image={"max_bytes": 100, "counted": "raw"})
    with pytest.raises(LimitError) as caught:
        fit(part_of(photo(300, 200)), "safe", limits=tight)
    assert (caught.value.code, caught.value.limit) == ("cannot-fit", 100)


def test_alpha_under_a_cap_that_png_does_not_meet_goes_on_the_background() -> None:
    art = photo(600, 400).convert("RGBA")
    art.putalpha(Image.linear_gradient("L").resize(art.size))
    tight = custom("safe", image={"max_bytes": 40_000, "counted": "raw"})
    (sent,), (change,) = fit(part_of(art), "safe", limits=tight)
    assert decoded(sent).mode == "RGB"
    assert "transparency on the background" in change["what"]


def animation(count: int) -> ContentPart:
    frames = [Image.new("RGB", (40, 30), (10 * number, 0, 255 - 10 * number)) for number in range(count)]
    return part_of(frames[0], "GIF", save_all=True, append_images=frames[1:], duration=50)


def test_the_first_frame_stands_for_an_animation() -> None:
    (sent,), (change,) = fit(animation(20), "openai")
    assert pixel(decoded(sent), 0.5, 0.5).tolist() == [0, 0, 255]
    assert change["what"].startswith("first of 20 frames")


def test_an_animation_is_left_alone_where_it_is_taken() -> None:
    part = animation(3)
    assert fit(part, "anthropic")[0][0] is part


def test_a_contact_sheet_shows_frames_in_reading_order() -> None:
    (sent,), (change,) = fit(animation(20), "anthropic", animation="sheet")
    im = decoded(sent).convert("RGB")
    reds = np.asarray(im, dtype=int)[15::34, 20::44, 0].ravel()
    assert len(reds) == 12
    assert (np.diff(reds) > 0).all()
    assert change["what"] == "12 of 20 frames on one sheet, in reading order"
    assert "transform" not in change


def test_a_sheet_of_large_frames_is_no_larger_than_a_picture() -> None:
    frames = [photo(900, 700, seed).convert("P") for seed in range(4)]
    part = part_of(frames[0], "GIF", save_all=True, append_images=frames[1:])
    sent = fit(part, "anthropic", animation="sheet")[0]
    assert fit(sent, "anthropic")[0][0] is sent[0]


def test_a_tall_page_is_cut_into_overlapping_unscaled_slices() -> None:
    page = screenshot(1000, 5000)
    parts, changes = fit(part_of(page, "BMP"), "anthropic", tall="slice")
    assert len(parts) > 4
    below = 0.0
    for part, change in zip(parts, changes, strict=True):
        im = decoded(part).convert("RGB")
        (a, _, c, _, e, f) = transform_of(change)
        assert (a, c, e) == (1.0, 0.0, 1.0)
        assert f <= below
        assert im.tobytes() == page.crop((0, int(f), 1000, int(f) + im.height)).tobytes()
        below = f + im.height
    assert below == 5000


def test_slices_end_at_quiet_rows() -> None:
    page = screenshot(1000, 5000)
    _, changes = fit(part_of(page, "BMP"), "anthropic", tall="slice")
    ends = [int(transform_of(change)[5]) + change["after"]["height"] for change in changes[:-1]]
    rows = np.asarray(page.convert("L"), dtype=int)[:, 260:]
    assert all(rows[end].max() == rows[end].min() for end in ends)


@pytest.mark.parametrize("size", [(1200, 1600), (400, 700), (3000, 2000)])
def test_what_is_no_tall_page_is_not_cut(size: tuple[int, int]) -> None:
    assert len(fit(part_of(screenshot(*size), "BMP"), "anthropic", tall="slice")[0]) == 1


@pytest.mark.parametrize(
    "region", [(5, 5, 5, 9), (100, 0, 200, 10), (9, 0, 3, 9), (0, 0, float("nan"), 4), (1, 2), "abcd"]
)
def test_an_empty_region_is_refused(region: Any) -> None:
    with pytest.raises(ValueError, match="region"):
        fit(part_of(halves()), "anthropic", region=region)


def test_a_region_over_the_edge_is_clamped() -> None:
    assert only(part_of(halves()), region=(-10, -10, 500, 16)).size == (64, 16)


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("AVIF", {"quality": 100}),
        *((kind, {}) for kind in ("BMP", "TIFF", "ICO", "JPEG2000", "TGA", "QOI", "PPM", "GIF")),
    ],
)
def test_a_format_that_nobody_takes_is_converted(kind: str, options: dict[str, Any]) -> None:
    from toolnexus_media.sniff import sniff

    data = file_of(halves(64, 64), kind, **options)
    name = "a.tga" if kind == "TGA" else None
    (sent,), (change,) = fit(make_part(data, sniff(data, name)), "safe")
    assert abs(pixel(decoded(sent), 0.2, 0.5) - RED).max() < 8
    assert change["what"].startswith("made of image/")


def test_a_heic_without_its_extra_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "pi_heif", None)
    with pytest.raises(MissingExtraError, match="heic"):
        fit(heic(), "anthropic")


def heic() -> ContentPart:
    from pathlib import Path

    return make_part((Path(__file__).parents[1] / "fixtures/media/picture.heic").read_bytes(), "image/heic")


def test_a_heic_is_left_alone_where_it_is_taken() -> None:
    part = heic()
    assert fit(part, "gemini")[0][0] is part


def test_a_cut_picture_that_must_be_drawn_anew_is_an_error() -> None:
    data = file_of(photo(400, 300), "BMP")
    with pytest.raises(CorruptMediaError):
        fit(make_part(data[: len(data) // 2], "image/bmp"), "anthropic")


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF", "AVIF"])
@pytest.mark.parametrize("provider", ["anthropic", "openai", "gemini", "safe", "mcp"])
def test_a_fitted_part_comes_back_as_the_same_object(kind: str, provider: str) -> None:
    sent, _ = fit(part_of(photo(2100, 300), kind), provider)
    again, changes = fit(sent, provider)
    assert again[0] is sent[0]
    assert changes == []
