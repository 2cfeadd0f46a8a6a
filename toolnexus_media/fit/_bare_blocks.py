"""GIF and WebP that hold one picture and nothing beside it; for what else there is, the answer is None."""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING

from toolnexus_media.probe import _webp
from toolnexus_media.sniff import sniff

if TYPE_CHECKING:
    from toolnexus_media.fit._geometry import Size

_RIFF = Struct("<4xI4s4sI")
_SCREEN = Struct("<HHB")
_MOST_BLOCKS = 100


def webp(data: bytes) -> Size | None:
    """The size of a picture in a file of one chunk."""
    size = _webp.bitstream(data, 12)
    whole, form, _, chunk = _RIFF.unpack_from(data)
    alone = data[:4] == b"RIFF" and form == b"WEBP" and whole + 8 == 20 + chunk + (chunk & 1) == len(data)
    return size[:2] if size and alone else None


def gif(data: bytes) -> Size | None:
    """The size of a canvas with one frame, and at most its graphic control in front of it."""
    width, height, flags = _SCREEN.unpack_from(data, 6)
    if sniff(data) != "image/gif" or not width or not height:
        return None
    at, frames = 13 + _palette(flags), 0
    for _ in range(_MOST_BLOCKS):
        kind = data[at]
        if kind == 0x3B:
            return (width, height) if frames == 1 and at + 1 == len(data) else None
        if kind == 0x2C:
            frames += 1
            at += 10 + _palette(data[at + 9]) + 1
        elif kind == 0x21 and data[at + 1] == 0xF9:
            at += 2
        else:
            return None
        while data[at]:
            at += data[at] + 1
        at += 1
    return None


def _palette(flags: int) -> int:
    return 3 << (flags & 7) + 1 if flags & 0x80 else 0
