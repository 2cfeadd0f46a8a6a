"""A video's bytes and type → length, shown size, codec, and what its sound is, from the container's own headers."""

from __future__ import annotations

from importlib import import_module

from toolnexus_media.probe._buffer import UNREADABLE, broken, flat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Literal

    from toolnexus_media._b64 import Buffer
    from toolnexus_media.types import Facts

# Media type → the module beside this one and its function. Loaded when first asked for.
READERS: dict[str, tuple[str, str]] = {
    "video/mp4": ("_mp4", "read_video"),
    "video/quicktime": ("_mp4", "read_video"),
    "video/3gpp": ("_mp4", "read_video"),
    "video/3gpp2": ("_mp4", "read_video"),
    "video/x-m4v": ("_mp4", "read_video"),
    "video/webm": ("_ebml", "read_video"),
    "video/x-matroska": ("_ebml", "read_video"),
    "video/x-msvideo": ("_avi", "read"),
    "video/x-flv": ("_flv", "read"),
    "video/ogg": ("_ogg", "read"),
    "video/x-ms-asf": ("_asf", "read_video"),
    "video/x-ms-wmv": ("_asf", "read_video"),
    "video/mpeg": ("_mpeg", "read_program"),
    "video/mp2t": ("_mpeg", "read_transport"),
}
_LEAST = 8  # no container's first header is shorter


def facts(data: Buffer, mime: str) -> Facts:
    """What the container says of the video; a fact is absent when it is unknown.

    >>> facts(b"....ftypisom", "video/mp4")
    {}
    """
    if mime not in READERS:
        return {}
    module, function = READERS[mime]
    reader: Callable[[Buffer], Facts] = getattr(import_module(f"toolnexus_media.probe.{module}"), function)
    try:
        return reader(flat(data))
    except UNREADABLE:
        return {}


def verify(data: Buffer, mime: str, *, level: Literal["header", "full"], max_pixels: int) -> None:
    """``CorruptMediaError`` only where there is nothing that could be a video: providers look into it, this does not.

    >>> verify(b"\\0\\0\\0\\x18ftypisom", "video/mp4", level="full", max_pixels=1)
    """
    del level, max_pixels
    if len(data) < _LEAST:
        raise broken(mime, "it is shorter than any header", "truncated")
    head = bytes(flat(data)[:64])
    if not any(head):
        raise broken(mime, "it starts with nothing but zeros")
