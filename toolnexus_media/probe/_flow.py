"""Running text in the XML of word processors and slides: paragraphs, tabs, tables, and nothing that is not read."""

from __future__ import annotations

from typing import NamedTuple

from toolnexus_media.probe._package import Full

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolnexus_media.probe._package import Package


class Grammar(NamedTuple):
    """Which elements mean what; the ones inside ``within`` hold the text, ``skipped`` ones none."""

    within: frozenset[str]
    skipped: frozenset[str]
    paragraphs: frozenset[str] = frozenset({"p", "h"})
    breaks: frozenset[str] = frozenset({"br", "cr", "line-break"})
    cells: frozenset[str] = frozenset({"tc", "table-cell", "covered-table-cell"})
    rows: frozenset[str] = frozenset({"tr", "table-row"})


OOXML = Grammar(frozenset({"t"}), frozenset({"pPr", "rPr", "Fallback", "del", "instrText"}))
ODF = Grammar(
    frozenset({"p", "h"}),
    frozenset({"annotation", "tracked-changes", "forms", "note-citation", "notes", "desc", "title"}),
)


class Text:
    """What was found, as far as the number of characters asked for."""

    def __init__(self, chars: int) -> None:
        self.chars = chars
        self.pieces: list[str] = []
        self.size = 0

    def add(self, piece: str) -> None:
        """Add a piece; ``Full`` when there is enough."""
        self.pieces.append(piece)
        self.size += len(piece)
        if self.size >= self.chars:
            raise Full

    def __str__(self) -> str:
        return "".join(self.pieces)[: self.chars]


class _Flow:
    def __init__(self, grammar: Grammar, out: Text) -> None:
        self.grammar, self.out = grammar, out
        self.skipping = self.reading = self.cell = self.cells = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        grammar = self.grammar
        if self.skipping or name in grammar.skipped:
            self.skipping += 1
        elif name in grammar.cells:
            self.cell += 1
            self.cells += 1
            if self.cells > 1:
                self.out.add("\t")
        elif name in grammar.rows:
            self.cells = 0
        elif name in grammar.breaks:
            self.out.add("\n")
        elif name == "tab":
            self.out.add("\t")
        elif name == "s":  # OpenDocument's run of spaces
            count = next((value for key, value in attributes.items() if key.endswith(":c")), "1")
            self.out.add(" " * min(int(count) if count.isdecimal() and len(count) < 4 else 1, 99))
        self.reading += name in grammar.within

    def end(self, name: str) -> None:
        grammar = self.grammar
        self.reading -= name in grammar.within
        if self.skipping:
            self.skipping -= 1
        elif name in grammar.paragraphs:
            self.out.add(" " if self.cell else "\n")
        elif name in grammar.cells:
            self.cell = max(0, self.cell - 1)
        elif name in grammar.rows:
            self.out.add("\n")

    def text(self, text: str) -> None:
        if self.reading > 0 and not self.skipping:
            self.out.add(text)


def read(package: Package, part: str, grammar: Grammar, out: Text) -> None:
    """Add the text of a part."""
    flow = _Flow(grammar, out)
    package.parse(part, flow.start, flow.end, flow.text)


def document(package: Package, out: Text) -> None:
    """A Word document: its body, then its notes."""
    for part in ("word/document.xml", "word/footnotes.xml", "word/endnotes.xml"):
        read(package, part, OOXML, out)


def slides(package: Package, out: Text) -> None:
    """A presentation: its slides in the order they are shown."""
    _numbered(package, (part for _, part in package.related("ppt/presentation.xml", "sldId")), out)


def _numbered(package: Package, parts: Iterable[str], out: Text) -> None:
    for number, part in enumerate(parts, 1):
        out.add(f"[slide {number}]\n")
        read(package, part, OOXML, out)
        out.add("\n")


def opendocument(package: Package, out: Text) -> None:
    """Any OpenDocument file: its content in order."""
    read(package, "content.xml", ODF, out)


def book(package: Package, out: Text) -> None:
    """An EPUB: its chapters in reading order."""
    from toolnexus_media.probe import _html
    from toolnexus_media.probe._package import joined

    root = next((found.get("full-path", "") for found in package.elements("META-INF/container.xml", "rootfile")), "")
    folder = root.rpartition("/")[0]
    places = {found.get("id"): found.get("href", "") for found in package.elements(root, "item")}
    for found in package.elements(root, "itemref"):
        page = b"".join(package.chunks(joined(folder, places.get(found.get("idref"), ""))))
        if page:
            out.add(_html.text(page, out.chars) + "\n\n")
