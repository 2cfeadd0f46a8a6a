"""How providers scale a picture down, as arithmetic: their published rules, and no pixels.

A rule never enlarges, keeps each side at 1 or more, and is at rest on its own answer: a picture sent at that size is
the grid the model sees.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, sqrt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Literal

    Rule = Literal["long-edge", "patches-anthropic", "patches-openai", "tiles-openai"]


@dataclass(frozen=True, kw_only=True)
class Resize:
    """A published rule with its numbers; ``unit`` is the side of a patch or tile, ``budget`` how many there may be."""

    rule: Rule
    long_edge: int
    unit: int = 1
    budget: int | None = None
    short_edge: int | None = None


def resize(width: int, height: int, by: Resize) -> tuple[int, int]:
    """The size a picture has after the rule.

    >>> resize(1920, 1080, Resize(rule="patches-anthropic", long_edge=1568, unit=28, budget=1568))
    (1456, 819)
    """
    return by_rule(*checked(width, height), by)


def by_rule(width: int, height: int, by: Resize) -> tuple[int, int]:
    """The same for a size that was checked."""
    rule = RULES.get(by.rule)
    if rule is None:
        raise ValueError(f"no resize rule {by.rule!r}; the rules are {', '.join(RULES)}")
    return rule(width, height, by)


def patches(width: int, height: int, unit: int) -> int:
    """How many squares of ``unit`` pixels cover the picture.

    >>> patches(1024, 1000, 32)
    1024
    """
    return -(-width // unit) * -(-height // unit)


def inside(width: int, height: int, edge: int) -> tuple[int, int]:
    """The size whose longer side is ``edge`` at most, ratio kept.

    >>> inside(4032, 3024, 1999), inside(800, 600, 1999)
    ((1999, 1499), (800, 600))
    """
    long = max(width, height)
    if long <= edge:
        return width, height
    return max(round(width * edge / long), 1), max(round(height * edge / long), 1)


def within_patches(width: int, height: int, unit: int, budget: int) -> tuple[int, int]:
    """The largest size of whole patches inside a budget, by OpenAI's published steps.

    >>> within_patches(7952, 5304, 32, 30_000)
    (6764, 4512)
    """
    if patches(width, height, unit) <= budget:
        return width, height
    scale = sqrt(unit * unit * budget / (width * height))
    scale *= min(_whole(width * scale / unit), _whole(height * scale / unit))
    return max(int(width * scale), 1), max(int(height * scale), 1)


def _whole(count: float) -> float:
    """What is left of a side when its last, partial patch goes; a side within one patch stays."""
    return floor(count) / count if count >= 1 else 1.0


def checked(width: int, height: int) -> tuple[int, int]:
    """The size, if it can be a picture's."""
    if not (isinstance(width, int) and isinstance(height, int) and width >= 1 and height >= 1):
        raise ValueError(f"a picture is at least 1x1 whole pixels, not {width!r}x{height!r}; pass its probed size")
    return width, height


def _long_edge(width: int, height: int, by: Resize) -> tuple[int, int]:
    return inside(width, height, by.long_edge)


def _patches_openai(width: int, height: int, by: Resize) -> tuple[int, int]:
    boxed = inside(width, height, by.long_edge)
    return boxed if by.budget is None else within_patches(*boxed, by.unit, by.budget)


def _tiles_openai(width: int, height: int, by: Resize) -> tuple[int, int]:
    width, height = inside(width, height, by.long_edge)
    short = min(width, height)
    if by.short_edge is None or short <= by.short_edge:
        return width, height
    return round(width * by.short_edge / short), round(height * by.short_edge / short)


def _patches_anthropic(width: int, height: int, by: Resize) -> tuple[int, int]:
    """The largest long edge that fits, by bisection; the short edge follows, rounded half to even."""
    if _fits_anthropic(width, height, by):
        return width, height
    long, short = max(width, height), min(width, height)
    aspect = long / short
    low, high = 1, long
    while high - low > 1:
        middle = (low + high) // 2
        if _fits_anthropic(middle, max(round(middle / aspect), 1), by):
            low = middle
        else:
            high = middle
    other = max(round(low / aspect), 1)
    return (low, other) if width >= height else (other, low)


def _fits_anthropic(width: int, height: int, by: Resize) -> bool:
    across, down = -(-width // by.unit), -(-height // by.unit)
    return max(across, down) * by.unit <= by.long_edge and (by.budget is None or across * down <= by.budget)


RULES: dict[str, Callable[[int, int, Resize], tuple[int, int]]] = {
    "long-edge": _long_edge,
    "patches-anthropic": _patches_anthropic,
    "patches-openai": _patches_openai,
    "tiles-openai": _tiles_openai,
}
"""Every rule by its name."""
