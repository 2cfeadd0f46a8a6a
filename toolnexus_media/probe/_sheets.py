"""The cells of an Excel workbook as lines of tabs, sheet by sheet; dates as dates."""

from __future__ import annotations

import re
from contextlib import suppress
from time import monotonic

from toolnexus_media.probe._package import MAX_FOUND, Full

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolnexus_media.probe._flow import Text
    from toolnexus_media.probe._package import Package

UNREAD = "…"  # a text that was not read in time
MAX_STRING_CHARS = 32 << 20
MAX_GAP = 50  # empty cells that are shown as tabs
_DATES = frozenset({*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)})  # formats that every Excel has
_QUOTED = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]')
_MAX_DAY = 2_958_466  # the end of the year 9999


def sheets(package: Package, out: Text) -> None:
    """Add every sheet under its name.

    The cells come first, as many as can be shown; of the texts they point to, only as many are read as that takes.
    """
    cells = _Cells(out.chars)
    end, package.end = package.end, (package.end + monotonic()) / 2
    with suppress(Exception):  # damage, or enough: what was read until then is shown
        _read_cells(package, cells)
    package.end = end
    wanted = max((cell for cell in cells.found if isinstance(cell, int)), default=-1) + 1
    strings: list[str] = []
    with suppress(Exception):
        _read_strings(package, strings, wanted)
    for cell in cells.found:
        out.add(cell if isinstance(cell, str) else _flat(strings[cell]) if cell < len(strings) else UNREAD)


class _Cells:
    """What the sheets show, in order: text, and numbers of the texts that cells point to."""

    def __init__(self, chars: int) -> None:
        self.found: list[str | int] = []
        self.left = chars

    def add(self, cell: str | int) -> None:
        """Add a piece; ``Full`` when there is enough."""
        self.found.append(cell)
        self.left -= len(cell) if isinstance(cell, str) else 1
        if self.left <= 0:
            raise Full


def _read_cells(package: Package, cells: _Cells) -> None:
    styles = _date_styles(package)
    early = any(found.get("date1904") in ("1", "true") for found in package.elements("xl/workbook.xml", "workbookPr"))
    for found, part in package.related("xl/workbook.xml", "sheet"):
        cells.add(f"[{found.get('name', 'sheet')}]\n")
        reader = _Sheet(styles, cells, early=early)
        package.parse(part, reader.start, reader.end, reader.text)
        cells.add("\n")


def _read_strings(package: Package, found: list[str], wanted: int) -> None:
    """Add the first of the texts that cells point to, without how they are pronounced."""
    pieces: list[str] = []
    size = phonetic = reading = 0

    def start(name: str, _attributes: dict[str, str]) -> None:
        nonlocal phonetic, reading
        phonetic += name == "rPh"
        reading += name == "t"

    def end(name: str) -> None:
        nonlocal phonetic, reading
        phonetic -= name == "rPh"
        reading -= name == "t"
        if name == "si":
            found.append("".join(pieces))
            pieces.clear()
            if len(found) >= wanted:
                raise Full

    def text(text: str) -> None:
        nonlocal size
        size += len(text)
        if reading and not phonetic and size < MAX_STRING_CHARS:
            pieces.append(text)

    if wanted:
        package.parse("xl/sharedStrings.xml", start, end, text)


def _date_styles(package: Package) -> frozenset[int]:
    """Which styles of cells show a number as a date or time."""
    own: dict[str, bool] = {}
    styles: list[bool] = []
    inside = False

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal inside
        if name == "numFmt" and len(own) < MAX_FOUND:
            code = _QUOTED.sub("", attributes.get("formatCode", "")[:200]).lower()
            own[attributes.get("numFmtId", "")] = any(letter in code for letter in "ydhs") and "general" not in code
        elif name == "cellXfs":
            inside = True
        elif name == "xf" and inside and len(styles) < MAX_FOUND:
            number = attributes.get("numFmtId", "0")
            styles.append(own.get(number, number.isdecimal() and len(number) < 5 and int(number) in _DATES))

    def end(name: str) -> None:
        nonlocal inside
        inside = inside and name != "cellXfs"

    package.parse("xl/styles.xml", start, end)
    return frozenset(number for number, is_date in enumerate(styles) if is_date)


class _Sheet:
    def __init__(self, dates: frozenset[int], out: _Cells, *, early: bool) -> None:
        self.dates, self.out, self.early = dates, out, early
        self.pieces: list[str] = []
        self.reading = False
        self.kind = self.style = ""
        self.column = self.written = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "row":
            self.column = self.written = 0
        elif name == "c":
            self.column = _column(attributes.get("r", "")) or self.column + 1
            self.kind, self.style = attributes.get("t", "n"), attributes.get("s", "")
            self.pieces.clear()
        self.reading = name in ("v", "t")

    def end(self, name: str) -> None:
        self.reading = False
        if name == "row" and self.written:
            self.out.add("\n")
        elif name == "c" and self.pieces:
            gap = min(self.column - max(self.written, 1), MAX_GAP)
            if gap > 0:
                self.out.add("\t" * gap)
            self.out.add(self._shown("".join(self.pieces)))
            self.written = self.column

    def text(self, text: str) -> None:
        if self.reading:
            self.pieces.append(text)

    def _shown(self, value: str) -> str | int:
        if self.kind == "s":
            return int(value) if value.isascii() and value.isdecimal() and len(value) < 9 else UNREAD
        if self.kind == "b":
            value = "TRUE" if value == "1" else "FALSE"
        elif self.kind == "n" and self.style.isdecimal() and len(self.style) < 9 and int(self.style) in self.dates:
            value = _date(value, early=self.early)
        return _flat(value)


def _flat(value: str) -> str:
    return value.replace("\n", " ").replace("\t", " ")


def _column(reference: str) -> int:
    """The number of a column by its letters.

    >>> _column("A1"), _column("AB12"), _column("?")
    (1, 28, 0)
    """
    number = 0
    for letter in reference[:3]:
        if not "A" <= letter <= "Z":
            break
        number = 26 * number + ord(letter) - 64
    return number


def _date(value: str, *, early: bool = False) -> str:
    """A day's number as a date, a part of a day as a time.

    >>> _date("45292"), _date("45292.5"), _date("0.25"), _date("x")
    ('2024-01-01', '2024-01-01 12:00:00', '06:00:00', 'x')
    """
    from datetime import datetime, timedelta

    try:
        day = float(value)
    except ValueError:
        return value
    if not 0 <= day < _MAX_DAY:
        return value
    start = datetime(1904, 1, 1) if early else datetime(1899, 12, 30)
    try:
        moment = start + timedelta(seconds=round(day * 86_400))
    except OverflowError:
        return value
    if day < 1 and not early:
        return f"{moment:%H:%M:%S}"
    return f"{moment:%Y-%m-%d}" if day == int(day) else f"{moment:%Y-%m-%d %H:%M:%S}"
