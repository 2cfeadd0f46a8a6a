"""Where bytes come from: whatever the caller holds becomes a ``Blob``. The only package that opens files or URLs.

One function a kind of source, one return shape, a chooser on top. Nothing is guessed: a string is a URL, a ``data:``
URL or a path, never text and never bare base64.
"""

from __future__ import annotations

import os

from toolnexus_media._safe import brief
from toolnexus_media._text import a_type, one_line, type_name
from toolnexus_media.errors import MediaError, SourceError
from toolnexus_media.source import _urls
from toolnexus_media.source._files import Window, open_window, path_of, read_file, too_large

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mmap import mmap
    from typing import Any

    from _typeshed import SupportsRead

__all__ = [
    "MAX_BYTES",
    "MAX_PIXELS",
    "Blob",
    "Window",
    "fetch",
    "from_path",
    "gather",
    "is_media_type",
    "is_stream",
    "open_window",
    "path_of",
]

MAX_BYTES = 100 * 1024 * 1024
MAX_PIXELS = 100_000_000

_CHUNK = 1024 * 1024
is_media_type = _urls.is_media_type


class Blob:
    """Bytes or a URL, with what the source said of itself: a name and a declared type."""

    __slots__ = ("data", "declared", "name", "url")

    def __init__(
        self,
        data: bytes | mmap | None,
        name: str | None = None,
        declared: str | None = None,
        url: str | None = None,
    ) -> None:
        self.data = data
        self.name = name
        self.declared = declared
        self.url = url


def gather(
    source: object,
    *,
    max_bytes: int = MAX_BYTES,
    max_pixels: int = MAX_PIXELS,
    root: str | os.PathLike[str] | None = None,
) -> Blob:
    """The bytes behind any source; ``SourceError`` when there are none, too many, or no way to them.

    >>> gather(b"hello").data
    b'hello'
    """
    if type(source) is str:
        return _from_string(source, max_bytes, root) if ":" in source else _from_path(source, max_bytes, root)
    if type(source) is bytes:
        return Blob(_from_buffer(source, max_bytes))
    try:
        return _from_foreign(source, max_bytes, max_pixels, root)
    except MediaError:
        raise
    except Exception as error:  # an object of any make can fail in any way, wherever it is touched
        raise SourceError(
            f"{a_type(source)} cannot be read ({type_name(error)}); pass a path or the bytes",
            code="unsupported-source",
        ) from error


def _from_foreign(source: Any, max_bytes: int, max_pixels: int, root: str | os.PathLike[str] | None) -> Blob:
    """What comes in an object of some other make; a subclass is asked for its content past its own methods."""
    kind = type(source)  # not isinstance: an object can lie about its class
    if issubclass(kind, str):
        return gather(str.__str__(source), max_bytes=max_bytes, max_pixels=max_pixels, root=root)
    if issubclass(kind, (bytes, bytearray, memoryview)):
        return Blob(_from_buffer(source, max_bytes))
    if hasattr(kind, "__fspath__"):
        return from_path(source, max_bytes=max_bytes, root=root)
    if is_stream(source):
        return _from_stream(source, max_bytes)
    from toolnexus_media.source._objects import encode_object

    data = encode_object(source, max_pixels)
    if data is None:
        raise SourceError(
            f"{a_type(source)} is no source; pass a path, bytes, a binary file, a data: or http(s): URL, "
            "a PIL image, a numpy array or a figure",
            code="unsupported-source",
        )
    return Blob(_within(data, "the picture", max_bytes))


def is_stream(source: object) -> bool:
    """Can this be read from?"""
    try:
        return callable(getattr(source, "read", None)) and not isinstance(source, type)
    except Exception:  # noqa: BLE001  # an attribute of somebody's object can fail in any way; then it is no stream
        return False


def from_path(
    path: str | os.PathLike[str], *, max_bytes: int = MAX_BYTES, root: str | os.PathLike[str] | None = None
) -> Blob:
    """The bytes of a regular file; a path that looks like a URL is a path here."""
    return _from_path(path_of(path), max_bytes, root)


def fetch(url: str, *, max_bytes: int = MAX_BYTES, timeout: float = 30.0, allow_private: bool = False) -> bytes:
    """The bytes behind an http(s) URL: the only function here that goes to the network, and only when called.

    Every address of every hop is checked before it is connected to, and the connection goes to the address that was
    checked. ``timeout`` is seconds for the whole of it. Private, loopback and link-local addresses are refused
    (``refused-address``) unless ``allow_private``.

    >>> fetch("http://127.0.0.1/")
    Traceback (most recent call last):
    toolnexus_media.errors.SourceError: 127.0.0.1 is no public address; pass allow_private=True if you trust it
    """
    from toolnexus_media.source._fetch import fetch_bytes

    return fetch_bytes(url, max_bytes=max_bytes, timeout=timeout, allow_private=allow_private)


def _from_string(text: str, max_bytes: int, root: str | os.PathLike[str] | None) -> Blob:
    stripped = text.strip()
    scheme = _urls.scheme_of(stripped)
    if scheme == "data":
        data, declared = _urls.decode_data_url(stripped, max_bytes)
        return Blob(_within(data, "the data URL", max_bytes), declared=declared)
    if scheme == "file":
        return _from_path(_urls.file_url_path(stripped), max_bytes, root)
    if scheme in {"http", "https", "gs", "s3"}:
        return Blob(None, url=stripped)
    if scheme:
        raise SourceError(
            f"a {scheme}: URL cannot be attached; download it and pass the bytes or a path "
            f"({one_line(brief(stripped), 80)})",
            code="unsupported-source",
        )
    return _from_path(text, max_bytes, root)


def _from_path(path: str, max_bytes: int, root: str | os.PathLike[str] | None) -> Blob:
    data = read_file(path, max_bytes, None if root is None else path_of(root))
    if not data:
        from toolnexus_media.source._files import shown_path

        raise _empty(shown_path(path))
    return Blob(data, path)


def _from_buffer(source: bytes | bytearray | memoryview, max_bytes: int) -> bytes:
    what = f"the {type_name(source)}"
    try:
        size = len(source) if type(source) is bytes else memoryview(source).nbytes
    except ValueError:
        raise SourceError("the memoryview was released; pass it while it lives", code="unreadable") from None
    if size > max_bytes:
        raise too_large(what, size, max_bytes)
    if not size:
        raise _empty(what)
    return source if type(source) is bytes else bytes(memoryview(source))


def _from_stream(stream: Any, max_bytes: int) -> Blob:
    what = f"the stream ({type_name(stream)})"
    try:
        data = _read_stream(stream, max_bytes)
        if not data and _rewound(stream):
            data = _read_stream(stream, max_bytes)
        name: Any = getattr(stream, "name", None)
    except SourceError:
        raise
    except Exception as error:  # a file object of any make can fail in any way
        raise SourceError(
            f"{what} cannot be read ({type_name(error)}); pass an open binary file or its bytes", code="unreadable"
        ) from error
    return Blob(_within(data, what, max_bytes), str.__str__(name) if issubclass(type(name), str) else None)


def _read_stream(stream: SupportsRead[Any], max_bytes: int) -> bytes:
    """At most ``max_bytes + 1`` bytes from where the stream stands."""
    data = bytearray()
    while len(data) <= max_bytes:
        chunk = stream.read(min(_CHUNK, max_bytes + 1 - len(data)))
        if chunk is None:
            raise SourceError("the stream has no data yet (it does not block); wait for its end", code="unreadable")
        if not issubclass(type(chunk), (bytes, bytearray, memoryview)):
            raise SourceError(_not_bytes(chunk), code="unsupported-source")
        before = len(data)
        data += chunk
        if len(data) == before:  # not what the chunk says of its length: it may never say zero
            break
    return bytes(data)


def _not_bytes(chunk: object) -> str:
    if isinstance(chunk, str):
        return "the stream gives text; open the file with 'rb', or use content.text_part for text"
    close = getattr(chunk, "close", None)  # an unawaited coroutine would warn when it is collected
    if callable(close):
        close()
    return f"the stream gives {a_type(chunk)} where bytes are due; read it yourself and pass the bytes"


def _rewound(stream: Any) -> bool:
    """Put a stream that was just written and left at its end back to its start."""
    seekable = getattr(stream, "seekable", None)
    if not callable(getattr(stream, "seek", None)) or (callable(seekable) and not seekable()):
        return False
    stream.seek(0)
    return True


def _within(data: bytes, what: str, max_bytes: int) -> bytes:
    if len(data) > max_bytes:
        raise too_large(what, None, max_bytes)
    if not data:
        raise _empty(what)
    return data


def _empty(what: str) -> SourceError:
    return SourceError(f"{what} is empty (0 bytes); check that the step before it wrote anything", code="empty")
