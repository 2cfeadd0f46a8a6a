"""WebM and Matroska: the elements of EBML (RFC 8794, 9559), hopped over; without a Duration the last block tells."""

from __future__ import annotations

from struct import unpack

from toolnexus_media.probe._buffer import at, broken, sound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolnexus_media._b64 import Buffer
    from toolnexus_media.types import Facts

    Span = tuple[int, int]

_SEGMENT, _INFO, _TRACKS, _CLUSTER = 0x18538067, 0x1549A966, 0x1654AE6B, 0x1F43B675
_SCALE, _DURATION, _TITLE = 0x2AD7B1, 0x4489, 0x7BA9
_ENTRY, _KIND, _CODEC, _VIDEO, _AUDIO = 0xAE, 0x83, 0x86, 0xE0, 0xE1
_WIDTH, _HEIGHT, _RATE, _CHANNELS, _OUTPUT_RATE = 0xB0, 0xBA, 0xB5, 0x9F, 0x78B5
_TIME, _BLOCK, _GROUP, _GROUP_BLOCK, _GROUP_LENGTH = 0xE7, 0xA3, 0xA0, 0xA1, 0x9B
_MAX_ELEMENTS = 100_000  # between the clusters and in them
_MAX_CHILDREN = 500
_MAX_IN_GROUP = 16
_MAX_TRACKS = 32
_CODECS = {
    "A_OPUS": "opus",
    "A_VORBIS": "vorbis",
    "A_FLAC": "flac",
    "A_MPEG/L3": "mp3",
    "A_MPEG/L2": "mp2",
    "A_AC3": "ac3",
    "A_EAC3": "eac3",
    "A_DTS": "dts",
    "A_PCM/INT/LIT": "pcm",
    "A_PCM/FLOAT/IEEE": "pcm_float",
    "V_VP8": "vp8",
    "V_VP9": "vp9",
    "V_AV1": "av1",
    "V_MPEG4/ISO/AVC": "h264",
    "V_MPEGH/ISO/HEVC": "hevc",
    "V_THEORA": "theora",
    "V_MPEG4/ISO/ASP": "mpeg4",
    "V_MJPEG": "mjpeg",
}


def read_sound(data: Buffer) -> Facts:
    """The facts of the first track of sound; ``CorruptMediaError`` where there is no segment."""
    facts, heard, _ = _read(data, "audio/webm")
    return _join(facts, heard, len(data))


def read_video(data: Buffer) -> Facts:
    """The facts of the first track of pictures and, besides its codec, of the first of sound."""
    facts, heard, seen = _read(data, "video/webm")
    if seen:
        heard.pop("codec", None)
    return _join(facts, heard | seen, 0)


def _join(facts: Facts, more: Facts, size: int) -> Facts:
    facts.update(more)
    if size and (seconds := facts.get("duration")):
        facts.update(sound(None, None, bitrate=size * 8 / seconds))
    return facts


def elements(data: Buffer, span: Span, limit: int = _MAX_CHILDREN) -> Iterator[tuple[int, Span, bool]]:
    """Number, body, and whether the size is unknown, of every element in a span; what cannot be read ends the walk."""
    pos, end = span
    for _ in range(limit):
        if pos >= end:
            return
        head = at(data, pos, min(12, end - pos))
        wide = 9 - head[0].bit_length()
        if wide > 4 or len(head) <= wide:
            return
        long = 9 - head[wide].bit_length()
        if long > 8 or len(head) < wide + long:
            return
        size = int.from_bytes(head[wide : wide + long], "big") & (1 << 7 * long) - 1
        pos += wide + long
        unknown = size == (1 << 7 * long) - 1
        yield int.from_bytes(head[:wide], "big"), (pos, end if unknown else min(pos + size, end)), unknown
        pos += 0 if unknown else size  # of an unknown size: its children come next, as if they were beside it


def _read(data: Buffer, mime: str) -> tuple[Facts, Facts, Facts]:
    """What the segment says: its length and title, the first sound, the first picture."""
    segment = next((span for number, span, _ in elements(data, (0, len(data))) if number == _SEGMENT), None)
    if segment is None:
        raise broken(mime, "it has no segment", "truncated" if len(data) < 256 else "corrupt")
    scale, ticks, title = 1_000_000, None, ""
    heard, seen = sound(None, None), sound(None, None)
    started = False
    for number, span, _ in elements(data, segment):
        if number == _INFO:
            scale, ticks, title = _info(data, span)
        elif number == _TRACKS:
            _tracks(data, span, heard, seen)
        elif number == _CLUSTER:
            started = True
            break
    if ticks is None and started:
        ticks = _last_tick(data, segment)
    seconds = None if ticks is None else ticks * scale / 1e9
    if seconds is not None and not seconds <= len(data) * (60 if seen else 0.5):
        seconds = None  # a frame of sound takes ten bytes and more and lasts a tenth of a second; a picture may last
    return sound(None, seconds, title=title), heard, seen


def _info(data: Buffer, span: Span) -> tuple[int, float | None, str]:
    scale, ticks, title = 1_000_000, None, ""
    for number, body, _ in elements(data, span):
        if number == _SCALE:
            scale = _int(data, body) or scale
        elif number == _DURATION:
            ticks = _float(data, body)
        elif number == _TITLE:
            title = _raw(data, body, 2048).decode("utf-8", "replace")
    return scale, ticks, title


def _tracks(data: Buffer, span: Span, heard: Facts, seen: Facts) -> None:
    entries = [body for number, body, _ in elements(data, span) if number == _ENTRY][:_MAX_TRACKS]
    for entry in entries:
        fields = {number: body for number, body, _ in elements(data, entry)}
        kind = _int(data, fields.get(_KIND, (0, 0)))
        codec = _raw(data, fields.get(_CODEC, (0, 0)), 64).decode("latin-1")
        name = "aac" if codec.startswith("A_AAC") else _CODECS.get(codec)
        if kind == 2 and not heard:
            sub = {number: body for number, body, _ in elements(data, fields.get(_AUDIO, (0, 0)))}
            rate = _float(data, sub.get(_OUTPUT_RATE, (0, 0))) or _float(data, sub.get(_RATE, (0, 0))) or 8000
            channels = _int(data, sub[_CHANNELS]) if _CHANNELS in sub else 1
            heard.update(sound(name, None, 48000 if name == "opus" else rate, channels))
        elif kind == 1 and not seen:
            sub = {number: body for number, body, _ in elements(data, fields.get(_VIDEO, (0, 0)))}
            width, height = (_int(data, sub.get(key, (0, 0))) for key in (_WIDTH, _HEIGHT))
            if 0 < width < 1 << 20 and 0 < height < 1 << 20:
                seen["width"], seen["height"] = width, height
            if name:
                seen["codec"] = name


def _last_tick(data: Buffer, segment: Span) -> float | None:
    """From the first block to the last, or to its end where its group says so: a recording that was never closed."""
    low, high, base, left = None, 0, 0, _MAX_ELEMENTS
    for part, body in _blocks(data, segment):
        left -= 1
        if part == _TIME:
            base = _int(data, body)
        elif part in (_BLOCK, _GROUP):
            tick = base + _block_tick(data, body, grouped=part == _GROUP)
            low = tick if low is None else min(low, tick)
            high = max(high, tick)
    return None if low is None or left <= 0 else float(high - low)


def _blocks(data: Buffer, segment: Span) -> Iterator[tuple[int, Span]]:
    """The elements of the first cluster and of the last, and those whose cluster has no size."""
    clusters: list[Span] = []
    for number, span, unknown in elements(data, segment, _MAX_ELEMENTS + 1):
        if number == _CLUSTER and not unknown:
            clusters[1:] = [span]
        yield number, span
    for cluster in clusters:
        yield from ((part, body) for part, body, _ in elements(data, cluster, _MAX_ELEMENTS))


def _block_tick(data: Buffer, span: Span, *, grouped: bool) -> int:
    length = 0
    if grouped:
        parts = {number: body for number, body, _ in elements(data, span, _MAX_IN_GROUP)}
        span = parts.get(_GROUP_BLOCK, (0, 0))
        length = _int(data, parts.get(_GROUP_LENGTH, (0, 0)))
    head = at(data, span[0], min(span[1] - span[0], 11))
    wide = 9 - head[0].bit_length() if head else 9
    return int.from_bytes(head[wide : wide + 2], "big", signed=True) + length if len(head) >= wide + 2 else 0


def _raw(data: Buffer, span: Span, limit: int) -> bytes:
    return at(data, span[0], min(span[1] - span[0], limit)).rstrip(b"\0")


def _int(data: Buffer, span: Span) -> int:
    return int.from_bytes(at(data, span[0], min(span[1] - span[0], 8)), "big")


def _float(data: Buffer, span: Span) -> float | None:
    raw = at(data, span[0], min(span[1] - span[0], 8))
    if len(raw) not in (4, 8):
        return None
    value: float = unpack(">f" if len(raw) == 4 else ">d", raw)[0]
    return value if 0 <= value < 1e18 else None
