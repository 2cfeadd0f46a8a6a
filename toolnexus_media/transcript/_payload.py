"""A payload found in a structure: where it stands and what it is, decoded no further than is asked."""

from __future__ import annotations

from toolnexus_media import _b64
from toolnexus_media.errors import SourceError
from toolnexus_media.sniff import kind_of, normalise, settle, sniff
from toolnexus_media.source import gather, is_media_type
from toolnexus_media.transcript._shapes import declared_type
from toolnexus_media.transcript._strings import beginning

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from toolnexus_media.transcript._shapes import Key, Place
    from toolnexus_media.transcript._strings import Span
    from toolnexus_media.types import MediaFinding

# Types that the first bytes tell as surely as the whole does, and how many characters those take. An MP3 is not among
# them: other sounds wear its tags.
_TOLD_BY_HEAD = frozenset(
    {"image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf", "audio/wav", "audio/flac"}
)
_HEAD = 512
_MOST_DECODED = 64 * 1024 * 1024


class Payload:
    """One payload: ``holder[key]`` is the string or bytes with it, ``span`` says which part of a string it is.

    ``span`` is None for bytes. In a string it runs over the whole payload, a data URL with its header included.
    """

    __slots__ = ("_mime", "_place", "shape", "span")

    def __init__(self, place: Place, shape: str, span: Span | None) -> None:
        self._place = place
        self.shape = shape
        self.span = span
        self._mime: str | None = None

    @property
    def path(self) -> list[Key]:
        """The keys and indices that lead to the value."""
        return self._place.path

    @property
    def key(self) -> Key | None:
        """The last step of the path; None where the structure itself is the value."""
        return self._place.key

    @property
    def holder(self) -> Any:
        """The container of the value."""
        return self._place.holder

    @property
    def value(self) -> Any:
        """The string or bytes that hold the payload."""
        return self._place.value

    @property
    def is_whole(self) -> bool:
        """Is the payload all there is in its value?"""
        return self.span is None or (self.span.start == 0 and self.span.end == len(self.value))

    @property
    def size(self) -> int:
        """How many bytes the payload decodes to, by arithmetic where that is possible."""
        span = self.span
        if span is None:
            return memoryview(self.value).nbytes
        if not self._is_clean_base64(span):
            return len(self._data_or_nothing())
        text: str = self.value
        count = span.end - span.body
        if "\n" in text[span.body : min(span.end, span.body + _HEAD)]:
            count -= text.count("\n", span.body, span.end) + text.count("\r", span.body, span.end)
        tail = text[max(span.body, span.end - 4) : span.end].rstrip()
        return (count - (len(tail) - len(tail.rstrip("=")))) * 3 // 4

    def _is_clean_base64(self, span: Span) -> bool:
        """Base64 with nothing percent-encoded in it, as far as its two ends tell."""
        text: str = self.value
        ends = text[span.body : span.body + _HEAD] + text[max(span.body, span.end - 16) : span.end]
        return span.is_base64 and "%" not in ends

    def data(self) -> bytes:
        """The decoded bytes; ``SourceError`` when they do not decode."""
        span = self.span
        if span is None:
            return bytes(self.value)
        if self._is_clean_base64(span):
            return _b64.decode_any(self.value[span.body : span.end])
        text: str = self.value[span.start : span.end]
        return bytes(gather(text, max_bytes=len(text)).data or b"")

    def _data_or_nothing(self) -> bytes:
        try:
            return self.data()
        except SourceError:
            return b""

    @property
    def mime(self) -> str:
        """The type that the bytes tell, or the declared one where they say nothing."""
        if self._mime is None:
            declared = (self.span.declared if self.span is not None else None) or declared_type(self._place)
            self._mime = _agreed(self._sniffed(), declared)
        return self._mime

    def _sniffed(self) -> str:
        span = self.span
        if span is None:
            return sniff(self.value)
        if not self._is_clean_base64(span):
            return sniff(self._data_or_nothing())
        found = sniff(beginning(self.value, span.body, span.end, _HEAD))
        if found in _TOLD_BY_HEAD or not _HEAD < span.end - span.body <= _MOST_DECODED:
            return found
        return sniff(whole) if (whole := self._data_or_nothing()) else found

    def finding(self) -> MediaFinding:
        """What ``find`` tells of it."""
        mime = self.mime
        return {
            "path": self.path,
            "kind": kind_of(mime),
            "mimeType": mime,
            "bytes": self.size,
            "shape": self.shape,
        }


def _agreed(found: str, declared: str | None) -> str:
    """The declared type where it is one and the bytes do not contradict it; else the found one."""
    if declared is None or not is_media_type(declared.partition(";")[0].strip()):
        return found
    return settle(found, normalise(declared)) or found
