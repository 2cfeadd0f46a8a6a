"""A zip of XML parts read under bounds: entries, inflated bytes and time are counted whatever the headers say."""

from __future__ import annotations

from io import BytesIO
from time import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from toolnexus_media._b64 import Buffer

MAX_DIRECTORY = 1 << 20  # bytes: some 15,000 entries
MAX_INFLATED = 64 << 20
CHUNK = 1 << 16
MAX_FOUND = 10_000
END, END64 = b"PK\x05\x06", b"PK\x06\x07"
STORED, DEFLATED = 0, 8  # other methods may ask for gigabytes


class Full(Exception):  # noqa: N818 - no error: the bound that was set is reached
    """There is text enough, or no more time or bytes to look for it."""


class Package:
    """The parts of one document."""

    def __init__(self, data: Buffer, seconds: float) -> None:
        from zipfile import ZipFile

        held = bytes(memoryview(data))
        at = held.rfind(END, max(0, len(held) - CHUNK - 22))
        if (
            at < 0
            or held[at - 20 : at - 16] == END64
            or int.from_bytes(held[at + 12 : at + 16], "little") > MAX_DIRECTORY
        ):
            raise Full
        self.zip = ZipFile(BytesIO(held))
        self.left = MAX_INFLATED
        self.end = monotonic() + seconds

    def names(self) -> list[str]:
        """The names of the parts."""
        return self.zip.namelist()

    def chunks(self, name: str) -> Iterator[bytes]:
        """A part, piece by piece; nothing where it is not there."""
        try:
            entry = self.zip.getinfo(name)
        except KeyError:
            return
        if entry.compress_type not in (STORED, DEFLATED):
            return
        with self.zip.open(entry) as part:
            while chunk := part.read(CHUNK):
                self.left -= len(chunk)
                if self.left < 0 or monotonic() > self.end:
                    raise Full
                yield chunk

    def parse(
        self,
        name: str,
        start: Callable[[str, dict[str, str]], None],
        end: Callable[[str], None] | None = None,
        text: Callable[[str], None] | None = None,
    ) -> None:
        """Read a part as XML, names without their prefix; a document type, which no such part has, ends it."""
        from pyexpat import ParserCreate

        parser = ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = lambda name, attributes: start(name.rpartition(":")[2], attributes)
        if end is not None:
            close = end
            parser.EndElementHandler = lambda name: close(name.rpartition(":")[2])
        if text is not None:
            parser.CharacterDataHandler = text
        parser.StartDoctypeDeclHandler = _stop
        for chunk in self.chunks(name):
            parser.Parse(chunk)

    def elements(self, name: str, element: str) -> list[dict[str, str]]:
        """The attributes of every element of this name in a part."""
        found: list[dict[str, str]] = []

        def start(local: str, attributes: dict[str, str]) -> None:
            if local == element and len(found) < MAX_FOUND:
                found.append(attributes)

        self.parse(name, start)
        return found

    def related(self, name: str, element: str) -> list[tuple[dict[str, str], str]]:
        """The elements of a part that point to another part, in their order, with the name of that part."""
        folder, _, base = name.rpartition("/")
        targets = {
            found.get("Id", ""): joined(folder, found.get("Target", ""))
            for found in self.elements(f"{folder}/_rels/{base}.rels", "Relationship")
        }
        pointing = (
            (found, next((found[key] for key in found if key.endswith(":id")), ""))
            for found in self.elements(name, element)
        )
        return [(found, targets[key]) for found, key in pointing if key in targets]


def _stop(*_declaration: object) -> None:
    raise Full


def joined(folder: str, target: str) -> str:
    """A part's name from where it is named.

    >>> joined("xl", "worksheets/a.xml"), joined("xl", "/xl/a.xml"), joined("ppt", "../a.xml")
    ('xl/worksheets/a.xml', 'xl/a.xml', 'a.xml')
    """
    from posixpath import normpath

    return normpath(target if target.startswith("/") else f"/{folder}/{target}").lstrip("/")
