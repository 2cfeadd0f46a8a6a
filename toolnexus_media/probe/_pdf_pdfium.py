"""pdfium as a reader, for the child: hostile bytes may crash it, which costs nobody but the child."""

from __future__ import annotations

import ctypes

import pypdfium2_raw as pdfium  # the helpers around it cost as much again to import

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mmap import mmap
    from typing import Any


class Pdfium:
    """One file, open in pdfium."""

    def __init__(self, data: mmap) -> None:
        pdfium.FPDF_InitLibrary()
        self.data = data[:]
        self.document = pdfium.FPDF_LoadMemDocument64(self.data, len(self.data), None)
        error = 0 if self.document else pdfium.FPDF_GetLastError()
        self.locked = error in (pdfium.FPDF_ERR_PASSWORD, pdfium.FPDF_ERR_SECURITY)
        self.count = pdfium.FPDF_GetPageCount(self.document) if self.document else 0
        if not self.document and not self.locked:
            raise ValueError(f"pdfium error {error}")

    def facts(self) -> dict[str, Any]:
        """Title, author; pages and page size where the last page the count promises is there."""
        found: dict[str, Any] = {"title": self._named(b"Title"), "author": self._named(b"Author")}
        found["encrypted"] = pdfium.FPDF_GetSecurityHandlerRevision(self.document) != -1
        first, last = (pdfium.FPDF_LoadPage(self.document, index) for index in (0, self.count - 1))
        if not (first and last):
            self.count = 0  # nothing to take text from
        else:
            size = pdfium.FPDF_GetPageWidthF(first), pdfium.FPDF_GetPageHeightF(first)
            found |= {"pages": self.count, "page_size": [round(side, 2) for side in size]}
        return found

    def _named(self, key: bytes) -> str:
        size = min(pdfium.FPDF_GetMetaText(self.document, key, None, 0), 65_536)
        buffer = ctypes.create_string_buffer(size)
        pdfium.FPDF_GetMetaText(self.document, key, buffer, size)
        return buffer.raw[:size].decode("utf-16-le", "replace").rstrip("\0")

    def page_text(self, index: int, chars: int) -> str:
        """The text of a page; form fields and annotations too where its own is short."""
        from toolnexus_media.probe._pdf_worker import has_text

        text = self._text(index, chars)
        if not has_text(text):
            page = self._page(index)
            try:
                flat = pdfium.FPDFPage_Flatten(page, pdfium.FLAT_NORMALDISPLAY) == pdfium.FLATTEN_SUCCESS
            finally:
                pdfium.FPDF_ClosePage(page)
            text = self._text(index, chars) if flat else text
        return text

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
