"""Pillow's TIFF reader, shown only the tags that make pixels, because it warns on the others when they are damaged.

Imported only when a TIFF is decoded, and so may name Pillow at its top.
"""

from __future__ import annotations

from struct import Struct

from PIL import Image, ImageFile, TiffTags
from PIL.TiffImagePlugin import TiffImageFile

from toolnexus_media.probe._tiff import PHOTOMETRIC, UNITS, Layout, Page, pages
from toolnexus_media.probe._view import View, patched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolnexus_media._b64 import Buffer

# What decoders ask for: layout, strips, tiles, palette, fax options, JPEG old and new, samples, resolution, profile.
_PIXEL_TAGS = frozenset(
    {254, 256, 257, 258, 259, 262, 266, 273, 274, 277, 278, 279, 282, 283, 284, 292, 293, 296, 301, 317, 318, 319, 320}
    | {321, 322, 323, 324, 325, 332, 338, 339, 340, 341, 347, *range(512, 522), 529, 530, 531, 532}
    | {32844, 32845, 34675, 37439, 0xBC01}
)
_COUNTED = frozenset({3, 4, 5, 8, 9, 10, 11, 12, 13, 16})  # of too many of these Pillow keeps the first, and warns


class Tiff(TiffImageFile):
    """A TIFF whose size was checked by us, so that Pillow's own check, which may warn, is left out."""

    def load_prepare(self) -> None:
        """Make room for the stored size; Pillow turns the picture after decoding."""
        if self._im is None:
            self.im = Image.new(self.mode, self._tile_size, None).im
        ImageFile.ImageFile.load_prepare(self)


def shown(data: Buffer) -> View:
    """The file as Pillow may see it: other tags hidden, tags it would warn on hidden or mended, a lost link ended."""
    layout = Layout(data)
    patches: list[tuple[int, bytes]] = []
    spent = 0
    page: Page | None = None
    seen = set[int]()
    for page in pages(data, layout):
        seen.add(page.at)
        for tag, kind, count, entry in page.entries:
            size = UNITS.get(kind, 0) * count
            outside = size > layout.inline
            if tag not in _PIXEL_TAGS or (outside and not _is_there(data, layout, entry, size, spent)):
                patches.append((entry + 2, _nothing(layout)))
                continue
            spent += size if outside else 0
            if count > 1 and kind in _COUNTED and TiffTags.lookup(tag).length == 1 and tag != PHOTOMETRIC:
                patches.append((entry + 4, _first_value(data, layout, entry, kind, outside=outside)))
    if page is not None and page.next and page.next not in seen and page.link_at + layout.link.size <= len(data):
        patches.append((page.link_at, bytes(layout.link.size)))
    return patched(data, sorted(_apart(patches)), tail=bytes(8))  # the tail ends a directory cut just before its link


def _apart(patches: list[tuple[int, bytes]]) -> list[tuple[int, bytes]]:
    """The patches that do not overlap: directories of a hostile file may."""
    kept: list[tuple[int, bytes]] = []
    free = 0
    for at, new in sorted(patches):
        if at >= free:
            kept.append((at, new))
            free = at + len(new)
    return kept


def _nothing(layout: Layout) -> bytes:
    """An entry's type and count that both Pillow and libtiff pass over in silence."""
    return Struct(layout.order + ("HQ" if layout.big else "HI")).pack(1, 0)


def _is_there(data: Buffer, layout: Layout, entry: int, size: int, spent: int) -> bool:
    (where,) = layout.link.unpack_from(data, entry + layout.entry.size)
    return bool(where + size <= len(data) and spent + size <= len(data))


def _first_value(data: Buffer, layout: Layout, entry: int, kind: int, *, outside: bool) -> bytes:
    where = entry + layout.entry.size
    if outside:
        (where,) = layout.link.unpack_from(data, where)
    value = bytes(data[where : where + UNITS[kind]])
    if UNITS[kind] > layout.inline:  # a rational stays where it is
        value = bytes(data[entry + layout.entry.size : entry + layout.step])
    one = Struct(layout.order + ("Q" if layout.big else "I")).pack(1)
    return one + value.ljust(layout.inline, b"\0")[: layout.inline]
