"""Bytes (and, where they cannot tell, a name) become a MIME type.

Bytes decide. A name only chooses among kinds of text, and between sound and film where an MP4 does not say. Large
files are never read whole: at most 64 reads of at most 64 KiB, at the places that a container points to.
"""

from __future__ import annotations

from toolnexus_media._text import a_type
from toolnexus_media.errors import MediaError, SourceError
from toolnexus_media.sniff import _images, _isobmff, _mpeg, _pdf, _riff
from toolnexus_media.sniff._declared import in_words, settle
from toolnexus_media.sniff._endings import by_name, ending_of
from toolnexus_media.sniff._names import is_text, kind_of, normalise
from toolnexus_media.sniff._pdf import pdf_start
from toolnexus_media.sniff._text import charset
from toolnexus_media.sniff._window import HEAD, View, of_buffer, of_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from mmap import mmap
    from os import PathLike

    Source = bytes | bytearray | memoryview | mmap | str | PathLike[str]

__all__ = [
    "by_name",
    "charset",
    "ending_of",
    "in_words",
    "is_text",
    "kind_of",
    "normalise",
    "pdf_start",
    "settle",
    "sniff",
]


# The common types by their first four bytes: a type, or a function of the head that decides or gives None.
_COMMON: dict[bytes, str | Callable[[bytes], str | None]] = {
    **{b"\xff\xd8\xff" + bytes((marker,)): "image/jpeg" for marker in range(0xC0, 0xFF)},
    **{bytes((0, 0, 0, size)): _isobmff.quick for size in range(16, 256, 4)},
    **{b"ID3" + bytes((version,)): _mpeg.quick for version in (2, 3, 4)},
    b"\x89PNG": _images.png,
    b"%PDF": _pdf.quick,
    b"GIF8": _images.gif,
    b"RIFF": _riff.quick,
}


def sniff(data_or_path: Source, name: str | None = None) -> str:
    r"""The MIME type of bytes or of a file; ``application/octet-stream`` when it is unknown.

    >>> sniff(b"\x89PNG\r\n\x1a\n"), sniff(b"a,b\n1,2\n"), sniff(b"a,b\n1,2\n", "table.csv"), sniff(b"\x00\x01")
    ('image/png', 'text/plain', 'text/csv', 'application/octet-stream')

    A ``str`` is always a path; its base name serves as ``name`` when none is given. Bytes never raise; a path raises
    ``SourceError`` when it cannot be read.
    """
    if type(data_or_path) is bytes:
        common = _COMMON.get(data_or_path[:4])
        if common is not None:
            found = common if isinstance(common, str) else common(data_or_path)
            if found is not None:
                return found
        if data_or_path[:1] == b"\xff" and (found := _mpeg.quick_frame(data_or_path)) is not None:
            return found
        return _judge(of_bytes(data_or_path, name))
    return _sniff_other(data_or_path, name)


def _judge(view: View) -> str:
    from toolnexus_media.sniff._rules import judge  # the containers: the common types need none of them

    return judge(view)


def _sniff_other(source: Source, name: str | None) -> str:
    try:
        # Not isinstance: an object can lie about its class.
        if issubclass(type(source), str) or hasattr(
            type(source), "__fspath__"
        ):  # not isinstance: an object can lie about its class
            return _sniff_file(source, name)  # type: ignore[arg-type]  # narrowed by the line above
        flat = memoryview(source)  # type: ignore[arg-type]  # what lends no memory raises, and that is the question
        flat = flat.cast("B") if flat.c_contiguous else memoryview(flat.tobytes())
    except MediaError:
        raise
    except Exception:  # noqa: BLE001  # an object of any make can fail in any way
        raise SourceError(
            f"cannot sniff {a_type(source)}; pass bytes, a bytes-like object or a path",
            code="unsupported-source",
        ) from None
    with flat:
        return _sniff_view(of_buffer(flat, name))


def _sniff_file(path: str | PathLike[str], name: str | None) -> str:
    from toolnexus_media.source import open_window, path_of

    place = path_of(path)
    with open_window(place) as window:
        return _sniff_view(View(window.size, window.at, window.at(0, HEAD), place if name is None else name))


def _sniff_view(view: View) -> str:
    common = _COMMON.get(view.head[:4])
    if common is not None:
        found = common if isinstance(common, str) else common(view.head)
        if found is not None:
            return found
    return _judge(view)
