"""RIFF and IFF: a form type at byte 8 says what the chunks hold."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolnexus_media.sniff._window import View

_RIFF = {
    b"WAVE": "audio/wav",
    b"WEBP": "image/webp",
    b"AVI ": "video/x-msvideo",
    b"ACON": "application/x-navi-animation",
    b"RMID": "audio/midi",
    b"sfbk": "audio/x-soundfont",
    b"CDXA": "video/mpeg",
    b"QLCM": "audio/qcelp",
    b"PAL ": "application/x-riff-palette",
}
_CHUNKS = frozenset({b"VP8 ", b"VP8L", b"VP8X", b"fmt ", b"LIST", b"JUNK", b"bext"})
_IFF = {
    b"AIFF": "audio/aiff",
    b"AIFC": "audio/aiff",
    b"8SVX": "audio/x-8svx",
    b"ILBM": "image/x-ilbm",
    b"PBM ": "image/x-ilbm",
    b"ACBM": "image/x-ilbm",
    b"ANIM": "video/x-anim",
}


def quick(head: bytes) -> str | None:
    """The type of a RIFF file whose size bytes are not printable, so that it cannot be a note about RIFF files.

    A size under 500 MB has a top byte below 0x20; a streamed one is 0 or 0xFFFFFFFF.
    """
    if len(head) > 11 and not 0x20 <= head[7] < 0x7F:
        return _RIFF.get(head[8:12])
    return None


def riff(view: View) -> str | None:
    """The type of a RIFF file, either byte order, with 32- or 64-bit sizes."""
    head = view.head
    form = head[8:12]
    if form[:3] == b"CDR" or form[:3] == b"cdr":
        return "application/vnd.corel-draw"
    return _RIFF.get(form)


def chunked(view: View) -> str | None:
    """The type of a RIFF file that is printable throughout: its first chunk too must be one of that form."""
    head = view.head
    return _RIFF.get(head[8:12]) if head[12:16] in _CHUNKS else None


def iff(view: View) -> str | None:
    """The type of an IFF file."""
    head = view.head
    return _IFF.get(head[8:12])
