"""Ogg: the codec from the first pages, the length from the last page whose checksum holds."""

from __future__ import annotations

from struct import unpack_from

from toolnexus_media.probe._buffer import at, broken, sound
from toolnexus_media.probe._flac import comment_title, stream_info

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolnexus_media._b64 import Buffer
    from toolnexus_media.types import Facts

_MAX_HEAD_PAGES = 64
_MAX_PAGE = 27 + 255 + 255 * 255
_TAIL = 1 << 20
_WINDOW = 1 << 16
_MAX_TRIES = 500  # what looks like a page at the end
# Samples a byte at the very most: the longest packet in the shortest form.
_DENSEST = {"opus": 5760, "vorbis": 8192, "speex": 3200, "flac": 6554}
_LONGEST = {"opus": 5760, "vorbis": 8192, "speex": 6400, "flac": 65535}  # samples a packet
_TURNED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


class _Page:
    """One page: where its body is, whose it is, and how far its stream has come."""

    __slots__ = ("body", "end", "first", "granule", "packets", "serial", "start")

    def __init__(self, data: Buffer, start: int) -> None:
        head = at(data, start, 27)
        flags, self.granule, self.serial = unpack_from("<BqI", head, 5)
        lacing = at(data, start + 27, head[26])
        self.start, self.body = start, start + 27 + head[26]
        self.end = self.body + sum(lacing)
        self.packets = len(lacing) - lacing.count(255)
        self.first = bool(flags & 2)


class _Stream:
    """A logical stream of sound."""

    __slots__ = ("bitrate", "channels", "codec", "rate", "samples", "serial", "skip")

    def __init__(self, serial: int, codec: str, rate: int, channels: int) -> None:
        self.serial, self.codec, self.rate, self.channels = serial, codec, rate, channels
        self.bitrate = self.samples = self.skip = 0


def read(data: Buffer) -> Facts:
    """The facts of an Ogg file, those of its first stream of sound and of its first picture.

    ``CorruptMediaError`` where no page can be read.
    """
    pages = list(_pages(data))
    if not pages:
        cut = len(data) < 28 or (at(data, 0, 4) == b"OggS" and len(data) < _MAX_PAGE and at(data, 4, 1) == b"\0")
        raise broken("audio/ogg", "its first page cannot be read", "truncated" if cut else "corrupt")
    heads = [(page, at(data, page.body, min(page.end - page.body, 256))) for page in pages if page.first]
    stream = next((found for page, body in heads if (found := _stream(page.serial, body))), None)
    facts: Facts = {}
    if stream:
        seconds = _seconds(data, stream, pages)
        bitrate = stream.bitrate or (len(data) * 8 / seconds if seconds else 0)
        facts = sound(stream.codec, seconds, stream.rate, stream.channels, bitrate, _title(data, stream, pages))
    for page, body in heads:
        if body[:7] == b"\x80theora" and len(body) >= 42:
            _picture(data, page.serial, body, facts)
            break
    return facts


def _pages(data: Buffer) -> Iterator[_Page]:
    """The pages at the front, up to the first that carries sound and the one behind it."""
    pos = sounding = 0
    for _ in range(_MAX_HEAD_PAGES):
        if at(data, pos, 5) != b"OggS\0" or pos + 28 > len(data):
            return
        page = _Page(data, pos)
        if page.end > len(data) and pos == 0:
            return
        yield page
        sounding += page.granule > 0
        if sounding >= 2:
            return
        pos = page.end


def _stream(serial: int, body: bytes) -> _Stream | None:
    """The stream of sound that this first packet announces, or None."""
    if body[:7] == b"\x01vorbis" and len(body) >= 30:
        channels, rate, _, bitrate = unpack_from("<BIii", body, 11)
        stream = _Stream(serial, "vorbis", rate, channels)
        stream.bitrate = max(bitrate, 0)
    elif body[:8] == b"OpusHead" and len(body) >= 19:
        stream = _Stream(serial, "opus", 48000, body[9])
        stream.skip = int.from_bytes(body[10:12], "little")
    elif body[:8] == b"Speex   " and len(body) >= 80:
        rate, _, _, channels, bitrate = unpack_from("<iiiii", body, 36)
        stream = _Stream(serial, "speex", rate, channels)
        stream.bitrate = max(bitrate, 0)
    elif body[:5] == b"\x7fFLAC" and len(body) >= 51:
        rate, channels, samples = stream_info(body[17:51])
        stream = _Stream(serial, "flac", rate, channels)
        stream.samples = samples
    else:
        return None
    return stream if stream.rate > 0 else None


def _seconds(data: Buffer, stream: _Stream, pages: list[_Page]) -> float | None:
    samples = _last_granule(data, stream.serial)
    if samples is None:
        return None
    own = [page for page in pages if page.serial == stream.serial and page.granule > 0]
    start = stream.skip
    if len(own) > 1 and own[0].granule > own[0].packets * _LONGEST[stream.codec]:
        # A recording of a broadcast does not start at zero: its first page is taken to be as long as its second.
        start = max(2 * own[0].granule - own[1].granule, start)
    samples = max(samples - start, 0)
    return samples / stream.rate if samples <= len(data) * _DENSEST[stream.codec] else None


def _last_granule(data: Buffer, serial: int) -> int | None:
    """How far the stream has come on the last whole page of it near the end of the file."""
    stop, tries = len(data), 0
    bottom = max(stop - _TAIL, 0)
    while stop > bottom:
        start = max(stop - _WINDOW, bottom)
        window = at(data, start, stop - start + 3)
        mark = window.rfind(b"OggS")
        while mark >= 0 and tries < _MAX_TRIES:
            tries += 1
            if (granule := _granule(data, start + mark, serial)) is not None:
                return granule
            mark = window.rfind(b"OggS", 0, mark + 3)
        stop = start
    return None


def _granule(data: Buffer, pos: int, serial: int) -> int | None:
    if pos + 28 > len(data) or at(data, pos + 4, 1) != b"\0":
        return None
    page = _Page(data, pos)
    if page.serial != serial or page.granule < 0 or page.end > len(data) or not _is_whole(data, page):
        return None
    return int(page.granule)


def _is_whole(data: Buffer, page: _Page) -> bool:
    """True when the checksum holds: Ogg's is zlib's with every byte's bits turned round, from zero, not inverted."""
    from zlib import crc32

    raw = bytearray(at(data, page.start, page.end - page.start))
    stated = int.from_bytes(raw[22:26], "little")
    raw[22:26] = bytes(4)
    turned = crc32(raw.translate(_TURNED), 0xFFFFFFFF) ^ 0xFFFFFFFF
    return int(f"{turned:032b}"[::-1], 2) == stated


def _title(data: Buffer, stream: _Stream, pages: list[_Page]) -> str:
    """The title in the comment packet, as far as it lies in the page behind the stream's first."""
    own = [page for page in pages if page.serial == stream.serial and not page.first]
    if not own:
        return ""
    packet = at(data, own[0].body, min(own[0].end - own[0].body, _WINDOW))
    return comment_title(packet[{"vorbis": 7, "opus": 8, "speex": 0, "flac": 4}[stream.codec] :])


def _picture(data: Buffer, serial: int, body: bytes, facts: Facts) -> None:
    """A Theora stream: its shown size, and its length where it is longer than the sound."""
    width, height = int.from_bytes(body[14:17], "big"), int.from_bytes(body[17:20], "big")
    if width and height:
        facts["width"], facts["height"] = width, height
    numerator, denominator = unpack_from(">II", body, 22)
    facts["codec"] = "theora"
    facts.pop("bitrate", None)
    shift = int.from_bytes(body[40:42], "big") >> 5 & 31
    granule = _last_granule(data, serial)
    if granule is None or not numerator:
        return
    frames = (granule >> shift) + (granule & (1 << shift) - 1)
    if frames <= 255 * len(data):  # a repeated frame is one lacing byte
        facts["duration"] = max(facts.get("duration", 0.0), frames * denominator / numerator)
