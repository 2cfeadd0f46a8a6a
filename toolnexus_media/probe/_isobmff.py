"""HEIF and AVIF: the properties of the primary item, or the first track of a sequence."""

from __future__ import annotations

from struct import iter_unpack, unpack_from

from toolnexus_media.probe import _boxes, _exif

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolnexus_media._b64 import Buffer
    from toolnexus_media.types import Facts

    Span = tuple[int, int]

_MAX_BOXES = 16_384


def boxes(data: Buffer, at: int, end: int) -> Iterator[tuple[bytes, int, int]]:
    """The boxes of a span as ``(kind, start of content, end of content)``; one that runs over the end is clipped."""
    for kind, (start, stop) in _boxes.boxes(data, (at, min(end, len(data))), _MAX_BOXES):
        yield kind, start, stop


def find(data: Buffer, span: Span, *path: bytes) -> Span | None:
    """The content of the first box at a path of kinds."""
    here = span
    for name in path:
        for kind, start, end in boxes(data, *here):
            if kind == name:
                here = (start, end)
                break
        else:
            return None
    return here


def read_avif(data: Buffer, found: Facts) -> None:
    """Size as libavif gives it (turned, not cropped), frames, duration, EXIF's orientation (not applied)."""
    _read(data, found, crop=False)
    if "width" in found and "frames" not in found:
        found["frames"] = 1


def read_heif(data: Buffer, found: Facts) -> None:
    """Size as libheif gives it (cropped, turned), a track's frames and duration, EXIF's orientation (not applied)."""
    _read(data, found, crop=True)


def _read(data: Buffer, found: Facts, *, crop: bool) -> None:
    whole = (0, len(data))
    meta = find(data, whole, b"meta")
    if meta:
        meta = (meta[0] + 4, meta[1])
        _primary(data, meta, found, crop=crop)
        block = exif_block(data, meta)
        stated = _exif.orientation(block) if block else None
        if stated:
            found["orientation"] = stated
    track = find(data, whole, b"moov", b"trak")
    if track:
        _sequence(data, track, found)


def _primary(data: Buffer, meta: Span, found: Facts, *, crop: bool) -> None:
    pitm = find(data, meta, b"pitm")
    iprp = find(data, meta, b"iprp")
    if not pitm or not iprp:
        return
    (item,) = unpack_from(">I" if data[pitm[0]] else ">H", data, pitm[0] + 4)
    turns = 0
    ipco = find(data, iprp, b"ipco")
    properties = list(boxes(data, *ipco)) if ipco else []
    for index in associations(data, iprp, item):
        if not 0 < index <= len(properties):
            continue
        kind, start, _end = properties[index - 1]
        if kind == b"ispe":
            width, height = unpack_from(">II", data, start + 4)
            if width and height:
                found["width"], found["height"] = width, height
        elif kind == b"clap" and crop:
            width, height = (top // below for top, below in iter_unpack(">II", data[start : start + 16]) if below)
            if 0 < width <= found.get("width", 0) and 0 < height <= found.get("height", 0):
                found["width"], found["height"] = width, height
        elif kind == b"irot":
            turns = data[start] & 3
    if turns & 1 and "width" in found and "height" in found:
        found["width"], found["height"] = found["height"], found["width"]


def associations(data: Buffer, iprp: Span, item: int) -> list[int]:
    """The indices, from 1, of an item's properties."""
    ipma = find(data, iprp, b"ipma")
    if not ipma:
        return []
    at, end = ipma
    version, flags = data[at], data[at + 3]
    (count,) = unpack_from(">I", data, at + 4)
    at += 8
    wide = 2 if flags & 1 else 1
    for _ in range(min(count, end - at)):
        (key,) = unpack_from(">I" if version else ">H", data, at)
        at += 4 if version else 2
        many = data[at]
        at += 1
        if key == item:
            return [
                unpack_from(">H", data, at + 2 * n)[0] & 0x7FFF if wide == 2 else data[at + n] & 0x7F
                for n in range(many)
            ]
        at += many * wide
    return []


def item_types(data: Buffer, meta: Span) -> Iterator[tuple[int, bytes, int]]:
    """Every item as ``(id, type, where the type stands)``."""
    iinf = find(data, meta, b"iinf")
    if not iinf:
        return
    skip = 8 if data[iinf[0]] else 6
    for kind, start, end in boxes(data, iinf[0] + skip, iinf[1]):
        version = data[start] if start < end else 0
        at = start + (10 if version == 3 else 8)
        if kind == b"infe" and version in (2, 3) and at + 4 <= end:
            yield unpack_from(">I" if version == 3 else ">H", data, start + 4)[0], bytes(data[at : at + 4]), at


def exif_block(data: Buffer, meta: Span) -> Buffer | None:
    """The TIFF-structured bytes of the first EXIF item."""
    for item, kind, _at in item_types(data, meta):
        if kind == b"Exif":
            where = _location(data, meta, item)
            if where:
                at, size = where
                (skip,) = unpack_from(">I", data, at)
                return data[at + 4 + skip : at + size]
    return None


def _location(data: Buffer, meta: Span, item: int) -> Span | None:
    """Offset and length of an item's first extent."""
    iloc = find(data, meta, b"iloc")
    if not iloc:
        return None
    at, end = iloc
    version, sizes, more = data[at], data[at + 4], data[at + 5]
    widths = (sizes >> 4, sizes & 15, more >> 4, more & 15 if version else 0)
    (count,) = unpack_from(">I" if version == 2 else ">H", data, at + 6)
    at += 10 if version == 2 else 8
    for _ in range(min(count, end - at)):
        key = _uint(data, at, 4 if version == 2 else 2)
        at += 4 if version == 2 else 2
        method = data[at + 1] & 15 if version else 0
        at += (2 if version else 0) + 2
        base = _uint(data, at, widths[2])
        at += widths[2]
        (extents,) = unpack_from(">H", data, at)
        at += 2
        if key == item and extents:
            offset = base + _uint(data, at + widths[3], widths[0])
            size = _uint(data, at + widths[3] + widths[0], widths[1])
            store = find(data, meta, b"idat") if method == 1 else (0, 0)
            return (store[0] + offset, size) if store and method < 2 else None
        at += extents * (widths[0] + widths[1] + widths[3])
    return None


def _uint(data: Buffer, at: int, width: int) -> int:
    return int.from_bytes(data[at : at + width], "big")


def _sequence(data: Buffer, track: Span, found: Facts) -> None:
    header = find(data, track, b"tkhd")
    if header and "width" not in found:
        width, height = (value >> 16 for value in unpack_from(">II", data, header[1] - 8))
        if width and height:
            found["width"], found["height"] = width, height
    sizes = find(data, track, b"mdia", b"minf", b"stbl", b"stsz")
    if sizes:
        (count,) = unpack_from(">I", data, sizes[0] + 8)
        if count:
            found["frames"] = count
    media = find(data, track, b"mdia", b"mdhd")
    if media:
        scale, length = unpack_from(">IQ" if data[media[0]] else ">II", data, media[0] + (20 if data[media[0]] else 12))
        if scale and found.get("frames", 0) > 1:
            found["duration"] = length / scale
