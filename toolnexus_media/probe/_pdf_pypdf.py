"""pypdf as a reader, for the child. It raises what the content provokes; the caller guards every call."""

from __future__ import annotations

from io import BytesIO

from pypdf import PasswordType, PdfReader
from pypdf.generic import NameObject, StreamObject

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mmap import mmap
    from typing import Any

    from pypdf import PageObject

MAX_ANNOTATIONS = 1_000
HIDDEN = 2 | 32  # flags: hidden, no view


class Pypdf:
    """One file, open in pypdf."""

    def __init__(self, data: mmap) -> None:
        self.locked = False
        try:
            self.reader = _opened(data)
            self.locked = self.reader.is_encrypted and self.reader.decrypt("") == PasswordType.NOT_DECRYPTED
        except NotImplementedError:
            self.locked = True  # a security handler that wants another key than a password
        self.count = 0 if self.locked else len(self.reader.pages)

    def facts(self) -> dict[str, Any]:
        """Pages, title, author, page size."""
        found: dict[str, Any] = {"pages": self.count, "encrypted": self.reader.is_encrypted}
        box = self.reader.pages[0].cropbox
        turned = self.reader.pages[0].rotation % 180 == 90
        sides = round(float(box.width), 2), round(float(box.height), 2)
        found["page_size"] = sides[::-1] if turned else sides
        return found | self._names()

    def _names(self) -> dict[str, Any]:
        try:
            info = self.reader.metadata
            return {"title": str(info.title or ""), "author": str(info.author or "")} if info else {}
        except Exception:  # noqa: BLE001 - metadata fails on its own
            return {}

    def page_text(self, index: int, chars: int) -> str:
        """The text of a page; form fields and annotations too where its own is short."""
        from toolnexus_media.probe._pdf_words import has_text, joined

        page = self.reader.pages[index]
        text = page.extract_text()
        if has_text(text[:chars]):
            return text
        drawn, held = _annotations(page)
        return joined("\n".join([text, *drawn]), held)


def _annotations(page: PageObject) -> tuple[list[str], list[str]]:
    """What annotations show, and what free text and form fields hold, drawn or not."""
    drawn: list[str] = []
    held: list[str] = []
    notes = _get(page, "/Annots")
    for entry in notes[:MAX_ANNOTATIONS] if isinstance(notes, list) else []:
        note = entry.get_object()
        if not isinstance(note, dict) or int(_get(note, "/F") or 0) & HIDDEN:
            continue
        look = _appearance(note)
        if look is not None:
            drawn.append(page.extract_xform_text(look))
        words = _get(note, "/Contents") if _get(note, "/Subtype") == "/FreeText" else _value(note)
        if isinstance(words, str):
            held.append(words)
    return drawn, held


def _get(holder: Any, key: str) -> Any:
    value = holder.get(key)
    return value.get_object() if value is not None else None


def _value(field: Any) -> str | None:
    """What is typed into a field, its own or its parent's; None for ticks and buttons."""
    for _ in range(8):
        value = _get(field, "/V")
        if value is not None:
            return value if isinstance(value, str) and not isinstance(value, NameObject) else None
        field = _get(field, "/Parent")
        if not isinstance(field, dict):
            break
    return None


def _opened(data: mmap) -> PdfReader:
    """The file as it is, else without the junk before its header."""
    try:
        return PdfReader(BytesIO(data[:]))
    except NotImplementedError:
        raise
    except Exception:
        start = data.find(b"%PDF-", 0, 1024)
        if start <= 0:
            raise
        return PdfReader(BytesIO(data[start:]))


def _appearance(note: Any) -> Any:
    """The stream that shows an annotation in its present state."""
    look = _get(note, "/AP")
    look = _get(look, "/N") if isinstance(look, dict) else None
    if isinstance(look, dict) and not isinstance(look, StreamObject):
        look = _get(look, note.get("/AS", "/Off"))
    return look if isinstance(look, StreamObject) else None
