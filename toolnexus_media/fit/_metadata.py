"""What a picture's file says besides its pixels, found by a walk over its header, and taken out without re-encoding.

Pixels stay byte for byte: only whole segments, chunks and blocks go. What makes pixels look right stays: an sRGB
profile, gamma, Adobe's colour transform, palettes, transparency, animation.
"""

from __future__ import annotations

from struct import error as StructError  # noqa: N812  # the class is called error there, which says too little here
from struct import pack, unpack_from
from typing import NamedTuple
from zlib import crc32

from toolnexus_media import _b64
from toolnexus_media.fit import _gif, _png_colour
from toolnexus_media.fit._icc import MAX_PROFILE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_MAX_STEPS = 200_000
_AT_REST = 4
_FEW_CHUNKS = 64
_PIXELS = (b"IDAT", b"fdAT")
_HEAD = 1 << 15  # characters of base64: profiles and thumbnails of most cameras end before
SHORT = 2 * _HEAD  # characters of base64 that are decoded at once
_PNG_KEPT = frozenset(
    {b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"iCCP", b"cICP", b"mDCV", b"cLLI"}
    | {b"sBIT", b"bKGD", b"pHYs", b"acTL", b"fcTL", b"fdAT"}
)
_PNG_SIZES = {b"gAMA": 4, b"cHRM": 32, b"sRGB": 1, b"pHYs": 9, b"cICP": 4}
_PNG_MOTION = frozenset({b"acTL", b"fcTL", b"fdAT"})
_WEBP_KEPT = frozenset({b"VP8X", b"VP8 ", b"VP8L", b"ALPH", b"ANIM", b"ANMF", b"ICCP"})
_ICC_HEAD = b"ICC_PROFILE\0"
_JPEG_FRAMES = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
_COMMON_FRAMES = frozenset({0xC0, 0xC1, 0xC2})  # neither arithmetic coding nor JPEG's own lossless one
_JFIF, _ADOBE = b"JFIF\0", b"Adobe"
_TIFF_PRIVATE = frozenset({34665, 34853, 700, 33723, 34377, 270, 315, 306, 316, 33432})  # Exif, GPS, XMP, IPTC, texts


class Found(NamedTuple):
    """What a walk saw; ``deep`` is more than 8 bits a channel, or a layout that only some decoders know."""

    metadata: bool = False
    icc: bytes | None = None
    deep: bool = False
    reached: bool = True
    """The walk came to the pixels."""


NOTHING = Found()


def find(data: bytes, mime: str) -> Found:
    """What stands beside the pixels.

    >>> find(b"GIF89a", "image/gif")
    Found(metadata=False, icc=None, deep=False, reached=True)
    """
    finder = _FINDERS.get(mime)
    if finder is None:
        return NOTHING
    try:
        return finder(data)
    except (StructError, IndexError, KeyError, ValueError, OverflowError):
        return NOTHING


def strip(data: bytes, mime: str, *, profile: bool = False) -> bytes | None:
    """The same picture without what says more than its pixels; ``None`` where that needs a new encoding.

    The same object where nothing is to go. ``profile`` takes out the colour profile too, where it is no use.
    """
    stripper = _STRIPPERS.get(mime)
    if stripper is None:
        return None
    for _ in range(_AT_REST):  # in a damaged file a walk may find more where the one before has closed a gap
        try:
            bare = stripper(data, profile)
        except (StructError, IndexError, KeyError, ValueError, OverflowError):
            break
        if bare == data:
            break
        data = bare
    return data


def header(payload: str, mime: str) -> bytes | None:
    """What tells of the picture, out of its base64 and without decoding its pixels; ``None`` where all is needed.

    Of a JPEG it is the beginning and the last bytes, of a PNG the file with its pixels left out.
    """
    if len(payload) <= SHORT:
        return None
    if mime == "image/jpeg":
        return _b64.decode(payload[:_HEAD]) + _b64.decode(payload[-8:])  # of four, padding leaves fewer than two bytes
    return _png_header(payload) if mime == "image/png" else None


def _png_header(payload: str) -> bytes | None:
    """The PNG with empty chunks in the place of pixels; ``None`` where it has too many chunks to look each one up."""
    total, at = _b64.size(payload), 8
    kept = [_b64.decode(payload[:12])[:8]]
    for _ in range(_FEW_CHUNKS):
        if at + 12 > total:
            return None
        size, kind = unpack_from(">I4s", _bytes_of(payload, at, at + 8))
        stop = at + 12 + size
        if stop > total or (size > _HEAD and kind not in _PIXELS):
            return None
        kept.append(pack(">I4sI", 0, kind, 0) if kind in _PIXELS else _bytes_of(payload, at, stop))
        at = stop
        if kind == b"IEND":
            return b"".join([*kept, b"\0"] if at < total else kept)
    return None


def _bytes_of(payload: str, start: int, stop: int) -> bytes:
    """A run of bytes out of base64: four characters hold three of them."""
    first = start // 3
    return _b64.decode(payload[4 * first : -(-stop // 3) * 4])[start - 3 * first : stop - 3 * first]


def _jpeg_segments(data: bytes, at: int = 2) -> Iterator[tuple[int, int, int]]:
    """``(marker, start, end)`` of the segments from here up to a scan or the end of the picture, that one included.

    Stray bytes between segments are passed over, as decoders do.
    """
    end = len(data)
    for _ in range(_MAX_STEPS):
        if at + 2 > end:
            return
        marker = data[at + 1]
        if data[at] != 0xFF or marker in (0x00, 0xFF):
            at += 1
            continue
        bare = 0xD0 <= marker <= 0xD9 or marker == 1
        stop = at + 2 if bare else min(at + 2 + (data[at + 2] << 8 | data[at + 3]), end)
        yield marker, at, stop
        if marker in (0xDA, 0xD9):
            return
        at = stop


def _bare_segment(data: bytes, marker: int, at: int, end: int) -> bytes:
    """What stays of a segment; where it tells how to read colours, not the small picture or the rest behind that."""
    said = data[at + 4 : end]
    if marker == 0xE0:
        return b"\xff\xe0\0\x10" + said[:12] + b"\0\0" if said[:5] == _JFIF and len(said) >= 14 else b""
    if marker == 0xEE:
        return b"\xff\xee\0\x0e" + said[:12] if said[:5] == _ADOBE and len(said) >= 12 else b""
    if marker == 0xFE or (0xE0 < marker <= 0xEF and not (marker == 0xE2 and said[:12] == _ICC_HEAD)):
        return b""
    return data[at:end]


def _find_jpeg(data: bytes) -> Found:
    metadata = data[-2:] != b"\xff\xd9"
    profiles: list[tuple[int, bytes]] = []
    last, reached, deep = 2, False, False
    for marker, at, end in _jpeg_segments(data):
        metadata, last, reached = metadata or at != last, end, marker == 0xDA
        if marker == 0xE2 and data[at + 4 : at + 16] == _ICC_HEAD:
            profiles.append((data[at + 16], data[at + 18 : end]))
        elif marker in _JPEG_FRAMES:
            deep = deep or marker not in _COMMON_FRAMES or data[at + 4] != 8
        elif not metadata and marker >= 0xE0:
            metadata = _bare_segment(data, marker, at, end) != data[at:end]
    icc = b"".join([piece for _, piece in sorted(profiles)]) if profiles else None
    return Found(metadata, icc, deep, reached)


def _strip_jpeg(data: bytes, profile: bool) -> bytes:
    """Segments between scans are looked at too; what follows the end of the first picture goes."""
    import re

    marker_in_scan = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")
    kept = [data[:2]]
    at = 2
    for _ in range(_MAX_STEPS):
        marker = 0
        for marker, start, stop in _jpeg_segments(data, at):
            if not (profile and marker == 0xE2):
                kept.append(_bare_segment(data, marker, start, stop))
            at = stop
        if marker == 0xD9:
            break
        found = marker_in_scan.search(data, at)
        stop = len(data) if found is None else found.start()
        kept.append(data[at:stop])
        if found is None:
            break
        at = stop
    else:
        return data
    bare = b"".join(kept)
    return bare if bare.endswith(b"\xff\xd9") else bare + b"\xff\xd9"


def _png_chunks(data: bytes) -> Iterator[tuple[bytes, int, int]]:
    """``(kind, start, end)`` of every chunk, its length and checksum included."""
    at, end = 8, len(data)
    for _ in range(_MAX_STEPS):
        if at + 12 > end:
            return
        size, kind = unpack_from(">I4s", data, at)
        stop = at + size + 12
        yield kind, at, min(stop, end)
        if kind == b"IEND":
            return
        at = stop


def _png_kept(data: bytes, *, profile: bool = True) -> list[tuple[bytes, int, int]]:
    """The chunks that make the picture; of the others those that are known and sound.

    Decoders disagree on damaged ones: some pass over them, some refuse the file. An animation of one frame is none.
    """
    chunks = list(_png_chunks(data))
    drawn = next((number for number, (kind, _, _) in enumerate(chunks) if kind == b"IDAT"), len(chunks))
    starts = [
        at for number, (kind, at, end) in enumerate(chunks) if kind == b"acTL" and number < drawn and end - at == 20
    ]
    moves = len(starts) == 1 and sum(kind == b"acTL" for kind, _, _ in chunks) == 1
    moves = moves and 1 < unpack_from(">I", data, starts[0] + 8)[0] < 1 << 31
    dropped = set() if moves else set(_PNG_MOTION)
    if not profile:
        dropped.add(b"iCCP")
    return [
        (kind, at, end)
        for kind, at, end in chunks
        if not kind[0] & 0x20 or (kind in _PNG_KEPT and kind not in dropped and is_sound(data, kind, at, end))
    ]


def is_sound(data: bytes, kind: bytes, at: int, end: int) -> bool:
    """Has this chunk the size of its kind and the right checksum?"""
    if kind in _PNG_MOTION:
        return True  # as large as pictures, and checked by whoever draws them
    right_size = _PNG_SIZES.get(kind, end - at - 12) == end - at - 12
    return right_size and crc32(data[at + 4 : end - 4]) == unpack_from(">I", data, end - 4)[0]


def _find_png(data: bytes) -> Found:
    kept = _png_kept(data)
    said = {kind: data[at + 8 : end - 4] for kind, at, end in kept if kind in (b"gAMA", b"cHRM", b"sRGB", b"iCCP")}
    icc = _png_profile(said[b"iCCP"]) if b"iCCP" in said else _png_colour.of_chunks(said, grey=data[25] in (0, 4))
    whole = 8 + sum(end - at for _, at, end in kept)
    return Found(whole != len(data), icc, deep=data[24] == 16 or data[12:16] != b"IHDR")


def _png_profile(chunk: bytes) -> bytes:
    from zlib import decompressobj
    from zlib import error as ZlibError  # noqa: N812  # see the top

    try:
        return decompressobj().decompress(chunk.partition(b"\0")[2][1:], MAX_PROFILE)
    except ZlibError:
        return b""


def _strip_png(data: bytes, profile: bool) -> bytes:
    return data[:8] + b"".join(data[at:end] for _, at, end in _png_kept(data, profile=not profile))


def _webp_chunks(data: bytes) -> Iterator[tuple[bytes, int, int]]:
    """``(kind, start, end)`` of every chunk, its head and padding included."""
    at, end = 12, min(len(data), unpack_from("<I", data, 4)[0] + 8)
    for _ in range(_MAX_STEPS):
        if at + 8 > end:
            return
        kind, size = unpack_from("<4sI", data, at)
        stop = at + 8 + size + (size & 1)
        yield kind, at, min(stop, len(data))
        at = stop


def _find_webp(data: bytes) -> Found:
    metadata = len(data) > unpack_from("<I", data, 4)[0] + 9
    icc = None
    for kind, at, end in _webp_chunks(data):
        if kind == b"ICCP":
            icc = data[at + 8 : end]
        elif kind not in _WEBP_KEPT:
            metadata = True
    return Found(metadata, icc)


def _strip_webp(data: bytes, profile: bool) -> bytes:
    kept = []
    for kind, start, stop in _webp_chunks(data):
        chunk = data[start:stop]
        if kind == b"VP8X":
            flags = chunk[8] & ~(0x0C | (0x20 if profile else 0))
            chunk = chunk[:8] + bytes([flags]) + chunk[9:]
        if kind in _WEBP_KEPT and not (profile and kind == b"ICCP"):
            kept.append(chunk)
    body = b"WEBP" + b"".join(kept)
    return b"RIFF" + len(body).to_bytes(4, "little") + body


def _find_gif(data: bytes) -> Found:
    blocks = list(_gif.blocks(data))
    return Found(any(private for private, _, _ in blocks) or blocks[-1][2] < len(data))


def _strip_gif(data: bytes, _profile: bool) -> bytes:
    return b"".join(data[start:stop] for private, start, stop in _gif.blocks(data) if not private)


def _find_boxes(data: bytes) -> Found:
    """HEIF and AVIF: Exif and XMP are items of their own."""
    from toolnexus_media.probe import _isobmff

    meta = _isobmff.find(data, (0, len(data)), b"meta")
    kinds = {kind for _, kind, _ in _isobmff.item_types(data, (meta[0] + 4, meta[1]))} if meta else set[bytes]()
    return Found(bool(kinds & {b"Exif", b"mime"}))


def _find_tiff(data: bytes) -> Found:
    from toolnexus_media.probe import _tiff

    for page in _tiff.pages(data, _tiff.Layout(data)):
        tags = {tag for tag, _, _, _ in page.entries}
        if tags & _TIFF_PRIVATE:
            return Found(metadata=True)
    return NOTHING


_FINDERS: dict[str, Callable[[bytes], Found]] = {
    "image/jpeg": _find_jpeg,
    "image/png": _find_png,
    "image/webp": _find_webp,
    "image/gif": _find_gif,
    "image/heic": _find_boxes,
    "image/heif": _find_boxes,
    "image/avif": _find_boxes,
    "image/tiff": _find_tiff,
}
_STRIPPERS: dict[str, Callable[[bytes, bool], bytes]] = {
    "image/jpeg": _strip_jpeg,
    "image/png": _strip_png,
    "image/webp": _strip_webp,
    "image/gif": _strip_gif,
}


def unturned(exif: bytes) -> bytes:
    r"""The EXIF block with its orientation set to upright, because the pixels have been turned.

    >>> unturned(b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0")[-4]
    1
    """
    start = 6 if exif[:6] == b"Exif\0\0" else 0
    order = "<" if exif[start : start + 2] == b"II" else ">"
    try:
        (first,) = unpack_from(order + "I", exif, start + 4)
        (count,) = unpack_from(order + "H", exif, start + first)
        for entry in range(start + first + 2, start + first + 2 + 12 * count, 12):
            if unpack_from(order + "H", exif, entry)[0] == 0x0112:
                upright = pack(order + "HIHH", 3, 1, 1, 0)
                return exif[: entry + 2] + upright + exif[entry + 12 :]
    except StructError:
        return b""
    return exif
