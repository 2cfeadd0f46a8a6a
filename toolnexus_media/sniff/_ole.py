"""OLE compound files (old Office, Outlook, Visio): the names in the root of their directory decide."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolnexus_media.sniff._window import View

MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_END = 0xFFFFFFFA  # from here up, a sector number is a mark and not a place
_NONE = 0xFFFFFFFF
_MAX_SECTORS = 16
_ENTRY = 128

# The first name that is there decides: what wraps others (a mail, a lock) before what may be wrapped.
_NAMES = (
    ("encryptedpackage", "application/encrypted"),
    ("__properties_version1.0", "application/vnd.ms-outlook"),
    ("powerpoint document", "application/vnd.ms-powerpoint"),
    ("pp40", "application/vnd.ms-powerpoint"),
    ("worddocument", "application/msword"),
    ("workbook", "application/vnd.ms-excel"),
    ("book", "application/vnd.ms-excel"),
    ("visiodocument", "application/vnd.visio"),
    ("quill", "application/vnd.ms-publisher"),
    ("hwpsummaryinformation", "application/x-hwp"),
    ("\x05hwpsummaryinformation", "application/x-hwp"),
    ("swxcontents", "application/sldworks"),
)
_CLASSES = {
    bytes.fromhex("8410 0c00 0000 0000 c000 0000 0000 0046"): "application/x-msi",
    bytes.fromhex("0009 0200 0000 0000 c000 0000 0000 0046"): "application/msword",
    bytes.fromhex("0609 0200 0000 0000 c000 0000 0000 0046"): "application/msword",
    bytes.fromhex("1008 0200 0000 0000 c000 0000 0000 0046"): "application/vnd.ms-excel",
    bytes.fromhex("2008 0200 0000 0000 c000 0000 0000 0046"): "application/vnd.ms-excel",
    bytes.fromhex("108d 8164 9b4f cf11 86ea 00aa 00b9 29e8"): "application/vnd.ms-powerpoint",
    bytes.fromhex("0067 6156 54c1 ce11 8553 00aa 00a1 f95b"): "image/vnd.fpx",
}


def ole(view: View) -> str | None:
    """The type by the streams in the root, else by the root's class, else ``application/x-ole-storage``."""
    head = view.head
    directory = _directory(view, head)
    names = _root_names(directory)
    for wanted, mime in _NAMES:
        if wanted in names:
            return mime
    return _CLASSES.get(directory[80:96], "application/x-ole-storage")


def _directory(view: View, head: bytes) -> bytes:
    """The first sectors of the directory, followed through the allocation table."""
    shift = int.from_bytes(head[30:32], "little")
    if shift not in (7, 8, 9, 10, 11, 12):
        return b""
    sector = int.from_bytes(head[48:52], "little")
    parts = []
    for _ in range(_MAX_SECTORS):
        if sector >= _END:
            break
        parts.append(view.at((sector + 1) << shift, 1 << shift))
        sector = _next(view, head, sector, shift)
    return b"".join(parts)


def _next(view: View, head: bytes, sector: int, shift: int) -> int:
    """The sector after this one; only tables that the header itself lists (the first 7 MB) are asked."""
    table, place = divmod(sector, (1 << shift) // 4)
    if table >= 109:
        return _NONE
    entry = int.from_bytes(head[76 + 4 * table : 80 + 4 * table], "little")
    if entry >= _END:
        return _NONE
    found = view.at(((entry + 1) << shift) + 4 * place, 4)
    return int.from_bytes(found, "little") if len(found) == 4 else _NONE


def _root_names(directory: bytes) -> set[str]:
    """The names right under the root, lower case; all names where the tree is broken."""
    count = len(directory) // _ENTRY
    entries = [directory[at * _ENTRY : (at + 1) * _ENTRY] for at in range(count)]
    if not entries:
        return set()
    names, seen = set(), set()
    todo = [int.from_bytes(entries[0][76:80], "little")]
    while todo:
        at = todo.pop()
        if at in seen or not 0 <= at < count:
            continue
        seen.add(at)
        names.add(_name(entries[at]))
        todo += (int.from_bytes(entries[at][68:72], "little"), int.from_bytes(entries[at][72:76], "little"))
    return names or {_name(entry) for entry in entries}


def _name(entry: bytes) -> str:
    length = min(int.from_bytes(entry[64:66], "little"), 64)
    return entry[: max(0, length - 2)].decode("utf-16-le", "replace").lower()
