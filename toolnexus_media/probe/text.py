"""A text's bytes → its encoding and its lines, with bounded work however long it is."""

from __future__ import annotations

from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_BE, BOM_UTF32_LE, getincrementaldecoder

from toolnexus_media.probe._buffer import at, broken, flat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal

    from toolnexus_media._b64 import Buffer
    from toolnexus_media.types import Facts

_CHUNK = 1 << 20
_MAX_JUDGED = 8 << 20  # the encoding is judged by these bytes
_MAX_COUNTED = 128 << 20  # the lines of longer texts are not counted
_SAMPLE = 4096
# The 32-bit mark of little-endian text begins with the 16-bit one, so it stands first.
_MARKS = (
    (BOM_UTF8, "utf-8-sig"),
    (BOM_UTF32_LE, "utf-32"),
    (BOM_UTF32_BE, "utf-32"),
    (BOM_UTF16_LE, "utf-16"),
    (BOM_UTF16_BE, "utf-16"),
)


def facts(data: Buffer, mime: str) -> Facts:
    r"""Encoding and number of lines; the encoding is a name Python decodes by, and absent when it is a guess.

    >>> facts(b"a\nb", "text/plain")
    {'encoding': 'utf-8', 'lines': 2}
    """
    del mime
    data = flat(data)
    encoding = _encoding(data)
    found: Facts = {"encoding": encoding} if encoding else {}
    if len(data) <= _MAX_COUNTED:
        found["lines"] = count_lines(data, encoding)
    return found


def verify(data: Buffer, mime: str, *, level: Literal["header", "full"], max_pixels: int) -> None:
    """``CorruptMediaError`` only for a text of nothing but zeros.

    >>> verify(b"caf\\xe9", "text/plain", level="full", max_pixels=1)
    """
    del level, max_pixels
    head = at(flat(data), 0, _SAMPLE)
    if not any(head):
        raise broken(mime, "it holds no characters, only zeros" if head else "it is empty")


def decode(data: Buffer, chars: int) -> str:
    r"""The beginning of a text, at most ``chars`` characters; what no encoding explains is read as Windows-1252.

    >>> decode(b"caf\xe9 au lait", 4)
    'café'
    """
    data = flat(data)
    encoding = _encoding(data) or guessed(data)
    head = at(data, 0, 4 * chars + 4)  # no encoding here takes more than four bytes a character
    return head.decode(encoding, "replace")[:chars]


def guessed(data: Buffer) -> str:
    r"""What to read a text by whose facts name no encoding: UTF-8 with zeros in it, else Windows-1252.

    >>> guessed(b"caf\xc3\xa9\0"), guessed(b"caf\xe9")
    ('utf-8', 'cp1252')
    """
    return "utf-8" if _decodes(data, "utf-8") else "cp1252"


def _encoding(data: Buffer) -> str:
    """By mark, else UTF-8 where it decodes, else 16 bits where every other byte is zero; else unknown."""
    head = at(data, 0, _SAMPLE)
    named = next((name for mark, name in _MARKS if head.startswith(mark)), "")
    if named:
        return named if _decodes(data, named) else ""
    if b"\0" not in head:
        return "utf-8" if _decodes(data, "utf-8") else ""
    even, odd = head[::2].count(0), head[1::2].count(0)
    if 4 * (even + odd) < len(head) and _decodes(data, "utf-8"):
        return ""  # some zeros in a text of 8 bits
    if odd > 4 * even:
        return "utf-16-le" if _decodes(data, "utf-16-le") else ""
    if even > 4 * odd:
        return "utf-16-be" if _decodes(data, "utf-16-be") else ""
    return ""


def _decodes(data: Buffer, encoding: str) -> bool:
    decoder = getincrementaldecoder(encoding)()
    try:
        for chunk in _chunks(data, _MAX_JUDGED):
            decoder.decode(chunk)
        if len(data) <= _MAX_JUDGED:
            decoder.decode(b"", final=True)
    except ValueError:
        return False
    return True


def count_lines(data: Buffer, encoding: str) -> int:
    """Line feeds, else carriage returns, and the last line where nothing ends it."""
    feeds = returns = 0
    last = ""
    wide = _wide(data, encoding)
    for chunk in _chunks(data, len(data)):
        text = chunk.decode(wide or "latin-1", "replace")
        feeds += text.count("\n")
        returns += text.count("\r")
        last = text[-1:]
    return (feeds or returns) + (last not in ("", "\n", "\r"))


def _wide(data: Buffer, encoding: str) -> str:
    """The codec of 16 or 32 bits without its mark, which only the first chunk has; empty for the codecs of bytes."""
    if encoding in ("utf-16", "utf-32"):
        return encoding + ("-be" if at(data, 0, 2) in (BOM_UTF16_BE, b"\0\0") else "-le")
    return encoding if encoding.startswith("utf-16") else ""


def _chunks(data: Buffer, limit: int) -> Iterator[bytes]:
    for start in range(0, min(len(data), limit), _CHUNK):
        yield at(data, start, min(_CHUNK, limit - start))
