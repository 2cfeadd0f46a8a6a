"""Objects that are pictures: PIL images, numpy arrays, figures, and whatever a notebook can show."""

from __future__ import annotations

import sys

from toolnexus_media._text import a_type
from toolnexus_media.errors import CorruptMediaError, MediaError, SourceError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from numpy.typing import NDArray
    from PIL.Image import Image

_PNG_LEVEL = 3  # zlib levels above 3 cost five times the time for a tenth of the bytes on screenshots
_ANIMATED = frozenset({"GIF", "WEBP", "PNG"})
_TO_PNG = {
    "CMYK": "RGB",
    "YCbCr": "RGB",
    "LAB": "RGB",
    "HSV": "RGB",
    "RGBX": "RGB",
    "RGBa": "RGBA",
    "La": "LA",
    "PA": "RGBA",
}


def encode_object(source: object, max_pixels: int) -> bytes | None:
    """The object's picture as encoded bytes, or None when it is no such object.

    A fault inside somebody's drawing code is a ``SourceError`` ``unreadable`` that names it.
    """
    if isinstance(source, type):
        return None
    for test, encode in ((_is_image, encode_image), (_is_array, _encode_array)):
        if test(source):
            return encode(source, max_pixels)
    return _drawn(source)


def _is_image(source: object) -> bool:
    module = sys.modules.get("PIL.Image")
    kind = getattr(module, "Image", None)  # missing while another thread imports it
    return isinstance(kind, type) and isinstance(source, kind)


def _is_array(source: object) -> bool:
    module = sys.modules.get("numpy")
    kind = getattr(module, "ndarray", None)
    return isinstance(kind, type) and isinstance(source, kind)


def encode_image(image: Any, max_pixels: int) -> bytes:
    """A PIL image as PNG (an animation as APNG), upright, in a mode that PNG holds."""
    width, height = image.size
    if not width or not height:
        raise SourceError(f"the image is {width}x{height}: it has no pixels; draw something first", code="empty")
    _check_pixels(width, height, max_pixels)
    try:
        return _save_png(image, max_pixels)
    except MediaError:
        raise
    except Exception as error:  # a lazily opened file can fail in any of Pillow's decoders
        raise CorruptMediaError(
            f"the image cannot be decoded ({type(error).__name__}); open it from a complete file", code="corrupt"
        ) from error


def _check_pixels(width: int, height: int, max_pixels: int, frames: int = 1) -> None:
    if width * height * frames > max_pixels:
        each = f"{frames} frames of " if frames > 1 else ""
        raise CorruptMediaError(
            f"the image is {each}{width}x{height}: over {max_pixels} pixels; scale it down or raise max_pixels",
            code="too-many-pixels",
        )


def _save_png(image: Image, max_pixels: int) -> bytes:
    from io import BytesIO

    buffer = BytesIO()
    frames = getattr(image, "n_frames", 1) if image.format in _ANIMATED else 1
    if frames > 1:
        _check_pixels(*image.size, max_pixels, frames)
        position = image.tell()
        image.save(buffer, "PNG", save_all=True, compress_level=_PNG_LEVEL)
        image.seek(position)
    else:
        _png_mode(_upright(image)).save(buffer, "PNG", compress_level=_PNG_LEVEL)
    return buffer.getvalue()


def _upright(image: Image) -> Image:
    from PIL import ImageOps

    return ImageOps.exif_transpose(image) if image.getexif().get(0x0112, 1) != 1 else image


def _png_mode(image: Image) -> Image:
    if image.mode == "F":
        low, high = image.getextrema()
        scale = 255.0 if isinstance(high, float) and high <= 1.0 and isinstance(low, float) and low >= 0.0 else 1.0
        return image.point(lambda value: value * scale).convert("L")
    if image.mode.startswith("I"):
        return image if image.mode == "I;16" else image.convert("I").convert("I;16")
    target = _TO_PNG.get(image.mode)
    return image.convert(target) if target else image


def _encode_array(array: Any, max_pixels: int) -> bytes:
    import numpy as np
    from PIL import Image

    if array.ndim in (2, 3):  # before any copy: an array that repeats one value takes no memory until it is copied
        _check_pixels(array.shape[1], array.shape[0], max_pixels)
    plain: NDArray[Any] = np.ma.filled(array, 0) if isinstance(array, np.ma.MaskedArray) else array
    if plain.ndim == 3 and plain.shape[2] == 1:
        plain = plain[:, :, 0]
    if plain.ndim not in (2, 3) or (plain.ndim == 3 and plain.shape[2] not in (3, 4)):
        raise SourceError(
            f"an array of shape {plain.shape} is no picture; pass height x width, or height x width x 3 or 4",
            code="unsupported-source",
        )
    if 0 in plain.shape:
        raise SourceError(f"an array of shape {plain.shape} has no pixels; fill it first", code="empty")
    return encode_image(Image.fromarray(np.ascontiguousarray(_as_levels(plain))), max_pixels)


def _as_levels(array: NDArray[Any]) -> NDArray[Any]:
    """The values as 8 bits, or 16 bits where PNG can hold them."""
    import numpy as np

    if array.dtype == np.uint8:
        return array
    if array.dtype == np.bool_:
        return array.astype(np.uint8) * np.uint8(255)
    if array.dtype.kind == "u" and array.dtype.itemsize == 2:
        array = array.astype(np.uint16, copy=False)  # in this machine's byte order
        return array if array.ndim == 2 else ((array.astype(np.uint32) + 128) // 257).astype(np.uint8)
    if array.dtype.kind == "f":
        clean = np.nan_to_num(array.astype(np.float64), nan=0.0, posinf=1.0, neginf=0.0)
        if clean.size and (clean.min() < -1e-6 or clean.max() > 1 + 1e-6):
            raise SourceError(
                f"a float array holds 0..1, this one {clean.min():g}..{clean.max():g}; "
                "scale it, or pass array.astype('uint8')",
                code="unsupported-source",
            )
        return (clean.clip(0, 1) * 255 + 0.5).astype(np.uint8)
    raise SourceError(
        f"an array of {array.dtype} is no picture; pass uint8, bool, uint16 or float 0..1", code="unsupported-source"
    )


def _drawn(source: object) -> bytes | None:
    """What the object draws of itself: the first of its ways that gives a picture."""
    tried, fault = False, None
    try:
        for draw in _ways(source):
            tried = True
            try:
                if data := draw():
                    return data
            except Exception as error:  # noqa: BLE001  # drawing code is the caller's; its next way may work
                fault = fault or error
    except Exception as error:  # noqa: BLE001  # so is the code behind an attribute
        fault = error
    if fault is not None:
        raise SourceError(
            f"{a_type(source)} failed while it drew itself ({type(fault).__name__}); "
            "save it to PNG yourself and pass the bytes",
            code="unreadable",
        ) from fault
    if tried:
        raise SourceError(
            f"{a_type(source)} drew no picture; save it to PNG yourself and pass the bytes",
            code="unsupported-source",
        )
    return None


def _ways(source: object) -> Iterator[Callable[[], bytes | None]]:
    """A figure's file, else the object's notebook forms, best first."""
    for figure in (source, getattr(source, "figure", None)):
        save = getattr(figure, "savefig", None)
        if callable(save):
            yield lambda save=save: _saved(save)  # type: ignore[misc]  # mypy wants a type for the default
    for name in ("_repr_png_", "_repr_jpeg_", "_repr_mimebundle_", "_repr_svg_"):
        method = getattr(source, name, None)
        if callable(method):
            read = _from_bundle if name == "_repr_mimebundle_" else _from_method
            yield lambda read=read, method=method: read(method)  # type: ignore[misc]  # mypy wants types for the defaults


def _saved(save: Callable[..., Any]) -> bytes:
    from io import BytesIO

    buffer = BytesIO()
    save(buffer, format="png")
    return buffer.getvalue()


def _from_method(method: Callable[[], Any]) -> bytes | None:
    return _as_bytes(_without_metadata(method()))


def _without_metadata(made: Any) -> Any:
    return made[0] if isinstance(made, tuple) and made else made


def _from_bundle(method: Callable[..., Any]) -> bytes | None:
    try:
        made = method(include=None, exclude=None)
    except TypeError:  # the two are promised by the protocol and forgotten by many
        made = method()
    bundle = _without_metadata(made)
    if not isinstance(bundle, dict):
        return None
    mimes = ("image/png", "image/jpeg", "image/webp", "image/gif", "image/svg+xml", "application/pdf")
    return next((data for mime in mimes if (data := _as_bytes(bundle.get(mime)))), None)


def _as_bytes(value: object) -> bytes | None:
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value)
    if not isinstance(value, str):
        return None
    if value.lstrip()[:1] == "<":
        return value.encode("utf-8", "replace")
    from toolnexus_media import _b64

    return _b64.decode_any(value)
