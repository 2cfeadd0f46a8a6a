"""Pictures that live in memory: PIL images, arrays, figures and notebook objects."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests._make import CASES, JPEG, PAYLOAD, PNG
from toolnexus_media import content
from toolnexus_media.errors import CorruptMediaError, MediaError, SourceError

MODES = [
    "1",
    "L",
    "P",
    "RGB",
    "RGBA",
    "CMYK",
    "YCbCr",
    "LAB",
    "HSV",
    "I",
    "F",
    "LA",
    "PA",
    "RGBX",
    "RGBa",
    "La",
    "I;16",
    "I;16L",
    "I;16B",
]


def shown(part: Any) -> Image.Image:
    assert (part["type"], part["mimeType"]) == ("image", "image/png")
    image = Image.open(io.BytesIO(content.part_data(part)))
    image.load()
    return image


@pytest.mark.parametrize("mode", MODES)
def test_a_pil_image_of_any_mode_is_a_png_of_its_size(mode: str) -> None:
    assert shown(content.attach(Image.new(mode, (5, 3)))).size == (5, 3)
    assert shown(content.from_image(Image.new(mode, (1, 1)))).size == (1, 1)


@pytest.mark.parametrize("mode", ["L", "RGB", "CMYK", "YCbCr", "P", "LA", "RGBA", "RGBX"])
def test_white_stays_white(mode: str) -> None:
    image = Image.new("RGB", (4, 4), "white").convert(mode)
    assert shown(content.attach(image)).convert("RGB").getpixel((1, 1)) == (255, 255, 255)


@pytest.mark.parametrize("value", [0.0, 0.5, 1.0])
def test_a_float_image_of_0_to_1_keeps_its_levels(value: float) -> None:
    pixel = shown(content.attach(Image.new("F", (2, 2), value))).getpixel((0, 0))
    assert abs(float(pixel) - 255 * value) <= 1  # type: ignore[arg-type]  # a grey level


def test_a_16_bit_image_keeps_its_levels() -> None:
    assert shown(content.attach(Image.new("I;16", (2, 2), 40_000))).getpixel((0, 0)) == 40_000


def test_an_image_is_made_upright() -> None:
    image = Image.new("RGB", (40, 20))
    exif = image.getexif()
    exif[0x0112] = 6
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", exif=exif)
    assert shown(content.attach(Image.open(buffer))).size == (20, 40)


def test_an_image_is_not_changed_or_closed() -> None:
    image = Image.open(io.BytesIO(PNG))
    content.attach(image)
    assert image.size == (8, 8)
    assert image.getpixel((0, 0)) == (255, 0, 0)


def test_an_animation_stays_one() -> None:
    frames = [Image.new("RGB", (6, 6), colour) for colour in ("red", "green", "blue")]
    buffer = io.BytesIO()
    frames[0].save(buffer, "GIF", save_all=True, append_images=frames[1:])
    animation = Image.open(buffer)
    animation.seek(1)
    assert shown(content.attach(animation)).n_frames == 3  # type: ignore[attr-defined]  # an animation has it
    assert animation.tell() == 1


@pytest.mark.parametrize("size", [(0, 5), (5, 0)])
def test_an_image_without_pixels_is_empty(size: tuple[int, int]) -> None:
    with pytest.raises(SourceError) as caught:
        content.attach(Image.new("RGB", size))
    assert caught.value.code == "empty"


def test_an_image_over_the_pixel_limit_is_refused() -> None:
    with pytest.raises(CorruptMediaError) as caught:
        content.attach(Image.new("L", (100, 100)), max_pixels=9_999)
    assert caught.value.code == "too-many-pixels"


def test_a_lazily_opened_image_that_cannot_be_decoded_is_corrupt() -> None:
    with Image.open(CASES / "files" / "a10_truncated.jpg") as image, pytest.raises(CorruptMediaError):
        content.attach(image)


# --- arrays ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(4, 6), (4, 6, 1), (4, 6, 3), (4, 6, 4)])
@pytest.mark.parametrize("dtype", ["uint8", "bool", "uint16", ">u2", "float16", "float32", "float64", ">f4"])
def test_arrays_of_every_promised_kind_are_pictures(dtype: str, shape: tuple[int, ...]) -> None:
    assert shown(content.attach(np.ones(shape, dtype))).size == (6, 4)


@pytest.mark.parametrize("dtype", ["bool", "float32", ">f8"])
def test_one_is_white(dtype: str) -> None:
    assert shown(content.attach(np.ones((2, 2), dtype))).getpixel((0, 0)) == 255


def test_16_bits_are_kept_for_grey_and_rounded_for_colour() -> None:
    for kind in ("uint16", ">u2"):
        assert shown(content.attach(np.full((2, 2), 40_000, kind))).getpixel((0, 0)) == 40_000
        assert shown(content.attach(np.full((2, 2, 3), 65_535, kind))).getpixel((0, 0)) == (255, 255, 255)


def test_a_view_that_is_not_contiguous_is_right() -> None:
    array = np.zeros((8, 8, 3), np.uint8)
    array[::2, ::2] = (255, 0, 0)
    image = shown(content.attach(array[::2, ::2]))
    assert (image.size, image.getpixel((3, 3))) == ((4, 4), (255, 0, 0))


def test_nan_and_masked_values_are_black() -> None:
    assert shown(content.attach(np.full((2, 2), np.nan))).getpixel((0, 0)) == 0
    masked = np.ma.masked_array(np.full((2, 2), 200, np.uint8), True)
    assert shown(content.attach(masked)).getpixel((0, 0)) == 0


@pytest.mark.parametrize(
    ("array", "code"),
    [
        (np.zeros(5, np.uint8), "unsupported-source"),
        (np.zeros((2, 2, 2), np.uint8), "unsupported-source"),
        (np.zeros((2, 2, 3, 1), np.uint8), "unsupported-source"),
        (np.array(3), "unsupported-source"),
        (np.zeros((2, 2), "int64"), "unsupported-source"),
        (np.zeros((2, 2), complex), "unsupported-source"),
        (np.zeros((2, 2), object), "unsupported-source"),
        (np.full((2, 2), "x"), "unsupported-source"),
        (np.full((2, 2), 200.0), "unsupported-source"),
        (np.zeros((0, 5), np.uint8), "empty"),
        (np.zeros((5, 0, 3), np.uint8), "empty"),
        (np.uint8(3), "unsupported-source"),
    ],
)
def test_other_arrays_are_refused_with_the_way_out(array: Any, code: str) -> None:
    with pytest.raises(SourceError) as caught:
        content.attach(array)
    assert caught.value.code == code


# --- figures and notebook objects ------------------------------------------------------------------------------------


class Figure:
    def savefig(self, target: Any, *, format: str, **_: Any) -> None:
        assert format == "png"
        target.write(PNG)


class Axes:
    figure = Figure()


def drawn(**methods: Any) -> Any:
    return type("Plot", (), {name: staticmethod(method) for name, method in methods.items()})()


def fails(*_: object, **__: object) -> Any:
    raise RuntimeError("no renderer")


@pytest.mark.parametrize(
    "plot",
    [
        Figure(),
        Axes(),
        drawn(_repr_png_=lambda: PNG),
        drawn(_repr_png_=lambda: PAYLOAD),
        drawn(_repr_png_=lambda: (PNG, {"width": 8})),
        drawn(_repr_png_=lambda: None, _repr_jpeg_=lambda: PNG),
        drawn(_repr_png_=fails, _repr_jpeg_=lambda: PNG),
        drawn(_repr_png_=lambda: PNG, _repr_jpeg_=fails),
        drawn(_repr_png_=lambda: PNG, _repr_mimebundle_=fails, _repr_svg_=fails),
        drawn(_repr_png_=fails, _repr_mimebundle_=lambda: {"image/png": PNG}),
        drawn(_repr_mimebundle_=lambda: {"text/plain": "x", "image/png": PAYLOAD}),
        drawn(_repr_mimebundle_=lambda include, exclude: {"image/png": PNG}),
        drawn(_repr_mimebundle_=lambda include=None, exclude=None, **more: ({"image/png": PNG}, {})),
        drawn(_repr_mimebundle_=lambda **more: {"image/png": None, "image/jpeg": PNG}),
    ],
)
def test_whatever_draws_a_png_is_attached(plot: Any) -> None:
    assert content.part_data(content.attach(plot)) == PNG


def test_drawing_stops_at_the_first_picture() -> None:
    calls: list[str] = []
    plot = drawn(
        _repr_png_=lambda: PNG, _repr_jpeg_=lambda: calls.append("jpeg"), _repr_svg_=lambda: calls.append("svg")
    )
    content.attach(plot)
    assert calls == []


def test_an_object_that_draws_a_jpeg_or_an_svg_is_attached() -> None:
    assert content.attach(drawn(_repr_jpeg_=lambda: JPEG))["mimeType"] == "image/jpeg"  # type: ignore[typeddict-item]  # an image part
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
    assert content.attach(drawn(_repr_svg_=lambda: svg))["mimeType"] == "image/svg+xml"  # type: ignore[typeddict-item]  # an image part


@pytest.mark.parametrize(
    "plot",
    [
        drawn(_repr_png_=fails),
        drawn(savefig=fails),
        drawn(_repr_png_=lambda: None),
        drawn(_repr_png_=lambda: b""),
        drawn(_repr_png_=lambda: "!!!!"),
        drawn(_repr_mimebundle_=lambda: {"text/html": "<p>"}),
        drawn(_repr_mimebundle_=lambda: 3),
        drawn(savefig=lambda target, format: None),
    ],
)
def test_what_draws_nothing_is_a_source_error(plot: Any) -> None:
    with pytest.raises(SourceError):
        content.attach(plot)


def test_the_fault_of_drawing_code_is_named() -> None:
    with pytest.raises(SourceError, match="RuntimeError") as caught:
        content.attach(drawn(_repr_png_=fails))
    assert caught.value.code == "unreadable"


def test_an_object_whose_attributes_fail_is_a_source_error() -> None:
    class Spiteful:
        def __getattr__(self, name: str) -> Any:
            raise RuntimeError(name)

    with pytest.raises(SourceError):
        content.attach(Spiteful())


def test_a_class_is_no_object_that_draws() -> None:
    for kind in (Figure, Image.Image, np.ndarray):
        with pytest.raises(MediaError):
            content.attach(kind)


@pytest.mark.parametrize("bad", ["path.png", PNG, bytearray(PNG)])
def test_from_image_takes_image_objects_only(bad: Any) -> None:
    with pytest.raises(SourceError):
        content.from_image(bad)
