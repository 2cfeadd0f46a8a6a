"""Payloads inside strings: data URLs, and bare base64 runs that begin like a media file.

A run is judged by its beginning; the rest of it is only read to find its end, at the speed of a decode.
"""

from __future__ import annotations

from typing import NamedTuple

from toolnexus_media import _b64
from toolnexus_media.sniff import kind_of, sniff

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

RUN = 256  # shorter bare runs are keys, hashes and tokens far more often than media
HEAD = 4096  # characters by which a bare run is judged
_CHUNK = 1 << 16
_FIRST_LINES = 4
_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_"
_LINES = _ALPHABET + "\r\n"
_DOCUMENTS = ("application/pdf", "application/zip", "application/msword", "application/epub+zip")
_OFFICE = ("application/vnd.openxmlformats", "application/vnd.oasis.opendocument", "application/vnd.ms-")

_NAME = r"[A-Za-z0-9!#$&^_.+-]{1,99}"
_HEADER = rf"[Dd][Aa][Tt][Aa]:({_NAME}/{_NAME})?((?:\s?;\s?[^,;\s\"'<>\\]{{0,200}}){{0,9}})\s?,\s*"
_ESCAPED = r"[^\s\"'<>()\\]*"
_LETTER = r"[A-Za-z0-9+/_-]"
_ONE_LINE = rf"{_LETTER}*={{0,2}}"
_REGION = r"[A-Za-z0-9+/_\-\r\n]*={0,2}"
_LONG_LINE = rf"(?m:^){_LETTER}{{{RUN}}}"

_patterns: dict[str, re.Pattern[str]] = {}


class Span(NamedTuple):
    """A payload in a text: where it starts, where its body does, where it ends, and how it is written."""

    start: int
    body: int
    end: int
    is_base64: bool
    declared: str | None


def _pattern(source: str) -> re.Pattern[str]:
    found = _patterns.get(source)
    if found is None:
        import re

        found = _patterns[source] = re.compile(source)
    return found


def _end_of(source: str, text: str, start: int, stop: int) -> int:
    found = _pattern(source).match(text, start, stop)
    return found.end() if found is not None else start


def may_hold(text: str) -> bool:
    """Does a data URL begin in this text, or is there a run long enough to be a payload?

    >>> may_hold("the list: 1, 2"), may_hold("iVBORw0KGgo" * 30)
    (False, True)
    """
    return names_url(text) or (len(text) >= RUN and next_region(text, 0, len(text)) >= 0)


def names_url(text: str) -> bool:
    """Is the scheme of a data URL in this text? In capitals it counts where parameters follow somewhere."""
    return ":" in text and ("data:" in text or (";" in text and "DATA:" in text))


def looks_base64(text: str) -> bool:
    """Do both ends of this string read as base64 of some dialect? The middle is not looked at.

    >>> looks_base64("aGk="), looks_base64("[image omitted]"), looks_base64("image (image/png, 82 bytes)")
    (True, False, False)
    """
    if len(text) % 4 == 0 and _decoded(text[:RUN]) and _decoded(text[-RUN:]):
        return True
    head, tail = text[:RUN].strip(), text[-RUN:].strip()
    if not head or head.strip(_LINES + "=") or tail.strip(_LINES + "="):
        return False
    return len(text) > RUN or len(_b64.clean(head).rstrip("=")) % 4 != 1


def beginning(text: str, start: int, end: int, count: int) -> bytes:
    """What the first ``count`` characters of base64 in a text decode to; nothing when they do not."""
    head = text[start : min(end, start + count)]
    found = _decoded(head)
    if found:
        return found
    clean = _b64.clean(head)
    if end - start > count:
        bare = clean.rstrip("=")
        clean = bare[: len(bare) // 4 * 4]
    return _decoded(clean)


def _decoded(text: str) -> bytes:
    try:
        return _b64.decode(text)
    except ValueError:
        return b""


def is_media(mime: str) -> bool:
    """Is this a type that a stray run of base64 is taken for: picture, sound, film, PDF, office file, archive?"""
    return kind_of(mime) != "file" or mime.startswith(("video/", *_OFFICE)) or mime in _DOCUMENTS


def whole_url(text: str) -> Span | None:
    """The data URL that a string is, from its first character to its last.

    >>> whole_url("data:text/plain;base64,aGk=").end
    27
    """
    if text[:5].lower() != "data:":
        return None
    header = _pattern(_HEADER).match(text)
    if header is None or header.end() == len(text):
        return None
    return Span(0, header.end(), len(text), _says_base64(header[2]), header[1])


def _says_base64(parameters: str) -> bool:
    return parameters.lower().rstrip().endswith("base64")


def spans(text: str) -> Iterator[Span]:
    """The payloads inside a text, in order.

    >>> text = "see data:,x or data:image/gif;base64,R0lGOA== there"
    >>> [text[span.start : span.end] for span in spans(text)]
    ['data:image/gif;base64,R0lGOA==']
    """
    start = 0
    for url in _urls(text):
        yield from _runs(text, start, url.start)
        yield url
        start = url.end
    yield from _runs(text, start, len(text))


def _urls(text: str) -> Iterator[Span]:
    at = _next_url(text, 0) if names_url(text) else -1
    while at >= 0:
        end = at + 5
        header = _pattern(_HEADER).match(text, at)
        if header is not None:
            body, is_base64 = header.end(), _says_base64(header[2])
            end = _run_end(text, body, len(text)) if is_base64 else _escaped_end(text, at, header)
            if end > body:
                yield Span(at, body, end, is_base64, header[1])
        at = _next_url(text, end)


def _next_url(text: str, start: int) -> int:
    lower = text.find("data:", start)
    upper = text.find("DATA:", start, lower if lower >= 0 else len(text))
    return upper if upper >= 0 else lower


def _escaped_end(text: str, at: int, header: re.Match[str]) -> int:
    """Where a percent-encoded data URL ends; words that happen to stand after ``data:`` are none."""
    body = header.end()
    if header[1] is None or text[body - 1] != "," or (at and (text[at - 1].isalnum() or text[at - 1] in "_-")):
        return body
    quote = text[at - 1 : at]
    if quote in ('"', "'") and (end := text.find(quote, body)) > 0:
        return end - (text[end - 1] == "\\")
    if at == 0 and text[body] == "<":
        return len(text)  # a drawing with nothing escaped
    return _end_of(_ESCAPED, text, body, len(text))


def _runs(text: str, start: int, stop: int) -> Iterator[Span]:
    """Bare base64 of media between two places."""
    begin = next_region(text, start, stop)
    while begin >= 0:
        end, done = _end_of(_REGION, text, _gallop(text, begin, stop), stop), begin
        for line in _candidates(text, begin, end):
            if line < done or not _begins_media(text, line, end):
                continue
            last = _run_end(text, line, end) if text.find("\n", line, end) >= 0 else end
            if last - line >= RUN:
                yield Span(line, line, last, True, None)
                done = last
        begin = next_region(text, end, stop)


def next_region(text: str, start: int, stop: int) -> int:
    """The next stretch of ``RUN`` characters of base64 and line ends, or -1; prose is passed a window at a time."""
    while stop - start >= RUN:
        space = text.rfind(" ", start + RUN - 32, start + RUN)  # in prose there is one, and this is the quickest look
        gap = space + 1 - start if space >= 0 else len(text[start : start + RUN].rstrip(_LINES))
        if not gap:
            return start
        start += gap
    return -1


def _candidates(text: str, begin: int, end: int) -> Iterator[int]:
    """Where in a stretch a payload may begin: its first lines, and every line that is long enough alone."""
    if begin and text[begin - 1] == "\\" and text[begin] in "nrt":
        begin += 1  # a line end of JSON inside JSON
    for _ in range(_FIRST_LINES):
        while begin < end and text[begin] in "\r\n":
            begin += 1
        if end - begin < RUN:
            return
        yield begin
        begin = text.find("\n", begin, end) + 1
        if not begin:
            return
    for line in _pattern(_LONG_LINE).finditer(text, begin, end):
        yield line.start()


def _begins_media(text: str, start: int, end: int) -> bool:
    return is_media(sniff(beginning(text, start, end, HEAD)))


def _run_end(text: str, start: int, stop: int) -> int:
    """Where base64 that starts here ends: with its run or, where it is wrapped, with its last line."""
    end = _end_of(_ONE_LINE, text, _gallop(text, start, stop), stop)
    width = end - start
    if not 40 <= width <= 200 or text[end : end + 1] not in ("\r", "\n"):
        return end
    lines = rf"(?:\r?\n{_LETTER}{{{width}}}(?!{_LETTER}))*(?:\r?\n{_LETTER}{{1,{width}}}={{0,2}}(?!{_LETTER}))?"
    return _end_of(lines, text, end, stop)


def _gallop(text: str, start: int, stop: int) -> int:
    """A place before the end of a run, near it: what decodes is passed in large steps."""
    while stop - start > _CHUNK:
        chunk = text[start : start + _CHUNK]
        try:
            _b64.decode(chunk)
        except ValueError:
            break
        if chunk[-1] == "=":
            break
        start += _CHUNK
    return start
