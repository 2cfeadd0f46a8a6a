"""WebP: the first bitstream header, or the extended header and a walk over the chunks."""

from __future__ import annotations

from struct import unpack_from

from toolnexus_media.probe import _exif

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolnexus_media._b64 import Buffer
    from toolnexus_media.types import Facts

_MAX_CHUNKS = 200_000
_ANIMATED, _EXIF, _ALPHA = 0x02, 0x08, 0x10


def read(data: Buffer, found: Facts) -> None:
    """Size, mode, frames, duration and orientation of a WebP."""
    if data[:4] != b"RIFF" or data[8:12] != b"WEBP":
        return
    kind = bytes(data[12:16])
    if kind == b"VP8X":
        _extended(data, found)
        return
    size = bitstream(data, 12)
    if size is not None:
        found["width"], found["height"], found["mode"] = size
        found["frames"] = 1


def bitstream(data: Buffer, at: int) -> tuple[int, int, str] | None:
    """Width, height and mode that the VP8 or VP8L chunk at this place states."""
    kind = bytes(data[at : at + 4])
    if kind == b"VP8 " and data[at + 11 : at + 14] == b"\x9d\x01\x2a":
        width, height = unpack_from("<HH", data, at + 14)
        mode = "RGB"
        width, height = width & 0x3FFF, height & 0x3FFF
    elif kind == b"VP8L" and data[at + 8 : at + 9] == b"\x2f":
        (bits,) = unpack_from("<I", data, at + 9)
        width, height = (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        mode = "RGBA" if bits >> 28 & 1 else "RGB"
    else:
        return None
    return (width, height, mode) if width and height else None


def _extended(data: Buffer, found: Facts) -> None:
    flags = data[20]
    found["width"] = int.from_bytes(data[24:27], "little") + 1
    found["height"] = int.from_bytes(data[27:30], "little") + 1
    if len(data) < 30:
        del found["width"], found["height"]
        return
    found["mode"] = "RGBA" if flags & _ALPHA else "RGB"
    if not flags & (_ANIMATED | _EXIF):
        found["frames"] = 1
        return
    frames = delay = 0
    at, end = 30, len(data)
    for _ in range(_MAX_CHUNKS):
        if at + 8 > end:
            break
        kind, size = unpack_from("<4sI", data, at)
        if kind == b"ANMF" and at + 24 <= end:
            frames += 1
            delay += int.from_bytes(data[at + 20 : at + 23], "little")
        elif kind == b"EXIF" and "orientation" not in found:
            _exif.turn(found, _exif.orientation(data[at + 8 : at + 8 + size]))
        at += 8 + size + (size & 1)
    else:
        return
    if not flags & _ANIMATED:
        found["frames"] = 1
    elif frames:
        found["frames"] = frames
        if frames > 1:
            found["duration"] = delay / 1000
