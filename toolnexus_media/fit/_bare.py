"""Pictures whose files hold one picture and nothing beside it, told by one short walk over their headers.

What is not of the plainest make is None here, and looked at by the walks that know everything.
"""

from __future__ import annotations

from struct import Struct
from struct import error as StructError  # noqa: N812  # the class is called error there, which says too little here
from typing import TYPE_CHECKING

from toolnexus_media import _b64
from toolnexus_media.fit import _bare_blocks, _metadata

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
_SRGB_GAMMA = b"\0\0\xb1\x8f"  # as nearly every file has it; another one may be no sRGB
_CHUNK, _IHDR = Struct(">I4s"), Struct(">IIBB")
_MOST_CHUNKS = 100
_JPEG_START = b"\xff\xd8\xff"
_FRAMES = frozenset({0xC0, 0xC1, 0xC2})  # those that common decoders know
_TABLES = frozenset({0xC4, 0xDB, 0xDD})
_FRAME = Struct(">BHHB")
_MOST_SEGMENTS = 40


def bare_size(payload: str, mime: str) -> Size | None:
    r"""Width and height of a still picture of 8 bits a channel at most, upright, without profile and metadata.

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
        if kind == b"gAMA" and data[at + 8 : at + 12] != _SRGB_GAMMA:
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
            bits, height, width, parts = _FRAME.unpack_from(data, at + 4)
            if bits != 8 or parts not in (1, 3) or not width or not height:
                return None
            size = (width, height)
        elif marker == 0xDA:
            return size
        elif marker not in _TABLES and not (marker == 0xE0 and _is_plain_jfif(data[at + 2 : at + 18])):
            return None
        at += 2 + (data[at + 2] << 8 | data[at + 3])
    return None


def _is_plain_jfif(said: bytes) -> bool:
    """Is it the segment without a small picture?"""
    return said[:7] == b"\0\x10JFIF\0" and said[14:] == b"\0\0"


_WALKS: dict[str, Callable[[bytes], Size | None]] = {
    "image/png": _png,
    "image/jpeg": _jpeg,
    "image/gif": _bare_blocks.gif,
    "image/webp": _bare_blocks.webp,
}
