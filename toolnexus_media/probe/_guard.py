"""What must hold before a decoder is let near a file: bounded memory and time, told from the structure alone."""

from __future__ import annotations

from struct import unpack_from
from zlib import crc32, decompressobj
from zlib import error as ZlibError  # noqa: N812  # the class is called error there, which says too little here

from toolnexus_media.errors import CorruptMediaError, MediaTypeError
from toolnexus_media.probe import _bmp, _gif, _jp2, _jpeg, _plain, _png, _tiff

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolnexus_media._b64 import Buffer
    from toolnexus_media.types import Facts

_AGAIN = "save it again from its source"
_ICON_SIDE = 4096
_EXIF_BLOCKS = 64

# Bytes a pixel that the decoder holds at its peak, measured; four are what max_pixels stands for. A format that
# needs more is held to as many pixels fewer, so that one cap bounds memory whatever the format.
_COST = {"image/webp": 16, "image/avif": 14, "image/heic": 10}
_PROGRESSIVE_COST = 7
_SLACK = 100_000_000
_QUIET = 80_000_000  # where a plugin runs Pillow's own check, which warns a little above this
_SLOW_PIXELS = 150_000
_SLOW_SHARE = 16  # decoders written in Python get this fraction of max_pixels


def undecodable(mime: str) -> MediaTypeError:
    """The error for a picture of a type that nothing here decodes."""
    return MediaTypeError(f"nothing installed decodes {mime}; convert it to PNG or JPEG first", code="no-decoder")


def check_size(found: Facts, mime: str, max_pixels: int) -> None:
    """Raise ``too-many-pixels`` where the header's size is over the cap, ``corrupt`` where it states none."""
    if "width" not in found or "height" not in found:
        raise CorruptMediaError(f"no readable size in the header of this {mime}; {_AGAIN}", code="corrupt")
    check_pixels(found["width"], found["height"], max_pixels, _COST.get(mime, 4))


def check_pixels(width: int, height: int, max_pixels: int, cost: int = 4) -> None:
    """Raise ``too-many-pixels`` over the cap, or over what the decoder's memory leaves of it."""
    allowed = max_pixels if cost <= 4 else min(max_pixels, (4 * max_pixels + _SLACK) // cost)
    if width * height > allowed:
        raise CorruptMediaError(
            f"{width}x{height} is {width * height} pixels, over the {allowed} that "
            f"max_pixels={max_pixels} allows here; "
            "shrink the picture or raise max_pixels",
            code="too-many-pixels",
        )


def check_structure(data: Buffer, mime: str, found: Facts, max_pixels: int) -> None:
    """Run the check of the format, if it has one; decoders written in Python get a share of the cap."""
    if is_slow(data, mime):
        check_pixels(found.get("width", 0), found.get("height", 0), max_pixels // _SLOW_SHARE)
    check = _CHECKS.get(mime)
    if check:
        check(data, found, max_pixels)


def _corrupt(reason: str) -> CorruptMediaError:
    return CorruptMediaError(f"{reason}; {_AGAIN}", code="corrupt")


def _jpeg_scans(data: Buffer, found: Facts, max_pixels: int) -> None:
    if _jpeg.start_of_scan(data, {}) is None:
        raise CorruptMediaError(f"this JPEG ends in front of its first scan; {_AGAIN}", code="truncated")
    if (blocks := _jpeg.exif_blocks(data)) > _EXIF_BLOCKS:
        raise _corrupt(f"this JPEG holds {blocks} blocks of EXIF, more than any camera writes")
    if _jpeg.is_progressive(data):
        check_pixels(found.get("width", 1), found.get("height", 1), max_pixels, _PROGRESSIVE_COST)
        scans = bytes(data).count(b"\xff\xda")
        if scans > 64 and scans * found.get("width", 1) * found.get("height", 1) > 16 * max_pixels:
            raise _corrupt(f"this JPEG draws its picture in {scans} passes")


def _gif_frames(data: Buffer, _found: Facts, max_pixels: int) -> None:
    blocks = _gif.walk(data)
    if blocks is None:
        raise _corrupt("this GIF is cut into more blocks than any encoder writes")
    if not blocks.frames:
        raise _corrupt("this GIF holds no picture")
    check_pixels(*blocks.extent(*unpack_from("<HH", data, 6)), min(max_pixels, _QUIET))


def _tiff_tiles(data: Buffer, _found: Facts, max_pixels: int) -> None:
    layout = _tiff.Layout(data)
    for page in _tiff.pages(data, layout):
        width = page.number(data, layout, _tiff.TILE_WIDTH)
        height = page.number(data, layout, _tiff.TILE_HEIGHT)
        samples = min(page.number(data, layout, _tiff.SAMPLES) or 1, 8)
        if width and height:
            check_pixels(width * samples, height, 4 * max_pixels)


def _jp2_tiles(data: Buffer, found: Facts, max_pixels: int) -> None:
    memory = 4 * found.get("width", 0) * found.get("height", 0) + 5 * _jp2.tile_cells(data)
    if memory > 4 * max_pixels + _SLACK:
        raise CorruptMediaError(
            f"decoding this JPEG 2000 takes {memory >> 20} MB, more than max_pixels={max_pixels} allows; "
            "save it in tiles, shrink it or raise max_pixels",
            code="too-many-pixels",
        )


def _icon_entry(data: Buffer, _found: Facts, _max_pixels: int) -> None:
    best = _bmp.largest(data)
    if best is None:
        raise _corrupt("this icon holds no picture")
    if data[best[2] : best[2] + 8] == _png.SIGNATURE:
        return
    seen = _bmp.bitmap(data, best[2])
    if seen is None or max(seen[0], seen[1] // 2) > _ICON_SIDE:
        raise _corrupt("the bitmap header in this icon is damaged")


def _fax_pages(data: Buffer, _found: Facts, max_pixels: int) -> None:
    for at in _plain.dcx_pages(data):
        page: Facts = {}
        _plain.read_pcx(data[at : at + 128], page)
        check_pixels(page.get("width", 0), page.get("height", 0), min(max_pixels, _QUIET))


def _mac_icons(data: Buffer, _found: Facts, _max_pixels: int) -> None:
    for _kind, start, end in _plain.icns_entries(data):
        inner: Facts = {}
        entry = data[start:end]
        (_png.read if entry[:8] == _png.SIGNATURE else _jp2.read)(entry, inner)
        stated = _jp2.stated_size(entry)  # the decoder makes room for this one, whatever the codestream says
        if max(inner.get("width", 0), inner.get("height", 0), *stated) > _ICON_SIDE:
            raise _corrupt("an icon in this file is larger than icons are")


def is_slow(data: Buffer, mime: str) -> bool:
    """Whether Pillow's decoder of this file is written in Python: one to five microseconds a pixel."""
    if mime == "image/vnd.ms-dds":
        return not data[80] & 4  # without the flag for block compression, masks are applied pixel by pixel
    if mime == "image/x-portable-anymap":
        return data[:2] not in (b"P4", b"P5", b"P6") or b"\n255" not in bytes(data[:256])
    return mime in ("image/qoi", "image/x-xpixmap")


def takes_long(data: Buffer, mime: str, found: Facts) -> bool:
    """Whether decoding would take over a second for no more reason than a slow decoder."""
    return is_slow(data, mime) and found.get("width", 0) * found.get("height", 0) > _SLOW_PIXELS


def _named(kind: bytes) -> str:
    """A chunk's name, or where it has none, that."""
    return kind.decode("ascii") if kind.isalpha() else "last"


def check_png(data: Buffer) -> None:
    """Raise where the chunks that make the picture are cut, damaged or too many to read; others do not matter."""
    at, end, drawn = 8, len(data), False
    view = memoryview(data)
    for _ in range(_png.MAX_CHUNKS):
        if at + 12 > end:
            break
        size, kind = unpack_from(">I4s", data, at)
        stop = at + 8 + size
        if stop + 4 > end:
            raise CorruptMediaError(f"this PNG is cut in its {_named(kind)} chunk; {_AGAIN}", code="truncated")
        critical = not kind[0] & 0x20 or kind == b"fdAT"
        if critical and crc32(view[at + 4 : stop]) != unpack_from(">I", data, stop)[0]:
            raise _corrupt(f"a chunk of this PNG, at byte {at}, does not match its checksum")
        if kind == b"IEND":
            break
        drawn = drawn or kind == b"IDAT"
        at = stop + 4
    else:
        raise _corrupt("this PNG is cut into more chunks than any encoder writes")
    if not drawn:
        raise CorruptMediaError(f"this PNG ends in front of its pixels; {_AGAIN}", code="truncated")


def check_rows(data: Buffer) -> None:
    """Raise where the pixels of a PNG end early; asked where the host has told Pillow not to mind."""
    at, rows, view = 8, 0, memoryview(data)
    stream = decompressobj()
    width, height, depth, colour, _packing, _filter, laced = unpack_from(">IIBBBBB", data, 16)
    try:
        while at + 12 <= len(data):
            size, kind = unpack_from(">I4s", data, at)
            if kind == b"IDAT":
                tail: Buffer = view[at + 8 : at + 8 + size]
                while len(tail) and not stream.eof:
                    rows += len(stream.decompress(tail, 1 << 20))
                    tail = stream.unconsumed_tail
            at += size + 12
    except ZlibError:
        raise _corrupt("the pixels of this PNG do not unpack") from None
    whole = (1 + (width * depth * {2: 3, 4: 2, 6: 4}.get(colour, 1) + 7) // 8) * height
    if rows < (whole - height if laced else whole):
        raise CorruptMediaError(f"rows of this PNG are missing; {_AGAIN}", code="truncated")


_CHECKS = {
    "image/jpeg": _jpeg_scans,
    "image/gif": _gif_frames,
    "image/tiff": _tiff_tiles,
    "image/jp2": _jp2_tiles,
    "image/vnd.microsoft.icon": _icon_entry,
    "image/x-dcx": _fax_pages,
    "image/icns": _mac_icons,
}
