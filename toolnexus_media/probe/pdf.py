"""A PDF's facts, whether it can be used, and its text.

Two tiers. The first reads the catalogue and the page tree in process, under step and size bounds; it answers for every
undamaged file that is not encrypted, in time that does not depend on the file's size. What is beyond it (repair,
passwords, text) a child process does with a library, under a memory limit and a deadline: pdfium where the ``pdf``
extra is installed, pypdf where it is not. No library sees hostile bytes in this process.
"""

from __future__ import annotations

from time import monotonic, thread_time

from toolnexus_media.errors import CorruptMediaError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Literal

    from toolnexus_media._b64 import Buffer
    from toolnexus_media.errors import MediaError
    from toolnexus_media.probe._child import Outcome
    from toolnexus_media.types import Facts

    Lines = list[dict[str, Any]]

WORKER = "toolnexus_media.probe._pdf_worker"
CHECK_SECONDS = 0.6  # for both tiers, a child's start and a library's import included
FACTS_SECONDS = 0.85  # the same, with half a second for text
MAX_CHARS = 1_000_000
MAX_PAGES = 10_000  # text is taken from at most


def basics(data: Buffer) -> Facts:
    """The facts that need neither a library nor a child process: pages, encrypted, title, author, page size.

    >>> basics(b"%PDF-1.4 and nothing more")
    {}
    """
    return _looked(data)[0]


def _looked(data: Buffer) -> tuple[Facts, bool]:
    """The facts, and whether the structure is sound: any reader finds these pages."""
    from toolnexus_media.probe._pdf_file import File
    from toolnexus_media.probe._pdf_tree import describe

    try:
        pdf = File(data).open()
        return describe(pdf), pdf.counted
    except Exception:  # noqa: BLE001 - hostile bytes: whatever a reading stumbles over, the answer is "unknown"
        return {}, False


def facts(data: Buffer, mime: str = "application/pdf") -> Facts:  # noqa: ARG001 - the signature all probes share
    """All that is there to know; a damaged or encrypted file, and the count of pages with text, take a child process.

    >>> facts(b"%PDF-1.4 and nothing more")
    {}
    """
    start = thread_time()
    found = basics(data)
    lines, _ = _ask(data, found, _until(FACTS_SECONDS, start), text_pages=True)
    return _merge(found, lines)


def verify(
    data: Buffer,
    mime: str = "application/pdf",  # noqa: ARG001 - the signature all probes share
    *,
    level: Literal["header", "full"],  # noqa: ARG001 - a PDF's directory is both its header and what opening it needs
    max_pixels: int,  # noqa: ARG001 - pages have no pixels
) -> None:
    """Raise unless a reader finds a page in it without a password.

    ``CorruptMediaError`` (``truncated``, ``corrupt``, ``encrypted``, ``timeout``), or ``MissingExtraError`` where only
    the ``pdf`` extra could tell whether a password is needed.
    """
    opened(data)


def opened(data: Buffer) -> Facts:
    """The facts of a PDF that opens without a password, text apart; raises as ``verify`` does."""
    return opened_soundly(data)[0]


def opened_soundly(data: Buffer) -> tuple[Facts, bool]:
    """The same, and whether the structure is sound: neither damaged nor with a ``/Count`` that is not true."""
    start = thread_time()
    found, sound = _looked(data)
    if found.get("pages") and not found.get("encrypted"):
        return found, sound
    lines, outcome = _ask(data, found, _until(CHECK_SECONDS, start), only_pages=True)
    if any(line.get("locked") for line in lines):
        raise CorruptMediaError("the PDF needs a password; save a copy without one and attach that", code="encrypted")
    unlocked = any("locked" in line for line in lines)
    merged = _merge(found, lines)
    if merged.get("pages") and (unlocked or not merged.get("encrypted")):
        return merged, False
    raise _refusal(data, merged, lines, outcome)


def text(data: Buffer, *, pages: int, chars: int, seconds: float) -> str:
    """At most ``chars`` characters of the text of the first pages, as far as it is had in ``seconds``.

    >>> text(b"%PDF-1.4 and nothing more", pages=1, chars=99, seconds=0.5)
    ''
    """
    found = page_texts(data, pages=range(1, pages + 1), chars=chars, seconds=seconds)
    return "\n".join(text for text in found.values() if text)[: max(chars, 0)]


def page_texts(data: Buffer, *, pages: Sequence[int], chars: int, seconds: float) -> dict[int, str]:
    """The text of each of these pages, numbered from 1, as far as it is had in ``seconds`` and ``chars``.

    >>> page_texts(b"%PDF-1.4 and nothing more", pages=[1], chars=99, seconds=0.5)
    {}
    """
    chars = min(chars, MAX_CHARS)
    if not pages or chars < 1 or not seconds > 0:
        return {}
    until = monotonic() + min(seconds, 60.0)
    found = basics(data)
    most = min(found.get("pages", MAX_PAGES), MAX_PAGES)
    asked = [page - 1 for page in pages[:MAX_PAGES] if 0 < page <= most]
    lines, _ = _ask(data, found, until, text=[asked, chars])
    told = ((line.get("page"), line.get("text")) for line in lines)
    return {page + 1: text for page, text in told if isinstance(page, int) and isinstance(text, str)}


def _until(seconds: float, start: float) -> float:
    """When a child must have answered, after what this thread has worked since ``start``."""
    return monotonic() + seconds - (thread_time() - start)


def _ask(data: Buffer, found: Facts, until: float, **request: Any) -> tuple[Lines, Outcome]:
    """What the child says, and how it ended."""
    from toolnexus_media.probe import _child
    from toolnexus_media.probe._buffer import flat

    request |= {"repair": "pages" not in found, "pages": found.get("pages", 0)}
    chars = request.get("text", (0, 0))[1]
    return _child.ask(WORKER, flat(data), request, until=until, answer=12 * chars)  # 12: an escaped astral character


def _merge(found: Facts, lines: Lines) -> Facts:
    """The first tier's facts, completed by the child's: repaired structure first, then a library's word."""
    from toolnexus_media._text import one_line

    merged: Facts = found.copy()
    told: dict[str, Any] = {}
    for line in lines:
        facts = line.get("facts")
        told = {**facts, **told} if isinstance(facts, dict) else told
        if line.get("locked"):
            merged["encrypted"] = True
    if "pages" not in found:
        _adopt(merged, told)
    if "pages" not in found or found.get("encrypted"):
        title, author = one_line(str(told.get("title", ""))), one_line(str(told.get("author", "")))
        if title:
            merged["title"] = title
        if author:
            merged["author"] = author
    for line in lines:
        if isinstance(line.get("text_pages"), int) and "pages" in merged:
            merged["text_pages"] = line["text_pages"]
    return merged


def _adopt(merged: Facts, told: dict[str, Any]) -> None:
    pages, size = told.get("pages"), told.get("page_size")
    if isinstance(pages, int) and pages > 0:
        merged["pages"] = pages
    if isinstance(size, list) and len(size) == 2 and all(isinstance(side, (int, float)) and side > 0 for side in size):
        merged["page_size"] = (float(size[0]), float(size[1]))
    if isinstance(told.get("encrypted"), bool):
        merged.setdefault("encrypted", told["encrypted"])


def _refusal(data: Buffer, merged: Facts, lines: Lines, outcome: Outcome) -> MediaError:
    from toolnexus_media._extras import missing
    from toolnexus_media.probe._buffer import flat

    if any(line.get("refused") == "DependencyError" for line in lines):
        return missing("pdf", "telling whether this encrypted PDF opens without a password")
    if outcome == "late":
        return CorruptMediaError(
            "the PDF was not read within the time limit; save it anew with another program and attach that",
            code="timeout",
        )
    if merged.get("encrypted") and outcome == "none":
        return CorruptMediaError(
            "the PDF is encrypted, and whether it needs a password cannot be told here; save a copy without encryption",
            code="encrypted",
        )
    if b"%%EOF" not in bytes(flat(data)[-1024:]):
        return CorruptMediaError(
            "the PDF ends too early and no page can be read; get the whole file and attach that", code="truncated"
        )
    return CorruptMediaError(
        "no page of the PDF can be read; save it anew with another program and attach that", code="corrupt"
    )
