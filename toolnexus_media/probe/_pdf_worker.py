"""In the child: repair, the password question and text, said line by line as far as the time goes."""

from __future__ import annotations

from functools import partial
from time import process_time

from toolnexus_media.probe import _child
from toolnexus_media.probe._pdf_words import has_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from mmap import mmap
    from typing import Any, Protocol

    class Reader(Protocol):
        """A PDF library, opened on one file."""

        locked: bool

        def facts(self) -> dict[str, Any]:
            """Pages, title, author, page size, as far as it finds them."""
            ...

        def page_text(self, index: int, chars: int) -> str:
            """The text of a page, form fields and annotations too where its own is short; raises where unknown."""
            ...


TEXT_PAGES = 20


def main(request: dict[str, Any]) -> None:
    """Answer one request.

    ``repair`` reads the whole file, ``only_pages`` ends there if that finds some, ``text_pages`` counts the readable,
    ``text`` is which pages, from 0, and how many characters to tell.
    """
    _child.begin(request)
    _child.work()
    data = _data()
    pages = request["pages"]
    if request["repair"]:
        found = _repair(data)
        if found is None or (request.get("only_pages") and found.get("pages") and not found.get("encrypted")):
            return
        pages = found.get("pages", 0)
    _child.load()
    opener = _library()
    _child.work()
    reader = _open(data, opener)
    if reader is None:
        return
    told = {} if reader.locked else _guarded(reader.facts) or {}
    _child.say(locked=reader.locked, facts=told)
    if reader.locked:
        return
    if request.get("text_pages"):
        _count_text(reader, pages or told.get("pages", 0))
    if request.get("text"):
        _tell_text(reader, *request["text"])


def _data() -> mmap:
    return _child.given()


def _library() -> Callable[[mmap], Reader]:
    """The better library that is installed."""
    try:
        from toolnexus_media.probe._pdf_pdfium import Pdfium
    except (ImportError, OSError):
        from toolnexus_media.probe._pdf_pypdf import Pypdf

        return Pypdf
    return Pdfium


def _repair(data: mmap) -> dict[str, Any] | None:
    """What is left of a damaged file, said at once; None where there is no object at all."""
    from toolnexus_media.probe._pdf_repair import Scanned
    from toolnexus_media.probe._pdf_tree import describe

    scanned = Scanned(data)
    facts = dict(_guarded(lambda: describe(scanned.open())) or {})
    if facts:
        _child.say(facts=facts)
    return facts if scanned.places else None


def _open(data: mmap, opener: Callable[[mmap], Reader]) -> Reader | None:
    try:
        return opener(data)
    except Exception as error:  # noqa: BLE001 - readers raise whatever the content provokes
        _child.say(refused=type(error).__name__)
        return None


def _guarded(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except Exception:  # noqa: BLE001 - readers raise whatever the content provokes
        return None


def _count_text(reader: Reader, pages: int) -> None:
    end, found = process_time() + 0.5, 0
    for index in range(min(pages, TEXT_PAGES)):
        try:
            found += has_text(reader.page_text(index, 4096))
        except Exception:  # noqa: BLE001 - a page that cannot be read leaves the number unknown
            return
        if process_time() > end:
            return
    _child.say(text_pages=found)


def _tell_text(reader: Reader, pages: list[int], chars: int) -> None:
    for index in pages:
        text = _guarded(partial(reader.page_text, index, chars))
        if text is None:
            continue
        _child.say(text=text[:chars], page=index)
        chars -= len(text[:chars])
        if chars <= 0:
            return
