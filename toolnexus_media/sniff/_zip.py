"""Zip and what travels in it: Office Open XML, OpenDocument, EPUB, Java and Android archives.

The central directory at the end is read, not the order of the first entries: writers disagree about that order.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from toolnexus_media.sniff._window import View

CHUNK = 1 << 16
_MAX_LOCAL = 24
_MAX_MATCHES = 1000
_MAX_TYPES = 1 << 18  # a deck of a thousand slides has a list of 200 KB
_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml."
_SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml."
_SLIDES = "application/vnd.openxmlformats-officedocument.presentationml."

# The content type of the main part -> the type of the file.
_MAIN_PARTS = {
    b"wordprocessingml.document.main+xml": _WORD + "document",
    b"wordprocessingml.template.main+xml": _WORD + "template",
    b"vnd.ms-word.document.macroenabled.main+xml": "application/vnd.ms-word.document.macroenabled.12",
    b"vnd.ms-word.template.macroenabledtemplate.main+xml": "application/vnd.ms-word.template.macroenabled.12",
    b"spreadsheetml.sheet.main+xml": _SHEET + "sheet",
    b"spreadsheetml.template.main+xml": _SHEET + "template",
    b"vnd.ms-excel.sheet.macroenabled.main+xml": "application/vnd.ms-excel.sheet.macroenabled.12",
    b"vnd.ms-excel.template.macroenabled.main+xml": "application/vnd.ms-excel.template.macroenabled.12",
    b"vnd.ms-excel.addin.macroenabled.main+xml": "application/vnd.ms-excel.addin.macroenabled.12",
    b"vnd.ms-excel.sheet.binary.macroenabled.main": "application/vnd.ms-excel.sheet.binary.macroenabled.12",
    b"presentationml.presentation.main+xml": _SLIDES + "presentation",
    b"presentationml.template.main+xml": _SLIDES + "template",
    b"presentationml.slideshow.main+xml": _SLIDES + "slideshow",
    b"vnd.ms-powerpoint.presentation.macroenabled.main+xml": (
        "application/vnd.ms-powerpoint.presentation.macroenabled.12"
    ),
    b"vnd.ms-powerpoint.template.macroenabled.main+xml": "application/vnd.ms-powerpoint.template.macroenabled.12",
    b"vnd.ms-powerpoint.slideshow.macroenabled.main+xml": "application/vnd.ms-powerpoint.slideshow.macroenabled.12",
    b"vnd.ms-powerpoint.addin.macroenabled.main+xml": "application/vnd.ms-powerpoint.addin.macroenabled.12",
    b"vnd.ms-visio.": "application/vnd.visio",
    b"vnd.ms-package.xps-fixeddocumentsequence+xml": "application/vnd.ms-xpsdocument",
}
_OPENDOCUMENT = "application/vnd.oasis.opendocument."
# A file names its own kind here, so only these are taken: the type stands in every line that describes the part.
_KINDS = frozenset(
    _OPENDOCUMENT + kind + template
    for kind in ("text", "spreadsheet", "presentation", "graphics", "chart", "image", "formula", "text-master")
    for template in ("", "-template")
) | {_OPENDOCUMENT + kind for kind in ("text-web", "database", "base")}
_ZIP = "application/zip"


def zipped(view: View) -> str | None:
    """The type of the document in a zip, else ``application/zip``."""
    find = _directory(view)
    at = find(b"mimetype")
    if at >= 0:
        found = _declared(_content(view, at, 256))
        if found:
            return found
    at = find(b"[Content_Types].xml")
    if at >= 0:
        return _office(_content(view, at, _MAX_TYPES))
    if find(b"AndroidManifest.xml") >= 0:
        return "application/vnd.android.package-archive"
    return "application/java-archive" if find(b"META-INF/MANIFEST.MF") >= 0 else _ZIP


def _declared(content: bytes) -> str | None:
    declared = content.strip().decode("ascii", "replace")
    if declared in ("application/epub+zip", "application/x-ibooks+zip"):
        return "application/epub+zip"
    return declared if declared in _KINDS else None


def _office(content: bytes) -> str:
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        content = content.replace(b"\x00", b"")
    content = content.lower()
    for part, mime in _MAIN_PARTS.items():
        if part in content:
            return mime
    return _ZIP


def _directory(view: View) -> Callable[[bytes], int]:
    """A function from an entry's name to the place of its local header, -1 when there is no such entry."""
    directory, shift = _central(view)
    if directory:
        return lambda name: _find(directory, name, shift)
    places = dict(_local(view))
    return lambda name: places.get(name, -1)


def _find(directory: bytes, name: bytes, shift: int) -> int:
    """The place of an entry, found by its name with the head of a directory entry in front of it."""
    at = directory.find(name)
    for _ in range(_MAX_MATCHES):
        if at < 0:
            break
        entry = directory[at - 46 : at] if at >= 46 else b""
        if entry[:4] == b"PK\x01\x02" and int.from_bytes(entry[28:30], "little") == len(name):
            return int.from_bytes(entry[42:46], "little") + shift
        at = directory.find(name, at + 1)
    return -1


def _central(view: View) -> tuple[bytes, int]:
    """The central directory (its first 256 KB) and by how much its offsets are off; empty when there is none."""
    for tail in (1024, CHUNK):
        start = max(0, view.size - tail)
        data = view.at(start, tail)
        end = data.rfind(b"PK\x05\x06")
        if end >= 0 and end + 20 <= len(data):
            break
    else:
        return b"", 0
    size = int.from_bytes(data[end + 12 : end + 16], "little")
    offset = int.from_bytes(data[end + 16 : end + 20], "little")
    if offset == 0xFFFFFFFF:
        size, offset = _zip64(view, start + end)
    shift = start + end - size - offset  # bytes put in front of the archive (a stub) move everything
    if shift and view.at(offset, 4) == b"PK\x01\x02":
        shift = 0
    first = offset + shift
    return b"".join(view.at(at, CHUNK) for at in range(first, first + min(size, 4 * CHUNK), CHUNK)), shift


def _zip64(view: View, end: int) -> tuple[int, int]:
    locator = view.at(end - 20, 20)
    record = view.at(int.from_bytes(locator[8:16], "little"), 56) if locator[:4] == b"PK\x06\x07" else b""
    return int.from_bytes(record[40:48], "little"), int.from_bytes(record[48:56], "little")


def _local(view: View) -> Iterator[tuple[bytes, int]]:
    """The entries at the front, for an archive whose end is missing; stops where a size is not told."""
    at = 0
    for _ in range(_MAX_LOCAL):
        header = view.at(at, 30 + 256)
        if header[:4] != b"PK\x03\x04" or len(header) < 30:
            return
        name_length = int.from_bytes(header[26:28], "little")
        yield header[30 : 30 + name_length], at
        size = int.from_bytes(header[18:22], "little")
        if header[6] & 8 and not size:
            return
        at += 30 + name_length + int.from_bytes(header[28:30], "little") + size


def _content(view: View, offset: int, limit: int) -> bytes:
    """The first ``limit`` bytes of an entry, inflated under that bound; ``b""`` for what cannot be read."""
    header = view.at(offset, 30)
    if header[:4] != b"PK\x03\x04" or len(header) < 30 or header[6] & 1:
        return b""
    start = offset + 30 + int.from_bytes(header[26:28], "little") + int.from_bytes(header[28:30], "little")
    size = int.from_bytes(header[18:22], "little")
    method = int.from_bytes(header[8:10], "little")
    raw = view.at(start, min(size, CHUNK) if size and not header[6] & 8 else CHUNK)
    if method == 0:
        return raw[: min(limit, size) if size else limit]
    if method != 8:
        return b""
    import zlib

    try:
        return zlib.decompressobj(-15).decompress(raw, limit)
    except zlib.error:
        return b""
