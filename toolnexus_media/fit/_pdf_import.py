"""In the child: pages of a PDF put into a new one by pdfium, for what pypdf cannot take apart."""

from __future__ import annotations

import ctypes

from toolnexus_media.probe._pdf_pdfium import Pdfium, pdfium

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from toolnexus_media._b64 import Buffer


class Importer(Pdfium):
    """One file whose pages are written as a new one; ``ValueError`` where pdfium does not open or copy them."""

    def __init__(self, data: Buffer) -> None:
        super().__init__(data)
        if self.locked:
            raise ValueError("locked")

    def written(self, pages: list[int]) -> bytes:
        """A new file of these pages, from 0, without encryption."""
        made, numbers = pdfium.FPDF_CreateNewDocument(), (ctypes.c_int * len(pages))(*pages)
        try:
            if not pdfium.FPDF_ImportPagesByIndex(made, self.document, numbers, len(pages), 0):
                raise ValueError("pages that cannot be copied")
            return _saved(made)
        finally:
            pdfium.FPDF_CloseDocument(made)


def _saved(document: Any) -> bytes:
    out = bytearray()

    def write(_to: Any, block: Any, size: int) -> int:
        out.extend(ctypes.string_at(block, size))
        return 1

    target = pdfium.FPDF_FILEWRITE(version=1)
    target.WriteBlock = type(target.WriteBlock)(write)
    if not pdfium.FPDF_SaveAsCopy(document, target, pdfium.FPDF_NO_INCREMENTAL):
        raise ValueError("a file that cannot be written")
    return bytes(out)
