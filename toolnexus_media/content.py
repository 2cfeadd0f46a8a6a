"""Building and reading parts: the everyday namespace, short compositions of source, sniff, probe, part and summary.

>>> part = attach(b"hello", name="greeting.txt")
>>> part
{'type': 'file', 'mimeType': 'text/plain', 'data': <5 bytes>, 'name': 'greeting.txt'}
>>> summarize_part(part)
'file (text/plain, 5 bytes)'
"""

from __future__ import annotations

from toolnexus_media import source as _source
from toolnexus_media._text import a_type, base_name, block, one_line
from toolnexus_media.errors import MediaTypeError, MimeMismatchWarning, SourceError
from toolnexus_media.part import (
    is_part,
    make_part,
    part_bytes,
    part_data,
    text_part,
    url_part,
    validate_part,
)
from toolnexus_media.sniff import by_name, in_words, kind_of, normalise, pdf_start, settle, sniff
from toolnexus_media.source import MAX_BYTES, MAX_PIXELS, Blob, gather
from toolnexus_media.summary import (
    caption,
    describe_part,
    estimate_tokens,
    placeholder,
    summarize_part,
    summarize_parts,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from typing import Any, BinaryIO, Literal, Unpack

    from PIL.Image import Image

    from toolnexus_media._b64 import Buffer
    from toolnexus_media.types import AttachOptions, ContentPart

    Verify = Literal["full", "header", "none"]

__all__ = [
    "attach",
    "audio_file",
    "caption",
    "describe_part",
    "estimate_tokens",
    "excerpt",
    "from_base64",
    "from_bytes",
    "from_data_url",
    "from_file",
    "from_image",
    "from_stream",
    "from_url",
    "image_file",
    "is_part",
    "part_bytes",
    "part_data",
    "pdf_file",
    "placeholder",
    "save_part",
    "summarize_part",
    "summarize_parts",
    "text_part",
    "to_image",
    "validate_part",
]

_PDF = "application/pdf"
_UNKNOWN = "application/octet-stream"
_WANTED = {"image": "an image", "pdf": "a PDF", "audio": "a sound"}


def attach(
    source: object,
    *,
    mime_type: str | None = None,
    name: str | None = None,
    max_bytes: int = MAX_BYTES,
    max_pixels: int = MAX_PIXELS,
    verify: Verify = "full",
    strict: bool = False,
    root: str | os.PathLike[str] | None = None,
) -> ContentPart:
    """Whatever the caller holds, as a checked part.

    A path, bytes, a binary file, a PIL image, a numpy array, a figure, a ``data:`` URL, a remote URL (kept, never
    fetched) or a part. The bytes decide the type; ``mime_type`` is used where they say nothing, and where they
    contradict it they win with a ``MimeMismatchWarning`` (``strict=True`` raises). ``verify="full"`` decodes images
    to the end, ``"header"`` reads headers, ``"none"`` only sniffs. ``root`` confines paths.

    Raises ``SourceError``, ``MediaTypeError``, ``CorruptMediaError``, ``MissingExtraError``; for a part that is given,
    ``PartError``, and ``LimitError`` when it holds more than ``max_bytes``.

    >>> attach("data:text/plain,Hello%20World")
    {'type': 'file', 'mimeType': 'text/plain', 'data': <11 bytes>}
    """
    if type(source) is not str and issubclass(type(source), dict):
        return validate_part(source, max_bytes)
    blob = gather(source, max_bytes=max_bytes, max_pixels=max_pixels, root=root)
    return _build(blob, None, mime_type, name, max_pixels, verify, strict)


def _build(
    blob: Blob,
    want: str | None,
    mime_type: str | None = None,
    name: str | None = None,
    max_pixels: int = MAX_PIXELS,
    verify: Verify = "full",
    strict: bool = False,
) -> ContentPart:
    """Blob to part: decide the type, check the content, encode."""
    if name is None:
        name = blob.name
    elif type(name) is not str:
        name = _source.path_of(name)
    data = blob.data
    if data is None:
        return _build_url(blob.url or "", want, mime_type, name)
    mime = sniff(data, name)
    declared = mime_type if mime_type is not None else blob.declared
    if declared is not None:
        mime = _decide(mime, declared, strict)
    if want is not None:
        _refuse_other(mime, want, name)
    if mime == _PDF and (start := pdf_start(data)):
        data = data[start:]
    if verify != "none":
        from toolnexus_media.probe import verify as verify_content

        verify_content(data, mime, level=verify, max_pixels=max_pixels)
    return make_part(data, mime, name)


def _build_url(url: str, want: str | None, mime_type: str | None, name: str | None) -> ContentPart:
    path = url.partition("#")[0].partition("?")[0].partition("://")[2].partition("/")[2]
    mime = _media_type(mime_type) if mime_type is not None else by_name(path)
    if mime is None:
        raise MediaTypeError(
            "the URL's ending does not tell its type; pass mime_type=…, or fetch it with source.fetch and attach the "
            "bytes",
            code="unknown-type",
        )
    if want is not None:
        _refuse_other(mime, want, path)
    return url_part(url, mime, name)


def _media_type(declared: str) -> str:
    plain = str.__str__(declared) if issubclass(type(declared), str) else ""
    if not _source.is_media_type(plain.partition(";")[0].strip()):
        raise MediaTypeError("mime_type is no media type; it reads type/subtype, e.g. image/png", code="unknown-type")
    return normalise(plain)


def _decide(found: str, declared: str, strict: bool) -> str:
    """The type of bytes that were sniffed as ``found`` and declared as something."""
    wanted = _media_type(declared)
    mime = settle(found, wanted)
    if mime is not None:
        return mime
    message = f"declared as {wanted}, and the bytes are {found}"
    if strict:
        raise MediaTypeError(f"{message}; declare the true type or leave mime_type out", code="mime-mismatch")
    import warnings

    warnings.warn(f"{message}; the bytes decide", MimeMismatchWarning, stacklevel=_levels_up())
    return found


def _levels_up() -> int:
    """How far up the caller of this package is, so that a warning points at their line."""
    import sys

    frame, levels = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "toolnexus_media":
        frame, levels = frame.f_back, levels + 1
    return levels


def _refuse_other(mime: str, want: str, name: str | None) -> None:
    if (mime == _PDF) if want == "pdf" else kind_of(mime) == want:
        return
    what = base_name(name) if name else "the source"
    raise MediaTypeError(
        f"{what or 'the source'} is {in_words(mime)}, not {_WANTED[want]}; "
        "check how it was made, or use content.attach for any type",
        code="wrong-kind",
    )


def _pinned(source: object, want: str, options: AttachOptions) -> ContentPart:
    """A part of one wanted kind, refused before anything is decoded."""
    if issubclass(type(source), dict):
        part = validate_part(source, options.get("max_bytes"))
        _refuse_other("text/plain" if part["type"] == "text" else part["mimeType"], want, None)
        return part
    given: Any = dict(options)
    blob = gather(
        source,
        max_bytes=given.pop("max_bytes", MAX_BYTES),
        max_pixels=given.get("max_pixels", MAX_PIXELS),
        root=given.pop("root", None),
    )
    return _build(blob, want, **given)


def image_file(source: object, **options: Unpack[AttachOptions]) -> ContentPart:
    """An image part; ``MediaTypeError`` ``wrong-kind`` says what the file really is.

    >>> image_file(b"<html><body>404</body></html>", name="shot.png")
    Traceback (most recent call last):
    toolnexus_media.errors.MediaTypeError: shot.png is an HTML page (text/html), not an image; check how it was made, \
or use content.attach for any type
    """
    return _pinned(source, "image", options)


def pdf_file(source: object, **options: Unpack[AttachOptions]) -> ContentPart:
    """A PDF part; ``MediaTypeError`` ``wrong-kind`` says what the file really is."""
    return _pinned(source, "pdf", options)


def audio_file(source: object, **options: Unpack[AttachOptions]) -> ContentPart:
    """An audio part; ``MediaTypeError`` ``wrong-kind`` says what the file really is."""
    return _pinned(source, "audio", options)


def from_file(path: str | os.PathLike[str], **options: Unpack[AttachOptions]) -> ContentPart:
    """A part of a file; the string is a path even when it looks like a URL."""
    given: Any = dict(options)
    limits = {key: given.pop(key) for key in ("max_bytes", "root") if key in given}
    return _build(_source.from_path(path, **limits), None, **given)


def from_bytes(data: Buffer, **options: Unpack[AttachOptions]) -> ContentPart:
    """A part of bytes.

    >>> from_bytes(b'{"a": 1}')["mimeType"]
    'application/json'
    """
    if issubclass(type(data), (bytes, bytearray, memoryview)):
        return attach(data, **options)
    try:
        view = memoryview(data)
    except Exception:  # noqa: BLE001  # what lends no memory can say so in any way
        raise SourceError(
            f"bytes are due, not {a_type(data)}; use content.text_part for text and content.from_base64 for base64",
            code="unsupported-source",
        ) from None
    with view:
        return attach(view, **options)


def from_base64(data: str | bytes, mime_type: str | None = None, **options: Any) -> ContentPart:
    """A part of base64 in any dialect: URL-safe letters, line breaks, no padding; a ``data:`` URL is taken too.

    >>> from_base64("aGVsbG8")
    {'type': 'file', 'mimeType': 'text/plain', 'data': <5 bytes>}
    """
    from toolnexus_media import _b64

    if not issubclass(type(data), (str, bytes)):
        raise SourceError(
            f"base64 is a string, not {a_type(data)}; use content.from_bytes for bytes", code="bad-base64"
        )
    data = str.__str__(data) if isinstance(data, str) else bytes(memoryview(data))
    if isinstance(data, str) and data[:5].lower() == "data:":
        return from_data_url(data, mime_type=mime_type, **options)
    limit = options.get("max_bytes", MAX_BYTES)
    if len(data) * 3 // 4 > limit * 2 + 4:  # cannot be under the limit even with a line break after each character
        raise SourceError(
            f"{len(data)} characters of base64 are too large: at most {limit} bytes are allowed; raise max_bytes",
            code="too-large",
        )
    return attach(_b64.decode_any(data), mime_type=mime_type, **options)


def from_stream(stream: BinaryIO, **options: Unpack[AttachOptions]) -> ContentPart:
    """A part of what an open binary file still holds; one left at its end is read from the start, none is closed."""
    if not _source.is_stream(stream):
        raise SourceError(f"{a_type(stream)} cannot be read; pass an open binary file", code="unsupported-source")
    return attach(stream, **options)


def from_image(image: Image, **options: Unpack[AttachOptions]) -> ContentPart:
    """A PNG part of a PIL image, a numpy array or a figure, upright."""
    if issubclass(type(image), (str, bytes, bytearray, memoryview)):
        raise SourceError(
            f"an image object is due, not {a_type(image)}; use content.from_file or content.from_bytes",
            code="unsupported-source",
        )
    return image_file(image, **options)


def from_data_url(url: str, **options: Unpack[AttachOptions]) -> ContentPart:
    """A part of a ``data:`` URL; ``SourceError`` ``bad-data-url`` when it is none."""
    from toolnexus_media.source import _urls

    if not issubclass(type(url), str):
        raise SourceError(
            f"a data URL is a string, not {a_type(url)}; pass the string, or use content.from_bytes for bytes",
            code="bad-data-url",
        )
    data, declared = _urls.decode_data_url(str.__str__(url), options.get("max_bytes", MAX_BYTES))
    if not data:
        raise SourceError("the data URL is empty; check the step that made it", code="empty")
    given: Any = {key: value for key, value in options.items() if key not in {"max_bytes", "root"}}
    return _build(Blob(data, declared=declared), None, **given)


def from_url(url: str, mime_type: str | None = None, name: str | None = None) -> ContentPart:
    """A part that points at a remote URL, which is never fetched.

    >>> from_url("https://example.org/a.png")["mimeType"]
    'image/png'
    """
    part: Any = validate_part({"type": "file", "mimeType": _UNKNOWN, "url": url})
    return _build_url(part["url"], None, mime_type, None if name is None else _source.path_of(name))


def save_part(part: ContentPart, path: str | os.PathLike[str]) -> None:
    """Write the part's bytes to a file, all of them or nothing: a reader never sees half a file.

    ``SourceError`` when there is no such folder or it cannot be written to.
    """
    import os
    from contextlib import suppress

    data = part_data(part)
    target = _source.path_of(path)
    scratch = os.path.join(os.path.dirname(os.path.abspath(target)), f".{os.getpid()}.{os.urandom(8).hex()}.part")
    try:
        fd = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
        try:
            with os.fdopen(fd, "wb") as stream:
                stream.write(data)
            os.replace(scratch, target)
        except BaseException:  # an interrupt leaves nothing behind either
            with suppress(OSError):
                os.unlink(scratch)
            raise
    except (OSError, ValueError) as error:
        raise _unwritable(target, error) from None


def _unwritable(path: str, error: Exception) -> SourceError:
    from toolnexus_media._safe import brief

    shown = one_line(brief(path, 160), 160)
    if isinstance(error, FileNotFoundError):
        return SourceError(f"no folder for {shown}; create it first", code="not-found")
    if isinstance(error, IsADirectoryError):
        return SourceError(f"{shown} is a folder; pass the path of a file", code="not-a-file")
    reason = getattr(error, "strerror", None) or type(error).__name__
    return SourceError(f"{shown} cannot be written ({reason}); check the path and its rights", code="unreadable")


def to_image(part: ContentPart) -> Image:
    """A decoded PIL image of an image part, upright; raises what decoding it finds."""
    from toolnexus_media.probe.image import load, open_image, upright

    checked = validate_part(part)
    mime = "text/plain" if checked["type"] == "text" else checked["mimeType"]
    _refuse_other(mime, "image", None)
    return upright(load(open_image(part_data(checked), mime, max_pixels=MAX_PIXELS), mime))


def excerpt(part: ContentPart, chars: int = 2000) -> str:
    """A cleaned beginning of the part's text, at most ``chars`` characters; ``""`` when it has none."""
    from toolnexus_media.probe import text_of

    checked, chars = validate_part(part), max(chars, 0)
    if checked["type"] == "text":
        return block(checked["text"], chars)
    return block(text_of(part_data(checked), checked["mimeType"], chars), chars) if "data" in checked else ""
