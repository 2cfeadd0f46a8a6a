"""What the target's row says of pictures in this job, and what stands for a part that it does not take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus_media.fit._job import Outcome, Step
from toolnexus_media.limits import sent_size
from toolnexus_media.part import text_part
from toolnexus_media.summary import placeholder

if TYPE_CHECKING:
    from toolnexus_media.fit._geometry import Size
    from toolnexus_media.fit._job import Job
    from toolnexus_media.types import ContentPart

WRITTEN = ("image/png", "image/jpeg", "image/webp")
"""The picture types that are written here."""


def sent(job: Job, width: int, height: int) -> Size:
    """The size at which a picture is sent in this job."""
    return sent_size(width, height, job.limits, position=job.position, images=job.images, documents=job.documents)


def mime_of(part: ContentPart) -> str:
    """The part's type; a text part's is ``text/plain``."""
    return "text/plain" if part["type"] == "text" else part["mimeType"]


def payload_of(part: ContentPart) -> str:
    """The part's base64, ``""`` where it has none."""
    data = part.get("data")
    return data if isinstance(data, str) else ""


def instead(part: ContentPart, reason: str) -> list[Outcome]:
    """The placeholder, and why."""
    return [Outcome(text_part(placeholder(part)), Step(f"replaced by a placeholder: {reason}"))]
