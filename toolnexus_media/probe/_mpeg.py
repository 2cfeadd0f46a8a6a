"""MPEG program and transport streams: the first and the last time stamp, and the first picture's header."""

from __future__ import annotations

from toolnexus_media.probe._buffer import at, broken, sound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolnexus_media._b64 import Buffer
    from toolnexus_media.types import Facts

_REACH = 1 << 19  # how much is read at either end
_CLOCK = 90_000
_SYNC = 0x47


def read_program(data: Buffer) -> Facts:
    """The facts of an MPEG program stream, or of bare MPEG video, which has no time stamps."""
    head = at(data, 0, _REACH)
    if head[:3] != b"\0\0\1":
        raise broken("video/mpeg", "no start code stands at its beginning")
    begins, ends = dict(reversed(list(_stamps(head)))), dict(_stamps(at(data, max(len(data) - _REACH, 0), _REACH)))
    return _facts(head, begins, ends)


def read_transport(data: Buffer) -> Facts:
    """The facts of an MPEG transport stream, with packets of 188 bytes or of 192."""
    head = at(data, 0, _REACH)
    step, start = (192, 4) if head[4:5] == b"G" and head[196:197] == b"G" else (188, 0)
    if head[start : start + 1] != b"G":
        raise broken("video/mp2t", "no packet stands at its beginning")
    begins = dict(reversed(list(_packets(head, step, start))))
    first = max(len(data) - _REACH, 0)
    first += -(first - start) % step
    return _facts(head, begins, dict(_packets(at(data, first, _REACH), step, 0)))


def _facts(head: bytes, begins: dict[int, int], ends: dict[int, int]) -> Facts:
    """The longest stream counts; the clock has 33 bits and starts again."""
    lengths = [(ends[stream] - first) % (1 << 33) for stream, first in begins.items() if stream in ends]
    longest = max(lengths, default=0)
    facts = sound(None, longest / _CLOCK if 0 < longest < 1 << 32 else None)
    place = head.find(b"\0\0\1\xb3")
    if 0 <= place <= len(head) - 8:
        width = head[place + 4] << 4 | head[place + 5] >> 4
        height = (head[place + 5] & 15) << 8 | head[place + 6]
        if width and height:
            facts["width"], facts["height"] = width, height
            facts["codec"] = "mpeg2video" if head.find(b"\0\0\1\xb5", place, place + 160) >= 0 else "mpeg1video"
    return facts


def _stamps(window: bytes) -> Iterator[tuple[int, int]]:
    """Stream number and presentation time of every packet header of sound or pictures."""
    place = window.find(b"\0\0\1")
    while 0 <= place < len(window) - 20:
        stream = window[place + 3]
        if 0xC0 <= stream <= 0xEF or stream == 0xBD:
            stamp = _stamp(window, place + 6)
            if stamp is not None:
                yield stream, stamp
        place = window.find(b"\0\0\1", place + 3)


def _packets(window: bytes, step: int, pos: int) -> Iterator[tuple[int, int]]:
    """Packet number and presentation time of every packet that begins one."""
    while pos + 188 <= len(window):
        if window[pos] == _SYNC and window[pos + 1] & 0x40:
            pid = (window[pos + 1] & 0x1F) << 8 | window[pos + 2]
            body = pos + 4 + (window[pos + 4] + 1 if window[pos + 3] & 0x20 else 0)
            if body + 20 <= pos + 188 and window[body : body + 3] == b"\0\0\1" and window[body + 3] >= 0xBD:
                stamp = _stamp(window, body + 6)
                if stamp is not None:
                    yield pid, stamp
        pos += step


def _stamp(window: bytes, pos: int) -> int | None:
    """The presentation time of a packet header, of MPEG-2 and of MPEG-1 with its padding and buffer sizes."""
    if window[pos] & 0xC0 == 0x80:
        flags, pos = window[pos + 1], pos + 3
        if not flags & 0x80:
            return None
    else:
        while pos < len(window) - 8 and window[pos] == 0xFF:
            pos += 1
        if window[pos] & 0xC0 == 0x40:
            pos += 2
        if window[pos] & 0xE0 != 0x20:
            return None
    five = window[pos : pos + 5]
    if len(five) < 5 or not five[0] & five[2] & five[4] & 1:
        return None
    return (five[0] >> 1 & 7) << 30 | five[1] << 22 | five[2] >> 1 << 15 | five[3] << 7 | five[4] >> 1
