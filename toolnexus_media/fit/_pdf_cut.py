"""In the child: some pages of a PDF written as a new one, without encryption and under a byte cap, by pypdf."""

from __future__ import annotations

from io import BytesIO

from pypdf import PdfReader, PdfWriter

from toolnexus_media.probe import _child

TYPE_CHECKING = False
if TYPE_CHECKING:
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
    reader = PdfReader(BytesIO(data))
    if reader.is_encrypted:
        reader.decrypt("")
    taken = len(pages)
    made = _written(reader, pages)
    for _ in range(ROUNDS):
        if len(made) <= cap or taken == 1:
            break
        taken = max(1, min(taken - 1, int(0.95 * taken * cap / len(made))))
        made = _written(reader, pages[:taken])
    return made, taken


def _written(reader: PdfReader, pages: list[int]) -> bytes:
    writer = PdfWriter()
    for page in pages:
        writer.add_page(reader.pages[page])
    out = BytesIO()
    writer.write(out)
    return out.getvalue()
