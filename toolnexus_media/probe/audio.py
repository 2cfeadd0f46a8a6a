"""A sound's bytes and type → its facts, from the header where one suffices, always as long as the bytes that are there.

One small reader a format, chosen from the table below; other types have no facts and pass every check.
"""

from __future__ import annotations

from importlib import import_module

from toolnexus_media.errors import CorruptMediaError
from toolnexus_media.probe._buffer import UNREADABLE, broken, flat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Literal

    from toolnexus_media._b64 import Buffer
    from toolnexus_media.types import Facts

# Media type → the module beside this one and its function. Loaded when first asked for.
READERS: dict[str, tuple[str, str]] = {
    "audio/wav": ("_wav", "read"),
    "audio/mpeg": ("_mp3", "read"),
    "audio/aac": ("_adts", "read"),
    "audio/mp4": ("_mp4", "read_sound"),
    "audio/3gpp": ("_mp4", "read_sound"),
    "audio/3gpp2": ("_mp4", "read_sound"),
    "audio/flac": ("_flac", "read"),
    "audio/ogg": ("_ogg", "read"),
    "audio/aiff": ("_aiff", "read"),
    "audio/basic": ("_rare", "read_au"),
    "audio/webm": ("_ebml", "read_sound"),
    "audio/x-matroska": ("_ebml", "read_sound"),
    "audio/x-ms-wma": ("_asf", "read_sound"),
    "audio/ac3": ("_rare", "read_ac3"),
    "audio/amr": ("_rare", "read_amr"),
    "audio/amr-wb": ("_rare", "read_amr"),
    "audio/x-ape": ("_rare", "read_ape"),
    "audio/x-wavpack": ("_rare", "read_wavpack"),
    "audio/x-dsf": ("_rare", "read_dsf"),
    "audio/x-tta": ("_rare", "read_tta"),
    "audio/x-musepack": ("_rare", "read_mpc"),
}

_loaded: dict[str, Callable[[Buffer], Facts]] = {}  # asking for an imported module takes longer than reading a header


def facts(data: Buffer, mime: str) -> Facts:
    """What the bytes say of the sound; a fact is absent when it is unknown, and broken bytes have none.

    >>> facts(b"RIFF....WAVE", "audio/wav")
    {}
    """
    reader = _reader(mime)
    if reader is None:
        return {}
    try:
        return reader(flat(data))
    except UNREADABLE:
        return {}


def verify(data: Buffer, mime: str, *, level: Literal["header", "full"], max_pixels: int) -> None:
    """``CorruptMediaError`` where the header of a known format cannot be read; sound is never decoded.

    >>> verify(b"fLaC", "audio/flac", level="full", max_pixels=1)
    Traceback (most recent call last):
        ...
    toolnexus_media.errors.CorruptMediaError: this audio/flac cannot be read: its stream information is cut short; \
get a whole copy of the file, or pass verify='none' to attach it as it is
    """
    del level, max_pixels
    reader = _reader(mime)
    if reader is None:
        return
    try:
        reader(flat(data))
    except CorruptMediaError:
        raise
    except UNREADABLE:
        raise broken(mime, "its header is cut short or damaged") from None


def _reader(mime: str) -> Callable[[Buffer], Facts] | None:
    if mime not in READERS:
        return None
    if mime not in _loaded:
        module, function = READERS[mime]
        _loaded[mime] = getattr(import_module(f"toolnexus_media.probe.{module}"), function)
    return _loaded[mime]
