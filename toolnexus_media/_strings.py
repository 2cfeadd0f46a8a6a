"""Strings by code point: names made safe, an order that no runtime disagrees on, indices that slice right."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")


def sanitize(s: str) -> str:
    """The string with everything but ASCII letters, digits, ``_`` and ``-`` replaced by ``_``.

    >>> sanitize("my tool/é")
    'my_tool__'
    """
    return "".join(ch if ch in _NAME else "_" for ch in s)


def code_points(s: str) -> list[int]:
    r"""The string's Unicode code points.

    >>> code_points("a\U0001f600")
    [97, 128512]
    """
    return [ord(ch) for ch in s]


def compare_strings(a: str, b: str) -> int:
    r"""-1, 0 or 1 by code point order, astral characters and lone surrogates included.

    >>> compare_strings("\uffff", "\U00010000")
    -1
    """
    return (a > b) - (a < b)


def sort_strings(xs: Iterable[str]) -> list[str]:
    """The strings in code point order.

    >>> sort_strings(["b", "a"])
    ['a', 'b']
    """
    return sorted(xs)


def last_index_of_char(s: str, ch: str) -> int | None:
    r"""The index, in code points, of the last ``ch`` in ``s``, or None.

    >>> last_index_of_char("/docs/\U0001f600.pdf", "."), last_index_of_char("abc", "/")
    (7, None)
    """
    if len(ch) != 1:
        raise ValueError(f"one character is looked for, not {len(ch)}; pass a single character")
    index = s.rfind(ch)
    return None if index < 0 else index
