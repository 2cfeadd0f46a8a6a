"""The walk over a JSON-like structure: every payload, in document order, and no long string read to find it.

A value is judged by its key, its length and its beginning. What cannot hold a payload is passed at the speed of a
loop. The stack is a list, so depth costs nothing, and a container inside itself is entered once.
"""

from __future__ import annotations

from toolnexus_media.transcript._payload import Payload
from toolnexus_media.transcript._shapes import LINKS, RULES, WEAK, Place, shape_of
from toolnexus_media.transcript._strings import (
    RUN,
    Span,
    is_media,
    looks_base64,
    may_hold,
    next_region,
    spans,
    whole_url,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_SHORT = 24  # no data URL with a payload is shorter
_SCALARS = frozenset({int, float, bool, type(None)})
_BYTES = (bytes, bytearray, memoryview)
_WIDE, _DEEP = 64, 8  # beyond these the quick look gives up, so that nothing is looked through twice for long


def payloads(x: object) -> Iterator[Payload]:
    """Every payload in a JSON-like structure: dicts, lists, tuples, strings, and bytes anywhere among them.

    >>> [payload.path for payload in payloads({"content": [{"inlineData": {"mimeType": "image/gif", "data": "R0lG"}}]})]
    [['content', 0, 'inlineData', 'data']]

    Objects of other classes are not looked into; dump them first. While the generator runs, values may be replaced
    under their keys; keys may not be added or removed.
    """
    items = _items(x)
    if items is None:
        yield from _told(Place(x, [], None, None))
        return
    node: Any = x
    keys: list[Any] = []
    stack: list[tuple[Iterator[tuple[Any, Any]], Any]] = []
    entered = {id(x)}
    while True:
        for key, value in items:
            kind = type(value)
            if kind is dict:
                if _is_plain(value, 0):
                    continue
            elif kind in _SCALARS or (kind is str and len(value) < _SHORT and key not in RULES):
                continue
            inner = None if kind is str else _items(value)
            if inner is None:
                above = stack[-1][1] if stack else None
                yield from _told(Place(value, [*keys, key], node, above))
            elif id(value) not in entered:
                entered.add(id(value))
                stack.append((items, node))
                keys.append(key)
                node, items = value, inner
                break
        else:
            if not stack:
                return
            entered.discard(id(node))
            items, node = stack.pop()
            keys.pop()


def _items(value: object) -> Iterator[tuple[Any, Any]] | None:
    if isinstance(value, dict):
        return iter(value.items())
    return enumerate(value) if isinstance(value, (list, tuple)) else None


def _is_plain(node: dict[Any, Any], depth: int) -> bool:
    """A quick look: True when nothing below can be a payload, False when it takes a closer one."""
    if depth > _DEEP or len(node) > _WIDE:
        return False
    for key, value in node.items():
        kind = type(value)
        if kind is str:
            if key in RULES and (key not in LINKS or value[:1] in "dD"):
                return False
            size = len(value)  # what may_hold asks, without two calls: most of a transcript passes here
            if size >= _SHORT and ":" in value and ("data:" in value or (";" in value and "DATA:" in value)):
                return False
            if size >= RUN and next_region(value, 0, size) >= 0:
                return False
        elif kind is dict:
            if not _is_plain(value, depth + 1):
                return False
        elif kind is list:
            if key == "images" or not _is_plain_list(value, depth + 1):
                return False
        elif kind not in _SCALARS:
            return False
    return True


def _is_plain_list(node: list[Any], depth: int) -> bool:
    if depth > _DEEP or len(node) > _WIDE:
        return False
    for value in node:
        kind = type(value)
        if kind is dict:
            if not _is_plain(value, depth + 1):
                return False
        elif kind is str:
            if len(value) >= _SHORT and may_hold(value):
                return False
        elif kind is list:
            if not _is_plain_list(value, depth + 1):
                return False
        elif kind not in _SCALARS:
            return False
    return True


def _told(place: Place) -> Iterator[Payload]:
    """The payloads that one leaf holds."""
    value = place.value
    if isinstance(value, str):
        yield from _in_string(place, value)
    elif isinstance(value, _BYTES) and _holds_any(value):
        shape = shape_of(place)
        yield Payload(place, shape if shape and shape not in WEAK else "bytes", None)


def _holds_any(value: bytes | bytearray | memoryview) -> bool:
    try:
        return len(value) > 0
    except (TypeError, ValueError):  # a memoryview that was released, or one without a dimension
        return False


def _in_string(place: Place, text: str) -> Iterator[Payload]:
    shape = shape_of(place)
    if shape is not None:
        whole = _whole(place, text)
        payload = None if whole is None else Payload(place, shape, whole)
        if payload is not None and (shape not in WEAK or is_media(payload.mime)):
            yield payload
            return
    if len(text) < _SHORT or not may_hold(text):
        return
    for span in spans(text):
        yield Payload(place, "bare-base64" if span.start == span.body else "data-url", span)


def _whole(place: Place, text: str) -> Span | None:
    """The payload that the whole string is, told by its head."""
    url = whole_url(text)
    if url is not None or place.key in LINKS:
        return url
    return Span(0, 0, len(text), True, None) if looks_base64(text) else None
