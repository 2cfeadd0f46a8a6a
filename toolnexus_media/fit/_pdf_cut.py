"""In the child: some pages of a PDF written as a new one, without encryption and under a byte cap, by pypdf."""

from __future__ import annotations

from functools import partial
from io import BytesIO

from pypdf import PdfReader, PdfWriter
from pypdf.errors import DependencyError

from toolnexus_media.probe import _child
from toolnexus_media.probe._pdf_repair import mended

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from toolnexus_media._b64 import Buffer

ROUNDS = 6  # how often fewer pages are tried


def run(request: dict[str, Any]) -> None:
    """Answer with the new file and how many of the ``pages`` (from 0) it holds, under ``cap`` bytes."""
    try:
        made, taken = cut(_child.given()[:], request["pages"], request["cap"])
    except Exception as error:  # noqa: BLE001 - readers raise whatever the content provokes
        _child.say(refused=type(error).__name__)
        return
    if len(made) <= request["cap"]:
        _child.hand_over(made, taken=taken)
    else:
        _child.say(too_large=len(made))


def cut(data: Buffer, pages: list[int], cap: int) -> tuple[bytes, int]:
    """The file of as many of the pages as the cap allows, one at least, and how many these are."""
    taken = len(pages)
    write, made = _written(data, pages)
    for _ in range(ROUNDS):
        if len(made) <= cap or taken == 1:
            break
        taken = max(1, min(taken - 1, int(0.95 * taken * cap / len(made))))
        made = write(pages[:taken])
    return made, taken


def _written(data: Buffer, pages: list[int]) -> tuple[Callable[[list[int]], bytes], bytes]:
    """What writes pages of the file, and the file of these: by pypdf, else by pdfium where it is installed."""
    try:
        write = partial(_by_pypdf, _opened(data, max(pages)))
        return write, write(pages)
    except DependencyError:
        raise
    except Exception:  # noqa: BLE001 - readers raise whatever the content provokes
        from toolnexus_media.fit._pdf_import import Importer

        importer = Importer(data)
        return importer.written, importer.written(pages)


def _opened(data: Buffer, last: int) -> PdfReader:
    """A reader that finds the last page: of the file as it is, else of what its objects make."""
    try:
        reader = PdfReader(BytesIO(data))
        if reader.is_encrypted:
            reader.decrypt("")
        reader.pages[last]
    except (DependencyError, NotImplementedError):
        raise
    except Exception:  # noqa: BLE001 - readers raise whatever the content provokes
        return PdfReader(BytesIO(mended(bytes(data))))
    return reader


def _by_pypdf(reader: PdfReader, pages: list[int]) -> bytes:
    writer = PdfWriter()
    for page in pages:
        writer.add_page(reader.pages[page])
    out = BytesIO()
    writer.write(out)
    return out.getvalue()
