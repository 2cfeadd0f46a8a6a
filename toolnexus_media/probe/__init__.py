"""Facts about bytes whose type is known: one explicit table of readers, one shape of answer."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Literal

    from toolnexus_media._b64 import Buffer
    from toolnexus_media.types import ContentPart, Facts

PROBES = {
    "image": "image",
    "audio": "audio",
    "video": "video",
    "pdf": "pdf",
    "text": "text",
}
"""Which module of this package reads a family of types; each has ``facts`` and ``verify``."""

_PDF = "application/pdf"
_loaded: dict[str, ModuleType] = {}  # asking for an imported module takes longer than reading a header


def _family(mime: str) -> str | None:
    major = mime.partition("/")[0]
    if major in {"image", "audio", "video"}:
        return major
    if mime == _PDF:
        return "pdf"
    from toolnexus_media.sniff import is_text

    return "text" if is_text(mime) else None


def _reader(mime: str) -> ModuleType | None:
    family = _family(mime)
    if family is None:
        return None
    if family not in _loaded:
        _loaded[family] = import_module(f"toolnexus_media.probe.{PROBES[family]}")
    return _loaded[family]


def facts_of(data: Buffer, mime: str) -> Facts:
    """The facts of bytes whose type is known; what cannot be read is absent.

    >>> facts_of(b"one\\ntwo\\n", "text/plain")["lines"]
    2
    """
    reader = _reader(mime)
    facts: Facts = {} if reader is None else reader.facts(data, mime)
    return facts


def verify(data: Buffer, mime: str, *, level: Literal["full", "header"], max_pixels: int) -> None:
    """Raise ``CorruptMediaError``, ``MediaTypeError`` or ``MissingExtraError`` when the bytes cannot be used."""
    if level not in {"full", "header"}:
        raise ValueError(f"verify is 'full', 'header' or 'none', not {level!r}")
    reader = _reader(mime)
    if reader is not None:
        reader.verify(data, mime, level=level, max_pixels=max_pixels)


def probe(source_or_part: object) -> Facts:
    """What there is to know about any source or part; a key is absent when the fact is unknown.

    ``SourceError`` when the source cannot be read; a damaged content only leaves facts out.

    >>> probe(b"one\\ntwo\\n")["lines"]
    2
    """
    if issubclass(type(source_or_part), dict):  # not isinstance: an object can lie about its class
        return _of_part(source_or_part)
    return identify(source_or_part)[1]


def identify(source: object) -> tuple[str, Facts]:
    """The type of a source's bytes and the facts about them; ``("", {})`` for a URL, which is never fetched.

    >>> identify(b"one\\ntwo\\n")[0]
    'text/plain'
    """
    from toolnexus_media.sniff import pdf_start, sniff
    from toolnexus_media.source import gather

    blob = gather(source)
    if blob.data is None:
        return "", {}
    mime = sniff(blob.data, blob.name)
    start = pdf_start(blob.data) if mime == _PDF else 0
    return mime, facts_of(blob.data[start:] if start else blob.data, mime)


def _of_part(part: object) -> Facts:
    from toolnexus_media.part import part_data, validate_part

    checked: ContentPart = validate_part(part)
    if checked["type"] == "text":
        from toolnexus_media.probe.text import count_lines

        return {"lines": count_lines(checked["text"].encode(), "utf-8")} if checked["text"] else {}
    return facts_of(part_data(checked), checked["mimeType"]) if "data" in checked else {}


def text_of(data: Buffer, mime: str, chars: int) -> str:
    """The beginning of the text inside a text, PDF or office file; ``""`` when there is none."""
    if mime == _PDF:
        from toolnexus_media.probe.pdf import text as pdf_text

        return pdf_text(data, pages=20, chars=chars, seconds=1.0)
    from toolnexus_media.probe import office
    from toolnexus_media.sniff import is_text

    if office.reads(mime):
        return office.text(data, mime, chars)
    if is_text(mime):
        from toolnexus_media.probe.text import decode

        return decode(data, chars)
    return ""
