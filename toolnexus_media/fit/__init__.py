"""Parts as a provider takes them: what fits is left alone, everything else is changed as little as the rules allow.

    fit, fit_result           parts or a result → the same, fitted, and what was changed
    to_original, to_sent      a point of a sent picture ↔ the same point of the original

Every rule is a row of ``limits``; every change is told, because a model that points at a picture needs its scale.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Literal, cast

from toolnexus_media.fit import _geometry
from toolnexus_media.fit._job import Job, described
from toolnexus_media.fit._request import counts, fitted
from toolnexus_media.limits import resolve
from toolnexus_media.part import validate_part

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from toolnexus_media.fit._job import Background, Outcome, Region, Step
    from toolnexus_media.limits import Limits
    from toolnexus_media.types import Change, ContentPart, ToolResult

__all__ = ["fit", "fit_result", "to_original", "to_sent"]


def fit(
    parts: ContentPart | Iterable[ContentPart],
    provider: str,
    *,
    model: str | None = None,
    position: Literal["user", "tool"] = "user",
    images_before: int = 0,
    limits: Limits | Mapping[str, Any] | None = None,
    background: Background = "white",
    animation: Literal["first", "sheet"] = "first",
    tall: Literal["fit", "slice"] = "fit",
    region: Region | None = None,
    pages: int | Iterable[int] | None = None,
    max_seconds: float | None = None,
    keep_metadata: bool = False,
    fetch: Callable[..., bytes] | None = None,
) -> tuple[list[ContentPart], list[Change]]:
    """The parts as the provider's model takes them, in order, and what was changed.

    A part that is already acceptable comes back as the same object. ``images_before`` counts the images of earlier
    turns. ``region`` (left, top, right, bottom) and ``pages`` (from 1) choose what is sent; ``tall="slice"`` cuts long
    pages, ``animation="sheet"`` shows several frames; ``fetch=source.fetch`` gets links that the target does not
    follow. ``LimitError`` when a limit cannot be met, ``CorruptMediaError`` when a part cannot be decoded,
    ``MissingExtraError`` when that needs an optional dependency. What the target has no shape for is replaced by its
    placeholder.

    >>> from toolnexus_media import attach
    >>> part = attach("fixtures/media/fixture.png")
    >>> fit(part, "anthropic") == ([part], [])
    True
    """
    listed = _listed(parts)
    row = resolve(provider, model, limits)
    row.at(position)
    if animation not in ("first", "sheet"):
        raise ValueError(f"animation is 'first' or 'sheet', not {animation!r:.80}")
    if tall not in ("fit", "slice"):
        raise ValueError(f"tall is 'fit' or 'slice', not {tall!r:.80}")
    images, documents = counts(listed)
    images = max(images_before + images, 1)
    choices = (background, animation, tall, region, _numbers(pages), max_seconds, keep_metadata, fetch)
    job = Job(row, position, images, documents, *choices)
    sent = fitted(listed, job, images_before)
    return (listed, []) if sent is None else _in_order(listed, sent)


def fit_result(result: ToolResult, provider: str, **options: Any) -> tuple[ToolResult, list[Change]]:
    """The result with its parts fitted to a tool's answer, and the changes told in ``output``, one line a part.

    A line stands where the output had the part's summary, else at the end. The options are those of ``fit``. The same
    object where nothing changed.

    >>> from toolnexus_media import media
    >>> result = media("fixtures/media/fixture.png")
    >>> fit_result(result, "anthropic") == (result, [])
    True
    """
    from toolnexus_media.fit._results import fitted_results

    [fitted] = fitted_results([result], partial(fit, provider=provider, **{"position": "tool", **options}))
    return fitted


def to_original(change: Change, x: float, y: float) -> tuple[float, float]:
    """The point of the original, as shown, that a point of the sent picture stands for.

    Points lie in the plane: pixel ``i`` covers ``i`` to ``i + 1``. ``ValueError`` for a change without a transform.

    >>> to_original({"transform": [2.0, 0, 10, 0, 2.0, 0]}, 5, 5)
    (20.0, 10.0)
    """
    return _geometry.applied(_transform(change), x, y)


def to_sent(change: Change, x: float, y: float) -> tuple[float, float]:
    """The point of the sent picture at which a point of the original stands; outside it for what was cropped away."""
    return _geometry.applied(_geometry.inverse(_transform(change)), x, y)


def _transform(change: Change) -> _geometry.Affine:
    values = change.get("transform")
    if values is None:
        raise ValueError(f"part {change.get('index')} has no transform: it is no picture of one place in another")
    a, b, c, d, e, f = values
    return (a, b, c, d, e, f)


def _listed(parts: ContentPart | Iterable[ContentPart]) -> list[ContentPart]:
    if isinstance(parts, dict):
        return [validate_part(parts)]
    if isinstance(parts, (str, bytes)) or not hasattr(parts, "__iter__"):
        return [validate_part(parts)]  # says what a part is
    return [validate_part(part) for part in parts]


def _numbers(pages: int | Iterable[int] | None) -> tuple[int, ...] | None:
    if pages is None:
        return None
    numbers = (pages,) if isinstance(pages, int) else tuple(pages)
    if not numbers or not all(isinstance(number, int) and number > 0 for number in numbers):
        raise ValueError("pages are whole numbers from 1, at least one of them")
    return numbers


def _in_order(parts: list[ContentPart], sent: list[list[Outcome]]) -> tuple[list[ContentPart], list[Change]]:
    done: list[ContentPart] = []
    changes: list[Change] = []
    for source, outcomes in enumerate(sent):
        for outcome in outcomes:
            if outcome.step is not None:
                changes.append(_change(len(done), source, parts[source], outcome, outcome.step))
            done.append(outcome.part)
    return done, changes


def _change(index: int, source: int, part: ContentPart, outcome: Outcome, step: Step) -> Change:
    change: dict[str, Any] = {
        "index": index,
        "source": source,
        "what": step.what,
        "before": _seen(part),
        "after": _seen(outcome.part),
    }
    if step.scale is not None:
        change["scale"] = step.scale
    if step.transform is not None:
        change["transform"] = list(step.transform)
    return cast("Change", change)


def _seen(part: ContentPart) -> dict[str, Any]:
    from toolnexus_media import _b64

    data = part.get("data")
    return described(part, _b64.decode(data) if isinstance(data, str) else None)
