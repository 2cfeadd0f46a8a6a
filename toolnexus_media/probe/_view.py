"""A read-only file over pieces of memory: a picture as its decoder should see it, without a copy of it."""

from __future__ import annotations

from bisect import bisect_right
from io import RawIOBase

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolnexus_media._b64 import Buffer


class View(RawIOBase):
    """The pieces one after the other, as a binary file; closing it releases the memory it looks at.

    >>> View([b"ab", b"cdef"]).read(3)
    b'abc'
    """

    def __init__(self, pieces: Iterable[Buffer]) -> None:
        super().__init__()
        self._pieces = [memoryview(piece) for piece in pieces if len(piece)]
        self._starts: list[int] = []
        self._size = self._at = 0
        for piece in self._pieces:
            self._starts.append(self._size)
            self._size += len(piece)

    def readable(self) -> bool:
        """Yes."""
        return True

    def seekable(self) -> bool:
        """Yes."""
        return True

    def tell(self) -> int:
        """The place of the next read."""
        return self._at

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Move; a place in front of the start is an ``OSError``, one behind the end reads nothing."""
        at = offset + (0, self._at, self._size)[whence]
        if at < 0:
            raise OSError("seek in front of the start")
        self._at = at
        return at

    def read(self, size: int | None = -1, /) -> bytes:
        """At most ``size`` bytes, all that are left when negative or None."""
        at = self._at
        end = self._size if size is None or size < 0 else min(at + size, self._size)
        if at >= end:
            return b""
        self._at = end
        index = bisect_right(self._starts, at) - 1
        parts = []
        while at < end:
            first, piece = self._starts[index], self._pieces[index]
            stop = min(end, first + len(piece))
            parts.append(piece[at - first : stop - first])
            at, index = stop, index + 1
        return bytes(parts[0]) if len(parts) == 1 else b"".join(parts)

    def close(self) -> None:
        """Release the memory."""
        for piece in self._pieces:
            piece.release()
        self._pieces, self._starts, self._size = [], [], 0
        super().close()


def patched(data: Buffer, patches: Iterable[tuple[int, bytes]], tail: bytes = b"") -> View:
    """The data with some bytes replaced; ``patches`` are ``(offset, bytes)``, sorted and without overlap."""
    view = memoryview(data)
    pieces: list[Buffer] = []
    at = 0
    for offset, new in patches:
        pieces += (view[at:offset], new)
        at = offset + len(new)
    pieces += (view[at:], tail)
    return View(pieces)
