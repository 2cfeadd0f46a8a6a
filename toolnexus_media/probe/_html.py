"""The words of HTML: one pass over the tags, linear whatever they hold."""

from __future__ import annotations

import re
from codecs import lookup
from time import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolnexus_media._b64 import Buffer

MAX_READ = 8 << 20  # bytes; a page of more is data
_MAX_QUOTED = 1000  # attributes of a tag
_SIGN = re.compile(r"""[>"']""")
_NAME = re.compile(r"/?[a-zA-Z][a-zA-Z0-9:-]{0,30}")
_NO_CHARSETS = frozenset({"punycode", "idna", "unicode-escape", "raw-unicode-escape"})  # punycode takes squared time
_CHARSET = re.compile(rb"""<(?:meta|\?xml)[^>]{0,200}?(?:charset|encoding)\s*=\s*["']?([\w.:-]{2,40})""", re.IGNORECASE)
_SPACES = re.compile(r"[ \xa0]+")
_PLAIN = str.maketrans("\t\n\r\f\v", "     ")  # tabs and line ends mean cells and blocks once the tags are gone
_SILENT = {name: re.compile(f"</{name}", re.IGNORECASE) for name in ("script", "style", "template", "noscript", "svg")}
_BREAKS = frozenset({
    "address", "article", "aside", "blockquote", "body", "br", "caption", "dd", "div", "dl", "dt", "fieldset",
    "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main",
    "nav", "ol", "option", "p", "pre", "section", "table", "title", "tr", "ul",
})  # fmt: skip


def text(data: Buffer, chars: int, seconds: float = 1.0) -> str:
    """The text between the tags, a line a block, a tab a cell; scripts and styles left out.

    >>> text(b"<title>A</title><p>one &amp; <b>two</b><br>three<script>x < y</script>", 99)
    'A\\none & two\\nthree'
    """
    from html import unescape

    found: list[str] = []
    end, size = monotonic() + seconds, 0
    for number, piece in enumerate(_pieces(decoded(data))):
        if piece:
            piece = unescape(piece) if "&" in piece else piece
            found.append(piece)
            size += len(piece.strip())
        if size > chars or (number % 1024 == 0 and monotonic() > end):
            break
    lines = (_SPACES.sub(" ", line).strip(" \t") for line in "".join(found).split("\n"))
    return "\n".join(line for line in lines if line.strip())[:chars]


def decoded(data: Buffer) -> str:
    """The page in letters: by mark or as UTF-8, else by what it declares, else Windows-1252."""
    from toolnexus_media.probe.text import decode, facts

    head = bytes(memoryview(data)[:MAX_READ])
    declared = _CHARSET.search(head[:2048])
    if declared and "encoding" not in facts(head, "text/html"):
        try:
            codec = lookup(declared[1].decode("ascii"))
            if codec.name not in _NO_CHARSETS:
                return head.decode(codec.name, "replace")
        except (LookupError, ValueError):
            pass
    return decode(head, MAX_READ)


def _pieces(page: str) -> Iterator[str]:
    at = 0
    while True:
        start = page.find("<", at)
        if start < 0:
            yield page[at:].translate(_PLAIN)
            return
        yield page[at:start].translate(_PLAIN)
        if page.startswith("<!--", start):
            end = page.find("-->", start)
            if end < 0:
                return
            at = end + 3
            continue
        name = _NAME.match(page, start + 1)
        if not name and page[start + 1 : start + 2] not in ("!", "?"):
            yield "<"
            at = start + 1
            continue
        at = _end_of_tag(page, start + 1)
        tag = name[0].lower() if name else ""
        yield _meaning(tag)
        if tag in _SILENT:
            closing = _SILENT[tag].search(page, at)
            if closing is None:
                return
            at = closing.start()


def _end_of_tag(page: str, at: int) -> int:
    """Where a tag ends; a ``>`` in quotes does not end it."""
    for _ in range(_MAX_QUOTED):
        found = _SIGN.search(page, at)
        if found is None:
            return len(page)
        at = found.end()
        if found[0] == ">":
            return at
        at = page.find(found[0], at) + 1
        if not at:
            return len(page)
    return page.find(">", at) + 1 or len(page)


def _meaning(tag: str) -> str:
    bare = tag.lstrip("/")
    if bare in _BREAKS:
        return "\n"
    return "\t" if bare in ("td", "th") and tag[0] != "/" else ""
