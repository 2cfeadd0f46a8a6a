"""Pictures (and a few neighbours) whose signature is too short or absent: their header has to make sense."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from toolnexus_media.sniff._window import View

_WHITE = b" \t\r\n\x0b\x0c"
_PNM = {
    0x31: "image/x-portable-bitmap",
    0x34: "image/x-portable-bitmap",
    0x32: "image/x-portable-graymap",
    0x35: "image/x-portable-graymap",
    0x33: "image/x-portable-pixmap",
    0x36: "image/x-portable-pixmap",
    0x37: "image/x-portable-arbitrarymap",
    0x66: "image/x-portable-floatmap",
    0x46: "image/x-portable-floatmap",
}
_DNG_VERSION = 0xC612


def gif(head: bytes) -> str | None:
    """``image/gif`` for a whole header whose sizes are not printable text (no picture is 8,224 wide and high)."""
    if len(head) < 13 or head[4:6] not in (b"7a", b"9a"):
        return None
    return "image/gif" if head[7] < 9 or head[9] < 9 or head[10] > 0x7F else None


def gif_any(view: View) -> str | None:
    """The same without the check on the sizes; the caller makes sure that the head is no text."""
    head = view.head
    return "image/gif" if head[4:6] in (b"7a", b"9a") else None


def png(head: bytes) -> str | None:
    """``image/png`` for the whole signature of eight bytes, animated or not."""
    return "image/png" if head.startswith(b"\x89PNG\r\n\x1a\n") else None


def bmp(view: View) -> str | None:
    """``image/bmp`` when the size of the second header is one that a bitmap can have."""
    head = view.head
    return "image/bmp" if len(head) >= 18 and 12 <= _u32(head, 14) <= 0x3FF else None


def dib(view: View) -> str | None:
    """``image/bmp`` for a bitmap without its file header: one plane, a known depth, and sizes that fit."""
    head = view.head
    if len(head) < 40 or head[:4] != b"\x28\x00\x00\x00" or head[12:14] != b"\x01\x00":
        return None
    width, height = _u32(head, 4), _u32(head, 8)
    sane = 0 < width < 1 << 16 and (0 < height < 1 << 16 or height > 0xFFFF0000)
    return "image/bmp" if sane and head[14] in (1, 4, 8, 16, 24, 32) and head[15] == 0 and head[16] < 7 else None


def icon(view: View) -> str | None:
    """An icon or a cursor whose first entry lies behind the directory."""
    head = view.head
    count, offset = _u16(head, 4), _u32(head, 18)
    if len(head) < 22 or not 0 < count < 1024 or not 6 + 16 <= offset < view.size or not _u32(head, 14):
        return None
    return "image/vnd.microsoft.icon" if head[2] == 1 else "image/x-win-bitmap"


def tiff(view: View) -> str | None:
    """``image/tiff``, or the raw photo format that dresses as one."""
    head = view.head
    if head[8:10] == b"CR":
        return "image/x-canon-cr2"
    order: Literal["little", "big"] = "little" if head[:1] == b"I" else "big"
    at = int.from_bytes(head[4:8], order)
    table = view.at(at, 2 + 12 * 64)
    count = int.from_bytes(table[:2], order)
    tags = (table[2 + 12 * i : 4 + 12 * i] for i in range(min(count, 64)))
    return "image/x-adobe-dng" if _DNG_VERSION.to_bytes(2, order) in tags else "image/tiff"


def pnm(view: View) -> str | None:
    """A portable anymap: the letter, white space or a comment, then a width and a height."""
    head = view.head
    mime = _PNM.get(head[1]) if len(head) > 3 else None
    if mime is None or head[2] not in _WHITE + b"#":
        return None
    if head[1] == 0x37:
        named = [word in head[:512] for word in (b"WIDTH ", b"HEIGHT ", b"DEPTH ", b"MAXVAL ", b"TUPLTYPE ")]
        return mime if all(named[:2]) and any(named[2:]) else None
    return mime if _sizes(head) else None


def _sizes(head: bytes) -> tuple[int, int] | None:
    """The width and the height behind the letter and its comments."""
    words: list[bytes] = []
    for line in head[2:1024].splitlines():
        words += line.split(b"#", 1)[0].split()
        if len(words) > 1:
            break
    if len(words) < 2 or not words[0].isdigit() or not words[1].isdigit():
        return None
    return int(words[0]), int(words[1])


def plain_pnm(view: View) -> str | None:
    """A portable anymap in digits: (nearly) nothing but numbers and comments may follow its letter."""
    head = view.head
    mime = pnm(view)
    if mime is None:
        return None
    rest = b" ".join(line.split(b"#", 1)[0] for line in head[2:512].splitlines())
    return mime if len(rest.translate(None, b"0123456789" + _WHITE)) * 20 <= len(rest) else None


def raw_pnm(view: View) -> str | None:
    """A portable anymap whose raster happens to read as text: its letter fills a line, and the raster is all there."""
    head = view.head
    mime = pnm(view)
    sizes = _sizes(head)
    if mime is None or sizes is None or head[2] not in b"\r\n#":
        return None
    row = (sizes[0] + 7) // 8 if head[1] == 0x34 else sizes[0] * (3 if head[1] == 0x36 else 1)
    return mime if row * sizes[1] < view.size else None


def pcx(view: View) -> str | None:
    """``image/x-pcx``: a version, run-length coding, a depth, planes and a window that make sense."""
    head = view.head
    if len(head) < 128 or head[1] not in (0, 2, 3, 4, 5) or head[2] > 1 or head[3] not in (1, 2, 4, 8):
        return None
    window = _u16(head, 4) <= _u16(head, 8) and _u16(head, 6) <= _u16(head, 10)
    return "image/x-pcx" if window and head[65] in (1, 2, 3, 4) else None


def sgi(view: View) -> str | None:
    """``image/x-sgi``: coding, bytes a channel and dimensions in their small ranges."""
    head = view.head
    fine = len(head) > 11 and head[2] < 2 and head[3] in (1, 2) and head[4] == 0 and head[5] in (1, 2, 3)
    return "image/x-sgi" if fine else None


def jxl(view: View) -> str | None:
    """``image/jxl``, a bare codestream; the caller makes sure that the head is no text."""
    head = view.head
    return "image/jxl" if len(head) > 4 else None


def flic(view: View) -> str | None:
    """An Autodesk animation: its mark at byte 4, eight bits a pixel, a frame count, and its own size in front."""
    head = view.head
    kind = {b"\x11\xaf": "video/x-fli", b"\x12\xaf": "video/x-flc"}.get(head[4:6])
    if kind is None or len(head) < 128 or _u16(head, 12) not in (0, 8) or not _u16(head, 6):
        return None
    sane = 0 < _u16(head, 8) <= 4096 and 0 < _u16(head, 10) <= 4096
    return kind if sane and _u16(head, 14) in (0, 1, 3) else None


def pict(view: View) -> str | None:
    """``image/x-pict``: behind 512 free bytes, a frame and the version opcode."""
    for start in (512, 0):
        mark = view.at(start + 10, 6)
        if mark == b"\x00\x11\x02\xff\x0c\x00" or (mark[:2] == b"\x11\x01" and _is_frame(view.at(start, 10))):
            return "image/x-pict"
    return None


def _is_frame(data: bytes) -> bool:
    top, left, bottom, right = (int.from_bytes(data[i : i + 2], "big", signed=True) for i in (2, 4, 6, 8))
    return top < bottom and left < right


def tga(view: View) -> str | None:
    """``image/x-tga``: every field of the header makes sense, and a footer, the name or the size confirms it."""
    head = view.head
    if len(head) < 18 or not _is_tga_header(head):
        return None
    if view.at(view.size - 18, 18) == b"TRUEVISION-XFILE.\x00" or (view.name or "").lower().endswith(".tga"):
        return "image/x-tga"
    kind, depth = head[2], head[16]
    pixels = _u16(head, 12) * _u16(head, 14)
    start = 18 + head[0] + _u16(head, 5) * ((head[7] + 7) // 8 if head[1] else 0)
    if kind < 8:  # not packed: the size of the file can be told
        return "image/x-tga" if start + pixels * ((depth + 7) // 8) <= view.size else None
    return "image/x-tga" if view.size > start + pixels // 128 else None


def _is_tga_header(head: bytes) -> bool:
    mapped, kind, depth = head[1], head[2], head[16]
    if mapped > 1 or kind not in (1, 2, 3, 9, 10, 11) or (kind in (1, 9)) > mapped:
        return False
    if depth not in ((8, 16) if kind in (1, 3, 9, 11) else (15, 16, 24, 32)):
        return False
    if mapped and head[7] not in (8, 15, 16, 24, 32):
        return False
    if not mapped and any(head[3:8]):
        return False
    return bool(_u16(head, 12) and _u16(head, 14)) and head[17] & 0xC0 == 0 and head[17] & 15 <= 8


def _u16(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 2], "little")


def _u32(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "little")
