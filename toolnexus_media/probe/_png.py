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
                at = _last_alike(data, at, size + 12) + size + 12
                continue
            if kind == b"IEND":
                if animated:
                    found["duration"] = duration
                return
            if kind == b"acTL" and not drawn and not animated:
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


def _last_alike(data: Buffer, at: int, step: int) -> int:
    """Where the last of the chunks starts that stand one behind the other and are alike in name and size.

    Encoders cut the pixels into equal chunks, a thousand for a large picture: each would be a look at cold memory.
    """
    head = data[at : at + 8]
    last, miss = (len(data) - at - 12) // step - 1, 1  # if all that follows is a shorter one and the end
    if last > 0 and data[at + last * step : at + last * step + 8] == head:
        return at + last * step
    last = 0
    while data[at + miss * step : at + miss * step + 8] == head:
        last, miss = miss, 2 * miss
    while miss - last > 1:
        middle = (last + miss) // 2
        if data[at + middle * step : at + middle * step + 8] == head:
            last = middle
        else:
            miss = middle
    return at + last * step
