"""Texts, office files and what nothing else fits: left alone where their type is taken, else as text or a placeholder.

A text that is left alone is in UTF-8 and without zeros, which no request may hold; any other is made so.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolnexus_media import _b64
from toolnexus_media.fit._first import begins_as
from toolnexus_media.fit._job import Outcome, Step
from toolnexus_media.fit._row import instead, name_of, within
from toolnexus_media.fit._target import mime_of, payload_of
from toolnexus_media.part import make_part, part_data, text_part
from toolnexus_media.probe.text import facts, guessed
from toolnexus_media.sniff import is_text

if TYPE_CHECKING:
    from toolnexus_media.fit._job import Job
    from toolnexus_media.limits import Accept
    from toolnexus_media.types import ContentPart

MAX_CHARS = 1_000_000
"""Characters of a file that becomes a text part; a line at its end says where it was cut."""

OFFICE_SECONDS = 5.0
_UTF8 = ("utf-8", "utf-8-sig", "ascii")
_DECLARED = re.compile(r"""((?:charset|encoding)\s*=\s*["']?)[\w.:-]{2,40}""", re.IGNORECASE)
_HEAD = 1024  # characters in which a file may say its own encoding


def stays(part: ContentPart, job: Job) -> bool:
    """Is the file a text that is sent as it is, under the name that the row has for its type?"""
    mime = mime_of(part)
    accept = job.limits.at(job.position).accepts(mime) if is_text(mime) else None
    if accept is None or not within(part, accept):
        return False
    data = _b64.decode(payload_of(part))
    if not begins_as(data, part):
        return False
    return b"\0" not in data and (data.isascii() or facts(data, mime).get("encoding", "") in _UTF8)


def fit_text(part: ContentPart, job: Job) -> list[Outcome]:
    """The file where the target takes its type and size; else its words, under its name; else a placeholder.

    Words are had of texts, Office Open XML, OpenDocument, EPUB, RTF and HTML: what ``content.excerpt`` begins with.
    """
    from toolnexus_media.probe.office import reads

    assert part["type"] != "text"
    mime = part["mimeType"]
    accept = job.limits.accepts(mime, job.position)
    if is_text(mime):
        return _text(part, mime, accept, job)
    if accept is not None and within(part, accept):
        return [Outcome(part)]
    if reads(mime):
        return as_read(part, part_data(part), job)
    over = "" if accept is None else f"it is over the {accept.raw_bytes} bytes that {job.limits.name} takes"
    return instead(part, job, over)


def _text(part: ContentPart, mime: str, accept: Accept | None, job: Job) -> list[Outcome]:
    data = part_data(part)
    if not _decoded(data).strip("\0\ufeff \t\r\n"):
        return instead(part, job, "it holds no characters")
    if accept is not None:
        encoding = facts(data, mime).get("encoding", "")
        fitted = Outcome(part) if encoding in _UTF8 and b"\0" not in data else _transcoded(part, data, encoding)
        if within(fitted.part, accept):
            return [fitted]
    if mime == "text/html":
        return as_read(part, data, job)
    return as_text(name_of(part), _decoded(data), _said(mime, accept))


def as_text(name: str, text: str, what: str) -> list[Outcome]:
    """A text part of a file's text: its name, the text without control characters, and where it was cut if it was.

    >>> as_text("a.txt", "one\\x00 two", "given as text")[0].part
    {'type': 'text', 'text': 'a.txt:\\none two'}
    """
    from toolnexus_media._text import block

    body = block(text[:MAX_CHARS], MAX_CHARS)
    if len(text) > MAX_CHARS:
        body += f"\n[cut here: the first {MAX_CHARS} characters of a longer text]"
        what += f"; cut after {MAX_CHARS} characters"
    return [Outcome(text_part(f"{name}:\n{body}" if name else body), Step(what))]


def as_read(part: ContentPart, data: bytes, job: Job) -> list[Outcome]:
    """The words of a file that is more than words, as a text part; the placeholder where none are found."""
    from toolnexus_media.probe import office

    assert part["type"] == "file"
    mime = part["mimeType"]
    text = office.text(data, mime, MAX_CHARS + 1, seconds=OFFICE_SECONDS)
    if text:
        return as_text(name_of(part), text, "its words given as text, without pictures and layout")
    return instead(part, job, f"no text was found in the {mime}" if office.reads(mime) else "")


def _said(mime: str, accept: Accept | None) -> str:
    return f"{mime} given as text" + ("" if accept is None else ", the file is over the target's cap")


def _decoded(data: bytes) -> str:
    from toolnexus_media.probe.text import decode

    return decode(data, MAX_CHARS + 1).lstrip("\ufeff")


def _transcoded(part: ContentPart, data: bytes, encoding: str) -> Outcome:
    """The file in UTF-8, and what it says of its own encoding too; what is likely where the encoding is unknown."""
    assert part["type"] == "file"
    read_by = encoding or guessed(data)
    text = data.decode(read_by, "replace").lstrip("\ufeff").replace("\0", "")
    text = _DECLARED.sub(r"\1utf-8", text[:_HEAD], count=1) + text[_HEAD:] if _says(part["mimeType"]) else text
    made = make_part(text.encode("utf-8", "replace"), part["mimeType"], name_of(part) or None)
    if read_by in _UTF8:
        return Outcome(made, Step("zeros taken out of the text"))
    return Outcome(made, Step(f"text made UTF-8 from {encoding or 'what is likely Windows-1252'}"))


def _says(mime: str) -> bool:
    """Is it of a kind that states its encoding in itself?"""
    return mime in ("text/html", "text/css", "application/xml") or mime.endswith("+xml")
