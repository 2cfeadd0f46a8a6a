"""PNG and APNG: a walk over the chunks, which never touches the pixels."""

from __future__ import annotations

from struct import Struct
from struct import error as StructError  # noqa: N812  # the class is called error there, which says too little here

from toolnexus_media.probe import _exif

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolnexus_media._b64 import Buffer
    from toolnexus_media.types import Facts

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MAX_CHUNKS = 200_000  # a gigabyte in the 8 KB chunks that encoders write; and a tenth of a second to walk
_HEAD = Struct(">I4s")
_IHDR = Struct(">IIBB")
_DELAY = Struct(">HH")
_MODES = {0: "L", 2: "RGB", 3: "P", 4: "LA", 6: "RGBA"}


def mode_of(depth: int, colour: int) -> str | None:
    """Pillow's name of the pixel layout."""
    if colour == 0 and depth in (1, 16):
        return "1" if depth == 1 else "I;16"
    if colour == 4 and depth == 16:
        return "RGBA"
    return _MODES.get(colour)


def read(data: Buffer, found: Facts) -> None:
    """Size, mode, frames, orientation and duration of a PNG, as far as its chunks are there."""
    if data[:8] != SIGNATURE:
        return
    at = 8 if data[12:16] == b"IHDR" else 24  # Apple's build tool puts a CgBI chunk of four bytes first
    if data[at + 4 : at + 8] != b"IHDR":
        return
    width, height, depth, colour = _IHDR.unpack_from(data, at + 8)
    if not (0 < width < 1 << 31 and 0 < height < 1 << 31):
        return
    found["width"], found["height"], found["frames"] = width, height, 1
    mode = mode_of(depth, colour)
    if mode:
        found["mode"] = mode
    _walk(data, at + 25, found)


def _walk(data: Buffer, at: int, found: Facts) -> None:
    head = _HEAD.unpack_from
    animated = drawn = False
    duration = 0.0
    try:
        for _ in range(MAX_CHUNKS):
            size, kind = head(data, at)
            if kind == b"IDAT":
                drawn = True
            elif kind == b"IEND":
                if animated:
                    found["duration"] = duration
                return
            elif kind == b"acTL" and not drawn and not animated:
                (count, _plays) = Struct(">II").unpack_from(data, at + 8)
                if 0 < count <= 0x80000000:
                    animated = True
                    found["frames"] = count
            elif kind == b"fcTL":
                num, den = _DELAY.unpack_from(data, at + 28)
                duration += num / (den or 100)
            elif kind == b"eXIf" and "orientation" not in found:
                _exif.turn(found, _exif.orientation(data[at + 8 : at + 8 + size]))
            at += size + 12
    except StructError:
        return  # cut short: what stood in front of the cut is known
