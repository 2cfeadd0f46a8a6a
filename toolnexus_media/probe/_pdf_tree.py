"""What a PDF's catalogue says of it: pages, title, author, size of the first page, whether it is encrypted.

``/Count`` can lie, so the page tree decides. The first ``GLANCES`` kids are all looked at; after that a node whose
``/Count`` equals the number of its kids is believed when a sample of them are pages, and any other is walked. A tree of
more than ``MAX_NODES`` nodes is left in the middle; then ``/Count`` is believed if it is no less than what was seen and
the file has that many objects.
"""

from __future__ import annotations

import re

from toolnexus_media._text import one_line
from toolnexus_media.probe._pdf_syntax import Beyond, Ref, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolnexus_media.probe._pdf_file import File
    from toolnexus_media.probe._pdf_syntax import Dict, Value
    from toolnexus_media.types import Facts

GLANCES = 128
MAX_NODES = 5_000
MAX_LEVELS = 64
MAX_SIDE = 1_000_000.0  # points: 350 metres
_PAGE = re.compile(rb"/Type[\0\t\n\f\r ]*/Page(?![^\0\t\n\f\r ()<>\[\]{}/%])")
_SHAPE = ("MediaBox", "CropBox", "Rotate", "UserUnit")


def describe(pdf: File) -> Facts:
    """The facts that need no text; ``Beyond`` where the page tree cannot be followed."""
    facts: Facts = {"encrypted": pdf.get(pdf.trailer.get("Encrypt")) is not None}
    try:
        _add_pages(pdf, facts)
    except Beyond:
        if not facts["encrypted"]:  # else the pages stand where only the key leads
            raise
    if not facts["encrypted"]:
        _add_names(pdf, facts)
    return facts


def _add_pages(pdf: File, facts: Facts) -> None:
    root = pdf.get(pdf.trailer.get("Root"))
    if not isinstance(root, dict) or root.get("Pages") is None:
        raise Beyond("no catalogue")
    tree = Tree(pdf)
    pages = tree.pages(root["Pages"])
    if pages == 0:
        raise Beyond("no page")
    facts["pages"] = pages
    pdf.counted = tree.agreed
    size = page_size({key: pdf.get(value) for key, value in tree.first.items()})
    if size is not None:
        facts["page_size"] = size


class _Enough(Exception):  # noqa: N818 - a way out of the walk, not an error
    """The tree has more nodes than are looked at."""


class Tree:
    """A walk over the page tree."""

    def __init__(self, pdf: File) -> None:
        self.pdf = pdf
        self.nodes = 0
        self.count = 0
        self.agreed = True  # every /Count is true
        self.first: Dict = {}  # what shapes the first page, inherited or its own

    def pages(self, top: Value) -> int:
        """How many pages there are."""
        try:
            self._visit(top, {}, ())
        except _Enough:
            node, size = self.pdf.get(top), self.pdf.get(self.pdf.trailer.get("Size"))
            declared = self.pdf.get(node.get("Count")) if isinstance(node, dict) else None
            if isinstance(declared, int) and isinstance(size, int) and self.count <= declared < size:
                return declared
            raise Beyond("a page count that cannot be true") from None
        return self.count

    def _walk(self, kids: list[Value], declared: Value, shape: Dict, path: tuple[Value, ...]) -> None:
        if len(path) > MAX_LEVELS:
            raise Beyond("a page tree too deep")
        agreed = declared == len(kids)
        for at, kid in enumerate(kids):
            if agreed and self.count >= GLANCES:
                agreed = self._are_pages(kids[at:])
                if agreed:
                    self.count += len(kids) - at
                    return
            self.nodes += 1
            if self.nodes > MAX_NODES:
                raise _Enough
            if self.count and self._is_page(kid):
                self.count += 1
            elif kid not in path:  # a node among its own descendants holds no further page
                self._visit(kid, shape, path)

    def _are_pages(self, kids: list[Value]) -> bool:
        many = len(kids)
        sample = kids[:: max(1, min(many // 2, 16), many // GLANCES)]
        return self._is_page(kids[-1]) and all(self._is_page(kid) for kid in sample)

    def _is_page(self, kid: Value) -> bool:
        """Is it a page, at a glance? ``#`` may hide a name."""
        text = self.pdf.peek(kid.num) if isinstance(kid, Ref) else b""
        return b"/Kids" not in text and b"#" not in text and _PAGE.search(text) is not None

    def _visit(self, kid: Value, above: Dict, path: tuple[Value, ...]) -> None:
        node = self.pdf.get(kid)
        if not isinstance(node, dict):
            return
        shape = above | {key: node[key] for key in _SHAPE if key in node}
        if "Kids" in node:
            kids, before = self.pdf.get(node["Kids"]), self.count
            declared = self.pdf.get(node.get("Count"))
            self._walk(kids if isinstance(kids, list) else [], declared, shape, (*path, kid))
            self.agreed = self.agreed and declared == self.count - before
        elif self.pdf.get(node.get("Type")) != "Pages":
            self.first = self.first if self.count else shape
            self.count += 1
            self.agreed = self.agreed and bool(path)


def page_size(shape: Dict) -> tuple[float, float] | None:
    """Width and height in points of a page as shown: cropped, turned, in its own unit.

    >>> page_size({"MediaBox": [0, 0, 612, 792], "Rotate": 90})
    (792.0, 612.0)
    """
    media = _box(shape.get("MediaBox"))
    crop = _box(shape.get("CropBox"))
    if media is None:
        return None
    if crop is not None:
        both = max(media[0], crop[0]), max(media[1], crop[1]), min(media[2], crop[2]), min(media[3], crop[3])
        media = both if both[0] < both[2] and both[1] < both[3] else media
    unit, turn = shape.get("UserUnit"), shape.get("Rotate")
    scale = float(unit) if isinstance(unit, int | float) and 0 < unit < MAX_SIDE else 1.0
    width, height = round((media[2] - media[0]) * scale, 2), round((media[3] - media[1]) * scale, 2)
    if not 0 < min(width, height) <= max(width, height) < MAX_SIDE:
        return None
    return (height, width) if isinstance(turn, int | float) and int(turn) % 180 == 90 else (width, height)


def _box(value: Value) -> tuple[float, float, float, float] | None:
    if not isinstance(value, list) or len(value) < 4:
        return None
    sides = [float(side) for side in value[:4] if isinstance(side, int | float) and abs(side) < MAX_SIDE]
    if len(sides) < 4:
        return None
    left, bottom, right, top = min(sides[0::2]), min(sides[1::2]), max(sides[0::2]), max(sides[1::2])
    return (left, bottom, right, top) if left < right and bottom < top else None


def _add_names(pdf: File, facts: Facts) -> None:
    try:
        info = pdf.get(pdf.trailer.get("Info"))
        title, author = (info.get("Title"), info.get("Author")) if isinstance(info, dict) else (None, None)
        named = one_line(text(pdf.get(title))), one_line(text(pdf.get(author)))
    except Beyond:
        return
    if named[0]:
        facts["title"] = named[0]
    if named[1]:
        facts["author"] = named[1]
