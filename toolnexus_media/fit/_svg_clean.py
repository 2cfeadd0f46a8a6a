"""An SVG without what reaches outside of it or acts: written anew from what a guarded parser reads."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from toolnexus_media.errors import SourceError
from toolnexus_media.probe import svg

if TYPE_CHECKING:
    from toolnexus_media._b64 import Buffer

MAX_WRITTEN = 64 << 20  # characters; entities may make the drawing longer than it was
MAX_EMBEDDED = 64 << 20  # bytes of one picture inside
PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")
"""What may be inside as data: an SVG there could reach outside again."""

DROPPED = frozenset({
    "script", "handler", "listener", "iframe", "embed", "object", "applet", "link", "meta", "base", "audio",
    "video", "source", "track",
})  # fmt: skip
FOREIGN = "foreignobject"
LINKS = frozenset({"href", "src", "srcset", "data", "poster", "action", "formaction", "background"})
_SVG, _XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))")
_AT = re.compile(r"@(?:import|namespace|charset)\b[^;]*;?", re.IGNORECASE)
_URL = re.compile(r"""(url|src|image-set)\s*\(\s*("[^"]*"|'[^']*'|[^)"']*)[^)]*\)?""", re.IGNORECASE)


def clean(data: Buffer, *, embedded: bool = True, size: tuple[int, int] | None = None) -> bytes:
    """The drawing in UTF-8, with no references but to itself and to pictures inside it, no scripts and no handlers.

    Without ``embedded`` pictures inside it go too, and the words in HTML inside it stay: that is for reading. With
    ``size`` the root says that many pixels. ``CorruptMediaError`` where it is no well-formed drawing.

    >>> clean(b'<svg onload="x()"><image href="/etc/passwd"/><use href="#a"/></svg>').decode()
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><image></image>\
<use href="#a"></use></svg>'
    """
    writer = _Writer(embedded=embedded, size=size)
    parser = svg.guarded_parser(data)
    parser.StartElementHandler = writer.start
    parser.EndElementHandler = writer.end
    parser.CharacterDataHandler = writer.text
    svg.walk(data, parser)
    return "".join(writer.out).encode("utf-8", "replace")


class _Writer:
    """Takes what the parser finds and writes what may stay."""

    def __init__(self, *, embedded: bool, size: tuple[int, int] | None) -> None:
        self.embedded, self.size = embedded, size
        self.out: list[str] = []
        self.written = self.depth = self.dropping = 0
        self.css: list[str] | None = None

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Write an element's beginning, or drop all of the element."""
        local = name.rpartition(":")[2].lower()
        if not self.depth:
            attributes = self._root(name, local, attributes)
        self.depth += 1
        if self.depth > svg.MAX_DEPTH:
            raise svg.RefusedError(f"elements are nested over {svg.MAX_DEPTH} deep")
        if self.dropping or local in DROPPED or (local == FOREIGN and self.embedded) or _aims(local, attributes):
            self.dropping += 1
            return
        kept = ((key, self._value(key, value)) for key, value in attributes.items())
        written = "".join(f' {key}="{escape(value)}"' for key, value in kept if value is not None)
        self._write(f"<{name}{written}>")
        if local == "style":
            self.css = []

    def end(self, name: str) -> None:
        """Write an element's end."""
        self.depth -= 1
        if self.dropping:
            self.dropping -= 1
            return
        if self.css is not None:
            self._write(escape(self._style("".join(self.css)), quote=False))
            self.css = None
        self._write(f"</{name}>")

    def text(self, text: str) -> None:
        """Write text; a style sheet's is kept until it is whole."""
        if self.dropping:
            return
        if self.css is not None:
            self.css.append(text)
        else:
            self._write(escape(text, quote=False))

    def _write(self, text: str) -> None:
        self.written += len(text)
        if self.written > MAX_WRITTEN:
            raise svg.RefusedError("it grows too large when it is written out")
        self.out.append(text)

    def _root(self, name: str, local: str, attributes: dict[str, str]) -> dict[str, str]:
        if local != "svg":
            raise svg.RefusedError("the root is no svg element")
        root = dict(attributes)
        if ":" not in name:
            root.setdefault("xmlns", _SVG)
        root.setdefault("xmlns:xlink", _XLINK)
        if self.size:
            own = svg.size(root)
            if own and "viewBox" not in root:
                root["viewBox"] = f"0 0 {own[0]} {own[1]}"
            root["width"], root["height"] = map(str, self.size)
        return root

    def _value(self, name: str, value: str) -> str | None:
        """What may stay of an attribute; None where nothing may."""
        local = name.rpartition(":")[2].lower()
        if name.startswith("xmlns"):
            return value
        if local.startswith("on") or local == "base":
            return None
        if local in LINKS:
            return value if self._stays(value) else None
        return self._style(value) if "(" in value or "\\" in value or "@" in value else value

    def _style(self, css: str) -> str:
        """Style without imports, and with references only to what may stay."""
        if "\\" in css:
            css = _ESCAPE.sub(_unescaped, css)
        return _URL.sub(self._reference, _AT.sub("", css))

    def _reference(self, found: re.Match[str]) -> str:
        stays = found[1].lower() == "url" and self._stays(found[2].strip("\"' \t\n"))
        return found[0] if stays else "none"

    def _stays(self, link: str) -> bool:
        link = link.strip()
        return link.startswith("#") or (self.embedded and link[:11].lower() == "data:image/" and _is_picture(link))


def _unescaped(found: re.Match[str]) -> str:
    """A letter or sign written as an escape as itself, so that a word is seen; other escapes as they are."""
    if found[2]:
        return found[2] if found[2].isalnum() or found[2] in "@(:/#-" else found[0]
    code = int(found[1], 16)
    return chr(code) if 32 < code < 127 and chr(code) not in "\"'\\;{}" else found[0]


def _is_picture(link: str) -> bool:
    """Is it a picture by its bytes, whatever its label says?"""
    from toolnexus_media.sniff import sniff
    from toolnexus_media.source._urls import decode_data_url

    try:
        data, _ = decode_data_url(link, MAX_EMBEDDED)
    except SourceError:
        return False
    return sniff(data) in PICTURES


def _aims(local: str, attributes: dict[str, str]) -> bool:
    """Does an animation change where a link goes?"""
    if local != "set" and not local.startswith("animate"):
        return False
    return any(key == "attributeName" and value.lower().endswith(("href", "src")) for key, value in attributes.items())
