"""pdfium as a reader, for the child: hostile bytes may crash it, which costs nobody but the child."""

from __future__ import annotations

import ctypes
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from toolnexus_media._b64 import Buffer

pdfium: Any = import_module("pypdfium2_raw")  # it has no types; the helpers around it cost as much again to import
MAX_ANNOTATIONS = 1_000
HIDDEN = 2 | 32  # flags: hidden, no view
TYPED = (pdfium.FPDF_FORMFIELD_TEXTFIELD, pdfium.FPDF_FORMFIELD_COMBOBOX, pdfium.FPDF_FORMFIELD_LISTBOX)


def _words(call: Any, *args: Any) -> str:
    """The answer of a call that fills a buffer with UTF-16."""
    size = min(call(*args, None, 0), 65_536)
    buffer = (ctypes.c_ushort * (size // 2 + 1))()
    call(*args, buffer, size)
    return bytes(buffer)[:size].decode("utf-16-le", "replace").rstrip("\0")


class Pdfium:
    """One file, open in pdfium."""

    def __init__(self, data: Buffer) -> None:
        pdfium.FPDF_InitLibrary()
        self._load(bytes(data))
        if not self.document and not self.locked:
            from toolnexus_media.probe._pdf_repair import mended

            self._load(mended(self.data))
        self.count = pdfium.FPDF_GetPageCount(self.document) if self.document else 0
        if not self.document and not self.locked:
            raise ValueError("no document")
        self.environment = pdfium.FPDF_FORMFILLINFO(version=2)
        self.form = self.document and pdfium.FPDFDOC_InitFormFillEnvironment(self.document, self.environment)

    def _load(self, data: bytes) -> None:
        self.data = data
        self.document = pdfium.FPDF_LoadMemDocument64(data, len(data), None)
        error = 0 if self.document else pdfium.FPDF_GetLastError()
        self.locked = error in (pdfium.FPDF_ERR_PASSWORD, pdfium.FPDF_ERR_SECURITY)

    def facts(self) -> dict[str, Any]:
        """Title, author; pages and page size where the last page the count promises is there."""
        keys = (b"Title", b"Author")
        title, author = (_words(pdfium.FPDF_GetMetaText, self.document, key) for key in keys)
        found: dict[str, Any] = {"title": title, "author": author}
        found["encrypted"] = pdfium.FPDF_GetSecurityHandlerRevision(self.document) != -1
        first, last = (pdfium.FPDF_LoadPage(self.document, index) for index in (0, self.count - 1))
        if first and last:
            size = pdfium.FPDF_GetPageWidthF(first), pdfium.FPDF_GetPageHeightF(first)
            found |= {"pages": self.count, "page_size": [round(side, 2) for side in size]}
        return found

    def page_text(self, index: int, chars: int) -> str:
        """The text of a page; form fields and annotations too where its own is short."""
        from toolnexus_media.probe._pdf_words import has_text, joined

        text = self._text(index, chars)
        if has_text(text):
            return text
        page = self._page(index)
        try:
            held = self._held(page)
            flat = pdfium.FPDFPage_Flatten(page, pdfium.FLAT_NORMALDISPLAY) == pdfium.FLATTEN_SUCCESS
        finally:
            pdfium.FPDF_ClosePage(page)
        return joined(self._text(index, chars) if flat else text, held)

    def _held(self, page: Any) -> list[str]:
        """What free text and form fields hold, drawn or not; a note that opens on a click is not on the page."""
        held = []
        for at in range(min(pdfium.FPDFPage_GetAnnotCount(page), MAX_ANNOTATIONS)):
            note = pdfium.FPDFPage_GetAnnot(page, at)
            if note and not pdfium.FPDFAnnot_GetFlags(note) & HIDDEN:
                if pdfium.FPDFAnnot_GetSubtype(note) == pdfium.FPDF_ANNOT_FREETEXT:
                    held.append(_words(pdfium.FPDFAnnot_GetStringValue, note, b"Contents"))
                if pdfium.FPDFAnnot_GetFormFieldType(self.form, note) in TYPED:
                    held.append(_words(pdfium.FPDFAnnot_GetFormFieldValue, self.form, note))
        return held

    def _page(self, index: int) -> Any:
        if index >= self.count:
            raise IndexError(index)
        page = pdfium.FPDF_LoadPage(self.document, index)
        if not page:
            raise ValueError("no such page")
        return page

    def _text(self, index: int, chars: int) -> str:
        page = self._page(index)
        text = pdfium.FPDFText_LoadPage(page)
        try:
            if not text:
                raise ValueError("no text page")
            many = min(pdfium.FPDFText_CountChars(text), chars)
            buffer = (ctypes.c_ushort * (many + 1))()
            got = pdfium.FPDFText_GetText(text, 0, many, buffer) if many > 0 else 0
            return bytes(buffer)[: 2 * max(0, got - 1)].decode("utf-16-le", "replace")
        finally:
            if text:
                pdfium.FPDFText_ClosePage(text)
            pdfium.FPDF_ClosePage(page)
