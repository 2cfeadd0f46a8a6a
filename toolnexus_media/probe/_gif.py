"""GIF: a walk over the blocks. The size is the canvas, which frames may overhang."""

from __future__ import annotations

from struct import unpack_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolnexus_media._b64 import Buffer
    from toolnexus_media.types import Facts

_MAX_BLOCKS = 2_000_000  # 500 MB in full blocks, a tenth of a second
_EXTENSION, _IMAGE, _TRAILER = 0x21, 0x2C, 0x3B


def read(data: Buffer, found: Facts) -> None:
    """Size, mode, frames and duration of a GIF."""
    if data[:4] != b"GIF8":
        return
    width, height = unpack_from("<HH", data, 6)
    if width and height:
        found["width"], found["height"] = width, height
    if data[10] & 0x80:
        found["mode"] = "P"
    blocks = walk(data)
    if blocks is None:
        return
    if blocks.frames:
        found["frames"] = len(blocks.frames)
        if len(blocks.frames) > 1:
            found["duration"] = blocks.delay / 100
        if not (width and height):
            found["width"], found["height"] = blocks.extent(0, 0)


class Blocks:
    """What a walk over a GIF saw: the right and bottom edge of each frame, and the sum of delays in 1/100 s."""

    __slots__ = ("delay", "frames")

    def __init__(self) -> None:
        self.frames: list[tuple[int, int]] = []
        self.delay = 0

    def extent(self, width: int, height: int) -> tuple[int, int]:
        """The smallest canvas, at least the given one, that holds every frame."""
        return (
            max([width, *(right for right, _ in self.frames)]),
            max([height, *(bottom for _, bottom in self.frames)]),
        )


def walk(data: Buffer) -> Blocks | None:
    """The frames of a GIF; a frame whose data is cut counts; None when there are too many blocks to count."""
    seen = Blocks()
    budget = _MAX_BLOCKS
    end = len(data)
    flags = data[10]
    at = 13 + (3 << (flags & 7) + 1 if flags & 0x80 else 0)
    while at < end:
        kind = data[at]
        if kind == _EXTENSION:
            if at + 8 <= end and data[at + 1] == 0xF9:
                seen.delay += data[at + 4] | data[at + 5] << 8
            at += 2
        elif kind == _IMAGE:
            if at + 11 > end:
                break
            left, top, width, height, flags = unpack_from("<HHHHB", data, at + 1)
            seen.frames.append((left + width, top + height))
            at += 11 + (3 << (flags & 7) + 1 if flags & 0x80 else 0)
        elif kind == _TRAILER:
            break
        else:
            at += 1  # decoders skip stray bytes between blocks
            budget -= 1
            if budget < 0:
                return None
            continue
        at, budget = _skip(data, at, end, budget)
        if budget < 0:
            return None
    return seen


def _skip(data: Buffer, at: int, end: int, budget: int) -> tuple[int, int]:
    while at < end and budget >= 0:
        size = data[at]
        at += size + 1
        budget -= 1
        if not size:
            break
    return at, budget
