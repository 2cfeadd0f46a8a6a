"""All parts of one call together: how many there are, which size that allows, and what they weigh in sum."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus_media.errors import LimitError
from toolnexus_media.fit._first import stays
from toolnexus_media.fit._one import fit_part
from toolnexus_media.fit._target import mime_of, payload_of
from toolnexus_media.limits import custom

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolnexus_media.fit._job import Job, Outcome
    from toolnexus_media.types import ContentPart

    Sent = list[list[Outcome]]

_ROUNDS = 4
_PDF = "application/pdf"


def fitted(parts: Sequence[ContentPart], job: Job, images_before: int) -> Sent | None:
    """What is sent for each part, within what the row allows each part and the whole request; None for the same parts.

    ``job`` knows how many images and PDFs there are.
    """
    limit = job.limits.totals.bytes
    for part in parts:
        if not stays(part, job):
            break
    else:
        if limit is None or _weight(parts) <= limit:
            _check_counts(parts, job, images_before)
            return None
    job, sent = _by_count(parts, job, images_before)
    _check_counts(_parts_of(sent), job, images_before)
    if limit is not None and _weight(_parts_of(sent)) > limit:
        sent = _lighter(parts, sent, job, limit)
    return sent


def _by_count(parts: Sequence[ContentPart], job: Job, images_before: int) -> tuple[Job, Sent]:
    """With many images in a request each must be smaller; slices, sheets and rendered pages make images more."""
    sent = [fit_part(part, job) for part in parts]
    for _ in range(_ROUNDS):
        images, documents = counts(_parts_of(sent))
        images += images_before
        if (images, documents) == (job.images, job.documents):
            break
        # smaller slices can only become more, so the count is not let down again
        more = job._replace(images=max(images, job.images), documents=max(documents, job.documents))
        if _side(more) == _side(job):
            break
        job = more
        sent = [
            fit_part(part, job) if _has_images(part, outcomes) else outcomes
            for part, outcomes in zip(parts, sent, strict=True)
        ]
    return job, sent


def _side(job: Job) -> int | None:
    accept = job.limits.at(job.position).image
    return None if accept is None else accept.side(job.images, job.documents)


def _has_images(part: ContentPart, outcomes: list[Outcome]) -> bool:
    return part["type"] == "image" or any(outcome.part["type"] == "image" for outcome in outcomes)


def counts(parts: Iterable[ContentPart]) -> tuple[int, int]:
    """How many images and how many PDFs."""
    images = documents = 0
    for part in parts:
        if part["type"] == "image":
            images += 1
        elif part["type"] == "file" and part["mimeType"] == _PDF:
            documents += 1
    return images, documents


def _parts_of(sent: Sent) -> list[ContentPart]:
    return [outcome.part for outcomes in sent for outcome in outcomes]


def _check_counts(parts: Sequence[ContentPart], job: Job, images_before: int) -> None:
    totals = job.limits.totals
    if totals.images is not None or totals.message_images is not None:
        images, _ = counts(parts)
        _at_most(totals.images, images_before + images, job, "images", "request")
        _at_most(totals.message_images, images, job, "images", "message")
    if totals.documents is None and totals.document_bytes is None:
        return
    kinds = [kind for kind in (job.limits.at(job.position).document, job.limits.at(job.position).text) if kind]
    files = [part for part in parts if part["type"] == "file"]
    documents = [part for part in files if any(kind.takes(mime_of(part)) for kind in kinds)]
    _at_most(totals.documents, len(documents), job, "documents", "request")
    _at_most(totals.document_bytes, sum(len(payload_of(part)) for part in documents), job, "document bytes", "request")


def _at_most(limit: int | None, actual: int, job: Job, noun: str, whole: str) -> None:
    if limit is not None and actual > limit:
        raise LimitError(
            f"{job.limits.name} takes {limit} {noun} a {whole} and these are {actual}, {actual - limit} too many; "
            f"send fewer, or in more than one {whole}",
            code="too-large",
            limit=limit,
            actual=actual,
        )


def _weight(parts: Sequence[ContentPart]) -> int:
    return sum([_encoded(part) for part in parts])


def _encoded(part: ContentPart) -> int:
    """What a part takes in the request's body: its base64, its text, or its link."""
    data = part.get("data")
    if isinstance(data, str):
        return len(data)
    return len(str(part.get("text") or part.get("url", "")).encode("utf-8", "surrogatepass"))


def _lighter(parts: Sequence[ContentPart], sent: Sent, job: Job, limit: int) -> Sent:
    """The pictures made smaller, the largest first, until the sum is under the limit."""
    weight = _weight(_parts_of(sent))
    fixed = weight - sum(_pictures(sent))
    room = limit - fixed
    cap = _water_line(_pictures(sent), room)
    if cap < 1:
        raise LimitError(
            f"the parts take {weight} bytes together, {fixed} of them no pictures, and {job.limits.name} takes {limit} "
            "a request; send them in more than one request",
            code="too-large",
            limit=limit,
            actual=weight,
        )
    tight = job._replace(limits=custom(job.limits, image={"max_bytes": cap, "counted": "encoded"}))
    return [
        fit_part(part, tight) if any(size > cap for size in _pictures([outcomes])) else outcomes
        for part, outcomes in zip(parts, sent, strict=True)
    ]


def _pictures(sent: Sent) -> list[int]:
    return [_encoded(outcome.part) for outcomes in sent for outcome in outcomes if outcome.part["type"] == "image"]


def _water_line(sizes: Sequence[int], room: int) -> int:
    """The size that none may pass, so that all together fit; the small ones stay as they are.

    >>> _water_line([10, 50, 100], 100)
    45
    """
    rest = sorted(sizes)
    while rest and rest[0] * len(rest) <= room:
        room -= rest.pop(0)
    return max(room, 0) // len(rest) if rest else max([0, *sizes])
