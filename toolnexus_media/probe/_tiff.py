"""TIFF and BigTIFF: the chain of directories."""

from __future__ import annotations

from struct import Struct
from struct import error as StructError  # noqa: N812  # the class is called error there, which says too little here

from toolnexus_media.probe import _exif

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolnexus_media._b64 import Buffer
    from toolnexus_media.types import Facts

MAX_PAGES = 65_536
_MAX_TAGS = 4096
WIDTH, HEIGHT, BITS, PHOTOMETRIC, SAMPLES = 256, 257, 258, 262, 277
TILE_WIDTH, TILE_HEIGHT = 322, 323
UNITS = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4, 16: 8, 17: 8, 18: 8}
_NUMBERS = {1: "B", 3: "H", 4: "I", 13: "I", 16: "Q"}


class Layout:
    """Byte order and field widths of one file: TIFF counts in 32 bits, BigTIFF in 64."""

    __slots__ = ("big", "count", "entry", "first", "inline", "link", "order")

    def __init__(self, data: Buffer) -> None:
        mark = bytes(data[:4])
        self.order = {b"II": "<", b"MM": ">"}.get(mark[:2], "")
        version = mark[2] | mark[3] if len(mark) == 4 else 0
        if not self.order or version not in (42, 43):
            raise ValueError("no TIFF header")
        self.big = version == 43
        self.count = Struct(self.order + ("Q" if self.big else "H"))
        self.entry = Struct(self.order + ("HHQ" if self.big else "HHI"))
        self.link = Struct(self.order + ("Q" if self.big else "I"))
        self.inline = 8 if self.big else 4
        (self.first,) = self.link.unpack_from(data, 8 if self.big else 4)

    @property
    def step(self) -> int:
        """Bytes a directory entry takes."""
        return self.entry.size + self.inline


class Page:
    """One directory: its entries as ``(tag, type, count, offset of the entry)``, and where the next link stands."""

    __slots__ = ("at", "entries", "link_at", "next")

    def __init__(self, data: Buffer, layout: Layout, at: int) -> None:
        self.at = at
        (count,) = layout.count.unpack_from(data, at)
        if count > _MAX_TAGS:
            raise ValueError("too many tags")
        start = at + layout.count.size
        self.link_at = start + count * layout.step
        self.entries = [
            (*layout.entry.unpack_from(data, entry), entry) for entry in range(start, self.link_at, layout.step)
        ]
        try:
            (self.next,) = layout.link.unpack_from(data, self.link_at)
        except StructError:
            self.next = 0

    def number(self, data: Buffer, layout: Layout, tag: int) -> int | None:
        """The first value of a whole-number tag."""
        for key, kind, count, entry in self.entries:
            if key == tag and kind in _NUMBERS and count:
                where = entry + layout.entry.size
                if count * UNITS[kind] > layout.inline:
                    (where,) = layout.link.unpack_from(data, where)
                value: int = Struct(layout.order + _NUMBERS[kind]).unpack_from(data, where)[0]
                return value
        return None


def pages(data: Buffer, layout: Layout) -> Iterator[Page]:
    """The directories in order; the walk ends at the last, at one seen before, and at one that is not there."""
    at, seen = layout.first, set[int]()
    while at and at not in seen and len(seen) < MAX_PAGES:
        seen.add(at)
        try:
            page = Page(data, layout, at)
        except (StructError, ValueError, OverflowError):
            return
        yield page
        at = page.next


def read(data: Buffer, found: Facts) -> None:
    """Size of the first page, mode, orientation, and how many pages there are."""
    layout = Layout(data)
    count = 0
    for page in pages(data, layout):
        if not count:
            _first(data, layout, page, found)
        count += 1
    if 0 < count < MAX_PAGES:
        found["frames"] = count


def _first(data: Buffer, layout: Layout, page: Page, found: Facts) -> None:
    width, height = page.number(data, layout, WIDTH), page.number(data, layout, HEIGHT)
    if width and height:
        found["width"], found["height"] = width, height
    samples = page.number(data, layout, SAMPLES) or 1
    mode = _mode(page.number(data, layout, PHOTOMETRIC), page.number(data, layout, BITS) or 1, samples)
    if mode:
        found["mode"] = mode
    turned = page.number(data, layout, _exif.ORIENTATION)
    _exif.turn(found, turned if turned and 1 <= turned <= 8 else None)


def _mode(photometric: int | None, bits: int, samples: int) -> str | None:
    """Pillow's name for the common layouts; byte order, sign and extra samples decide the others."""
    if photometric in (0, 1) and samples == 1:
        return {1: "1", 8: "L"}.get(bits)
    return {(2, 3): "RGB", (3, 1): "P", (5, 4): "CMYK", (6, 3): "RGB"}.get((photometric or 0, samples))
