"""What no other module fits: archives, fonts, unknown bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus_media.fit._job import Outcome
from toolnexus_media.fit._row import entry, instead, within

if TYPE_CHECKING:
    from toolnexus_media.fit._job import Job
    from toolnexus_media.types import ContentPart


def fit_other(part: ContentPart, job: Job) -> list[Outcome]:
    """The file where the target takes its type and size, else the placeholder."""
    assert part["type"] != "text"
    accept = entry(part["mimeType"], job)
    if accept is None:
        return instead(part, job)
    if within(part, accept):
        return [Outcome(part)]
    return instead(part, job, f"it is over the {accept.raw_bytes} bytes that {job.limits.name} takes")
