"""The file as its decoder should see it: without what makes Pillow warn or refuse, and no copy of the rest."""

from __future__ import annotations

from io import BytesIO
from struct import pack, unpack_from
from zlib import crc32

from toolnexus_media.probe import _bmp, _isobmff, _png
from toolnexus_media.probe._view import View, patched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO

    from toolnexus_media._b64 import Buffer

_PNG_KEPT = frozenset({b"gAMA", b"cHRM", b"sRGB", b"iCCP", b"pHYs", b"eXIf", b"tRNS"})
_PNG_SIZES = {b"gAMA": 4, b"cHRM": 32, b"sRGB": 1, b"pHYs": 9}
_PNG_MOTION = frozenset({b"acTL", b"fcTL", b"fdAT"})


def plain(data: Buffer) -> IO[bytes]:
    """The whole file; bytes are shared, other buffers are looked at."""
    return BytesIO(data) if isinstance(data, bytes) else View([data])  # type: ignore[return-value]  # RawIOBase reads the same


def png(data: Buffer) -> IO[bytes]:
    """A PNG without text, without ancillary chunks that are damaged, and without an animation that is announced wrong.

    Browsers and libpng skip such chunks; Pillow refuses the file, or warns.
    """
    at, end = 8, len(data)
    moves = False
    drop: list[tuple[int, int]] = []
    motion: list[tuple[int, int]] = []
    drawn = False
    for _ in range(_png.MAX_CHUNKS):
        if at + 12 > end:
            break
        size, kind = unpack_from(">I4s", data, at)
        stop = min(at + 12 + size, end)
        if kind in _PNG_MOTION:
            if kind == b"acTL":
                count = int.from_bytes(data[at + 8 : at + 12], "big")
                if not drawn and not moves and size == 8 and 0 < count < 0x80000000:
                    moves = True
                else:
                    drop.append((at, stop))
                    at = stop
                    continue
            motion.append((at, stop))
        elif kind[0] & 0x20 and not _is_sound(data, kind, at, size):
            drop.append((at, stop))
        drawn = drawn or kind == b"IDAT"
        at = stop
        if kind == b"IEND":
            break
    if not moves:
        drop = sorted(drop + motion)
    return View(_without(data, drop)) if drop else plain(data)  # type: ignore[return-value]  # RawIOBase reads the same


def _is_sound(data: Buffer, kind: bytes, at: int, size: int) -> bool:
    if kind not in _PNG_KEPT or at + 12 + size > len(data) or _PNG_SIZES.get(kind, size) != size:
        return False
    return bool(crc32(data[at + 4 : at + 8 + size]) == unpack_from(">I", data, at + 8 + size)[0])


def _without(data: Buffer, spans: list[tuple[int, int]]) -> list[Buffer]:
    view = memoryview(data)
    pieces: list[Buffer] = []
    at = 0
    for start, stop in spans:
        pieces.append(view[at:start])
        at = stop
    pieces.append(view[at:])
    return pieces


def avif(data: Buffer) -> IO[bytes]:
    """An AVIF whose EXIF items are renamed: Pillow parses them as it opens, and warns on damaged ones."""
    meta = _isobmff.find(data, (0, len(data)), b"meta")
    if not meta:
        return plain(data)
    spots = [at for _id, kind, at in _isobmff.item_types(data, (meta[0] + 4, meta[1])) if kind == b"Exif"]
    if not spots:
        return plain(data)
    return patched(data, [(at, b"uExf") for at in sorted(spots)])  # type: ignore[return-value]  # RawIOBase reads the same


def heif(data: Buffer) -> IO[bytes]:
    """A HEIF whose metadata no longer points at the picture: pi_heif crashes on text in it that is not UTF-8."""
    meta = _isobmff.find(data, (0, len(data)), b"meta")
    iref = _isobmff.find(data, (meta[0] + 4, meta[1]), b"iref") if meta else None
    if not iref:
        return plain(data)
    found = _isobmff.boxes(data, iref[0] + 4, iref[1])
    spots = [
        start - 4 if data[start - 4 : start] == kind else start - 12 for kind, start, _end in found if kind == b"cdsc"
    ]
    if not spots:
        return plain(data)
    return patched(data, [(at, b"uref") for at in spots])  # type: ignore[return-value]  # RawIOBase reads the same


def icon(data: Buffer) -> tuple[str, IO[bytes]]:
    """What the largest entry of an icon is (``png``, ``ico``, ``cur``), and the PNG, or an icon of that entry alone."""
    best = _bmp.largest(data)
    if best is None:
        raise ValueError("no picture in this icon")
    width, height, offset, size = best
    view = memoryview(data)
    entry = view[offset:] if data[2] == 2 else view[offset : offset + size]  # cursors are known to lie about length
    if entry[:8] == _png.SIGNATURE:
        return "png", png(view[offset:])
    seen = _bmp.bitmap(data, offset)
    bits = seen[2] if seen else 0
    colours = 1 << bits if bits < 8 else 0
    kind = data[2]
    head = pack("<HHHBBBBHHII", 0, kind, 1, width & 255, height & 255, colours, 0, 1, bits, len(entry), 22)
    return "cur" if kind == 2 else "ico", View([head, entry])  # type: ignore[return-value]  # RawIOBase reads the same
