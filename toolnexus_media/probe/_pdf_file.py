"""A PDF's objects by number, read where they lie: no scan, no repair, everything counted.

A file's size does not matter to it: cross-reference tables are looked into, not loaded. What it does not answer
(damage, encryption, unusual filters, too much of anything) is ``Beyond``, and somebody else's work.
"""

from __future__ import annotations

import re
import zlib
from itertools import accumulate

from toolnexus_media.probe._buffer import flat
from toolnexus_media.probe._pdf_syntax import MAX_TOKENS, Beyond, Ref, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolnexus_media._b64 import Buffer
    from toolnexus_media.probe._pdf_syntax import Dict, Value

    Table = tuple[int, int, int, int]  # first number, how many, where the entries start, bytes an entry
    Rows = tuple[int, int, int, bytes, tuple[int, int, int]]  # first number, how many, first row, rows, widths
    Pack = tuple[bytes, dict[int, tuple[int, int]]]  # decoded bytes, and where the objects in them lie, by number

HEAD = 1024  # a header may have this much junk before it
WINDOWS = (2_048, 65_536, 1_048_576)  # bytes an object is looked for in, smallest first
MAX_STEPS = 100_000  # a step takes about a microsecond
MAX_INFLATED = 24_000_000  # bytes out of all streams together
MAX_PREDICTED = 2_000_000  # bytes of one cross-reference stream: some 400,000 objects
MAX_SECTIONS = 512
MAX_REFERENCES = 32  # a reference to a reference to …
_OBJ = re.compile(rb"[\0\t\n\f\r ]*(\d{1,10})[\0\t\n\f\r ]+\d{1,5}[\0\t\n\f\r ]+obj")
_XREF = re.compile(rb"[\0\t\n\f\r ]*xref[\0\t\n\f\r ]*")
_RANGE = re.compile(rb"[\0\t\n\f\r ]*(\d{1,10})[ \t]+(\d{1,10})[ \t]*(?:\r\n|\r|\n)[\0\t\n\f\r ]*")
_ENTRY = re.compile(rb"\d{10} \d{5} [nf](?: \r| \n|\r\n|\n|\r)(?=[\dt\0\f\r\n ])")
_TRAILER = re.compile(rb"[\0\t\n\f\r ]*trailer")
_STREAM = re.compile(rb"[\0\t\n\f\r ]*stream(?:\r\n|\n|\r)")
_ENDSTREAM = re.compile(rb"[\0\t\n\f\r ]*endstream")
_STARTXREF = re.compile(rb"startxref[\0\t\n\f\r ]*(\d{1,12})")
_PAIRS = re.compile(rb"[\0\t\n\f\r ]*(\d{1,10})[\0\t\n\f\r ]+(\d{1,10})")


class File:
    """The objects of one PDF, found through its cross-reference sections."""

    max_steps = MAX_STEPS

    def __init__(self, data: Buffer) -> None:
        self.data = flat(data)
        self.size = len(self.data)
        self.steps = 0
        self.inflated = 0
        self.trailer: Dict = {}
        self.sections: list[Table | Rows] = []
        self.packs: dict[int, Pack] = {}
        self.base = 0
        self.counted = False  # the page tree was walked, and every /Count in it is true

    def step(self, count: int = 1) -> None:
        """Count work done; ``Beyond`` when it is more than a cheap look."""
        self.steps += count
        if self.steps > self.max_steps:
            raise Beyond("too many steps")

    def cut(self, start: int, count: int) -> bytes:
        """At most ``count`` bytes from ``start``."""
        return bytes(self.data[start : start + count])

    def open(self) -> File:
        """Follow the sections from the last one back; ``Beyond`` when they are damaged."""
        start = self.cut(0, HEAD).find(b"%PDF-")
        if start < 0:
            raise Beyond("no header")
        tail = self.cut(max(0, self.size - 2 * HEAD), 2 * HEAD)
        found = list(_STARTXREF.finditer(tail))
        if not found:
            raise Beyond("no startxref")
        offset = int(found[-1][1])
        for self.base in dict.fromkeys((start, 0)):  # offsets count from the header, or from the junk before it
            try:
                self._follow(offset)
            except Beyond:
                self.sections, self.trailer = [], {}
            else:
                return self
        raise Beyond("no cross-reference section")

    def _follow(self, offset: int) -> None:
        queue, seen = [offset], set[int]()
        while queue:
            offset = queue.pop(0)
            if offset in seen:
                continue
            seen.add(offset)
            if len(seen) > MAX_SECTIONS or not 0 <= offset + self.base < self.size:
                raise Beyond("cross-reference sections without end")
            trailer = self._section(offset + self.base)
            self.trailer = {**trailer, **self.trailer}
            previous = self.get(trailer.get("Prev"))
            if isinstance(previous, int | float):
                queue.append(int(previous))
        if not isinstance(self.trailer.get("Root"), Ref):
            raise Beyond("no root")

    def _section(self, pos: int) -> Dict:
        match = _XREF.match(self.cut(pos, 64))
        if match is None:
            return self._stream_section(pos)
        tables: list[Table] = []
        pos += match.end()
        while (ranged := _RANGE.match(self.cut(pos, 64))) is not None:
            self.step(4)
            first, count = int(ranged[1]), int(ranged[2])
            pos += ranged.end()
            if count:
                entry = _ENTRY.match(self.cut(pos, 32))
                if entry is None:
                    raise Beyond("not a cross-reference entry")
                tables.append((first, count, pos, entry.end()))
                pos += count * entry.end()
        head = _TRAILER.match(self.cut(pos, 64))
        trailer = self._value_at(pos + head.end())[0] if head else None
        if not isinstance(trailer, dict):
            raise Beyond("no trailer")
        stream = trailer.get("XRefStm")
        if isinstance(stream, int) and 0 <= stream + self.base < self.size:
            self._stream_section(stream + self.base)  # before the table, which calls the hidden objects free
        self.sections.extend(tables)
        return trailer

    def _stream_section(self, pos: int) -> Dict:
        match = _OBJ.match(self.cut(pos, 64))
        if match is None:
            raise Beyond("no cross-reference section")
        value, end = self._value_at(pos + match.end())
        if not isinstance(value, dict) or value.get("Type") != "XRef":
            raise Beyond("no cross-reference stream")
        widths = value.get("W")
        if not (isinstance(widths, list) and len(widths) >= 3):
            raise Beyond("no widths")
        w0, w1, w2 = (w if isinstance(w, int) and 0 <= w <= 8 else -99 for w in widths[:3])
        if w0 + w1 + w2 <= 0:
            raise Beyond("no widths")
        rows = self.stream(value, end)
        ranges = value.get("Index") or [0, value.get("Size")]
        row = 0
        numbers = [n for n in ranges if isinstance(n, int)] if isinstance(ranges, list) else []
        for first, count in zip(numbers[::2], numbers[1::2], strict=False):
            self.step()
            self.sections.append((first, count, row, rows, (w0, w1, w2)))
            row += count
        return value

    def _value_at(self, pos: int) -> tuple[Value, int]:
        """The object at a place in the file, and the place behind it."""
        for window in WINDOWS:
            text = self.cut(pos, window)
            try:
                value, end, cost = parse(text)
            except Beyond:
                self.step(min(len(text) // 8, MAX_TOKENS))
                if len(text) < window:
                    raise
            else:
                self.step(cost)
                if end < len(text) or len(text) < window:  # else the last number may go on behind the window
                    return value, pos + end
        raise Beyond("an object too large")

    def entry(self, num: int) -> tuple[int, int, int]:
        """An object's entry: its type (0 free, 1 in the file, 2 in an object stream) and two fields."""
        for section in self.sections:
            self.steps += 1
            if not section[0] <= num < section[0] + section[1]:
                continue
            if len(section) == 4:
                first, _, start, stride = section
                row = self.cut(start + (num - first) * stride, 18)
                if row[17:] == b"n":
                    return 1, int(row[:10]) + self.base, 0
                if row[17:] == b"f":
                    return 0, 0, 0
                raise Beyond("not a cross-reference entry")
            first, _, skip, rows, (w0, w1, w2) = section
            at = (num - first + skip) * (w0 + w1 + w2)
            row = rows[at : at + w0 + w1 + w2]
            if len(row) < w0 + w1 + w2:
                raise Beyond("a cross-reference stream too short")
            kind = int.from_bytes(row[:w0], "big") if w0 else 1
            one = int.from_bytes(row[w0 : w0 + w1], "big")
            return kind, one + self.base if kind == 1 else one, int.from_bytes(row[w0 + w1 :], "big")
        return 0, 0, 0

    def peek(self, num: int) -> bytes:
        """A short object's own text, or ``b""`` when it is long or elsewhere: enough to tell a page by."""
        self.step(4)
        kind, pos, _ = self.entry(num)
        if kind == 1:
            text = self.cut(pos, 400)
            match = _OBJ.match(text)
            end = text.find(b"endobj")
            if match is None or int(match[1]) != num:
                raise Beyond("an object that is not where it should be")
            return text[match.end() : end] if end > 0 else b""
        if kind == 2:
            pack, places = self._pack(pos)
            start, end = places.get(num, (0, 0))
            return pack[start:end] if end - start <= 512 else b""
        return b""

    def get(self, value: Value) -> Value:
        """The value itself, or what a reference leads to; a missing object is None."""
        for _ in range(MAX_REFERENCES):
            if not isinstance(value, Ref):
                return value
            value = self._object(value.num)
        raise Beyond("references without end")

    def _object(self, num: int) -> Value:
        self.step(4)
        kind, pos, _ = self.entry(num)
        if kind == 1:
            return self._plain(num, pos)[0]
        if kind == 2:
            pack, places = self._pack(pos)
            if num not in places:
                raise Beyond("an object stream without the object")
            start, stop = places[num]
            value, _, cost = parse(pack[start : min(stop, start + WINDOWS[-1])])
            self.step(cost)
            return value
        return None

    def _plain(self, num: int, pos: int) -> tuple[Value, int]:
        match = _OBJ.match(self.cut(pos, 64))
        if match is None or int(match[1]) != num:
            raise Beyond("an object that is not where it should be")
        return self._value_at(pos + match.end())

    def _pack(self, num: int) -> Pack:
        """An object stream, and where the objects in it start."""
        if num not in self.packs:
            kind, pos, _ = self.entry(num)
            value, end = self._plain(num, pos) if kind == 1 else (None, 0)
            if not isinstance(value, dict):
                raise Beyond("no object stream")
            self.packs[num] = unpack(value, self.stream(value, end))
            self.step(len(self.packs[num][1]))
        return self.packs[num]

    def stream(self, value: Dict, pos: int) -> bytes:
        """A stream's decoded bytes, its dictionary ending at ``pos``."""
        match = _STREAM.match(self.cut(pos, 64))
        length = self.get(value.get("Length"))
        if match is None or not isinstance(length, int):
            raise Beyond("no stream")
        start = pos + match.end()
        if length < 0 or not _ENDSTREAM.match(self.cut(start + length, 32)):
            raise Beyond("a stream of another length")
        raw = self.cut(start, min(length, MAX_INFLATED))
        data = inflate(value, raw, MAX_INFLATED - self.inflated)
        self.inflated += len(data)
        self.step(len(data) // (20 if value.get("DecodeParms") else 256))  # what inflating and unpredicting take
        return data


def unpack(value: Dict, data: bytes) -> Pack:
    """An object stream's decoded bytes, and its objects' places in them by number."""
    first, count = value.get("First"), value.get("N")
    if not (isinstance(first, int) and isinstance(count, int) and 0 <= first <= 1_048_576):
        raise Beyond("no object stream")
    pairs: list[tuple[int, int]] = []
    for pair in _PAIRS.finditer(data, 0, first):
        if len(pairs) >= count:
            break
        pairs.append((first + int(pair[2]), int(pair[1])))
    pairs.sort()
    ends = [*(start for start, _ in pairs[1:]), len(data)]
    return data, {num: (start, end) for (start, num), end in zip(pairs, ends, strict=False)}


def inflate(value: Dict, raw: bytes, limit: int) -> bytes:
    """A stream's bytes without its filter: none, or Flate alone, with the predictors that writers use."""
    names, parameters = value.get("Filter"), value.get("DecodeParms")
    if isinstance(names, list):
        parameters = parameters[0] if isinstance(parameters, list) and parameters else parameters
        if len(names) > 1:
            raise Beyond("several filters")
        names = names[0] if names else None
    if names not in (None, "FlateDecode", "Fl") or len(raw) > limit:
        raise Beyond("a filter")
    if names is None:
        return raw
    try:
        data = zlib.decompressobj().decompress(raw, limit + 1)
    except zlib.error:
        raise Beyond("a damaged stream") from None
    if len(data) > limit:
        raise Beyond("a stream too large")
    return _unpredict(data, parameters if isinstance(parameters, dict) else {})


def _unpredict(data: bytes, parameters: Dict) -> bytes:
    predictor, columns = parameters.get("Predictor", 1), parameters.get("Columns", 1)
    if predictor == 1:
        return data
    plain = parameters.get("Colors", 1) == 1 and parameters.get("BitsPerComponent", 8) == 8
    if not (isinstance(predictor, int) and predictor >= 10 and isinstance(columns, int) and 0 < columns < 65 and plain):
        raise Beyond("a predictor")
    width = columns + 1
    rows = len(data) // width
    kinds = data[: rows * width : width]
    if len(data) > MAX_PREDICTED:
        raise Beyond("a stream too large")
    if kinds.count(0) == rows:
        return b"".join(data[at + 1 : at + width] for at in range(0, rows * width, width))
    if kinds.count(2) != rows:
        raise Beyond("a predictor")
    out = bytearray(rows * columns)
    for column in range(columns):
        sums = accumulate(data[column + 1 : rows * width : width])
        out[column::columns] = bytes([value & 255 for value in sums])
    return bytes(out)
