"""MPEG audio, layers I to III: from the Xing or VBRI header, from a constant bitrate, or frame by frame.

A Xing header that promises more than the bytes behind it can hold is not believed: the length is then unknown.
"""

from __future__ import annotations

from struct import unpack_from

from toolnexus_media.probe import _id3
from toolnexus_media.probe._buffer import at, broken, sound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolnexus_media._b64 import Buffer
    from toolnexus_media.types import Facts

_SEARCH = 1 << 16  # how far a first frame may stand behind junk
_MAX_FRAMES = 1_000_000  # the rest is counted by the mean size of these: over six hours of sound, 0.1 s of work
_MAX_GAPS, _GAP = 32, 1 << 14  # how often junk may break a walk, and how much of it is searched
_STEADY_FRAMES = 5
_STEADY_PROBES = 4
_FREE_FORMAT_MAX = 4608  # twice the largest regular frame
_RATES = {3: (44100, 48000, 32000), 2: (22050, 24000, 16000), 0: (11025, 12000, 8000)}
_KBPS = {
    (1, 1): (0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448),
    (1, 2): (0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384),
    (1, 3): (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320),
    (2, 1): (0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256),
    (2, 2): (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160),
    (2, 3): (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160),
}


_KINDS: dict[bytes, tuple[int, int, int, int, int, int]] = {}  # headers met so far: eleven bits are set


def _kind(head: bytes) -> tuple[int, int, int, int, int, int]:
    """Of a valid header: layer, sample rate, samples a frame, bits a second, bytes of padding, bytes of the frame.

    Bits a second and bytes of the frame are 0 for the free format.
    """
    found = _KINDS.get(head)
    if found is None:
        version, layer = head[1] >> 3 & 3, 4 - (head[1] >> 1 & 3)
        rate = _RATES[version][head[2] >> 2 & 3]
        samples = 384 if layer == 1 else 576 if layer == 3 and version != 3 else 1152
        bitrate = _KBPS[1 if version == 3 else 2, layer][head[2] >> 4] * 1000
        unit = 4 if layer == 1 else 1
        size = samples // 8 // unit * bitrate // rate * unit + (unit if head[2] & 2 and bitrate else 0)
        found = _KINDS[head] = (layer, rate, samples, bitrate, unit, size)
    return found


class _Frame:
    """One frame header, read."""

    __slots__ = ("bitrate", "channels", "free", "layer", "rate", "samples", "size", "start", "sync", "third", "unit")

    def __init__(self, head: bytes, start: int) -> None:
        self.start = start
        self.sync, self.third = head[:2], head[2]
        self.layer, self.rate, self.samples, self.bitrate, self.unit, self.size = _kind(head[:3])
        self.channels = 1 if head[3] >> 6 == 3 else 2
        self.free = not self.bitrate

    def size_of(self, third: int) -> int:
        """The length of a frame of this kind with this third header byte; 0 for free format and for no frame."""
        if third >> 4 in (0, 15) or third & 12 == 12:
            return 0
        return _kind(self.sync + bytes((third,)))[5]

    def sizes(self) -> list[int]:
        """``size_of`` every third header byte of this sample rate; 0 for another rate, which is another sound."""
        same = self.third & 12
        return [self.size_of(third) if third & 12 == same else 0 for third in range(256)]


def read(data: Buffer) -> Facts:
    """The facts of MPEG audio; ``CorruptMediaError`` where no frame is found."""
    start, end = _id3.skip(data), _id3.end(data)
    first = _first_frame(data, start, end)
    if first is None:
        cut = end - start < 4
        raise broken("audio/mpeg", "it has no MPEG audio frame", "truncated" if cut else "corrupt")
    title = _id3.title(data) if start or end < len(data) else ""
    seconds, size = _length(data, first, end)
    bitrate = first.bitrate if first.free else size * 8 / seconds if seconds else 0
    return sound(f"mp{first.layer}", seconds, first.rate, first.channels, bitrate, title)


def _length(data: Buffer, first: _Frame, end: int) -> tuple[float | None, int]:
    """Seconds, or None where a header and the bytes contradict each other, and how many bytes they take."""
    size, seconds_a_frame = end - first.start, first.samples / first.rate
    frames, declared = _counted(data, first)
    if frames and declared <= size * 1.02 and not (declared and size > declared * 1.1):
        fits = frames * first.size_of(first.third & 0xC | 0x10) <= size + first.size
        return (frames * seconds_a_frame if fits else None), declared or size
    if frames and declared > size:
        return None, size
    if first.free or _is_steady(data, first, end):
        return size / first.size * seconds_a_frame if first.free else size * 8 / first.bitrate, size
    walked, size = _walk(data, first, end)
    return (None if walked is None else walked * seconds_a_frame), size


def _first_frame(data: Buffer, start: int, end: int, search: int = _SEARCH) -> _Frame | None:
    """The first header that another one of its kind follows, or that the file ends with."""
    at_once = _sound_frame(data, at(data, start, min(4, max(end - start, 0))), start, end)
    if at_once is not None:  # nearly always, and then nothing has to be copied to be searched
        return at_once
    head = at(data, start, min(search, max(end - start, 0)))
    pos = head.find(b"\xff", 1)
    while pos >= 0:
        frame = _sound_frame(data, head[pos : pos + 4], start + pos, end)
        if frame is not None:
            return frame
        pos = head.find(b"\xff", pos + 1)
    return None


def _sound_frame(data: Buffer, head: bytes, start: int, end: int) -> _Frame | None:
    """The frame with this header, where it is as long as it says."""
    if not _is_header(head):
        return None
    frame = _Frame(head, start)
    if frame.free:
        frame.size = _free_size(data, frame, end)
        frame.bitrate = frame.size * 8 * frame.rate // frame.samples
    return frame if frame.size and _is_followed(data, frame, end) else None


def _is_header(head: bytes) -> bool:
    if len(head) < 4 or head[0] != 0xFF or head[1] < 0xE0 or head[1] & 0x18 == 8 or not head[1] & 6:
        return False
    return not (head[2] >> 4 == 15 or head[2] & 12 == 12 or head[3] & 3 == 2)


def _is_followed(data: Buffer, frame: _Frame, end: int) -> bool:
    after = frame.start + frame.size
    if after + 4 > end:  # a file of one frame has to end with it, or to be cut in it near its own beginning
        return after <= end or frame.start == _id3.skip(data)
    head = at(data, after, 4)
    return _is_header(head) and head[1] & 0xFE == frame.sync[1] & 0xFE and head[2] & 0xC == frame.third & 0xC


def _free_size(data: Buffer, frame: _Frame, end: int) -> int:
    """A free format frame has no bitrate: it is as long as the way to the next header like it."""
    ahead = at(data, frame.start, min(_FREE_FORMAT_MAX, end - frame.start))
    pos = ahead.find(frame.sync, 24)
    while pos >= 0 and pos + 3 <= len(ahead):
        if ahead[pos + 2] & 0xFC == ahead[2] & 0xFC:
            return pos - (ahead[2] >> 1 & 1) * frame.unit
        pos = ahead.find(frame.sync, pos + 1)
    return 0


def _counted(data: Buffer, first: _Frame) -> tuple[int, int]:
    """Frames and bytes as a Xing, Info or VBRI header in the first frame declares them; 0 where it does not."""
    head = at(data, first.start, 80)
    if head[36:40] == b"VBRI" and len(head) >= 54:
        size, frames = unpack_from(">II", head, 46)
        return frames, size
    mark = head.find(b"Xing", 4) if b"Xing" in head else head.find(b"Info", 4)
    if mark < 0 or mark + 16 > len(head):
        return 0, 0
    flags, frames, size = unpack_from(">III", head, mark + 4)
    if not flags & 1:
        return 0, 0
    return frames, size if flags & 2 else 0


def _is_steady(data: Buffer, first: _Frame, end: int) -> bool:
    """True where the first frames, and some all over the file, have one bitrate."""
    pos, second, third, stop = first.start, first.sync[1], first.third & 0xFC, len(data) - 3
    size = first.size - (first.unit if first.third & 2 else 0)
    padded = size + first.unit
    for _ in range(_STEADY_FRAMES):
        if pos > stop or data[pos] != 0xFF or data[pos + 2] & 0xFC != third:
            return False
        pos += padded if data[pos + 2] & 2 else size
    step = (end - pos) // (_STEADY_PROBES + 1)
    for _ in range(_STEADY_PROBES):
        pos += step
        ahead = bytes(data[pos : pos + padded + 3])
        mark, last = ahead.find(b"\xff"), len(ahead) - 3
        while 0 <= mark <= last and (ahead[mark + 1] != second or ahead[mark + 2] & 0xFC != third):
            mark = ahead.find(b"\xff", mark + 1)
        if not 0 <= mark <= last:
            return False
    return True


def _walk(data: Buffer, first: _Frame, end: int) -> tuple[float | None, int]:
    """How many frames there are, one by one, and their bytes.

    Behind junk the walk goes on; where there is too much of it the number is None.
    """
    sizes, kind, pos, frames, gaps, junk = first.sizes(), first.sync[1] | 1, first.start, 0, 0, 0
    stop = end - 4
    while pos <= stop and frames < _MAX_FRAMES:
        size = sizes[data[pos + 2]]
        if size and data[pos] == 0xFF and data[pos + 1] | 1 == kind:
            frames += 1
            pos += size
            continue
        if (gaps := gaps + 1) > _MAX_GAPS:
            return None, 0
        again = _first_frame(data, pos + _id3.skip(at(data, pos, 10)), end, _GAP)
        if again is None or again.sync[1] | 1 != kind or again.rate != first.rate:
            break
        junk += again.start - pos
        pos = again.start
    size = pos - first.start - junk
    if frames < _MAX_FRAMES or pos >= end:
        return frames, size
    return frames * (size + end - pos) / size, size + end - pos
