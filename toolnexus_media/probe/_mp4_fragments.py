"""The length of a fragmented MP4: where its last fragments end."""

from __future__ import annotations

from struct import unpack_from

from toolnexus_media.probe._boxes import MAX_TOP_BOXES, boxes, child
from toolnexus_media.probe._buffer import at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolnexus_media._b64 import Buffer
    from toolnexus_media.probe._boxes import Span

_MAX_PARTS = 20_000
_MAX_IN_PART = 16  # a track fragment has a handful of boxes
_MAX_SAMPLES = 20_000  # of one run with a length for each


def seconds(data: Buffer, extends: Span, scales: dict[int, int]) -> float | None:
    """Seconds up to the end of the last fragment of the longest track; None where no fragment tells."""
    defaults: dict[int, int] = {}
    for name, span in boxes(data, extends):
        if name == b"trex" and span[1] - span[0] >= 16:
            track, _, length = unpack_from(">III", data, span[0] + 4)
            defaults[track] = length
    ends: dict[int, int] = {}
    parts = 0
    for name, span in boxes(data, (0, len(data)), MAX_TOP_BOXES):
        if name == b"moof":
            for part, body in boxes(data, span):
                if part == b"traf":
                    _add(data, body, defaults, ends)
                    parts += 1
        if parts > _MAX_PARTS:
            return None
    found = [end / scales[track] for track, end in ends.items() if scales.get(track)]
    return max(found, default=None)


def _add(data: Buffer, span: Span, defaults: dict[int, int], ends: dict[int, int]) -> None:
    """Moves a track's end to that of this fragment."""
    header = child(data, span, b"tfhd", _MAX_IN_PART)
    if header[1] - header[0] < 8:
        return
    flags, track = unpack_from(">II", data, header[0])
    flags &= 0xFFFFFF
    place = header[0] + 8 + (8 if flags & 1 else 0) + (4 if flags & 2 else 0)
    length = unpack_from(">I", data, place)[0] if flags & 8 and place + 4 <= header[1] else defaults.get(track, 0)
    start = ends.get(track, 0)
    time = child(data, span, b"tfdt", _MAX_IN_PART)
    if time[1] - time[0] >= 8:
        wide = at(data, time[0], 1) == b"\1" and time[1] - time[0] >= 12
        start = unpack_from(">Q" if wide else ">I", data, time[0] + 4)[0]
    runs = [body for name, body in boxes(data, span, _MAX_IN_PART) if name == b"trun"]
    ends[track] = start + sum(_run(data, body, length) for body in runs)


def _run(data: Buffer, span: Span, length: int) -> int:
    """The length of one run of samples, each with the default length or its own."""
    if span[1] - span[0] < 8:
        return 0
    flags, count = unpack_from(">II", data, span[0])
    if not flags & 0x100:
        return int(min(count, len(data)) * length)  # a sample takes at least a byte
    place = span[0] + 8 + (4 if flags & 1 else 0) + (4 if flags & 4 else 0)
    step = 4 * (flags >> 8 & 15).bit_count()
    count = min(count, (span[1] - place) // step, _MAX_SAMPLES)
    lengths: tuple[int, ...] = unpack_from(f">{max(count, 0) * step // 4}I", data, place)
    return sum(lengths[:: step // 4])
