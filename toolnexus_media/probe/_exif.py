"""The one fact of EXIF that changes a picture: which way is up.

Pillow's own reader warns on damaged EXIF, and warnings cannot be silenced for one thread alone; this one looks for a
single tag and never warns.
"""

from __future__ import annotations

from struct import unpack_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolnexus_media._b64 import Buffer
    from toolnexus_media.types import Facts

ORIENTATION = 0x0112
_FORMATS = {1: "B", 3: "H", 4: "I"}  # the spec says SHORT; some cameras write the others
_MAX_TAGS = 4096


def orientation(block: Buffer) -> int | None:
    r"""The orientation (1 to 8) that an EXIF block states in its first directory, or None.

    >>> orientation(b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0")
    6
    """
    start = 6 if block[:6] == b"Exif\0\0" else 0
    order = {b"II": "<", b"MM": ">"}.get(bytes(block[start : start + 2]))
    if order is None or len(block) < start + 8:
        return None
    (first,) = unpack_from(order + "I", block, start + 4)
    at = start + first
    if at + 2 > len(block):
        return None
    (count,) = unpack_from(order + "H", block, at)
    fits = (len(block) - at - 2) // 12
    for entry in range(at + 2, at + 2 + 12 * min(count, fits, _MAX_TAGS), 12):
        tag, kind = unpack_from(order + "HH", block, entry)
        if tag == ORIENTATION:
            if kind not in _FORMATS:
                return None
            (value,) = unpack_from(order + _FORMATS[kind], block, entry + 8)
            return value if 1 <= value <= 8 else None
    return None


def turn(found: Facts, value: int | None) -> None:
    """Note the orientation, and exchange width and height where it lays the picture on its side."""
    if value is None:
        return
    found["orientation"] = value
    if value >= 5 and "width" in found and "height" in found:
        found["width"], found["height"] = found["height"], found["width"]
