"""BMP, and the icons that hold bitmaps without a file header."""

from __future__ import annotations

from struct import unpack_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolnexus_media._b64 import Buffer
    from toolnexus_media.types import Facts

_MODES = {16: "RGB", 24: "RGB"}  # of the others the palette or the masks decide
_PNG = b"\x89PNG\r\n\x1a\n"
_MAX_ENTRIES = 4096


def read(data: Buffer, found: Facts) -> None:
    """Size and mode of a BMP, with or without its file header."""
    seen = bitmap(data, 14 if data[:2] == b"BM" else 0)
    if seen:
        found["width"], found["height"], bits = seen
        if bits in _MODES:
            found["mode"] = _MODES[bits]


def bitmap(data: Buffer, at: int) -> tuple[int, int, int] | None:
    """Width, height and bits a pixel of the bitmap header at this place."""
    (size,) = unpack_from("<I", data, at)
    if size == 12:
        width, height, _planes, bits = unpack_from("<HHHH", data, at + 4)
    elif 16 <= size <= 4096:
        width, height, _planes, bits = unpack_from("<iiHH", data, at + 4)
    else:
        return None
    height = abs(height)  # a negative height says that the top row comes first
    return (width, height, bits) if width > 0 and height else None


def read_icon(data: Buffer, found: Facts) -> None:
    """The size of the largest picture in an icon or cursor file."""
    best = largest(data)
    if best:
        found["width"], found["height"] = best[:2]


def largest(data: Buffer) -> tuple[int, int, int, int] | None:
    """Width, height, offset and length of the largest entry of an icon; of equal ones the one with most colours."""
    reserved, kind, count = unpack_from("<HHH", data, 0)
    if reserved or kind not in (1, 2):
        return None
    best: tuple[int, int, int, int] | None = None
    rank = (-1, -1)
    fits = (len(data) - 6) // 16
    for at in range(6, 6 + 16 * min(count, fits, _MAX_ENTRIES), 16):
        size, offset = unpack_from("<II", data, at + 8)
        width, height, bits = _entry(data, offset) or (data[at] or 256, data[at + 1] or 256, 0)
        if (width * height, bits) > rank:
            best, rank = (width, height, offset, size), (width * height, bits)
    return best


def _entry(data: Buffer, at: int) -> tuple[int, int, int] | None:
    if data[at : at + 8] == _PNG and at + 24 <= len(data):
        width, height = unpack_from(">II", data, at + 16)
        return (width, height, 32) if width and height else None
    if at + 16 > len(data):
        return None
    seen = bitmap(data, at)
    if seen is None or seen[1] < 2 or seen[0] * (seen[1] // 2) * seen[2] > 8 * len(data):
        return None  # no bitmap, or one that says more than the file can hold
    return seen[0], seen[1] // 2, seen[2]  # the mask doubles the height
