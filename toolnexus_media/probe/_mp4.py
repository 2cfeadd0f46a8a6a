"""The boxes of MP4, QuickTime and 3GP (ISO/IEC 14496-12): hopped over, never read through, no deeper than asked for."""

from __future__ import annotations

from struct import unpack_from

from toolnexus_media.probe import _mp4_entry, _mp4_fragments
from toolnexus_media.probe._boxes import MAX_TOP_BOXES, boxes, child
from toolnexus_media.probe._buffer import at, broken, sound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolnexus_media._b64 import Buffer
    from toolnexus_media.probe._boxes import Span
    from toolnexus_media.types import Facts

_MAX_TRACKS = 32
_UNKNOWN = (0, 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF)


class _Track:
    """One track: what it is, how long, and how many bytes its samples take at the least (None when not told)."""

    __slots__ = ("entry", "kind", "least", "scale", "seconds", "span", "turned")

    def __init__(self, data: Buffer, span: Span) -> None:
        self.span = span
        media = child(data, span, b"mdia")
        handler = child(data, media, b"hdlr")
        self.kind = at(data, handler[0] + 8, 4)
        self.seconds, self.scale = _clock(data, child(data, media, b"mdhd"))
        table = child(data, child(data, media, b"minf"), b"stbl")
        self.entry = child(data, table, b"stsd")
        self.least = _least(data, child(data, table, b"stsz"), child(data, table, b"stz2"))
        self.turned = _is_turned(data, child(data, span, b"tkhd"))


def read_sound(data: Buffer) -> Facts:
    """The facts of the first track of sound; ``CorruptMediaError`` where there is no movie box."""
    return _read(data, "audio/mp4")[0]


def read_video(data: Buffer) -> Facts:
    """The facts of the first track of pictures and, besides its codec, of the first of sound."""
    heard, seen = _read(data, "video/mp4")
    if "codec" in seen or "width" in seen:
        heard.pop("codec", None)
        heard.pop("bitrate", None)
    heard.update(seen)
    return heard


def _read(data: Buffer, mime: str) -> tuple[Facts, Facts]:
    """The facts of the sound and of the pictures."""
    movie = child(data, (0, len(data)), b"moov", MAX_TOP_BOXES)
    if movie == (0, 0):
        cut = _is_cut(data)
        raise broken(mime, "its movie box is missing", "truncated" if cut else "corrupt")
    spans = [span for name, span in boxes(data, movie) if name == b"trak"][:_MAX_TRACKS]
    tracks = [_Track(data, span) for span in spans]
    seconds = _seconds(data, movie, tracks)
    if seconds and not _is_held(tracks, seconds, len(data)):
        seconds = None
    heard, seen = sound(None, seconds), sound(None, None)
    for track in tracks:
        if track.kind == b"soun" and "codec" not in heard:
            codec, rate, channels = _mp4_entry.sound_entry(data, track.entry)
            heard = sound(codec, seconds, rate, channels, len(data) * 8 / seconds if seconds else 0)
        elif track.kind == b"vide" and "width" not in seen:
            _mp4_entry.picture_entry(data, track.entry, track.turned, seen)
    if title := _title(data, movie):
        heard.update(sound(None, None, title=title))
    return heard, seen


def _is_cut(data: Buffer) -> bool:
    """True when the last box at the top reaches beyond the end, or nothing but a file type is there."""
    pos = 0
    for _ in range(MAX_TOP_BOXES):
        if pos + 8 > len(data):
            break
        size = int(unpack_from(">I", data, pos)[0])
        if size == 1 and pos + 16 <= len(data):
            size = unpack_from(">Q", data, pos + 8)[0]
        if size < 8:
            return not size
        pos += size
    return bool(pos >= len(data))


def _clock(data: Buffer, span: Span) -> tuple[float | None, int]:
    """Seconds (None when not declared) and time scale of a movie or media header."""
    if span[1] - span[0] < 20:
        return None, 0
    if at(data, span[0], 1) == b"\1":
        if span[1] - span[0] < 32:
            return None, 0
        scale, length = unpack_from(">IQ", data, span[0] + 20)
    else:
        scale, length = unpack_from(">II", data, span[0] + 12)
    if length in _UNKNOWN[1:] or not scale:
        return None, scale
    return length / scale, scale


def _seconds(data: Buffer, movie: Span, tracks: list[_Track]) -> float | None:
    """The movie's length: its header's, else the longest track's, else that of its fragments."""
    declared, scale = _clock(data, child(data, movie, b"mvhd"))
    if declared:
        return declared
    longest = max((track.seconds or 0 for track in tracks), default=0)
    if longest:
        return longest
    extends = child(data, movie, b"mvex")
    if extends == (0, 0):
        return declared
    header = child(data, extends, b"mehd")
    if scale and header[1] - header[0] >= 8:
        wide = at(data, header[0], 1) == b"\1" and header[1] - header[0] >= 12
        length = unpack_from(">Q" if wide else ">I", data, header[0] + 4)[0]
        if length:
            return float(length / scale)
    return _mp4_fragments.seconds(data, extends, {_track_id(data, track): track.scale for track in tracks})


def _track_id(data: Buffer, track: _Track) -> int:
    span = child(data, track.span, b"tkhd")
    if span[1] - span[0] < 24:
        return 0
    return int(unpack_from(">I", data, span[0] + (20 if at(data, span[0], 1) == b"\1" else 12))[0])


def _is_turned(data: Buffer, span: Span) -> bool:
    """True when the track header's matrix turns the picture by a quarter."""
    matrix = span[0] + (52 if at(data, span[0], 1) == b"\1" else 40)
    if matrix + 20 > span[1]:
        return False
    a, b, _, c, d = unpack_from(">iiiii", data, matrix)
    return bool(b and c and not (a or d))


def _least(data: Buffer, sizes: Span, compact: Span) -> int | None:
    """The bytes that a track's samples take: at least one for each, exactly where all are of one size."""
    place = (sizes if sizes != (0, 0) else compact)[0]
    if not place or place + 12 > len(data):
        return None
    each, count = unpack_from(">II", data, place + 4)
    # Old QuickTime counts each sample of a compressed sound and calls its size one.
    return int(count * each if each > 1 and sizes != (0, 0) else count // 8 if each == 1 else count)


def _is_held(tracks: list[_Track], seconds: float, size: int) -> bool:
    """False when the file is too short for what its tables list, or lists nothing and could not hold that length."""
    if not tracks or any(track.least is None or track.least > size for track in tracks):
        return False
    return any(track.least for track in tracks) or seconds <= size


def _title(data: Buffer, movie: Span) -> str:
    """The iTunes title: moov/udta/meta/ilst/©nam/data."""
    meta = child(data, child(data, movie, b"udta"), b"meta")
    meta = (meta[0] + 4, meta[1])  # it has a version, which QuickTime's own does not
    value = child(data, child(data, child(data, meta, b"ilst"), b"\xa9nam"), b"data")
    return at(data, value[0] + 8, min(max(value[1] - value[0] - 8, 0), 2048)).decode("utf-8", "replace")
