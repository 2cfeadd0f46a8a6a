"""One part: its label checked against its bytes, its link fetched where that is wanted, then on to its kind."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from toolnexus_media.errors import MediaError, SourceError
from toolnexus_media.fit._first import is_labelled
from toolnexus_media.fit._job import Outcome, Step
from toolnexus_media.fit._target import instead, mime_of
from toolnexus_media.part import labelled

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolnexus_media.fit._job import Job
    from toolnexus_media.types import ContentPart

    Fitter = Callable[[ContentPart, Job], list[Outcome]]

FITTERS = {
    "image": ("image", "fit_image"),
    "svg": ("svg", "fit_svg"),
    "audio": ("audio", "fit_audio"),
    "video": ("video", "fit_video"),
    "pdf": ("pdf", "fit_pdf"),
    "text": ("text", "fit_text"),
}
"""Which module fits a family of types; each function takes a part and the job, and answers with outcomes."""

_OWN = {"application/pdf": "pdf", "image/svg+xml": "svg"}


def fit_part(part: ContentPart, job: Job) -> list[Outcome]:
    """What is sent for one part, in order."""
    if part["type"] == "text":
        return [Outcome(part)]
    if "url" in part:
        return _linked(part, job)
    true = part if is_labelled(part) else labelled(part)
    outcomes = _fitter(family_of(mime_of(true)))(true, job)
    if true is part:
        return outcomes
    note = f"labelled {mime_of(part)}, and it is {mime_of(true)}"
    return [_noted(outcome, note) for outcome in outcomes]


def family_of(mime: str) -> str:
    """The key of ``FITTERS`` for a type: text takes what no other one does.

    >>> family_of("video/mp4"), family_of("application/zip")
    ('video', 'text')
    """
    if mime in _OWN:
        return _OWN[mime]
    major = mime.partition("/")[0]
    return major if major in {"image", "audio", "video"} else "text"


@cache
def _fitter(family: str) -> Fitter:
    module, name = FITTERS[family]
    fitter: Fitter = getattr(import_module(f"toolnexus_media.fit.{module}"), name)
    return fitter


def _noted(outcome: Outcome, note: str) -> Outcome:
    step = outcome.step or Step("")
    return outcome._replace(step=step._replace(what=", ".join(filter(None, (step.what, note)))))


def _linked(part: ContentPart, job: Job) -> list[Outcome]:
    """A link is left alone where the target follows such links for such a type, else it may be fetched."""
    url, mime = str(part.get("url", "")), mime_of(part)
    accept = job.limits.accepts(mime, job.position)
    if accept is not None and accept.prefers(mime) and accept.takes_url(url):
        return [Outcome(part)]
    if job.fetch is None:
        scheme = url.partition(":")[0]
        return instead(part, f"{job.limits.name} follows no {scheme} link to {mime}; fit with fetch=source.fetch")
    fetched = _fetched(url, part, job.fetch)
    return [_noted(outcome, "fetched") for outcome in fit_part(fetched, job)]


def _fetched(url: str, part: ContentPart, fetch: Callable[..., bytes]) -> ContentPart:
    """The part with its bytes; what a fetch of the caller's own raises becomes a ``SourceError``."""
    from toolnexus_media.content import attach

    try:
        data = fetch(url)
    except MediaError:
        raise
    except Exception as error:  # the caller's function may raise whatever its client raises
        raise SourceError(
            f"the link of a part could not be fetched ({type(error).__name__}); attach the bytes instead",
            code="unreadable",
        ) from error
    name = part.get("name")
    return attach(data, name=name if isinstance(name, str) else url.partition("?")[0].rpartition("/")[2] or None)
