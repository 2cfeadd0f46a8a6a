"""FLAC by its stream information, and the titles of Vorbis comments, which FLAC and Ogg share."""

from __future__ import annotations

from toolnexus_media.probe import _id3
from toolnexus_media.probe._buffer import at, broken, sound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolnexus_media._b64 import Buffer
    from toolnexus_media.types import Facts

_MAX_BLOCKS = 200
_MAX_COMMENTS = 200
_DENSEST = 65535 / 10  # samples a byte: the longest block, a constant, in the shortest frame


def read(data: Buffer) -> Facts:
    """The facts of a FLAC file; ``CorruptMediaError`` where it has no stream information."""
    start = _id3.skip(data)
    head = at(data, start, 42)
    if head[:4] != b"fLaC" or (head[4:5] not in (b"\x00", b"\x80") and len(head) > 4):
        raise broken("audio/flac", "it does not start with its stream information")
    if len(head) < 42:
        raise broken("audio/flac", "its stream information is cut short", "truncated")
    rate, channels, samples = stream_info(head[8:42])
    if not rate:
        raise broken("audio/flac", "its header declares no sample rate")
    begin, title = _metadata(data, start + 4)
    held = len(data) - begin
    seconds = samples / rate if 0 < samples <= held * _DENSEST else 0.0 if not held else None
    return sound("flac", seconds, rate, channels, held * 8 / seconds if seconds else 0, title)


def stream_info(body: bytes) -> tuple[int, int, int]:
    """Sample rate, channels, and samples a channel (0 when the writer did not know) of a STREAMINFO block."""
    bits = int.from_bytes(body[10:18], "big")
    return bits >> 44, (bits >> 41 & 7) + 1, bits & 0xFFFFFFFFF


def comment_title(body: bytes) -> str:
    """The title in a Vorbis comment; whatever is cut or damaged ends the search."""
    pos = 4 + int.from_bytes(body[:4], "little")
    count = int.from_bytes(body[pos : pos + 4], "little")
    pos += 4
    for _ in range(min(count, _MAX_COMMENTS)):
        size = int.from_bytes(body[pos : pos + 4], "little")
        if pos + 4 >= len(body):
            break
        if body[pos + 4 : pos + 10].lower() == b"title=":
            return body[pos + 10 : pos + 4 + min(size, 2048)].decode("utf-8", "replace")
        pos += 4 + size
    return ""


def _metadata(data: Buffer, pos: int) -> tuple[int, str]:
    """Where the sound begins behind the metadata, and the title in it."""
    title = ""
    for _ in range(_MAX_BLOCKS):
        head = at(data, pos, 4)
        if len(head) < 4:
            break
        size = int.from_bytes(head[1:], "big")
        if head[0] & 0x7F == 4 and not title:
            title = comment_title(at(data, pos + 4, min(size, 1 << 16)))
        pos += 4 + size
        if head[0] & 0x80:
            break
    return pos, title
