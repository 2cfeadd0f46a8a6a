"""The rules for a whole request and for one message of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolnexus_media.check._rules import Case
    from toolnexus_media.check._sites import Path
    from toolnexus_media.limits import Limits
    from toolnexus_media.types import Finding

_PDF = "application/pdf"


def is_document(case: Case, limits: Limits) -> bool:
    """Does it count as one of the request's documents: a PDF, an office file, a text file in its own block?"""
    kinds = limits.at(case.site.where.position)
    if not case.look.size or case.is_image:
        return False
    return any(kind is not None and kind.takes(case.look.mime) for kind in (kinds.document, kinds.text))


def pages_of(case: Case) -> int:
    pages = case.look.facts.get("pages", 0) if case.look.mime == _PDF else 0
    return pages if isinstance(pages, int) else 0


def by_turn(cases: Iterable[Case]) -> dict[Path, list[Case]]:
    """The images of each message."""
    turns: dict[Path, list[Case]] = {}
    for case in cases:
        if case.is_image:
            turns.setdefault(case.site.where.turn, []).append(case)
    return turns


def request_findings(cases: Sequence[Case], limits: Limits, body: int) -> list[Finding]:
    """What is wrong with the request as a whole; ``body`` is its size."""
    totals = limits.totals
    documents = [case for case in cases if is_document(case, limits)]
    images = sum(case.is_image for case in cases)
    pages = sum(map(pages_of, cases))
    weight = sum(case.look.encoded for case in documents)
    told = (
        ("request-bytes", body, totals.bytes, "send less at once: smaller images, fewer old ones"),
        ("image-count", images, totals.images, "leave out the oldest images, or say in words what they showed"),
        ("document-count", len(documents), totals.documents, "send fewer documents a request"),
        ("document-bytes", weight, totals.document_bytes, "send the documents in more than one request"),
        ("request-pages", pages, totals.pages, "send fewer pages a request"),
    )
    return [_finding([], rule, actual, limit, fix) for rule, actual, limit, fix in told if _over(actual, limit)]


def turn_findings(cases: Sequence[Case], limits: Limits) -> dict[Path, Finding]:
    """What is wrong with single messages, by their path."""
    most = limits.totals.message_images
    fix = "spread the images over more messages, or leave some out"
    return {
        turn: _finding(list(turn), "message-image-count", len(held), most, fix)
        for turn, held in by_turn(cases).items()
        if _over(len(held), most)
    }


def _over(actual: int, limit: int | None) -> bool:
    return limit is not None and actual > limit


def _finding(path: list[Any], rule: str, actual: int, limit: int | None, fix: str) -> Finding:
    return {"path": path, "rule": rule, "actual": actual, "limit": limit, "fix": fix}
