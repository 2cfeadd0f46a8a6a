"""A damaged PDF's objects, found by reading all of it; done only in a child, because it costs what the file costs."""

from __future__ import annotations

import re
from bisect import bisect_right

from toolnexus_media.probe._pdf_file import HEAD, File, unpack
from toolnexus_media.probe._pdf_syntax import Beyond, Ref, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolnexus_media._b64 import Buffer
    from toolnexus_media.probe._pdf_syntax import Dict, Value

_OBJECT = re.compile(rb"(?<!\d)(\d{1,10})[\0\t\n\f\r ]+\d{1,5}[\0\t\n\f\r ]+obj(?![a-z])")
_SIGN = re.compile(rb"/Type[\0\t\n\f\r ]*/(XRef|ObjStm|Catalog)\b|\btrailer\b")
MAX_OBJECTS = 1_000_000
MAX_NUMBER = 8_388_607  # the largest that an object may have


def mended(data: bytes) -> bytes:
    """The file with a cross-reference stream behind it that leads to every object in it, from its header on.

    ``Beyond`` where there is no catalogue, or where it is encrypted.
    """
    start = data.find(b"%PDF-", 0, HEAD)
    data = data[start:] if start >= 0 else b"%PDF-1.7\n" + data
    scanned = Scanned(data).open()
    root = scanned.trailer["Root"]
    if "Encrypt" in scanned.trailer or not isinstance(root, Ref):
        raise Beyond("a trailer that cannot be written anew")
    numbers = sorted(number for number in scanned.places if 0 < number < MAX_NUMBER)
    own = numbers[-1] + 1
    rows = b"".join([scanned.row(number) for number in numbers])
    index = b" ".join([b"%d 1" % number for number in numbers])
    entries = b"/Type/XRef/Size %d/Root %d 0 R/W[1 6 3]/Index[%s]/Length %d" % (own + 1, root.num, index, len(rows))
    section = b"\n%d 0 obj\n<<%s>>stream\n%s\nendstream\nendobj\n" % (own, entries, rows)
    return b"%s%sstartxref\n%d\n%%%%EOF\n" % (data, section, len(data) + 1)


class Scanned(File):
    """The objects of one PDF by where they stand, its cross-reference sections unread; the last of a number wins."""

    max_steps = 2_000_000  # a child has a deadline besides

    def __init__(self, data: Buffer) -> None:
        super().__init__(data)
        self.places: dict[int, tuple[int, int, int]] = {}

    def open(self) -> Scanned:
        """Find all objects; ``Beyond`` when there is no catalogue among them."""
        starts: list[tuple[int, int]] = []
        for match in _OBJECT.finditer(self.data):
            starts.append((match.start(), int(match[1])))
            self.places[int(match[1])] = (1, match.start(), 0)
            if len(starts) > MAX_OBJECTS:
                raise Beyond("too many objects")
        trailers: list[Dict] = []
        roots: list[Ref] = []
        for match in _SIGN.finditer(self.data):
            self.step()
            try:
                self._note(match, starts, trailers, roots)
            except (Beyond, RecursionError):
                continue
        self._choose(trailers, roots)
        return self

    def _note(
        self, match: re.Match[bytes], starts: list[tuple[int, int]], trailers: list[Dict], roots: list[Ref]
    ) -> None:
        if match[1] is None:
            value = self._value_at(match.end())[0]
            if isinstance(value, dict):
                trailers.append(value)
            return
        at = bisect_right(starts, (match.start(), 0)) - 1
        if at < 0:
            return
        pos, num = starts[at]
        value, end = self._plain(num, pos)
        if not isinstance(value, dict) or value.get("Type") != match[1].decode("ascii"):
            return
        if match[1] == b"XRef":
            trailers.append(value)
        elif match[1] == b"Catalog":
            roots.append(Ref(num, 0))
        else:
            self._open_pack(num, value, end, roots)

    def _open_pack(self, num: int, value: Dict, end: int, roots: list[Ref]) -> None:
        self.packs[num] = pack, places = unpack(value, self.stream(value, end))
        self.step(len(places))
        for inner, (start, stop) in places.items():
            if inner not in self.places or self.places[inner][0] == 2:
                self.places[inner] = (2, num, 0)
            if stop - start < 4096 and b"/Catalog" in pack[start:stop]:
                found = parse(pack, start)[0]
                if isinstance(found, dict) and found.get("Type") == "Catalog":
                    roots.append(Ref(inner, 0))

    def _choose(self, trailers: list[Dict], roots: list[Ref]) -> None:
        for trailer in trailers:
            self.trailer |= {key: value for key, value in trailer.items() if key != "Root" or self._is_root(value)}
        for root in reversed(roots):
            if "Root" not in self.trailer and self._is_root(root):
                self.trailer["Root"] = root
        if "Root" not in self.trailer:
            raise Beyond("no catalogue")

    def _is_root(self, value: Value) -> bool:
        try:
            root = self.get(value)
        except Beyond:
            return False
        return isinstance(root, dict) and root.get("Pages") is not None

    def row(self, num: int) -> bytes:
        """An object's entry in a cross-reference stream of widths 1, 6 and 3."""
        kind, pos, _ = self.places[num]
        place = list(self.packs[pos][1]).index(num) if kind == 2 else 0
        return bytes([kind]) + pos.to_bytes(6, "big") + place.to_bytes(3, "big")

    def entry(self, num: int) -> tuple[int, int, int]:
        """An object's entry, as the scan found it."""
        return self.places.get(num, (0, 0, 0))
