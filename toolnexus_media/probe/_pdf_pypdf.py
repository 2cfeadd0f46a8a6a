"""pypdf as a reader, for the child. It raises what the content provokes; the caller guards every call."""

from __future__ import annotations

from io import BytesIO

from pypdf import PasswordType, PdfReader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mmap import mmap
    from typing import Any

    from pypdf import PageObject


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
        from toolnexus_media.probe._pdf_worker import has_text

        page = self.reader.pages[index]
        text = page.extract_text()
        if not has_text(text[:chars]):
            text = "\n".join([text, *self._annotations(page)])
        return text

    def _annotations(self, page: PageObject) -> list[str]:
        found: list[str] = []
        notes = page.get("/Annots")
        for note in (notes.get_object() or []) if notes is not None else []:
            shape = note.get_object()
            look = _appearance(shape)
            if look is not None:
                found.append(page.extract_xform_text(look))
        return found


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
    look = note.get("/AP")
    look = look.get_object().get("/N") if look is not None else None
    look = look.get_object() if look is not None else None
    if look is not None and not hasattr(look, "get_data"):
        look = look.get(note.get("/AS", "/Off"))
        look = look.get_object() if look is not None else None
    return look if hasattr(look, "get_data") else None
