"""The box walk that every format of boxes shares: bodies by offset, never a copy, a bounded number of them."""

from __future__ import annotations

from struct import unpack_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolnexus_media._b64 import Buffer

    Span = tuple[int, int]

MAX_BOXES = 1000  # inside another box
MAX_TOP_BOXES = 20_000  # at the top, where every fragment is one


def boxes(data: Buffer, span: Span, limit: int = MAX_BOXES) -> Iterator[tuple[bytes, Span]]:
    """Name and body of every box in a span; a size of zero reaches to the end, a wrong one ends the walk."""
    pos, end = span
    for _ in range(limit):
        if pos + 8 > end:
            return
        size, name = unpack_from(">I4s", data, pos)
        body = pos + 8
        if size == 1 and pos + 16 <= end:
            size, body = unpack_from(">Q", data, pos + 8)[0], pos + 16
        elif size == 0:
            size = end - pos
        if size < body - pos:
            return
        yield name, (body, min(pos + size, end))
        pos += size


def child(data: Buffer, span: Span, name: bytes, limit: int = MAX_BOXES) -> Span:
    """The body of the first box of that name in a span; an empty span where there is none."""
    return next((body for found, body in boxes(data, span, limit) if found == name), (0, 0))
