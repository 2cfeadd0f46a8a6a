"""What a row says of a part, and the placeholder for what it does not take: shared by every kind that is no picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus_media.errors import MediaTypeError
from toolnexus_media.fit import _target
from toolnexus_media.part import part_bytes

if TYPE_CHECKING:
    from toolnexus_media.fit._job import Job, Outcome
    from toolnexus_media.limits import Accept
    from toolnexus_media.types import ContentPart

BOUND = 100 << 20  # bytes of what is made here, where the row has no cap: what a part may hold when it is attached


def within(part: ContentPart, accept: Accept) -> bool:
    """Is the part under the entry's byte cap, the way the provider counts?"""
    cap = accept.raw_bytes
    return cap is None or part_bytes(part) <= cap


def cap_of(accept: Accept | None) -> int:
    """The most bytes, decoded, that a part made for this entry may have."""
    cap = None if accept is None else accept.raw_bytes
    return BOUND if cap is None else min(cap, BOUND)


def instead(part: ContentPart, job: Job, reason: str = "") -> list[Outcome]:
    """The placeholder, with the reason; without one it is that the target takes no such type."""
    mime = "text/plain" if part["type"] == "text" else part["mimeType"]
    said = reason or f"{job.limits.name} takes no {mime}"
    return _target.instead(part, said)


def unconverted(mime: str) -> MediaTypeError:
    """The error where conversion needs a child process and none can be had."""
    return MediaTypeError(
        f"{mime} cannot be converted here, where no process with limits can be started; convert it beforehand",
        code="no-decoder",
    )


def name_of(part: ContentPart) -> str:
    """The file's name, else ``""``."""
    name = part.get("name")
    return name if isinstance(name, str) else ""


def listed(numbers: list[int] | tuple[int, ...]) -> str:
    """Page numbers in words: runs are joined, a long list is cut.

    >>> listed([1, 2, 3, 7]), listed([4]), listed([])
    ('1-3, 7', '4', 'none')
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    words = [f"{first}-{last}" if last > first else str(first) for first, last in runs[:8]]
    return ", ".join(words + ["…"] * (len(runs) > 8)) or "none"


def counted(numbers: list[int] | tuple[int, ...]) -> str:
    """Page numbers with their noun.

    >>> counted([2]), counted([1, 2])
    ('page 2', 'pages 1-2')
    """
    return f"page{'' if len(numbers) == 1 else 's'} {listed(numbers)}"
