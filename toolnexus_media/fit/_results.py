"""Several results fitted as one request: they share its totals, and each is told its own changes."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from toolnexus_media.errors import MediaError
from toolnexus_media.part import text_part
from toolnexus_media.summary import describe_part, placeholder, summarize_part
from toolnexus_media.tool import with_parts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from toolnexus_media.types import Change, ContentPart, ToolResult

    Fitted = tuple[ToolResult, list[Change]]
    Fit = Callable[[Sequence[ContentPart]], tuple[list[ContentPart], list[Change]]]
    Reasons = Mapping[int, str]


def fitted_results(results: Sequence[ToolResult], fit: Fit, *, spare: bool = False) -> list[Fitted]:
    """Each result with its parts fitted, all of them by one call of ``fit``, and its changes, counting its own parts.

    With ``spare`` a part that cannot be fitted becomes its placeholder, and why is told as a change; else it is the
    error of ``fit``.
    """
    given = [list(result.get("parts") or []) for result in results]
    flat = [part for own in given for part in own]
    reasons = _refused(flat, fit) if spare else {}
    sent = [text_part(placeholder(part)) if at in reasons else part for at, part in enumerate(flat)]
    parts, changes = fit(sent)
    counts = _counts(len(flat), changes)
    starts = [0, *accumulate(counts)]
    changes = sorted([*changes, *_told_refusals(flat, reasons, starts)], key=lambda change: change["index"])
    done: list[Fitted] = []
    first = 0
    for result, own in zip(results, given, strict=True):
        last = first + len(own)
        told = [_shifted(change, starts[first], first) for change in changes if first <= change["source"] < last]
        done.append(_told(result, own, parts[starts[first] : starts[last]], told))
        first = last
    return done


def _refused(parts: Sequence[ContentPart], fit: Fit) -> dict[int, str]:
    """Why which parts cannot be sent: by themselves, or because those of their kind before them take all there is."""
    if _fault(parts, fit) is None:
        return {}
    alone = {at: _fault([part], fit) for at, part in enumerate(parts)}
    reasons = {at: str(error) for at, error in alone.items() if error is not None}
    left = [at for at in range(len(parts)) if at not in reasons]
    while (error := _fault([parts[at] for at in left], fit)) is not None:
        first = left[_passing([parts[at] for at in left], fit)]
        over = [at for at in left if at >= first and parts[at]["type"] == parts[first]["type"]]
        reasons.update(dict.fromkeys(over, str(error)))
        left = [at for at in left if at not in reasons]
    return reasons


def _passing(parts: Sequence[ContentPart], fit: Fit) -> int:
    """How many parts, from the first on, can be sent together; all of them cannot."""
    few, many = 0, len(parts) - 1
    while few < many:
        middle = (few + many + 1) // 2
        few, many = (few, middle - 1) if _fault(parts[:middle], fit) else (middle, many)
    return few


def _fault(parts: Sequence[ContentPart], fit: Fit) -> MediaError | None:
    try:
        fit(parts)
    except MediaError as error:
        return error
    return None


def _counts(given: int, changes: Sequence[Change]) -> list[int]:
    """How many parts came of each: of an unchanged one itself, of a changed one as many as are told."""
    made = [0] * given
    for change in changes:
        made[change["source"]] += 1
    return [count or 1 for count in made]


def _told_refusals(parts: Sequence[ContentPart], reasons: Reasons, starts: Sequence[int]) -> list[Change]:
    return [
        {
            "index": starts[at],
            "source": at,
            "what": reason,
            "before": dict(describe_part(parts[at])),
            "after": {"type": "text"},
        }
        for at, reason in reasons.items()
    ]


def _shifted(change: Change, start: int, first: int) -> Change:
    return {**change, "index": change["index"] - start, "source": change["source"] - first}


def _told(
    result: ToolResult, given: Sequence[ContentPart], parts: Sequence[ContentPart], changes: list[Change]
) -> Fitted:
    """The result with its new parts; each change is a line, in the place of the old part's summary where it has one."""
    if not changes:
        return result, []
    told = with_parts(result, parts)
    lines = result["output"].split("\n") if result["output"] else []
    for source in dict.fromkeys(change["source"] for change in changes):
        old = summarize_part(given[source])
        new = [_line(old, parts[change["index"]], change) for change in changes if change["source"] == source]
        place = next((at for at, line in enumerate(lines) if line == old or line.startswith(f"{old}, ")), None)
        if place is None:
            lines += new
        else:
            lines[place : place + 1] = new
    told["output"] = "\n".join(lines)
    return told, changes


def _line(old: str, part: ContentPart, change: Change) -> str:
    return f"{old if part['type'] == 'text' else summarize_part(part)}: {change['what']}"
