"""The blocks of a GIF, and which of them say more than its pixels: comments, texts, what an application left."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_CONTROL = 0xF9
_LOOPS = (b"NETSCAPE2.0", b"ANIMEXTS1.0")


def blocks(data: bytes) -> Iterator[tuple[bool, int, int]]:
    """``(metadata, start, end)`` of every block behind the global palette."""
    at = 13 + (3 << (data[10] & 7) + 1 if data[10] & 0x80 else 0)
    yield False, 0, at
    end = len(data)
    while at < end:
        start, kind = at, data[at]
        private = False
        if kind == 0x21:
            private = data[at + 1] != _CONTROL and (data[at + 1] != 0xFF or data[at + 3 : at + 14] not in _LOOPS)
            at += 2
        elif kind == 0x2C:
            at += 11 + (3 << (data[at + 9] & 7) + 1 if data[at + 9] & 0x80 else 0)
        else:
            yield kind != 0x3B, start, start + 1
            at += 1
            if kind == 0x3B:
                return
            continue
        while at < end and data[at]:
            at += data[at] + 1
        at += 1
        yield private, start, min(at, end)
