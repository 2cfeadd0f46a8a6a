"""SVG: drawn at the size the target sees, so that lines stay crisp, else its cleaned source as text.

The drawing is cleaned before resvg sees it, which reads the local files that images name, and drawn in a child process.
"""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

from toolnexus_media.errors import CorruptMediaError, MediaError
from toolnexus_media.fit._job import Outcome, Step
from toolnexus_media.fit._row import unconverted, within
from toolnexus_media.fit._svg_clean import clean
from toolnexus_media.part import make_part, part_data
from toolnexus_media.probe import svg

if TYPE_CHECKING:
    from typing import Any

    from PIL.Image import Image

    from toolnexus_media._b64 import Buffer
    from toolnexus_media.fit._job import Job
    from toolnexus_media.probe._child import Outcome as Ended
    from toolnexus_media.types import ContentPart, Facts

__all__ = ["clean", "fit_svg", "rasterise"]

LEAST_SIDE = 512  # an icon is drawn larger than it says: it has no pixels of its own to be true to
UNSIZED = 800  # pixels of width where the drawing states no size
MOST_PIXELS = 40_000_000
SECONDS = 6.0
MEMORY = 256 << 20
_MIME = "image/svg+xml"
_NO_FONTS = "its text is missing: there is no font on this system"


def fit_svg(part: ContentPart, job: Job) -> list[Outcome]:
    """The drawing itself where its type is taken, else a picture of it, else its cleaned source as text.

    ``CorruptMediaError`` where it is no drawing, or takes too long to draw (``timeout``).
    """
    from toolnexus_media._extras import installed
    from toolnexus_media.fit.text import as_text

    data = part_data(part)
    accept, seen = job.limits.accepts(_MIME, job.position), job.limits.at(job.position).image
    if accept is not None and accept.prefers(_MIME) and within(part, accept):
        return [Outcome(part)]
    if seen is not None and installed("resvg_py"):
        return _picture(data, job)
    source = clean(data, embedded=False).decode()
    return as_text("SVG source", source, "given as its source text, cleaned")


def rasterise(data: Buffer, max_side: int, max_pixels: int) -> Image:
    """A drawing as a picture in RGBA, of the size it states, smaller where the caps ask for it.

    ``MissingExtraError`` without resvg, ``CorruptMediaError`` for what is no drawing or takes too long.
    """
    facts: Facts = {}
    svg.read(data, facts)
    own = (facts["width"], facts["height"]) if "width" in facts and "height" in facts else None
    return _drawn(data, own and _under(own, max_side, max_pixels), max_side=max_side, max_pixels=max_pixels)[0]


def _under(size: tuple[int, int], max_side: int, max_pixels: int) -> tuple[int, int]:
    """The size, its ratio kept, inside both caps."""
    from toolnexus_media.limits import inside

    width, height = inside(*size, max_side)
    scale = min(1.0, (max_pixels / (width * height)) ** 0.5)
    return max(1, int(width * scale)), max(1, int(height * scale))


def _picture(data: bytes, job: Job) -> list[Outcome]:
    """Drawn at the target's grid, and then fitted like any picture, its pixels told in the drawing's own units."""
    from io import BytesIO

    from toolnexus_media.fit.image import fit_image

    facts: Facts = {}
    svg.read(data, facts)
    own = (facts["width"], facts["height"]) if "width" in facts and "height" in facts else None
    size = own and _grid(own, job)
    image, fonts = _drawn(data, size, max_side=UNSIZED, max_pixels=MOST_PIXELS)
    own = own or image.size
    across, down = image.width / own[0], image.height / own[1]
    if job.region:
        left, top, right, bottom = job.region
        job = job._replace(region=(left * across, top * down, right * across, bottom * down))
    out = BytesIO()
    image.save(out, "PNG", compress_level=3)
    note = f"SVG drawn at {image.width}x{image.height}" + ("" if fonts else f"; {_NO_FONTS}")
    fitted = fit_image(make_part(out.getvalue(), "image/png"), job)
    return [_told(outcome, note, across, down) for outcome in fitted]


def _grid(own: tuple[int, int], job: Job) -> tuple[int, int]:
    """The size to draw at: what the target sees of all of it, or of the region; as it is where it will be sliced."""
    from toolnexus_media.limits import sent_size

    seen = (float(own[0]), float(own[1]))
    if job.region:
        left, top, right, bottom = job.region
        seen = (min(max(right - left, 1.0), seen[0]), min(max(bottom - top, 1.0), seen[1]))
    larger = max(1.0, LEAST_SIDE / max(seen))
    wanted = max(1, round(seen[0] * larger)), max(1, round(seen[1] * larger))
    if job.tall != "slice":
        wanted = sent_size(*wanted, job.limits, position=job.position, images=job.images, documents=job.documents)
    if not job.region and job.tall != "slice":
        return _under(wanted, max(wanted), MOST_PIXELS)
    scale = max(wanted) / max(seen)
    whole = max(1, round(own[0] * scale)), max(1, round(own[1] * scale))
    return _under(whole, max(whole), MOST_PIXELS)


def _told(outcome: Outcome, note: str, across: float, down: float) -> Outcome:
    step = outcome.step or Step("")
    a, b, c, d, e, f = step.transform or (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)
    what = f"{note}; {step.what}" if step.what else note
    transform = (a / across, b / across, c / across, d / down, e / down, f / down)
    return Outcome(outcome.part, Step(what, (step.scale or 1.0) / across, transform))


def _drawn(data: Buffer, size: tuple[int, int] | None, *, max_side: int, max_pixels: int) -> tuple[Image, bool]:
    """The picture, of this size where it is known, and whether its text could be drawn."""
    from io import BytesIO

    from PIL import Image

    from toolnexus_media._extras import installed, missing
    from toolnexus_media.probe import _child, _task

    if not installed("resvg_py"):
        raise missing("svg", "drawing an SVG")
    pixels = size[0] * size[1] if size else max_pixels
    request: dict[str, Any] = {"width": None if size else min(max_side, UNSIZED)}
    lines, outcome = _task.ask(
        "toolnexus_media.fit._svg_draw",
        clean(data, size=size),
        request,
        until=monotonic() + SECONDS,
        answer=_child.expected(4 * pixels + (1 << 16)),
        memory=MEMORY + 24 * pixels,  # the canvas, and layers for groups, masks and filters
    )
    for made, about in _child.received(lines):
        image = Image.open(BytesIO(made), formats=["PNG"])
        if image.width * image.height <= max_pixels and (size is None or image.size == size):
            image.load()
            image.thumbnail((max_side, max_side)) if size is None else None
            return image.convert("RGBA"), bool(about.get("fonts"))
    raise _failure(lines, outcome)


def _failure(lines: list[dict[str, Any]], outcome: Ended) -> MediaError:
    from toolnexus_media._text import one_line

    if outcome == "none":
        return unconverted(_MIME)
    if outcome == "late":
        return CorruptMediaError(
            "the SVG takes too long to draw; simplify it, or export it as PNG and attach that", code="timeout"
        )
    reason = next((line["refused"] for line in lines if isinstance(line.get("refused"), str)), "")
    said = f" ({one_line(reason, 120)})" if reason else ""
    return CorruptMediaError(f"the SVG cannot be drawn{said}; export it as PNG and attach that", code="corrupt")
