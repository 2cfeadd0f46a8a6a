"""In the child: pages of a PDF measured and drawn by pdfium; hostile bytes may crash it, which costs only the child."""

from __future__ import annotations

import ctypes
from io import BytesIO

import pypdfium2_raw as pdfium  # the helpers around it cost as much again to import
from PIL import Image

from toolnexus_media.probe import _child
from toolnexus_media.probe._pdf_pdfium import Pdfium

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mmap import mmap
    from typing import Any

FEW_COLOURS = 4096
LETTER = (0.0, 0.0, 612.0, 792.0)
FLAGS = pdfium.FPDF_ANNOT | pdfium.FPDF_REVERSE_BYTE_ORDER


def run(request: dict[str, Any]) -> None:
    """Answer with the ``sizes`` of pages (from 0), or with pictures of those to ``draw``: page, width, height."""
    try:
        document = Pages(_child.given())
    except Exception as error:  # noqa: BLE001 - readers raise whatever the content provokes
        _child.say(refused=type(error).__name__)
        return
    for page in request.get("sizes", ()):
        _child.say(page=page, points=document.points(page))
    for page, width, height in request.get("draw", ()):
        try:
            picture, mime = encoded(document.drawn(page, width, height))
        except Exception as error:  # noqa: BLE001 - the other pages may be drawn
            _child.say(refused=type(error).__name__)
        else:
            _child.hand_over(picture, page=page, mime=mime)


class Pages(Pdfium):
    """One file, its pages to be drawn."""

    def __init__(self, data: mmap) -> None:
        super().__init__(data)
        if self.locked:
            raise ValueError("locked")

    def points(self, page: int) -> list[float]:
        """Width and height as shown, in points; zeros for a page that is not there."""
        try:
            opened = self._shown(page)
        except (IndexError, ValueError):
            return [0.0, 0.0]
        try:
            return [pdfium.FPDF_GetPageWidthF(opened), pdfium.FPDF_GetPageHeightF(opened)]
        finally:
            pdfium.FPDF_ClosePage(opened)

    def _shown(self, page: int) -> Any:
        """The page; one whose boxes leave nothing of it shows all that its medium holds, or a sheet of letter paper."""
        opened = self._page(page)
        if min(pdfium.FPDF_GetPageWidthF(opened), pdfium.FPDF_GetPageHeightF(opened)) > 0:
            return opened
        sides = [ctypes.c_float() for _ in range(4)]
        held = pdfium.FPDFPage_GetMediaBox(opened, *(ctypes.byref(side) for side in sides))
        left, bottom, right, top = (side.value for side in sides) if held else LETTER
        if not (left < right and bottom < top):
            left, bottom, right, top = LETTER
        pdfium.FPDFPage_SetMediaBox(opened, left, bottom, right, top)
        pdfium.FPDFPage_SetCropBox(opened, left, bottom, right, top)
        pdfium.FPDF_ClosePage(opened)
        return self._page(page)

    def drawn(self, page: int, width: int, height: int) -> Image.Image:
        """A page on white, with the text of its form fields."""
        opened = self._shown(page)
        pdfium.FPDFPage_Flatten(opened, pdfium.FLAT_NORMALDISPLAY)  # else form fields are left empty
        pdfium.FPDF_ClosePage(opened)
        opened = self._page(page)
        buffer = bytearray(4 * width * height)
        target = (ctypes.c_ubyte * len(buffer)).from_buffer(buffer)
        bitmap = pdfium.FPDFBitmap_CreateEx(width, height, pdfium.FPDFBitmap_BGRx, target, 4 * width)
        try:
            pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xFFFFFFFF)
            pdfium.FPDF_RenderPageBitmap(bitmap, opened, 0, 0, width, height, 0, FLAGS)
        finally:
            pdfium.FPDFBitmap_Destroy(bitmap)
            pdfium.FPDF_ClosePage(opened)
        return Image.frombytes("RGB", (width, height), buffer, "raw", "RGBX")


def encoded(image: Image.Image) -> tuple[bytes, str]:
    """A photograph as JPEG, everything else as PNG, in grey where there is no colour."""
    sample = image.resize((max(1, image.width // 4), max(1, image.height // 4)), Image.Resampling.NEAREST)
    colours: Any = sample.getcolors(FEW_COLOURS)
    out = BytesIO()
    if colours is None:
        image.save(out, "JPEG", quality=90)
        return out.getvalue(), "image/jpeg"
    if all(red == green == blue for _, (red, green, blue) in colours):
        image = image.convert("L")
    image.save(out, "PNG", compress_level=3)
    return out.getvalue(), "image/png"
