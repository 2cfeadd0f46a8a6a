"""A window on bytes or a file: bounded reads at any place, and an end to them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

HEAD = 8192  # as much of the beginning as every judge gets to see
READS = 64  # the deepest honest file of the corpus needs 33
CHUNK = 1 << 16


class View:
    """What there is to judge: the head, a name if there is one, and at most ``READS`` reads of ``CHUNK`` bytes.

    After the last read there is only ``b""``. So whatever a container's sizes and offsets say, a walk over it ends,
    and no reader has to count for itself.
    """

    __slots__ = ("_at", "head", "left", "name", "size")

    def __init__(self, size: int, at: Callable[[int, int], bytes], head: bytes, name: str | None) -> None:
        self.size = size
        self.head = head
        self.name = name if name is None or type(name) is str else _plain(name)
        self.left = READS
        self._at = at

    def at(self, offset: int, count: int) -> bytes:
        """Up to ``count`` bytes from a place; fewer at the end, none outside."""
        if self.left <= 0 or not 0 <= offset < self.size or count <= 0:
            return b""
        self.left -= 1
        return self._at(offset, min(count, CHUNK))


def _plain(name: object) -> str:
    from toolnexus_media.source import path_of

    return path_of(name)


def of_bytes(data: bytes, name: str | None) -> View:
    """The view of bytes in memory."""
    return View(len(data), lambda offset, count: data[offset : offset + count], data[:HEAD], name)


def of_buffer(data: memoryview, name: str | None) -> View:
    """The view of any flat buffer of single bytes."""
    return View(len(data), lambda offset, count: bytes(data[offset : offset + count]), bytes(data[:HEAD]), name)
