"""What every kind of fitting is told, and the one shape of its answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from toolnexus_media.probe import facts_of
from toolnexus_media.summary import describe_part

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolnexus_media.limits import Limits
    from toolnexus_media.types import ContentPart

Region = tuple[float, float, float, float]
Background = str | int | tuple[int, ...]


class Job(NamedTuple):
    """One call's target and options; the same for every part of the call."""

    limits: Limits
    position: Literal["user", "tool"] = "user"
    images: int = 1
    """How many images the whole request will hold: the many-image rule goes by it."""
    documents: int = 0
    background: Background = "white"
    """What stands behind transparency, as PIL spells colours."""
    animation: Literal["first", "sheet"] = "first"
    tall: Literal["fit", "slice"] = "fit"
    region: Region | None = None
    """Left, top, right, bottom in pixels of the picture as shown."""
    pages: tuple[int, ...] | None = None
    """Page numbers from 1."""
    max_seconds: float | None = None
    keep_metadata: bool = False
    fetch: Callable[..., bytes] | None = None
    drawn: int | None = None
    """How many pages of one file may become pictures, where several files share the room."""


class Step(NamedTuple):
    """What was done to get one sent part: a sentence of what, and where its pixels are from."""

    what: str
    scale: float | None = None
    """Original pixels per sent pixel."""
    transform: tuple[float, float, float, float, float, float] | None = None
    """``x = a*u + b*v + c``, ``y = d*u + e*v + f`` from sent (u, v) to original (x, y) as shown."""


class Outcome(NamedTuple):
    """One part to send and the step that made it; ``step`` is None for a part that was left alone."""

    part: ContentPart
    step: Step | None = None


def described(part: ContentPart, data: bytes | None = None) -> dict[str, Any]:
    """A part for a change record: what it is, how large, and its size in pixels, pages or seconds."""
    row: dict[str, Any] = dict(describe_part(part))
    if data is not None and part["type"] != "text":
        facts: dict[str, Any] = dict(facts_of(data, part["mimeType"]))
        row.update({key: facts[key] for key in ("width", "height", "frames", "pages", "duration") if key in facts})
    return row
