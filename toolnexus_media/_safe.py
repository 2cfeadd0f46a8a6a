"""The dict whose repr hides payloads.

A part or a result is a dict everywhere: equality, JSON, pickle, ``|``. Only when it is printed it differs, because what
is printed ends in a log or a transcript, and a payload there costs more than the picture is worth.

>>> SafeDict(type="image", mimeType="image/png", data="aGk=")
{'type': 'image', 'mimeType': 'image/png', 'data': <2 bytes>}
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any
    from typing import cast as cast

    _Base = dict[str, Any]
else:
    _Base = dict

    def cast(_kind, value):
        """typing.cast, without the 8 ms that importing typing costs."""
        return value


_PART_TYPES = frozenset({"text", "image", "file", "audio"})
_MAX_PART = 299
_MAX_DEPTH = 12
_LONG_RUN = 48  # the smallest GIF is 56 characters of base64; runs of words, paths and digests are told apart
_MAX_WORD = 40
_MAX_DIGEST = 128
_HEX = frozenset("0123456789abcdef")


class SafeDict(_Base):
    """A dict that prints sizes where it holds payloads; its ``|`` and ``copy`` are such dicts too."""

    __slots__ = ("checked",)

    checked: str
    """The payload that validation has seen; the same string object need not be read again."""

    def __repr__(self) -> str:
        return shown(self)

    def __str__(self) -> str:
        return shown(self)

    def __rich_repr__(self) -> Iterator[tuple[str, _Shown]]:
        part = is_part_like(self)
        for key, value in self.items():
            yield brief(str(key), 40), _Shown(_shown_field(key, value) if part else shown(value, (id(self),)))

    def __or__(self, other: Mapping[str, Any]) -> SafeDict:  # type: ignore[override]  # dict overloads it
        return SafeDict({**self, **other}) if isinstance(other, dict) else NotImplemented

    def __ror__(self, other: Mapping[str, Any]) -> SafeDict:  # type: ignore[override]  # dict overloads it
        return SafeDict({**other, **self}) if isinstance(other, dict) else NotImplemented

    def copy(self) -> SafeDict:
        return SafeDict(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return SafeDict, (), None, None, iter(self.items())  # items last, so that a dict that holds itself copies


class _Shown(str):
    """Text that is a repr already, for printers that call ``repr`` on what they are given."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def shown(value: object, path: tuple[int, ...] = ()) -> str:
    """A repr without payloads: bytes and long base64 runs become their size. ``path``: the ids of what holds it.

    >>> shown([b"abc", 10**5000])
    '[<3 bytes>, <int>]'
    """
    try:
        return _shown_value(value, path)
    except Exception:  # noqa: BLE001  # a repr of somebody's make must not keep the rest from a log
        from toolnexus_media._text import type_name

        return f"<{type_name(value)}>"


def _shown_value(value: object, path: tuple[int, ...]) -> str:
    if isinstance(value, (bytes, bytearray, memoryview)):
        return f"<{len(value)} bytes>"
    if not isinstance(value, (dict, list)) and type(value) is not tuple:
        return elide(repr(value))
    if id(value) in path or len(path) > _MAX_DEPTH:
        return "…"
    inside = (*path, id(value))
    if isinstance(value, dict):
        if is_part_like(value):
            return _shown_part(value)
        return "{" + ", ".join(f"{shown(key)}: {shown(item, inside)}" for key, item in value.items()) + "}"
    inner = ", ".join(shown(item, inside) for item in value)
    if isinstance(value, list):
        return f"[{inner}]"
    return f"({inner},)" if len(value) == 1 else f"({inner})"


def is_part_like(value: Mapping[str, Any]) -> bool:
    """Does this dict look like a part, valid or not?"""
    kind = value.get("type")
    return isinstance(kind, str) and kind in _PART_TYPES and ("data" in value or "url" in value or "text" in value)


def _shown_part(part: Mapping[str, Any]) -> str:
    inner = ", ".join(f"{_shown_key(key)}: {_shown_field(key, value)}" for key, value in part.items())
    return "{" + (inner if len(inner) <= _MAX_PART - 2 else inner[: _MAX_PART - 3] + "…") + "}"


def _shown_key(key: object) -> str:
    return repr(brief(key, 40)) if isinstance(key, str) else shown(key)


def _shown_field(key: object, value: object) -> str:
    if key == "data":
        size = len(value) // 4 * 3 - value[-2:].count("=") if isinstance(value, str) else _length(value)
        return f"<{max(size, 0)} bytes>"
    if isinstance(value, str):
        return repr(brief(value, 100))
    text = shown(value, (0,))
    return text if len(text) <= 60 else text[:59] + "…"


def _length(value: object) -> int:
    return len(value) if isinstance(value, (bytes, bytearray, memoryview)) else 0


def brief(text: str, limit: int = 80) -> str:
    """The beginning of a string that came from a caller, without payload: for messages and reprs.

    >>> brief("iVBORw0KGgo" * 40)
    '<440 characters>'
    """
    head = elide(text[:1024])
    if len(head) <= limit and len(text) <= 1024:
        return head
    if head[:1] == "<" != text[:1]:
        return f"<{len(text)} characters>"
    return f"{head[: limit - 20].rstrip()}… ({len(text)} characters)"


def elide(text: str) -> str:
    """The text with every data URL's payload and every long base64-like run replaced by its length.

    >>> elide("see data:image/png;base64,iVBORw0KGgoAAAANSUhEUg== here")
    'see data:image/png;base64,<24 characters> here'
    """
    if len(text) < 24:
        return text
    import re

    def size(match: re.Match[str]) -> str:
        if match[1] is None and _is_words(match[0]):
            return match[0]
        return f"{match[1] or ''}<{len(match[2] or match[0])} characters>"

    return re.sub(
        rf"(;\s*base64\s*,\s*)([A-Za-z0-9+/=_%-]{{8,}})|[A-Za-z0-9+/=_-]{{{_LONG_RUN},}}",
        size,
        text,
        flags=re.IGNORECASE,
    )


def _is_words(run: str) -> bool:
    """Is this a path, an identifier, a rule or a digest? Base64 has two capitals in five and few separators."""
    if "//" in run or sum(map(str.isupper, run)) * 5 > len(run):
        return False
    words = run.replace("/", " ").replace("_", " ").replace("-", " ").replace("=", " ").split()
    return all(len(word) <= _MAX_WORD or (len(word) <= _MAX_DIGEST and _HEX.issuperset(word)) for word in words)
