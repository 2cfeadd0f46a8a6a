"""Parts: bytes and a type become a ``ContentPart``; any dict is checked before it travels as one."""

from __future__ import annotations

from toolnexus_media import _b64, _text
from toolnexus_media._safe import SafeDict, brief, cast
from toolnexus_media._text import a_type
from toolnexus_media.errors import LimitError, PartError
from toolnexus_media.sniff import kind_of, normalise, settle, sniff
from toolnexus_media.source import is_media_type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeGuard

    from toolnexus_media.types import ContentPart, TextPart

_KINDS = frozenset({"image", "file", "audio"})
_PLAIN = frozenset({str, int, float, bool, list, dict})
_HEAD = 512  # characters of base64
_URLS = ("https://", "http://", "gs://", "s3://")


def make_part(data: _b64.Buffer, mime: str, name: str | None = None) -> ContentPart:
    """A part of bytes whose type is known; a name is kept on file parts only.

    >>> make_part(b"hi", "text/plain", "/tmp/a.txt")
    {'type': 'file', 'mimeType': 'text/plain', 'data': <2 bytes>, 'name': 'a.txt'}
    """
    payload = _b64.encode(data)
    kind = kind_of(mime)
    part = SafeDict({"type": kind, "mimeType": mime, "data": payload})
    part.checked = payload
    return _named_part(part, name) if name and kind == "file" else cast("ContentPart", part)


def url_part(url: str, mime: str, name: str | None = None) -> ContentPart:
    """A part that points at its bytes; ``PartError`` when the URL is none that travels.

    >>> url_part("https://example.org/a.png", "image/png")
    {'type': 'image', 'mimeType': 'image/png', 'url': 'https://example.org/a.png'}
    """
    _check_url(url)
    kind = kind_of(mime)
    part = SafeDict({"type": kind, "mimeType": mime, "url": url})
    return _named_part(part, name) if name and kind == "file" else cast("ContentPart", part)


def labelled(part: ContentPart) -> ContentPart:
    """The part under the type that its bytes have; the same object where its label is true, and for text and links.

    >>> labelled({"type": "image", "mimeType": "image/png", "data": "R0lGODlhAQABAAAAADs="})
    {'type': 'image', 'mimeType': 'image/gif', 'data': <14 bytes>}
    """
    held: Any = part
    data = held.get("data")
    if data is None or held["type"] == "text" or sniff(_b64.decode(data[:_HEAD])) == held["mimeType"]:
        return part
    found = sniff(_b64.decode(data), held.get("name"))
    if settle(found, held["mimeType"]) is not None:
        return part
    changed = SafeDict(held)
    changed["type"], changed["mimeType"] = kind_of(found), found
    changed.checked = data
    return cast("ContentPart", changed)


def _named_part(part: SafeDict, name: str) -> ContentPart:
    if base := _text.base_name(name):
        part["name"] = base
    return cast("ContentPart", part)


def text_part(text: str) -> TextPart:
    r"""A part of plain text; lone surrogates, which no provider's JSON takes, become U+FFFD.

    >>> text_part("partial")
    {'type': 'text', 'text': 'partial'}
    """
    if not issubclass(type(text), str):
        raise PartError(f"text must be a string, not {a_type(text)}; convert it with str()", code="bad-data")
    return cast("TextPart", SafeDict(type="text", text=_text.utf8_safe(str.__str__(text))))


def validate_part(x: object, max_bytes: int | None = None) -> ContentPart:
    """The part, checked; ``PartError`` says what is wrong with it.

    A part of this package comes back as the same object, a hand-made dict as a checked copy that hides its payload.
    ``max_bytes`` counts decoded bytes (``LimitError`` ``too-large``).

    >>> validate_part({"type": "image", "mimeType": "image/jpg", "data": "/9j/"})
    {'type': 'image', 'mimeType': 'image/jpeg', 'data': <3 bytes>}
    """
    part: Any = x if type(x) is SafeDict and _is_plain(x) else _plain_copy(x)
    kind = part.get("type")
    if type(kind) is str and kind == "text":
        part = _checked_text(part)
    elif type(kind) is str and kind in _KINDS:
        part = _checked_media(part, kind)
    else:
        raise PartError(
            f"no part: its type is {_in_words(kind)}, and parts are text, image, file or audio; build one with "
            "content.attach",
            code="not-a-part",
        )
    if max_bytes is not None and (size := part_bytes(cast("ContentPart", part))) > max_bytes:
        raise LimitError(
            f"the part holds {size} bytes and at most {max_bytes} are allowed; attach a smaller file",
            code="too-large",
            limit=max_bytes,
            actual=size,
        )
    return cast("ContentPart", part)


def _is_plain(part: SafeDict) -> bool:
    """Are there no absent values, and no strings with methods of their own?"""
    kinds = set(map(type, part.values()))
    return kinds <= _PLAIN or not any(kind is type(None) or issubclass(kind, str) for kind in kinds - _PLAIN)


def _plain_copy(x: object) -> SafeDict:
    """The dict's content, asked for past the methods of a subclass: what is checked must be what travels."""
    if not issubclass(type(x), dict):  # not isinstance: an object can lie about its class
        raise PartError(f"{a_type(x)} is no part; build one with content.attach", code="not-a-part")
    part = SafeDict()
    for key, value in dict.items(cast("dict[Any, Any]", x)):
        if value is not None:
            part[key] = str.__str__(value) if issubclass(type(value), str) else value
    if isinstance(x, SafeDict) and getattr(x, "checked", None) is part.get("data", ""):
        part.checked = part["data"]
    return part


def _checked_text(part: SafeDict) -> SafeDict:
    text = part.get("text")
    if type(text) is not str:
        raise PartError("a text part needs a string under 'text'; use content.text_part", code="bad-data")
    safe = _text.utf8_safe(text)
    return part if safe == text else SafeDict({**part, "text": safe})


def _checked_media(part: SafeDict, kind: str) -> SafeDict:
    mime = _checked_mime(part.get("mimeType"), kind)
    if "data" in part and "url" in part:
        raise PartError("a part holds either data or url, not both; remove one", code="source-conflict")
    if "data" not in part and "url" not in part:
        raise PartError(
            "a part needs its payload under data or url (a path does not travel); build it with content.attach",
            code="source-missing",
        )
    if "url" in part:
        _check_url(part["url"])
    elif getattr(part, "checked", None) is not part["data"]:
        _check_data(part)
        part.checked = part["data"]
    name = part.get("name")
    if name is not None and type(name) is not str:
        raise PartError(f"a part's name must be a string, not {a_type(name)}; remove it", code="bad-data")
    base = _text.base_name(name) if name and kind == "file" else name
    return part if mime == part["mimeType"] and base == name != "" else _changed(part, mime, base)


def _changed(part: SafeDict, mime: str, name: str | None) -> SafeDict:
    changed = SafeDict({**part, "mimeType": mime, "name": name})
    if not name:
        del changed["name"]
    if "data" in part:
        changed.checked = part["data"]
    return changed


def _checked_mime(mime: object, kind: str) -> str:
    if type(mime) is not str or not is_media_type(mime.partition(";")[0].strip()):
        raise PartError(f"mimeType is {_in_words(mime)}; it must read type/subtype, e.g. image/png", code="bad-type")
    normal = normalise(mime)
    if kind_of(normal) != kind:
        raise PartError(
            f"a part of type {kind} cannot hold {normal}; its type must be {kind_of(normal)}", code="bad-type"
        )
    return normal


def _check_data(part: SafeDict) -> None:
    """The payload is never a local here: a traceback that shows locals would show it."""
    if issubclass(type(part["data"]), (bytes, bytearray, memoryview)):
        raise PartError("data must be a base64 string, not bytes; use content.from_bytes", code="bad-data")
    if type(part["data"]) is not str:
        raise PartError(
            f"data must be a base64 string, not {a_type(part['data'])}; build the part with content.attach",
            code="bad-data",
        )
    if not part["data"]:
        raise PartError("data is empty; a part needs a payload, so leave it out", code="bad-data")
    if part["data"][:5].lower() == "data:":
        raise PartError("data holds a whole data: URL; use content.from_data_url", code="bad-data")
    try:
        _b64.decode(part["data"])
    except ValueError:
        raise PartError(
            f"data is not standard base64 ({len(part['data'])} characters); content.from_base64 takes every dialect",
            code="bad-data",
        ) from None


def _check_url(url: object) -> None:
    if type(url) is not str:
        raise PartError(f"url must be a string, not {a_type(url)}; pass str(url)", code="bad-data")
    if url[:5].lower() == "data:":
        raise PartError("url holds a data: URL; use content.from_data_url", code="bad-data")
    if not url.lower().startswith(_URLS) or " " in url or not url.isprintable():
        raise PartError(
            "url must be an absolute http(s):, gs: or s3: URL without white space; for a file use content.from_file",
            code="bad-data",
        )


def _in_words(value: object) -> str:
    if value is None:
        return "missing"
    return repr(_text.one_line(brief(value, 60), 60)) if type(value) is str else a_type(value)


def is_part(x: object) -> TypeGuard[ContentPart]:
    """Is this a part that would travel?

    >>> is_part({"type": "text", "text": "hi"}), is_part({"type": "image"})
    (True, False)
    """
    try:
        validate_part(x)
    except PartError:
        return False
    return True


def part_bytes(part: ContentPart) -> int:
    """How many bytes the part holds, decoded, without decoding them; 0 for a url part.

    >>> part_bytes({"type": "image", "mimeType": "image/png", "data": "aGk="})
    2
    """
    known: Any = part if type(part) is SafeDict else _plain_copy(part)
    data = known.get("data")
    if data is not None:
        return _b64.size(data) if type(data) is str else 0
    text = known.get("text")
    return len(text.encode("utf-8", "surrogatepass")) if type(text) is str else 0


def part_data(part: ContentPart) -> bytes:
    """The part's bytes; a text part's are its text in UTF-8.

    ``PartError`` ``source-missing`` for a url part: its bytes are elsewhere, and ``source.fetch`` gets them.

    >>> part_data({"type": "text", "text": "hi"})
    b'hi'
    """
    checked: Any = validate_part(part)
    if checked["type"] == "text":
        return _text.utf8_safe(checked["text"]).encode()
    if "data" not in checked:
        raise PartError(
            "the part holds a url and no data; fetch it with source.fetch(part['url'])", code="source-missing"
        )
    return _b64.decode(checked["data"])
