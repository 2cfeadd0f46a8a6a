"""Office files made by code: a zip of the parts that hold text."""

from __future__ import annotations

import io
from collections.abc import Mapping
from zipfile import ZIP_DEFLATED, ZipFile

OOXML = "application/vnd.openxmlformats-officedocument."
DOCX, XLSX = OOXML + "wordprocessingml.document", OOXML + "spreadsheetml.sheet"
PPTX = OOXML + "presentationml.presentation"
ODT, EPUB = "application/vnd.oasis.opendocument.text", "application/epub+zip"


def zipped(parts: Mapping[str, str | bytes], method: int = ZIP_DEFLATED) -> bytes:
    """A zip of these parts."""
    out = io.BytesIO()
    with ZipFile(out, "w", method) as file:
        for name, content in parts.items():
            file.writestr(name, content)
    return out.getvalue()


def docx(body: str, **more: str) -> bytes:
    """A Word document with this body."""
    return zipped({"word/document.xml": f'<w:document xmlns:w="w"><w:body>{body}</w:body></w:document>', **more})


def paragraph(text: str) -> str:
    """A paragraph of a Word document."""
    return f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"


def related(*targets: str) -> str:
    """What the parts named ``r1``, ``r2`` … are."""
    found = "".join(f'<Relationship Id="r{at}" Target="{target}"/>' for at, target in enumerate(targets, 1))
    return f"<Relationships>{found}</Relationships>"


def xlsx(rows: str, strings: str = "", styles: str = "", properties: str = "") -> bytes:
    """A workbook with one sheet of these rows."""
    sheets = '<sheets><sheet name="One" sheetId="1" r:id="r1"/></sheets>'
    return zipped(
        {
            "xl/workbook.xml": f'<workbook xmlns:r="r">{properties}{sheets}</workbook>',
            "xl/_rels/workbook.xml.rels": related("worksheets/one.xml"),
            "xl/worksheets/one.xml": f"<worksheet><sheetData>{rows}</sheetData></worksheet>",
            "xl/sharedStrings.xml": f"<sst>{strings}</sst>",
            "xl/styles.xml": f"<styleSheet>{styles}</styleSheet>",
        }
    )
