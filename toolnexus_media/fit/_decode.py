"""A picture's pixels, decoded no larger than they are needed, cropped, scaled, in sRGB and upright.

The order is what makes it quick and small: a JPEG is decoded at the fraction of its size that is still enough, then
scaled as it is stored, then its colours are converted, and it is turned last. Imported only when a picture is decoded.
"""

from __future__ import annotations

from math import ceil
from struct import error as StructError  # noqa: N812  # the class is called error there, which says too little here
from typing import TYPE_CHECKING, NamedTuple

from PIL import Image

from toolnexus_media.fit import _colour, _geometry, _metadata, _png_colour
from toolnexus_media.probe import image as probe_image
from toolnexus_media.probe._exif import orientation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolnexus_media.fit._geometry import Box, Size

    View = tuple[Box, Size]

_SEGMENT = 65_000  # a JPEG segment holds 65,533 bytes, its own head included


class Picture(NamedTuple):
    """An opened picture: its size as stored, and how it is turned to be shown."""

    im: Image.Image
    mime: str
    stored: Size
    turn: int
    exif: bytes | None
    icc: bytes | None

    @property
    def shown(self) -> Size:
        """Width and height as shown."""
        return _geometry.swapped(self.stored, self.turn)

    def kept(self) -> dict[str, bytes]:
        """Metadata that encoders can write again."""
        xmp = self.im.info.get("xmp")
        blocks = {"exif": _metadata.unturned(self.exif) if self.exif else b"", "xmp": xmp}
        return {key: block for key, block in blocks.items() if isinstance(block, bytes) and 0 < len(block) < _SEGMENT}


def opened(data: bytes, mime: str, max_pixels: int) -> Picture:
    """The picture, not decoded yet; ``MediaError`` says why it cannot be."""
    im = probe_image.open_image(data, mime, max_pixels=max_pixels)
    return described(im, mime)


def described(im: Image.Image, mime: str) -> Picture:
    """An opened image with what is to know of it."""
    exif, icc = im.info.get("exif"), im.info.get("icc_profile")
    block = exif if isinstance(exif, bytes) else None
    try:
        turn = (orientation(block) if block else None) or 1
    except StructError:
        turn = 1
    return Picture(im, mime, im.size, turn, block, icc if isinstance(icc, bytes) else None)


def loaded(picture: Picture, views: Sequence[View]) -> Picture:
    """The picture decoded, as large as the most demanding view needs it; a JPEG may come smaller than it is stored."""
    im = picture.im
    if picture.mime == "image/jpeg" and views:
        scale = max(max(w / (box[2] - box[0]), h / (box[3] - box[1])) for box, (w, h) in views)
        if scale < 1:
            im.draft(None, (ceil(picture.stored[0] * scale), ceil(picture.stored[1] * scale)))  # None keeps the mode
    probe_image.load(im, picture.mime)
    return coloured(picture)


def coloured(picture: Picture) -> Picture:
    """A decoded picture in a mode that can be scaled, with the profile that its colours go by."""
    im = _colour.scalable(picture.im)
    stated = _png_colour.of_info(picture.im.info, im.mode) if picture.mime == "image/png" else None
    return picture._replace(im=im, icc=stated or picture.icc)


def rendered(picture: Picture, box: Box, size: Size) -> Image.Image:
    """A box of the picture as shown, at a size, in sRGB and upright; a new image without metadata."""
    im = picture.im
    wide, high = im.width / picture.stored[0], im.height / picture.stored[1]
    left, top, right, bottom = _geometry.stored_box(box, picture.stored, picture.turn)
    inner = (left * wide, top * high, right * wide, bottom * high)
    done = _resized(im, inner, _geometry.swapped(size, picture.turn))
    done = _colour.without_idle_alpha(_colour.to_srgb(done, picture.icc))
    done.info = {"exif": picture.exif} if picture.turn != 1 else {}
    done = probe_image.upright(done)
    done.info = {}
    return done


def _resized(im: Image.Image, box: tuple[float, float, float, float], size: Size) -> Image.Image:
    if (box[2] - box[0], box[3] - box[1]) == size:
        whole = (round(box[0]), round(box[1]), round(box[2]), round(box[3]))
        return im.crop(whole)
    return im.resize(size, Image.Resampling.LANCZOS, box, reducing_gap=2.0)
