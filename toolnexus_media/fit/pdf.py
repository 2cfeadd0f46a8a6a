"""PDFs: left alone, cut to the caps, drawn page by page for targets that see pictures only, or read out as text.

Whatever opens a hostile file does it in a child process, under a memory limit and a deadline.
"""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

from toolnexus_media.errors import CorruptMediaError, LimitError
from toolnexus_media.fit._job import Outcome, Step
from toolnexus_media.fit._row import cap_of, counted, instead, name_of, unconverted, within
from toolnexus_media.part import make_part, part_data, text_part

if TYPE_CHECKING:
    from typing import Any

    from toolnexus_media.errors import MediaError
    from toolnexus_media.fit._job import Job
    from toolnexus_media.limits import Accept
    from toolnexus_media.probe._child import Outcome as Ended
    from toolnexus_media.types import ContentPart

MAX_DRAWN = 20  # pages drawn of one file, which are as many images
MAX_LISTED = 10_000  # pages looked at; a longer file is cut here
CUT_SECONDS = 20.0
DRAW_SECONDS = 30.0
TEXT_SECONDS = 10.0
MEMORY = 512 << 20
DRAWN_BYTES = 16 << 20  # a drawn page in a file is less
DPI, DPI_TO_GRID, MAX_DPI = 150, 200, 300  # a common reader's; where the provider scales to a grid of its own; at most
LEAST_SIDE, USUAL_SIDE, MOST_SIDE = 768, 2048, 4096
_PDF = "application/pdf"


def fit_pdf(part: ContentPart, job: Job) -> list[Outcome]:
    """The PDF for a target that reads PDFs, else its pages as pictures, else its text, else the placeholder.

    ``CorruptMediaError`` where it is locked or cannot be opened, ``LimitError`` where not even one page is under the
    cap, ``MissingExtraError`` where pages have to be drawn, pdfium is not installed and there is no text to give.
    """
    from toolnexus_media.probe.pdf import opened

    data = part_data(part)
    accept = job.limits.accepts(_PDF, job.position)
    facts = opened(data)
    count = facts.get("pages", 0)
    pages = _chosen(count, job)
    if accept is not None:
        return _document(part, data, accept, pages, facts)
    if job.limits.at(job.position).image is not None:
        return _pictures(part, data, pages, count, job)
    return _text(part, data, pages, count) or instead(part, job)


def _chosen(count: int, job: Job) -> list[int]:
    """The pages asked for, else all of them; numbers from 1."""
    if job.pages is None:
        return list(range(1, min(count, MAX_LISTED) + 1))
    chosen = [page for page in dict.fromkeys(job.pages) if 1 <= page <= count]
    if not chosen:
        raise LimitError(
            f"{counted(job.pages)} of a PDF of {count} were asked for; choose pages from 1 to {count}",
            code="cannot-fit",
            limit=count,
            actual=max(job.pages, default=0),
        )
    return chosen


def _document(part: ContentPart, data: bytes, accept: Accept, pages: list[int], facts: Any) -> list[Outcome]:
    """The file itself where the target takes it as it is, else a new one of fewer pages or without encryption."""
    count, locked = facts["pages"], facts.get("encrypted", False)
    whole = pages == list(range(1, count + 1))
    keep = pages if accept.max_pages is None else pages[: accept.max_pages]
    if whole and keep == pages and not locked and within(part, accept):
        return [Outcome(part)]
    made, taken = _cut(data, keep, cap_of(accept))
    kept = keep[:taken]
    what = [f"{counted(kept)} of {count} kept"] if kept != pages or not whole else ["encryption removed"]
    if locked and len(what) == 1 and what[0] != "encryption removed":
        what.append("encryption removed")
    if left := [page for page in pages if page not in set(kept)]:
        what.append(f"{counted(left)} left out for the target's cap; pages= chooses others")
    return [Outcome(make_part(made, _PDF, name_of(part) or None), Step("; ".join(what)))]


def _cut(data: bytes, pages: list[int], cap: int) -> tuple[bytes, int]:
    from toolnexus_media.probe import _child, _task

    request = {"pages": [page - 1 for page in pages], "cap": cap}
    room = _child.expected(cap)
    lines, outcome = _task.ask(
        "toolnexus_media.fit._pdf_cut",
        data,
        request,
        until=monotonic() + CUT_SECONDS,
        answer=room,
        memory=MEMORY + 2 * cap,
    )
    for made, about in _child.received(lines):
        return made, min(max(int(about.get("taken", 1)), 1), len(pages))
    for line in lines:
        if isinstance(line.get("too_large"), int):
            raise LimitError(
                f"one page of the PDF is {line['too_large']} bytes and {cap} are allowed; attach a smaller scan of it",
                code="cannot-fit",
                limit=cap,
                actual=line["too_large"],
            )
    raise _failure(lines, outcome)


def _failure(lines: list[dict[str, Any]], outcome: Ended) -> MediaError:
    from toolnexus_media._extras import missing

    if outcome == "none":
        return unconverted(_PDF)
    if any(line.get("refused") == "DependencyError" for line in lines):
        return missing("pdf", "writing an encrypted PDF anew without encryption")
    if outcome == "late":
        return CorruptMediaError(
            "the PDF's pages were not had within the time limit; save it anew with another program and attach that",
            code="timeout",
        )
    return CorruptMediaError(
        "the PDF's pages cannot be taken apart; save it anew with another program and attach that", code="corrupt"
    )


def _pictures(part: ContentPart, data: bytes, pages: list[int], count: int, job: Job) -> list[Outcome]:
    """A picture a page, each fitted by itself; its text where pages cannot be drawn here."""
    from toolnexus_media._extras import installed, missing

    drawn: list[tuple[int, bytes, str]] = []
    outcome: Ended = "done"
    wanted = pages[: _room(job)]
    if installed("pypdfium2"):
        drawn, outcome = _drawn(data, wanted, job)
    if not drawn:
        text = _text(part, data, pages, count)
        if text:
            return text
        raise _failure([], outcome) if installed("pypdfium2") else missing("pdf", "drawing the pages of a PDF")
    from toolnexus_media.fit.image import fit_image

    there = [page for page, _, _ in drawn]
    left = [page for page in pages if page not in set(there)]
    inner = job._replace(tall="fit", region=None, animation="first", pages=None)
    outcomes = []
    for page, picture, mime in drawn:
        note = f"page {page} of {count}{f' of {name_of(part)}' if name_of(part) else ''} drawn as a picture"
        if page == there[-1] and left:
            note += f"; {counted(left)} left out, pages= chooses others"
        outcomes += [_told(outcome, note) for outcome in fit_image(make_part(picture, mime), inner)]
    return outcomes


def _told(outcome: Outcome, note: str) -> Outcome:
    """The picture of a page; what its fitting did to pixels of a drawing nobody has seen is not told."""
    return Outcome(outcome.part, Step(note))


def _room(job: Job) -> int:
    """How many images this part may become, besides those that the request has."""
    totals = job.limits.totals
    caps = [cap for cap in (totals.images, totals.message_images) if cap is not None]
    return max(1, min([MAX_DRAWN, *(cap - job.images for cap in caps)]))


def _drawn(data: bytes, pages: list[int], job: Job) -> tuple[list[tuple[int, bytes, str]], Ended]:
    """Page number, picture and its type for each page that was drawn in time, and whether time was short."""
    from toolnexus_media.probe import _child, _task

    worker = "toolnexus_media.fit._pdf_draw"
    asked = {"sizes": [page - 1 for page in pages]}
    lines, outcome = _task.ask(worker, data, asked, until=monotonic() + CUT_SECONDS, memory=MEMORY)
    sizes = []
    for line in lines:
        points, page = line.get("points"), line.get("page")
        if isinstance(page, int) and isinstance(points, list) and min(points, default=0) > 0:
            sizes.append((page, *grid(points[0], points[1], job)))
    if not sizes:
        return [], outcome
    room = _child.expected(DRAWN_BYTES) * len(sizes)
    lines, outcome = _task.ask(
        worker, data, {"draw": sizes}, until=monotonic() + DRAW_SECONDS, answer=room, memory=MEMORY
    )
    known = {page for page, _, _ in sizes}
    return [
        (about["page"] + 1, made, about["mime"])
        for made, about in _child.received(lines)
        if about.get("page") in known and about.get("mime") in ("image/png", "image/jpeg")
    ], outcome


def grid(width: float, height: float, job: Job) -> tuple[int, int]:
    """The pixels to draw a page of so many points at: what the target's model sees of it, and 150 dpi where unknown.

    >>> from toolnexus_media.limits import row
    >>> from toolnexus_media.fit._job import Job
    >>> grid(612, 792, Job(row("ollama")))
    (1275, 1650)
    """
    from toolnexus_media.limits import inside, sent_size

    accept = job.limits.at(job.position).image
    native = accept is not None and accept.native is not None
    dpi = DPI_TO_GRID if native else DPI
    longest = max(width, height) / 72
    side = min(max(dpi * longest, LEAST_SIDE), MAX_DPI * longest, MOST_SIDE if native else USUAL_SIDE)
    size = (max(1, round(width / 72 * side / longest)), max(1, round(height / 72 * side / longest)))
    size = sent_size(
        *size,
        job.limits,
        position=job.position,
        images=job.images,
        documents=job.documents,
    )
    return inside(*size, MOST_SIDE)


def _text(part: ContentPart, data: bytes, pages: list[int], count: int) -> list[Outcome]:
    """The text of the pages under a line that says which; nothing where there is none."""
    from toolnexus_media._text import block
    from toolnexus_media.probe.pdf import MAX_CHARS, page_texts

    texts = page_texts(data, pages=pages, chars=MAX_CHARS, seconds=TEXT_SECONDS)
    there = [page for page in pages if page in texts]
    cleaned = {page: block(texts[page], MAX_CHARS) for page in there}
    if not any(cleaned.values()):
        return []
    what = f"text of {counted(there)} of {count}"
    left = [page for page in pages if page not in texts]
    missing = f" ({counted(left)} not read)" if left else ""
    head = f"{name_of(part) or 'PDF'}: {what}{missing}"
    body = [f"[page {page}]\n{cleaned[page]}" for page in there if cleaned[page]]
    empty = [page for page in there if not cleaned[page]]
    if empty:
        body.append(f"[no text on {counted(empty)}]")
    return [Outcome(text_part("\n\n".join([head, *body])), Step(f"given as text: {what}{missing}"))]
