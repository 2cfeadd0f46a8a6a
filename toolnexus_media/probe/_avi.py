"""AVI: the stream headers in its first list."""

from __future__ import annotations

from struct import unpack_from

from toolnexus_media.probe._buffer import at, broken, sound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolnexus_media._b64 import Buffer
    from toolnexus_media.types import Facts

    Span = tuple[int, int]

_MAX_CHUNKS = 500
_CODECS = {
    b"H264": "h264",
    b"AVC1": "h264",
    b"XVID": "mpeg4",
    b"DIVX": "mpeg4",
    b"DX50": "mpeg4",
    b"FMP4": "mpeg4",
    b"MP4V": "mpeg4",
    b"MJPG": "mjpeg",
    b"VP80": "vp8",
    b"DIV3": "msmpeg4v3",
    b"HEVC": "hevc",
}


def read(data: Buffer) -> Facts:
    """The facts of an AVI file; ``CorruptMediaError`` where it has no header list."""
    lists = [span for name, span in _chunks(data, (12, len(data))) if name == b"LIST"]
    header = next((span for span in lists if at(data, span[0], 4) == b"hdrl"), None)
    if header is None:
        raise broken("video/x-msvideo", "it has no header list", "truncated" if len(data) < 64 else "corrupt")
    facts, heard = sound(None, None), sound(None, None)
    seconds = 0.0
    for name, span in _chunks(data, (header[0] + 4, header[1])):
        if name == b"LIST" and at(data, span[0], 4) == b"strl":
            seconds = max(seconds, _stream(data, (span[0] + 4, span[1]), facts, heard))
    if 0 < seconds <= 60 * len(data):
        facts["duration"] = seconds
    heard.update(facts)
    return heard


def _stream(data: Buffer, span: Span, facts: Facts, heard: Facts) -> float:
    """Puts the facts of one stream where they belong, and gives its seconds, 0.0 when unknown."""
    parts = dict(_chunks(data, span))
    head, form = (parts.get(name, (0, 0)) for name in (b"strh", b"strf"))
    if head[1] - head[0] < 36:
        return 0.0
    kind = at(data, head[0], 4)
    scale, rate, start, length = unpack_from("<IIII", data, head[0] + 20)
    seconds = (start + length) * scale / rate if rate else 0.0
    if kind == b"vids" and form[1] - form[0] >= 20 and "width" not in facts:
        width, height = unpack_from("<ii", data, form[0] + 4)
        if 0 < width < 1 << 20 and 0 < abs(height) < 1 << 20:
            facts["width"], facts["height"] = width, abs(height)
        if codec := _CODECS.get(at(data, form[0] + 16, 4).upper()):
            facts["codec"] = codec
    elif kind == b"auds" and form[1] - form[0] >= 14 and not heard:
        channels, rate = unpack_from("<HI", data, form[0] + 2)
        heard.update(sound(None, None, rate, channels))
    return seconds if kind in (b"vids", b"auds") else 0.0


def _chunks(data: Buffer, span: Span) -> Iterator[tuple[bytes, Span]]:
    pos, end = span
    for _ in range(_MAX_CHUNKS):
        if pos + 8 > end:
            return
        name, size = unpack_from("<4sI", data, pos)
        yield name, (pos + 8, min(pos + 8 + size, end))
        pos += 8 + size + (size & 1)
