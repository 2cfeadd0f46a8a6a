"""Ogg: the pages that begin its streams say which codecs it holds."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolnexus_media.sniff._window import View

_VIDEO = (b"\x80theora", b"\x01video\x00", b"BBCD\x00", b"OVP80", b"\x80daala", b"fishVP8")
_AUDIO = (
    b"\x01vorbis",
    b"OpusHead",
    b"Speex   ",
    b"\x7fFLAC",
    b"fLaC",
    b"\x80pcm",
    b"PCM     ",
    b"CELT    ",
    b"\x01audio",
)
_STARTS_STREAM = 0x02
_MAX_STREAMS = 16


def ogg(view: View) -> str | None:
    """``video/ogg`` with a picture stream, ``audio/ogg`` with sound streams only, else ``application/ogg``."""
    at, sounds = 0, False
    for _ in range(_MAX_STREAMS):
        page = view.at(at, 27 + 255 + 32)
        if page[:4] != b"OggS" or len(page) < 28 or not page[5] & _STARTS_STREAM:
            break
        segments = page[26]
        body = page[27 + segments :]
        if body.startswith(_VIDEO):
            return "video/ogg"
        sounds = sounds or body.startswith(_AUDIO)
        at += 27 + segments + sum(page[27 : 27 + segments])
    return "audio/ogg" if sounds else "application/ogg"
