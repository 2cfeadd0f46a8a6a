"""AAC in ADTS frames, counted one by one; ADIF by its header."""

from __future__ import annotations

from toolnexus_media.probe import _id3
from toolnexus_media.probe._buffer import at, broken, sound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolnexus_media._b64 import Buffer
    from toolnexus_media.types import Facts

AAC_RATES = (96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350)
AAC_CHANNELS = (0, 1, 2, 3, 4, 5, 6, 8)
_MAX_FRAMES = 500_000  # the rest is counted by their mean size: three hours of sound, 0.15 s of work
_SEARCH = 1 << 16  # how far a first frame may stand behind junk
_MAX_GAPS, _GAP = 32, 1 << 14  # how often junk may break a walk, and how much of it is searched


def read(data: Buffer) -> Facts:
    """The facts of an AAC stream; ``CorruptMediaError`` where no frame is found."""
    start, end = _id3.skip(data), _id3.end(data)
    if at(data, start, 4) == b"ADIF":
        return _adif(data, start, end)
    first = _first_frame(data, start, end)
    if first < 0:
        cut = end - start < 7
        raise broken("audio/aac", "it has no ADTS frame", "truncated" if cut else "corrupt")
    head = at(data, first, 4)
    rate = AAC_RATES[head[2] >> 2 & 15]
    channels = AAC_CHANNELS[(head[2] & 1) << 2 | head[3] >> 6]
    blocks = _walk(data, first, end)
    seconds = None if blocks is None else blocks * 1024 / rate
    bitrate = (end - first) * 8 / seconds if seconds else 0
    return sound("aac", seconds, rate, channels, bitrate, _id3.title(data) if start else "")


def _frame_size(data: Buffer, pos: int, end: int) -> int:
    """The length of the frame at ``pos``, 0 where there is none."""
    if pos + 7 > end or data[pos] != 0xFF or data[pos + 1] & 0xF6 != 0xF0 or data[pos + 2] >> 2 & 15 > 12:
        return 0
    size = (data[pos + 3] & 3) << 11 | data[pos + 4] << 3 | data[pos + 5] >> 5
    return size if size > 7 else 0


def _first_frame(data: Buffer, start: int, end: int, search: int = _SEARCH) -> int:
    """The first frame that another one follows, or that the file ends in; -1 where there is none."""
    head = at(data, start, min(search, max(end - start, 0)))
    pos = head.find(b"\xff")
    while pos >= 0:
        size = _frame_size(data, start + pos, end)
        after = start + pos + size
        if size and (_frame_size(data, after, end) or (after + 7 > end and (after <= end or pos == 0))):
            return start + pos
        pos = head.find(b"\xff", pos + 1)
    return -1


def _walk(data: Buffer, first: int, end: int) -> float | None:
    """How many blocks of 1024 samples there are; behind junk the walk goes on, and None where there is too much."""
    pos, blocks, frames, gaps, kind = first, 0, 0, 0, at(data, first + 2, 1)[0] & 0x3C
    while frames < _MAX_FRAMES and pos + 7 <= end:
        if data[pos] == 0xFF and data[pos + 1] & 0xF6 == 0xF0 and data[pos + 2] & 0x3C == kind:
            size = (data[pos + 3] & 3) << 11 | data[pos + 4] << 3 | data[pos + 5] >> 5
            if size > 7 and pos + size <= end:
                blocks += (data[pos + 6] & 3) + 1
                frames += 1
                pos += size
                continue
            if size > 7:  # the last frame is cut
                break
        if (gaps := gaps + 1) > _MAX_GAPS:
            return None
        pos = _first_frame(data, pos + 1, end, _GAP)
        if pos < 0:
            break
    if frames < _MAX_FRAMES:
        return blocks
    return blocks * (end - first) / (pos - first)


def _adif(data: Buffer, start: int, end: int) -> Facts:
    """ADIF declares a bitrate once for the whole file, and its sample rate in the first program."""
    head = at(data, start + 4, 32)
    if len(head) < 32:
        raise broken("audio/aac", "its ADIF header is cut short", "truncated")
    bits, left = int.from_bytes(head, "big"), 256
    if bits >> 255:  # a copyright number of nine bytes stands first
        left -= 72
    left -= 4
    variable = bits >> left & 1
    left -= 23
    bitrate = bits >> left & 0x7FFFFF
    left -= 4 if variable else 24
    rate = bits >> left - 10 & 15
    seconds = None if variable or not bitrate else (end - start) * 8 / bitrate
    return sound("aac", seconds, AAC_RATES[rate] if rate < 13 else 0, 0, bitrate)
