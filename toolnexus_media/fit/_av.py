"""In the child: opening sound and film with FFmpeg, as the type that was sniffed and nothing else.

FFmpeg left to guess takes a playlist for a film and opens what the playlist names. So the demuxer is named, and every
further file or address it asks for is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn, cast

import av
from av.logging import set_level

if TYPE_CHECKING:
    from av.container import InputContainer

    from toolnexus_media._b64 import Buffer

DEMUXERS = {
    "audio/wav": "wav",
    "audio/mpeg": "mp3",
    "audio/aac": "aac",
    "audio/mp4": "mov",
    "audio/3gpp": "mov",
    "audio/3gpp2": "mov",
    "audio/flac": "flac",
    "audio/ogg": "ogg",
    "audio/aiff": "aiff",
    "audio/basic": "au",
    "audio/webm": "matroska",
    "audio/x-matroska": "matroska",
    "audio/x-ms-wma": "asf",
    "audio/ac3": "ac3",
    "audio/eac3": "eac3",
    "audio/amr": "amr",
    "audio/amr-wb": "amr",
    "audio/x-ape": "ape",
    "audio/x-wavpack": "wv",
    "audio/x-dsf": "dsf",
    "audio/x-tta": "tta",
    "audio/x-musepack": "mpc8",
    "audio/x-caf": "caf",
    "video/mp4": "mov",
    "video/quicktime": "mov",
    "video/3gpp": "mov",
    "video/3gpp2": "mov",
    "video/x-m4v": "mov",
    "video/webm": "matroska",
    "video/x-matroska": "matroska",
    "video/x-msvideo": "avi",
    "video/x-flv": "flv",
    "video/ogg": "ogg",
    "video/x-ms-asf": "asf",
    "video/x-ms-wmv": "asf",
    "video/mpeg": "mpeg",
    "video/mp2t": "mpegts",
}
_MUSEPACK_7 = b"MP+"  # an older format of the same name


class _Stream:
    """The data as a file that is read where it lies."""

    def __init__(self, data: Buffer) -> None:
        self.data = memoryview(data)
        self.at = 0

    def read(self, count: int = -1) -> bytes:
        end = len(self.data) if count < 0 else self.at + count
        chunk = bytes(self.data[self.at : end])
        self.at += len(chunk)
        return chunk

    def seek(self, offset: int, whence: int = 0) -> int:
        base = (0, self.at, len(self.data))[whence]
        self.at = min(max(base + offset, 0), len(self.data))
        return self.at

    def tell(self) -> int:
        return self.at


def opened(data: Buffer, mime: str) -> InputContainer:
    """The container; ``KeyError`` for a type that is not opened, FFmpeg's errors for what it cannot read."""
    set_level(None)
    demuxer = "mpc" if bytes(data[:3]) == _MUSEPACK_7 else DEMUXERS[mime]
    source = av.open(_Stream(data), format=demuxer, metadata_errors="ignore", io_open=_refuse)
    return cast("InputContainer", source)


def _refuse(*_asked: object) -> NoReturn:
    raise PermissionError("no other file is opened")
