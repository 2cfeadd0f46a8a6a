"""The text of office files, books, RTF and HTML, in bounded time and memory; it never raises on what they hold."""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from toolnexus_media._b64 import Buffer
    from toolnexus_media.probe._flow import Text
    from toolnexus_media.probe._package import Package

_OOXML = "application/vnd.openxmlformats-officedocument."
_MACROS = ".macroenabled.12"
_WORD, _EXCEL, _SLIDES = ("_flow", "document"), ("_sheets", "sheets"), ("_flow", "slides")
READERS: dict[str, tuple[str, str]] = {
    f"{_OOXML}wordprocessingml.document": _WORD,
    f"{_OOXML}wordprocessingml.template": _WORD,
    f"application/vnd.ms-word.document{_MACROS}": _WORD,
    f"application/vnd.ms-word.template{_MACROS}": _WORD,
    f"{_OOXML}spreadsheetml.sheet": _EXCEL,
    f"{_OOXML}spreadsheetml.template": _EXCEL,
    f"application/vnd.ms-excel.sheet{_MACROS}": _EXCEL,
    f"application/vnd.ms-excel.template{_MACROS}": _EXCEL,
    f"{_OOXML}presentationml.presentation": _SLIDES,
    f"{_OOXML}presentationml.template": _SLIDES,
    f"{_OOXML}presentationml.slideshow": _SLIDES,
    f"application/vnd.ms-powerpoint.presentation{_MACROS}": _SLIDES,
    f"application/vnd.ms-powerpoint.slideshow{_MACROS}": _SLIDES,
    "application/epub+zip": ("_flow", "book"),
}
"""The types of zipped documents that are read, by the module beside this one and its function; OpenDocument besides."""

_FLAT = {"text/rtf": "_rtf", "text/html": "_html"}
_OPENDOCUMENT = "application/vnd.oasis.opendocument."
SECONDS = 1.0


def reads(mime: str) -> bool:
    """Is the text of this type read here?

    >>> reads("text/rtf"), reads("application/vnd.oasis.opendocument.text"), reads("application/msword")
    (True, True, False)
    """
    return mime in READERS or mime in _FLAT or mime.startswith(_OPENDOCUMENT)


def text(data: Buffer, mime: str, chars: int, *, seconds: float = SECONDS) -> str:
    r"""At most ``chars`` characters of its text, as far as they are had in ``seconds``; ``""`` where there is none.

    >>> text(rb"{\rtf1 Hello}", "text/rtf", 99), text(b"PK nothing", "application/epub+zip", 99)
    ('Hello', '')
    """
    if chars < 1 or not reads(mime):
        return ""
    if mime in _FLAT:
        found: str = import_module(f"toolnexus_media.probe.{_FLAT[mime]}").text(data, chars, seconds)
        return found
    from toolnexus_media.probe._flow import Text

    out = Text(chars)
    with suppress(Exception):  # hostile bytes, or enough text: what was read until then is the answer
        _read(data, mime, out, seconds)
    return str(out).strip()


def _read(data: Buffer, mime: str, out: Text, seconds: float) -> None:
    from toolnexus_media.probe._package import Package

    module, function = READERS.get(mime, ("_flow", "opendocument"))
    reader: Callable[[Package, Text], None] = getattr(import_module(f"toolnexus_media.probe.{module}"), function)
    reader(Package(data, seconds), out)
