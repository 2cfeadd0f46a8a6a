"""Pictures whose files hold one picture and nothing beside it, told by one short walk over their headers.

What is not of the plainest make is None here, and looked at by the walks that know everything.
"""

from __future__ import annotations

from struct import Struct
from struct import error as StructError  # noqa: N812  # the class is called error there, which says too little here
from typing import TYPE_CHECKING

from toolnexus_media import _b64
from toolnexus_media.fit import _metadata
from toolnexus_media.probe import _webp
from toolnexus_media.sniff import sniff

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolnexus_media.fit._geometry import Size

_PNG_START = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
_PNG_LAYOUTS = frozenset({(depth, 0) for depth in (1, 2, 4, 8)} | {(depth, 3) for depth in (1, 2, 4, 8)}) | {
    (8, 2),
    (8, 4),
    (8, 6),
}
_PNG_ASIDE = frozenset({b"gAMA", b"sRGB", b"pHYs"})
_CHUNK, _IHDR = Struct(">I4s"), Struct(">IIBB")
_MOST_CHUNKS = 100
_JPEG_START = b"\xff\xd8\xff"
_FRAMES = frozenset({0xC0, 0xC1, 0xC2})  # those that common decoders know
_TABLES = frozenset({0xC4, 0xDB, 0xDD})
_FRAME = Struct(">HHB")
_MOST_SEGMENTS = 40
_RIFF = Struct("<4xI4s4sI")
_SCREEN = Struct("<HHB")


def bare_size(payload: str, mime: str) -> Size | None:
    """Width and height of a still picture of 8 bits a channel at most, upright, without profile and metadata.

    >>> bare_size(_b64.encode(b"GIF89a\x08\0\x06\0\0\0\0,\0\0\0\0\x08\0\x06\0\0\x02\x01\0\0;"), "image/gif")
    (8, 6)
    """
    walk = _WALKS.get(mime)
    if walk is None:
        return None
    header = _metadata.header(payload, mime) if len(payload) > _metadata.SHORT else None
    try:
        return walk(_b64.decode(payload) if header is None else header)
    except (StructError, IndexError):
        return None


def _png(data: bytes) -> Size | None:
    width, height, depth, colour = _IHDR.unpack_from(data, 16)
    if data[:16] != _PNG_START or (depth, colour) not in _PNG_LAYOUTS:
        return None
    at, head = 33, _CHUNK.unpack_from
    for _ in range(_MOST_CHUNKS):
        size, kind = head(data, at)
        stop = at + size + 12
        if kind == b"IEND":
            whole = stop == len(data) and 0 < width < 1 << 31 and 0 < height < 1 << 31
            return (width, height) if whole else None
        if kind not in (b"IDAT", b"PLTE") and not (kind in _PNG_ASIDE and _metadata.is_sound(data, kind, at, stop)):
            return None
        at = stop
    return None


def _jpeg(data: bytes) -> Size | None:
    if data[:3] != _JPEG_START or data[-2:] != b"\xff\xd9":
        return None
    at, size = 2, None
    for _ in range(_MOST_SEGMENTS):
        if data[at] != 0xFF:
            return None
        marker = data[at + 1]
        if marker in _FRAMES:
            if size is not None:
                return None
            height, width, parts = _FRAME.unpack_from(data, at + 5)
            if parts not in (1, 3) or not width or not height:
                return None
            size = (width, height)
        elif marker == 0xDA:
            return size
        elif marker not in _TABLES and not (marker == 0xE0 and data[at + 4 : at + 9] == b"JFIF\0"):
            return None
        at += 2 + (data[at + 2] << 8 | data[at + 3])
    return None


def _webp_alone(data: bytes) -> Size | None:
    """A file of one chunk with its pixels."""
    size = _webp.bitstream(data, 12)
    whole, form, _, chunk = _RIFF.unpack_from(data)
    alone = data[:4] == b"RIFF" and form == b"WEBP" and whole + 8 == 20 + chunk + (chunk & 1) == len(data)
    return size[:2] if size and alone else None


def _gif_alone(data: bytes) -> Size | None:
    """One frame, and at most its graphic control in front of it."""
    width, height, flags = _SCREEN.unpack_from(data, 6)
    if sniff(data) != "image/gif" or not width or not height:
        return None
    at, frames = 13 + _palette(flags), 0
    for _ in range(_MOST_CHUNKS):
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


_WALKS: dict[str, Callable[[bytes], Size | None]] = {
    "image/png": _png,
    "image/jpeg": _jpeg,
    "image/gif": _gif_alone,
    "image/webp": _webp_alone,
}
