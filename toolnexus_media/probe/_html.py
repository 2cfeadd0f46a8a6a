"""The words of HTML: one pass over the tags, linear whatever they hold."""

from __future__ import annotations

import re
from codecs import lookup

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolnexus_media._b64 import Buffer

MAX_READ = 8 << 20  # bytes; a page of more is data
_SIGN = re.compile(r"""[<>"']""")
_NAME = re.compile(r"/?[a-zA-Z][a-zA-Z0-9:-]{0,30}")
_NO_CHARSETS = frozenset({"punycode", "idna", "unicode-escape", "raw-unicode-escape"})  # punycode takes squared time
_CHARSET = re.compile(rb"""<(?:meta|\?xml)[^>]{0,200}?(?:charset|encoding)\s*=\s*["']?([\w.:-]{2,40})""", re.IGNORECASE)
_SPACES = re.compile(r"[ \t\r\f\v\xa0]+")
_SILENT = {name: re.compile(f"</{name}", re.IGNORECASE) for name in ("script", "style", "template", "noscript", "svg")}
_BREAKS = frozenset({
    "address", "article", "aside", "blockquote", "body", "br", "caption", "dd", "div", "dl", "dt", "fieldset",
    "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main",
    "nav", "ol", "option", "p", "pre", "section", "table", "title", "tr", "ul",
})  # fmt: skip


def text(data: Buffer, chars: int) -> str:
    """The text between the tags, a line a block, a tab a cell; scripts and styles left out.

    >>> text(b"<title>A</title><p>one &amp; <b>two</b><br>three<script>x < y</script>", 99)
    'A\\none & two\\nthree'
    """
    from html import unescape

    found: list[str] = []
    size = 0
    for piece in _pieces(decoded(data)):
        found.append(piece)
        size += len(piece)
        if size > 4 * chars + 4096:  # white space and entities shrink
            break
    lines = (_SPACES.sub(" ", line).strip(" ") for line in unescape("".join(found)).split("\n"))
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
            yield page[at:].replace("\n", " ")
            return
        yield page[at:start].replace("\n", " ")
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
    quote = ""
    while True:
        found = _SIGN.search(page, at)
        if found is None:
            return len(page)
        at, sign = found.end(), found[0]
        if sign in "\"'":
            quote = "" if quote == sign else quote or sign
        elif sign == ">" and not quote:
            return at


def _meaning(tag: str) -> str:
    bare = tag.lstrip("/")
    if bare in _BREAKS:
        return "\n"
    return "\t" if bare in ("td", "th") and tag[0] != "/" else ""
