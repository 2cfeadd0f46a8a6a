"""Base64: the one place that knows it. Standard alphabet (RFC 4648 section 4), padded, on one line.

``pybase64`` is 4 to 90 times as fast as the standard library and frees the interpreter lock while it works.
"""

from __future__ import annotations

from pybase64 import b64decode, b64encode_as_string

from toolnexus_media.errors import SourceError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mmap import mmap

encode = b64encode_as_string

_WHITE = " \t\r\n\f\v"
_DROP_WHITE = {ord(ch): None for ch in _WHITE}
_URL_SAFE = {ord("-"): "+", ord("_"): "/"}


def size(data: str) -> int:
    """How many bytes a clean base64 string holds, without decoding it.

    >>> size("aGk="), size("")
    (2, 0)
    """
    return len(data) // 4 * 3 - (0 if data[-1:] != "=" else 2 if data[-2:] == "==" else 1)


def decode(data: str) -> bytes:
    """The bytes of a clean base64 string; ``ValueError`` when it is not clean.

    >>> decode("aGk=")
    b'hi'
    """
    return b64decode(data, validate=True)


def clean(data: str | bytes) -> str:
    r"""Any dialect made the standard one: white space out, URL-safe letters replaced, padding completed.

    >>> clean("aG k\n"), clean("_-8")
    ('aGk=', '/+8=')
    """
    if isinstance(data, bytes):
        data = data.decode("ascii", "replace")
    if not data.isascii():
        return data
    if any(ch in data for ch in _WHITE):
        data = data.translate(_DROP_WHITE)
    if "-" in data or "_" in data:
        data = data.translate(_URL_SAFE)
    bare = data.rstrip("=") if data.endswith("=") else data
    return bare + "=" * (-len(bare) % 4)


def decode_any(data: str | bytes) -> bytes:
    """The bytes of base64 in any dialect, or ``SourceError`` ``bad-base64`` that does not quote the payload.

    >>> decode_any("aG k")
    b'hi'
    """
    try:
        return b64decode(clean(data), validate=True)
    except ValueError:
        raise SourceError(
            f"not base64: {len(data)} characters that do not decode; pass the payload alone, "
            "in the standard or URL-safe alphabet",
            code="bad-base64",
        ) from None


def head(data: str, count: int) -> bytes:
    """The first ``count`` bytes of a clean base64 string."""
    return b64decode(data[: (count + 2) // 3 * 4])[:count]


if TYPE_CHECKING:
    Buffer = bytes | bytearray | memoryview | mmap
