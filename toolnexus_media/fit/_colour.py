"""Pixels of any kind made 8-bit L, LA, RGB or RGBA in sRGB. Imported only when a picture is decoded."""

from __future__ import annotations

from io import BytesIO
from math import isfinite
from typing import TYPE_CHECKING

from PIL import Image, ImageChops, ImageCms, ImageColor

from toolnexus_media.fit import _icc

if TYPE_CHECKING:
    from toolnexus_media.fit._job import Background

_PLAIN = frozenset({"L", "LA", "RGB", "RGBA", "CMYK", "LAB", "La", "RGBa"})
_BY_CONVERT = {"1": "L", "YCbCr": "RGB", "HSV": "RGB", "RGBX": "RGB", "PA": "RGBA"}
_OPAQUE = (255, 255)


def scalable(im: Image.Image) -> Image.Image:
    """The picture in a mode that can be scaled, 8 bits a channel, its transparency in a channel of its own."""
    if im.mode.startswith("I") or im.mode == "F":
        im = _eight_bits(im)
    if "transparency" in im.info and im.mode in ("1", "L", "P", "RGB"):
        return im.convert("RGBA")
    if im.mode == "P":
        return im.convert("RGBA" if im.palette is not None and im.palette.mode == "RGBA" else "RGB")
    if im.mode in _BY_CONVERT:
        return im.convert(_BY_CONVERT[im.mode])
    return im if im.mode in _PLAIN else im.convert("RGB")


def _eight_bits(im: Image.Image) -> Image.Image:
    """Grey of 16 or 32 bits, or float, as 8: the upper byte of 16, and of wider ones the range that is used.

    ``convert("L")`` would cut every value above 255 to white.
    """
    if im.mode.startswith("I;16"):
        raw = "L;16B" if im.mode == "I;16B" else "L;16"
        return Image.frombytes("L", im.size, im.tobytes(), "raw", raw)
    low, high = im.getextrema()
    if not (isinstance(low, (int, float)) and isinstance(high, (int, float)) and isfinite(low) and isfinite(high)):
        low, high = 0, 1
    if low >= 0 and high <= 1 and im.mode == "F":
        low, scale = 0, 255.0
    elif low >= 0 and high <= 255:
        low, scale = 0, 1.0
    elif low >= 0 and high <= 65535:
        low, scale = 0, 255 / 65535
    else:
        scale = 255 / (high - low)
    wide = im if im.mode == "F" else im.convert("F")
    return wide.point(lambda value: value * scale + (0.5 - low * scale)).convert("L")


def to_srgb(im: Image.Image, profile: bytes | None) -> Image.Image:
    """The colours as sRGB; a profile that is broken or of another colour space is no use and is passed over."""
    if im.mode in ("La", "RGBa"):
        im = im.convert("LA" if im.mode == "La" else "RGBA")
    if im.mode == "LAB":
        return _transformed(im, ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB"))) or im.convert("RGB")
    if profile and _icc.verdict(profile, im.mode) == "other":
        try:
            source = ImageCms.ImageCmsProfile(BytesIO(profile))
        except (OSError, TypeError, ValueError):
            source = None
        converted = None if source is None else _transformed(im, source)
        if converted is not None:
            return converted
    return im.convert("RGB") if im.mode == "CMYK" else im


def _transformed(im: Image.Image, source: ImageCms.ImageCmsProfile) -> Image.Image | None:
    """Relative colorimetric with black point compensation, as browsers and image editors do by default."""
    alpha = im.getchannel("A") if im.mode.endswith("A") else None
    grey = im.mode in ("L", "LA")
    solid = im.convert("L" if grey else "RGB") if alpha is not None else im
    try:
        done = ImageCms.profileToProfile(
            solid,
            source,
            ImageCms.createProfile("sRGB"),
            renderingIntent=ImageCms.Intent.RELATIVE_COLORIMETRIC,
            outputMode="RGB",
            flags=ImageCms.Flags.BLACKPOINTCOMPENSATION,
        )
    except (ImageCms.PyCMSError, OSError, ValueError, TypeError):
        return None
    if done is None:
        return None
    if grey:
        done = done.convert("L")
    if alpha is not None:
        done.putalpha(alpha)
    return done


def without_idle_alpha(im: Image.Image) -> Image.Image:
    """The picture without its alpha channel where every pixel is opaque."""
    if not im.mode.endswith("A") or im.getchannel("A").getextrema() != _OPAQUE:
        return im
    return im.convert(im.mode[:-1])


def flattened(im: Image.Image, background: Background) -> Image.Image:
    """The picture on a background where it is transparent."""
    if not im.mode.endswith("A"):
        return im
    colour = solid_colour(background)
    if im.mode == "LA" and len(set(colour)) == 1:
        base = Image.new("L", im.size, colour[0])
        base.paste(im.getchannel("L"), mask=im.getchannel("A"))
        return base
    base = Image.new("RGB", im.size, colour)
    base.paste(im.convert("RGB"), mask=im.getchannel("A"))
    return base


def solid_colour(background: Background) -> tuple[int, int, int]:
    """A colour as PIL knows it, its own transparency left out; ``ValueError`` names a colour that it does not know."""
    try:
        if isinstance(background, str):
            red, green, blue = ImageColor.getrgb(background)[:3]
        elif isinstance(background, int):
            red = green = blue = background
        else:
            red, green, blue = background[:3]
        return bytes((red, green, blue))[0], green, blue  # bytes refuse what is no level of 0 to 255
    except (ValueError, TypeError):
        raise ValueError(
            f"background is {background!r:.80}, which is no colour; give a name, '#rrggbb' or (r, g, b)"
        ) from None


def same(one: Image.Image, other: Image.Image) -> bool:
    """Are the two pictures equal in every pixel?"""
    if one.size != other.size or one.mode != other.mode:
        return False
    difference = ImageChops.difference(one, other)
    extrema = difference.getextrema()
    pairs = extrema if isinstance(extrema[0], tuple) else (extrema,)
    return all(pair == (0, 0) for pair in pairs)
