"""JPEG: a walk over the segments up to the first scan."""

from __future__ import annotations

from struct import unpack_from

from toolnexus_media.probe import _exif

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolnexus_media._b64 import Buffer
    from toolnexus_media.types import Facts

_MAX_STEPS = 8192  # segments, fill bytes and stray bytes; an ICC profile or XMP of hundreds of MB fits
_FRAMES = frozenset({0xC0, 0xC1, 0xC2, 0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF})
_BARE = frozenset({0x00, 0x01, *range(0xD0, 0xD9)})
_MODES = {1: "L", 3: "RGB", 4: "CMYK"}
_APP1, _SCAN, _END = 0xE1, 0xDA, 0xD9


def read(data: Buffer, found: Facts) -> None:
    """Size, mode and orientation of a JPEG."""
    start_of_scan(data, found)


def start_of_scan(data: Buffer, found: Facts) -> int | None:
    """Where the first scan begins, with the facts that stood in front of it; None when the walk finds none."""
    if data[:2] != b"\xff\xd8":
        return None
    at, end = 2, len(data) - 3
    turned: int | None = None
    seen = scan = None
    for _ in range(_MAX_STEPS):
        if at >= end:
            break
        if data[at] != 0xFF or data[at + 1] == 0xFF:
            at += 1
            continue
        marker = data[at + 1]
        if marker in _BARE:
            at += 2
            continue
        if marker in (_SCAN, _END):
            scan = at if marker == _SCAN else None
            break
        if marker in _FRAMES and seen is None and at + 10 <= len(data):
            seen = _frame(data, at, found)
        elif marker == _APP1 and turned is None and data[at + 4 : at + 10] == b"Exif\0\0":
            turned = _exif.orientation(data[at + 4 : at + 2 + (data[at + 2] << 8 | data[at + 3])])
        at += 2 + (data[at + 2] << 8 | data[at + 3])
    _exif.turn(found, turned)
    return scan


def _frame(data: Buffer, at: int, found: Facts) -> bool:
    height, width, parts = unpack_from(">HHB", data, at + 5)
    if width and height:  # a height of 0 is told after the first scan, which hardly any decoder follows
        found["width"], found["height"] = width, height
    if parts in _MODES:
        found["mode"] = _MODES[parts]
    return True


def is_progressive(data: Buffer) -> bool:
    """Whether the picture comes in scans, each of which costs a pass over all of it."""
    frames = (marker for marker, _at in _segments(data) if marker in _FRAMES)
    return next(frames, 0) in (0xC2, 0xC6, 0xCA, 0xCE)


def exif_blocks(data: Buffer) -> int:
    """How many segments hold EXIF: Pillow copies all before it for each."""
    return sum(marker == _APP1 and data[at + 4 : at + 8] == b"Exif" for marker, at in _segments(data))


def _segments(data: Buffer) -> Iterator[tuple[int, int]]:
    """Marker and place of each segment in front of the first scan."""
    at = 2
    for _ in range(_MAX_STEPS):
        if at + 4 > len(data):
            return
        marker = data[at + 1]
        if data[at] != 0xFF or marker == 0xFF:
            at += 1
        elif marker in _BARE:
            at += 2
        elif marker in (_SCAN, _END):
            return
        else:
            yield marker, at
            at += 2 + (data[at + 2] << 8 | data[at + 3])
