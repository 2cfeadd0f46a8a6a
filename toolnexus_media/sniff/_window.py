"""A window on bytes or a file: bounded reads at any place, and an end to them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

READS = 64  # the deepest honest file (a film with eight tracks before its first picture track) needs about 40
CHUNK = 1 << 16


class View:
    """Answers at most ``READS`` reads of at most ``CHUNK`` bytes, then only ``b""``.

    Whatever a container's sizes and offsets say, a walk over it ends: no reader has to count for itself.
    """

    __slots__ = ("_at", "left", "size")

    def __init__(self, size: int, at: Callable[[int, int], bytes]) -> None:
        self.size = size
        self.left = READS
        self._at = at

    def at(self, offset: int, count: int) -> bytes:
        if self.left <= 0 or not 0 <= offset < self.size or count <= 0:
            return b""
        self.left -= 1
        return self._at(offset, min(count, CHUNK))


def of_bytes(data: bytes) -> View:
    """The view of bytes in memory."""
    return View(len(data), lambda offset, count: data[offset : offset + count])


def of_buffer(data: memoryview) -> View:
    """The view of any flat buffer of single bytes."""
    return View(len(data), lambda offset, count: bytes(data[offset : offset + count]))
