"""PDFs made by hand, byte by byte, for the tests of the PDF probe."""

from __future__ import annotations

import zlib
from io import BytesIO

CATALOG = b"<</Type/Catalog/Pages 2 0 R>>"
PAGE = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]>>"


def build(objects: dict[int, bytes], trailer: bytes = b"", start: bytes = b"%PDF-1.7\n") -> bytes:
    """A file with these objects, a cross-reference table and a trailer that names object 1 as the root."""
    out, places = bytearray(start), dict[int, int]()
    for number, body in objects.items():
        places[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table, size = len(out), max(objects) + 1
    out += b"xref\n0 %d\n0000000000 65535 f \n" % size
    for number in range(1, size):
        out += b"%010d 00000 %s \n" % (places.get(number, 0), b"n" if number in places else b"f")
    out += b"trailer<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF\n" % (size, trailer, table)
    return bytes(out)


def tree(kids: bytes, count: int) -> bytes:
    """A node of the page tree."""
    return b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, count)


def flat(pages: int, count: int | None = None, **more: bytes) -> bytes:
    """A file of so many pages in one node, whose ``/Count`` may say something else."""
    kids = b" ".join(b"%d 0 R" % number for number in range(3, 3 + pages))
    objects = {1: CATALOG, 2: tree(kids, pages if count is None else count)}
    return build(objects | dict.fromkeys(range(3, 3 + pages), PAGE), more.get("trailer", b""))


def stream(data: bytes, entries: bytes = b"") -> bytes:
    """A stream object, compressed."""
    packed = zlib.compress(data, 9)
    return b"<<%s/Filter/FlateDecode/Length %d>>stream\n%s\nendstream" % (entries, len(packed), packed)


def words(*texts: str, title: str = "A title") -> bytes:
    """A file with a page of Helvetica for each text."""
    kids = b" ".join(b"%d 0 R" % (10 + 2 * at) for at in range(len(texts)))
    objects = {1: CATALOG, 2: tree(kids, len(texts)), 3: b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"}
    objects[4] = b"<</Title(%s)/Author(Somebody)>>" % title.encode("latin-1")
    for at, text in enumerate(texts):
        page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F 3 0 R>>>>/Contents %d 0 R>>"
        objects[10 + 2 * at] = page % (11 + 2 * at)
        objects[11 + 2 * at] = stream(b"BT /F 12 Tf 72 700 Td (%s) Tj ET" % text.encode("latin-1"))
    return build(objects, b"/Info 4 0 R")


def packed(pages: int, columns: int = 0) -> bytes:
    """A file whose objects are in an object stream and whose cross-reference section is a stream, maybe predicted."""
    kids = b" ".join(b"%d 0 R" % number for number in range(3, 3 + pages))
    bodies = {1: CATALOG, 2: tree(kids, pages), **dict.fromkeys(range(3, 3 + pages), PAGE)}
    head, body = b"", b""
    for number, text in bodies.items():
        head += b"%d %d " % (number, len(body))
        body += text + b" "
    out = b"%PDF-1.7\n"
    pack, section = pages + 3, pages + 4
    place = len(out)
    entries = b"/Type/ObjStm/N %d/First %d" % (len(bodies), len(head))
    out += b"%d 0 obj\n%s\nendobj\n" % (pack, stream(head + body, entries))
    rows = [b"\0\0\0\0"] + [b"\2" + pack.to_bytes(2, "big") + b"\0" for _ in bodies]
    rows += [b"\1" + place.to_bytes(2, "big") + b"\0", b"\1" + len(out).to_bytes(2, "big") + b"\0"]
    entries = b"/Type/XRef/Root 1 0 R/W[1 2 1]/Size %d" % (section + 1)
    table = b"".join(rows)
    if columns:
        entries += b"/DecodeParms<</Predictor 12/Columns %d>>" % columns
        table = _predicted(rows)
    return out + b"%d 0 obj\n%s\nendobj\nstartxref\n%d\n%%%%EOF\n" % (section, stream(table, entries), len(out))


def _predicted(rows: list[bytes]) -> bytes:
    out, above = b"", bytes(4)
    for row in rows:
        out += b"\2" + bytes((byte - up) % 256 for byte, up in zip(row, above, strict=True))
        above = row
    return out


def encrypted(data: bytes, algorithm: str, user: str = "") -> bytes:
    """The file, encrypted by pypdf; with an empty user password it opens without one."""
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(clone_from=PdfReader(BytesIO(data)))
    writer.encrypt(user_password=user, owner_password="owner", algorithm=algorithm)
    out = BytesIO()
    writer.write(out)
    return out.getvalue()
