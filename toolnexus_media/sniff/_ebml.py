"""EBML: WebM and Matroska, and whether any track shows pictures."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolnexus_media.sniff._window import View

_EBML, _DOCTYPE = 0x1A45DFA3, 0x4282
_SEGMENT, _TRACKS, _CLUSTER = 0x18538067, 0x1654AE6B, 0x1F43B675
_TRACK, _TRACK_TYPE = 0xAE, 0x83
_VIDEO, _AUDIO = 1, 2


def _vint(data: bytes, at: int, *, keep_marker: bool) -> tuple[int, int]:
    """The number at a place and how many bytes it takes; -1 for «size unknown»; length 0 when there is none."""
    if at >= len(data) or not data[at]:
        return 0, 0
    length = 9 - data[at].bit_length()
    raw = data[at : at + length]
    if len(raw) < length:
        return 0, 0
    value = int.from_bytes(raw, "big")
    if keep_marker:
        return value, length
    mask = (1 << 7 * length) - 1
    value &= mask
    return (-1 if value == mask else value), length


def elements(view: View, start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """The elements between two offsets as (id, payload start, payload end), hopped to."""
    while start < end:
        head = view.at(start, 12)
        ident, id_length = _vint(head, 0, keep_marker=True)
        size, size_length = _vint(head, id_length, keep_marker=False)
        if not id_length or not size_length:
            return
        first = start + id_length + size_length
        last = end if size < 0 else min(first + size, end)
        yield ident, first, last
        start = last


def ebml(view: View) -> str | None:
    """``audio/…`` or ``video/…`` of WebM or Matroska, by the document type and the tracks."""
    doctype, sound_only = b"matroska", False
    for ident, first, last in elements(view, 0, view.size):
        if ident == _EBML:
            doctype = _doctype(view, first, last) or doctype
        elif ident == _SEGMENT:
            sound_only = _sound_only(view, first, last)
            break
    family = {b"webm": "webm", b"matroska": "x-matroska"}.get(doctype)
    return family and f"{'audio' if sound_only else 'video'}/{family}"


def _doctype(view: View, start: int, end: int) -> bytes:
    for ident, first, last in elements(view, start, end):
        if ident == _DOCTYPE:
            return view.at(first, min(last - first, 16)).rstrip(b"\x00")
    return b""


def _sound_only(view: View, start: int, end: int) -> bool:
    for ident, first, last in elements(view, start, end):
        if ident == _TRACKS:
            kinds = {_track_type(view, at, stop) for kind, at, stop in elements(view, first, last) if kind == _TRACK}
            return _AUDIO in kinds and _VIDEO not in kinds
        if ident == _CLUSTER:
            break
    return False


def _track_type(view: View, start: int, end: int) -> int:
    for ident, first, last in elements(view, start, end):
        if ident == _TRACK_TYPE:
            return int.from_bytes(view.at(first, min(last - first, 8)), "big")
    return 0
