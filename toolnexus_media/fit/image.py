"""Pictures: what is already fine stays as it is, byte for byte; everything else is drawn anew as the target takes it.

Which of the two is told from the header, before anything is decoded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus_media import _b64
from toolnexus_media.errors import MediaTypeError
from toolnexus_media.fit import _geometry, _icc, _metadata
from toolnexus_media.fit._bare import bare_size
from toolnexus_media.fit._first import is_labelled
from toolnexus_media.fit._job import Outcome, Step
from toolnexus_media.fit._target import WRITTEN, instead, mime_of, payload_of, sent
from toolnexus_media.limits import size_for
from toolnexus_media.part import make_part
from toolnexus_media.probe.image import SVG, facts

if TYPE_CHECKING:
    from toolnexus_media.fit._job import Job
    from toolnexus_media.limits import Accept
    from toolnexus_media.types import ContentPart, Facts

_TURNED_BY_DECODER = frozenset({"image/heic", "image/heif", "image/avif"})
_EIGHT_BITS = frozenset({"1", "L", "LA", "P", "PA", "RGB", "RGBA"})
_IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)


def stays(part: ContentPart, job: Job) -> bool:
    """Is the picture sent as it is? Nothing of it is decoded."""
    assert part["type"] == "image"
    accept = job.limits.at(job.position).image
    mime, payload = part["mimeType"], part["data"]
    if accept is None or not accept.prefers(mime):
        return False
    cap = accept.raw_bytes
    if cap is not None and _b64.size(payload) > cap:
        return False
    if job.region is None:
        size = bare_size(payload, mime)
        if size is not None:
            return size_for(size, accept, job.images, job.documents) == size
    if mime == SVG or not is_labelled(part):
        return False
    seen, beside = _looked_at(payload, mime)
    if not _is_fine(mime, seen, beside, job, accept):
        return False
    return job.keep_metadata or not (beside.metadata or _is_idle(beside, seen))


def fit_image(part: ContentPart, job: Job) -> list[Outcome]:
    """The picture as the target takes it; ``MediaError`` when it cannot be decoded or made small enough."""
    accept = job.limits.at(job.position).image
    mime = mime_of(part)
    if accept is None:
        return instead(part, f"{job.limits.name} takes no pictures")
    if stays(part, job):
        return [Outcome(part)]
    payload = payload_of(part)
    seen, beside = _looked_at(payload, mime)
    if _is_fine(mime, seen, beside, job, accept):
        data = _b64.decode(payload)
        bare = _bare(data, mime, seen, beside, job)
        if bare is not None and _is_small(len(bare), accept):
            if bare is data:
                return [Outcome(part)]
            return [Outcome(make_part(bare, mime), Step("metadata removed", 1.0, _IDENTITY))]
        del data, bare  # drawing takes memory of its own
    return _redrawn(part, seen, job, accept)


def _looked_at(payload: str, mime: str) -> tuple[Facts, _metadata.Found]:
    """What a picture's header says, of the picture and beside it."""
    short = _metadata.header(payload, mime)
    if short is not None:
        seen, beside = facts(short, mime), _metadata.find(short, mime)
        if beside.reached:
            return seen, beside
    data = _b64.decode(payload)
    return facts(data, mime), _metadata.find(data, mime)


def _is_fine(mime: str, seen: Facts, beside: _metadata.Found, job: Job, accept: Accept) -> bool:
    """Would this picture be sent as it is, by what its header says? Its bytes are not counted here."""
    if not accept.prefers(mime) or "width" not in seen or "height" not in seen or beside.deep:
        return False
    if seen.get("frames", 1) > 1 and not (accept.takes_animated(mime) and job.animation == "first"):
        return False
    if mime not in _TURNED_BY_DECODER and seen.get("orientation", 1) != 1:
        return False
    mode = seen.get("mode", "RGB")
    if mode not in _EIGHT_BITS or (beside.icc is not None and _icc.verdict(beside.icc, mode) == "other"):
        return False
    size = (seen["width"], seen["height"])
    if job.region is not None and _geometry.crop_box(job.region, size) != (0, 0, *size):
        return False
    return sent(job, *size) == size


def _bare(data: bytes, mime: str, seen: Facts, beside: _metadata.Found, job: Job) -> bytes | None:
    """The file without metadata; ``None`` where there is none to take out, or where that means drawing anew."""
    idle = _is_idle(beside, seen)
    if job.keep_metadata or not (beside.metadata or idle):
        return None
    return _metadata.strip(data, mime, profile=idle)


def _is_idle(beside: _metadata.Found, seen: Facts) -> bool:
    """Is there a profile of no use?"""
    return beside.icc is not None and _icc.verdict(beside.icc, seen.get("mode", "RGB")) == "broken"


def _is_small(size: int, accept: Accept) -> bool:
    cap = accept.raw_bytes
    return cap is None or size <= cap


def _redrawn(part: ContentPart, seen: Facts, job: Job, accept: Accept) -> list[Outcome]:
    mime = mime_of(part)
    if not any(accept.prefers(written) for written in WRITTEN):
        return instead(part, f"{job.limits.name} takes no picture of a type that is written here")
    from toolnexus_media.fit import _redraw

    try:
        return _redraw.redrawn(_b64.decode(payload_of(part)), mime, seen.get("frames", 1), job, accept)
    except MediaTypeError as error:
        if error.code != "no-decoder":
            raise
        return instead(part, f"nothing installed decodes {mime}")
