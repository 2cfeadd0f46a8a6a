"""PDF objects from bytes: one regular expression, one loop, no recursion.

Names become ``str``, strings ``bytes``, references ``Ref``, null ``None``; arrays and dictionaries are lists and dicts.
Every step is bounded, so that a hostile object costs what a large one costs.
"""

from __future__ import annotations

import re
from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    class Ref(NamedTuple):
        """An indirect reference."""

        num: int
        gen: int

    Value = None | bool | int | float | str | bytes | Ref | list["Value"] | dict[str, "Value"]
    Dict = dict[str, Value]
else:
    Ref = namedtuple("Ref", "num gen")  # typing costs an import the child pays for

MAX_DEPTH = 64
MAX_STRING = 65_536
MAX_TOKENS = 20_000  # in one object; runs of references, as a large page tree has, do not count

_W = rb"\0\t\n\f\r "
_END = rb"(?![^\0\t\n\f\r ()<>\[\]{}/%])"
TOKEN = re.compile(
    rb"[" + _W + rb"]*+(?:%[^\r\n]*+[" + _W + rb"]*+)*+(?:"
    rb"(\d{1,10})[" + _W + rb"]+(\d{1,5})[" + _W + rb"]+R" + _END + rb"|"  # 1, 2: reference
    rb"/([^\0\t\n\f\r ()<>\[\]{}/%]*)|"  # 3: name
    rb"([+-]?\d+(?![\d.]))|"  # 4: integer
    rb"([+-]*(?:\d+\.?\d*|\.\d+)(?:-\d*)?)|"  # 5: real, with the double signs some writers make
    rb"(<<)|(>>)|(\[)|(\])|(\()|"  # 6, 7, 8, 9, 10
    rb"<([0-9A-Fa-f\0\t\n\f\r ]*)>|"  # 11: hexadecimal string
    rb"(true|false|null)" + _END + rb")"  # 12
)
_REFS = re.compile(rb"(?:[" + _W + rb"]*+\d{1,10}[" + _W + rb"]+\d{1,5}[" + _W + rb"]+R)++[" + _W + rb"]*+\]")
_PAREN = re.compile(rb"[()\\]")
_ESCAPE = re.compile(rb"\\(\r\n|[0-7]{1,3}|.)|\r\n?", re.DOTALL)
_ESCAPES = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f", b"\n": b"", b"\r": b"", b"\r\n": b""}
_HASH = re.compile(r"#([0-9A-Fa-f]{2})")
_SPACED = bytes.maketrans(b"\0", b" ")  # bytes.split() takes NUL for a letter
_WORDS: dict[bytes, bool | None] = {b"true": True, b"false": False, b"null": None}


class Beyond(Exception):  # noqa: N818 - it is no error: the file asks for more than a cheap look
    """What a cheap and strict reading does not answer."""


def parse(data: bytes, pos: int = 0) -> tuple[Value, int, int]:
    """The object at ``pos``, the place behind it, and what it cost, in tokens; ``Beyond`` where there is none.

    >>> parse(b"<</Kids[3 0 R 4 0 R]/Title(a\\\\(b)/Count 2>>")[0]
    {'Kids': [Ref(num=3, gen=0), Ref(num=4, gen=0)], 'Title': b'a(b', 'Count': 2}
    """
    stack: list[tuple[int, list[Value]]] = []
    references = letters = 0
    for tokens in range(1, MAX_TOKENS):
        match = TOKEN.match(data, pos)
        if match is None:
            raise Beyond("not an object")
        kind, pos = match.lastindex or 0, match.end()
        value: Value
        if kind == 8 and (many := _REFS.match(data, pos)) is not None:
            found = _references(many[0])
            value, pos = found, many.end()
            references += len(found)
        elif kind in (6, 8):
            if len(stack) >= MAX_DEPTH:
                raise Beyond("nested too deep")
            stack.append((kind, []))
            continue
        elif kind in (7, 9):
            if not stack or stack[-1][0] != kind - 1:
                raise Beyond("unbalanced")
            items = stack.pop()[1]
            value = items if kind == 9 else _dictionary(items)
        elif kind == 10:
            start = pos
            value, pos = _string(data, pos)
            letters += pos - start
        else:
            value = _scalar(match, kind)
        if not stack:
            return value, pos, tokens + (references + letters) // 2
        stack[-1][1].append(value)
    raise Beyond("an object of too many parts")


def _references(run: bytes) -> list[Value]:
    """An array of nothing but references, which is what a page tree's kids are, in one go."""
    numbers = list(map(int, run[:-1].replace(b"R", b" ").translate(_SPACED).split()))
    return list(map(Ref, numbers[::2], numbers[1::2]))


def _scalar(match: re.Match[bytes], kind: int) -> Value:
    if kind == 2:
        return Ref(int(match[1]), int(match[2]))
    if kind == 3:
        return name(match[3])
    if kind == 4:
        return int(match[4][:20])
    if kind == 5:
        return _real(match[5])
    if kind == 11:
        digits = b"".join(match[11][: 4 * MAX_STRING].translate(None, b"\0\f").split())
        return bytes.fromhex((digits + b"0" * (len(digits) % 2)).decode("ascii"))
    return _WORDS[match[12]]


def name(raw: bytes) -> str:
    """A name without its slash, ``#xx`` resolved."""
    text = raw[:1024].decode("latin-1")
    return _HASH.sub(lambda m: chr(int(m[1], 16)), text) if "#" in text else text


def _real(raw: bytes) -> float:
    sign = -1.0 if raw.startswith(b"-") else 1.0
    digits = raw[:64].lstrip(b"+-").split(b"-", 1)[0]
    return sign * float(digits)


def _dictionary(items: list[Value]) -> Dict:
    found: Dict = {}
    for key, value in zip(items[::2], items[1::2], strict=False):
        if not isinstance(key, str):
            raise Beyond("a key that is no name")
        found[key] = value
    if len(items) % 2:
        raise Beyond("a key without a value")
    return found


def _string(data: bytes, pos: int) -> tuple[bytes, int]:
    start, depth = pos, 1
    while depth and pos - start <= MAX_STRING:
        match = _PAREN.search(data, pos)
        if match is None:
            raise Beyond("a string without end")
        pos = match.end()
        mark = data[pos - 1]
        if mark == 0x5C:
            pos += 1
        else:
            depth += 1 if mark == 0x28 else -1
    if depth:
        raise Beyond("a string too long")
    raw = data[start : pos - 1]
    if b"\\" in raw or b"\r" in raw:
        raw = _ESCAPE.sub(_unescape, raw)
    return raw, pos


def _unescape(match: re.Match[bytes]) -> bytes:
    what = match[1]
    if what is None:
        return b"\n"
    if what[:1].isdigit() and what[0] < 0x38:
        return bytes([int(what, 8) & 255])
    return _ESCAPES.get(what, what)


# The characters of PDFDocEncoding that are not Latin-1, spelled by number because many look like others.
_DOC = dict(zip(range(0x18, 0x20), "\u02d8\u02c7\u02c6\u02d9\u02dd\u02db\u02da\u02dc", strict=True)) | dict(
    zip(
        range(0x80, 0xA1),
        "\u2022\u2020\u2021\u2026\u2014\u2013\u0192\u2044\u2039\u203a\u2212\u2030\u201e\u201c\u201d\u2018\u2019\u201a"
        "\u2122\ufb01\ufb02\u0141\u0152\u0160\u0178\u017d\u0131\u0142\u0153\u0161\u017e\ufffd\u20ac",
        strict=True,
    )
)


def text(value: Value) -> str:
    r"""A text string of any of the encodings that occur, ``""`` for anything else.

    >>> text(b"\xfe\xff\x00A\x00b"), text(b"\x80 a"), text(None)
    ('Ab', '• a', '')
    """
    if not isinstance(value, bytes):
        return ""
    if value.startswith(b"\xfe\xff"):
        return value[2:].decode("utf-16-be", "replace")
    if value.startswith(b"\xff\xfe"):
        return value[2:].decode("utf-16-le", "replace")
    if value.startswith(b"\xef\xbb\xbf"):
        return value[3:].decode("utf-8", "replace")
    return value.decode("latin-1").translate(_DOC)
