"""Strings that are URLs: ``data:`` is decoded, ``http(s):``, ``gs:`` and ``s3:`` are kept, ``file:`` is a path."""

from __future__ import annotations

from toolnexus_media import _b64
from toolnexus_media._text import one_line
from toolnexus_media.errors import SourceError
from toolnexus_media.source._files import too_large

_TOKEN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$&^_.+-")
_LABEL = _TOKEN | {"/", "*"}
_MAX_HEADER = 1024


def is_media_type(text: str) -> bool:
    """Is this ``type/subtype`` in the characters of RFC 6838?

    >>> is_media_type("image/svg+xml"), is_media_type("{'a'"), is_media_type("image/")
    (True, False, False)
    """
    major, slash, minor = text.partition("/")
    return (
        bool(slash and major and minor) and len(text) <= 255 and _TOKEN.issuperset(major) and _TOKEN.issuperset(minor)
    )


def scheme_of(text: str) -> str:
    """The URL scheme in lower case, or ``""``: a drive letter is no scheme, and neither is ``data: {...}``.

    >>> scheme_of("HTTPS://a/b"), scheme_of("data:,x"), scheme_of("data: {'a': 1}"), scheme_of("C://a")
    ('https', 'data', '', '')
    """
    scheme, colon, rest = text.partition(":")
    scheme = scheme.lower()
    if not colon or len(scheme) < 2 or not scheme.isascii() or not scheme[0].isalpha():
        return ""
    if scheme == "data":
        return "data" if _data_header(rest) is not None else ""
    if scheme == "file":
        return "file" if rest.startswith("/") else ""
    return (
        scheme if rest.startswith("//") and scheme.replace("+", "").replace("-", "").replace(".", "").isalnum() else ""
    )


def _data_header(rest: str) -> tuple[str, list[str], int] | None:
    """Media type, parameters and where the payload starts, of what stands after ``data:``.

    Browsers and phones write labels that are no types (``null``, ``image/*``); before base64 they say nothing.
    """
    comma = rest.find(",", 0, _MAX_HEADER)
    if comma < 0:
        return None
    media_type, *parameters = (piece.strip() for piece in rest[:comma].split(";"))
    if media_type and not is_media_type(media_type):
        if not _is_base64(parameters) or not _LABEL.issuperset(media_type):
            return None
        media_type = ""
    return media_type, parameters, comma + 1


def _is_base64(parameters: list[str]) -> bool:
    return any(parameter.lower() == "base64" for parameter in parameters)


def decode_data_url(url: str, max_bytes: int) -> tuple[bytes, str | None]:
    """The bytes of a ``data:`` URL and its declared type; ``SourceError`` ``bad-data-url`` that quotes no payload.

    >>> decode_data_url("data:text/plain,Hello%20World", 99)
    (b'Hello World', 'text/plain')
    """
    stripped = url.strip()
    header = _data_header(stripped[5:]) if stripped[:5].lower() == "data:" else None
    if header is None:
        raise SourceError(
            f"no data URL ({len(url)} characters); it reads data:<type>;base64,<payload>", code="bad-data-url"
        )
    media_type, parameters, start = header
    payload = stripped[5 + start :]
    if len(payload) // 4 * 3 > max_bytes + 2 and len(payload) > 3 * max_bytes:
        raise too_large("the data URL", None, max_bytes)
    data = _decode_base64(payload, media_type) if _is_base64(parameters) else _unquote(payload)
    if len(data) > max_bytes:
        raise too_large("the data URL", len(data), max_bytes)
    return data, media_type.lower() or None


def _decode_base64(payload: str, media_type: str) -> bytes:
    try:
        return _b64.decode_any(_unquote(payload) if "%" in payload else payload)
    except SourceError:
        label = one_line(media_type, 80) or "no type"
        raise SourceError(
            f"the data URL ({label}) holds {len(payload)} characters that are not base64; "
            "encode the bytes again, or pass the bytes themselves",
            code="bad-data-url",
        ) from None


def _unquote(text: str) -> bytes:
    from urllib.parse import unquote_to_bytes

    return unquote_to_bytes(text.encode("utf-8", "surrogatepass"))


def file_url_path(url: str) -> str:
    """The path of a ``file:`` URL of this machine.

    >>> file_url_path("file:///tmp/a%20b.png")
    '/tmp/a b.png'
    """
    from urllib.parse import unquote

    rest = url[5:]
    if rest.startswith("//"):
        host, slash, path = rest[2:].partition("/")
        if host.lower() not in {"", "localhost"}:
            raise SourceError(
                "a file: URL of another machine cannot be read; copy the file here and pass its path",
                code="unsupported-source",
            )
        rest = slash + path
    path = unquote(rest, errors="surrogateescape")
    return path[1:] if len(path) > 2 and path[0] == "/" and path[2] == ":" else path
