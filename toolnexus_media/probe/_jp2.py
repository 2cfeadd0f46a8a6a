"""JPEG 2000 and JPEG XL: the size fields in front of the pixels."""

from __future__ import annotations

from struct import unpack_from

from toolnexus_media.probe._isobmff import boxes, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolnexus_media._b64 import Buffer
    from toolnexus_media.types import Facts

_CODESTREAM = b"\xff\x4f\xff\x51"
_RATIOS = {1: (1, 1), 2: (12, 10), 3: (4, 3), 4: (3, 2), 5: (16, 9), 6: (5, 4), 7: (2, 1)}


def read(data: Buffer, found: Facts) -> None:
    """Size of a JPEG 2000 file or bare codestream."""
    at = codestream(data)
    if at is not None:
        found["width"], found["height"] = _siz(data, at)[:2]
    elif stated := stated_size(data):
        found["width"], found["height"] = stated


def stated_size(data: Buffer) -> tuple[int, ...]:
    """Width and height as the header box states them, or nothing."""
    header = find(data, (0, len(data)), b"jp2h", b"ihdr")
    return unpack_from(">II", data, header[0])[::-1] if header else ()


def codestream(data: Buffer) -> int | None:
    """Where the codestream begins."""
    if data[:4] == _CODESTREAM:
        return 0
    for kind, start, _end in boxes(data, 0, len(data)):
        if kind == b"jp2c":
            return start if data[start : start + 4] == _CODESTREAM else None
    return None


def _siz(data: Buffer, at: int) -> tuple[int, int, int, int, int]:
    right, bottom, left, top, tile_width, tile_height = unpack_from(">6I", data, at + 8)
    (parts,) = unpack_from(">H", data, at + 40)
    if right <= left or bottom <= top:
        raise ValueError("an empty image area")
    return right - left, bottom - top, min(tile_width, right), min(tile_height, bottom), parts


def tile_cells(data: Buffer) -> int:
    """How many 32-bit numbers a decoder holds for the largest tile: every component of every pixel."""
    at = codestream(data)
    if at is None:
        return 0
    _width, _height, tile_width, tile_height, parts = _siz(data, at)
    return tile_width * tile_height * parts


def read_jxl(data: Buffer, found: Facts) -> None:
    """Size of a JPEG XL file as stored; nothing decodes it here, and the error may say how large it is."""
    at = 0
    if data[:2] != b"\xff\x0a":
        for kind, start, _end in boxes(data, 0, len(data)):
            if kind in (b"jxlc", b"jxlp"):
                at = start + (4 if kind == b"jxlp" else 0)
                break
    if data[at : at + 2] != b"\xff\x0a" or len(data) < at + 12:
        return
    bits = _Bits(int.from_bytes(data[at + 2 : at + 12], "little"))
    small = bits.take(1)
    height = _jxl_side(bits, small)
    ratio = bits.take(3)
    if ratio:
        above, below = _RATIOS[ratio]
        width = height * above // below
    else:
        width = _jxl_side(bits, small)
    found["width"], found["height"] = width, height


class _Bits:
    __slots__ = ("value",)

    def __init__(self, value: int) -> None:
        self.value = value

    def take(self, count: int) -> int:
        got = self.value & (1 << count) - 1
        self.value >>= count
        return got


def _jxl_side(bits: _Bits, small: int) -> int:
    if small:
        return (bits.take(5) + 1) * 8
    return bits.take((9, 13, 18, 30)[bits.take(2)]) + 1
