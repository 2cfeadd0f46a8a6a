"""Films: left alone where they are taken, else a contact sheet of frames, else the placeholder."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

from toolnexus_media.fit._job import Outcome, Step
from toolnexus_media.fit._row import instead, within
from toolnexus_media.part import make_part, part_data

if TYPE_CHECKING:
    from typing import Any

    from toolnexus_media.fit._job import Job
    from toolnexus_media.limits import Accept
    from toolnexus_media.types import ContentPart

FRAMES = 12
SECONDS = 20.0
MEMORY = 1 << 30
SIDE = 2048  # pixels of the sheet, where the target's own grid is not smaller
MAX_SHEET = 16 << 20


def fit_video(part: ContentPart, job: Job) -> list[Outcome]:
    """The film where the target takes its type, size and length; else up to twelve of its frames on one picture.

    The placeholder where the target sees nothing, FFmpeg (the ``audio`` extra) is not installed or finds no frames.
    """
    from toolnexus_media._extras import installed

    assert part["type"] != "text"
    mime = part["mimeType"]
    accept = job.limits.accepts(mime, job.position)
    data = part_data(part)
    if accept is not None and within(part, accept) and not _too_long(data, mime, accept, job):
        return [Outcome(part)]
    if job.limits.at(job.position).image is None:
        return instead(part, job)
    if not installed("av"):
        return instead(part, job, "drawing frames needs: pip install 'toolnexus-media[audio]'")
    made = _sheet(data, mime, job)
    if made is None:
        return instead(part, job, f"no frames of the {mime} could be decoded")
    from toolnexus_media.fit.image import fit_image

    picture, about = made
    inner = job._replace(region=None, tall="fit", animation="first")
    return [Outcome(outcome.part, Step(_said(about))) for outcome in fit_image(make_part(picture, "image/jpeg"), inner)]


def _too_long(data: bytes, mime: str, accept: Accept, job: Job) -> bool:
    from toolnexus_media.probe import facts_of

    caps = [cap for cap in (accept.max_seconds, job.max_seconds) if cap is not None]
    return bool(caps) and facts_of(data, mime).get("duration", 0.0) > min(caps)


def _sheet(data: bytes, mime: str, job: Job) -> tuple[bytes, dict[str, Any]] | None:
    from toolnexus_media.limits import sent_size
    from toolnexus_media.probe import _child, _task

    side = max(sent_size(SIDE, SIDE * 3 // 4, job.limits, position=job.position, images=job.images))
    request = {"mime": mime, "frames": FRAMES, "side": side}
    room = _child.expected(MAX_SHEET)
    lines, _ = _task.ask(
        "toolnexus_media.fit._av_frames", data, request, until=monotonic() + SECONDS, answer=room, memory=MEMORY
    )
    for picture, about in _child.received(lines):
        if isinstance(about.get("times"), list) and isinstance(about.get("across"), int):
            return picture, about
    return None


def _said(about: dict[str, Any]) -> str:
    """Which frames they are, and where the model finds each."""
    times = [f"{time:.1f}" for time in about["times"][:FRAMES] if isinstance(time, (int, float))]
    if len(times) == 1:
        return f"the frame at {times[0]} s of the film"
    rows = f"{about['across']} in a row, left to right, top to bottom"
    return f"{len(times)} frames of the film, {rows}, at {', '.join(times)} s"
