"""Files: looked at before they are opened, never read past the limit, never hung on."""

from __future__ import annotations

import os
from stat import S_ISBLK, S_ISCHR, S_ISDIR, S_ISFIFO, S_ISREG, S_ISSOCK

from toolnexus_media._safe import brief
from toolnexus_media._text import a_type, one_line, type_name
from toolnexus_media.errors import SourceError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mmap import mmap
    from types import TracebackType

_FLAGS = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)

_FOLDER = (
    getattr(os, "O_PATH", os.O_RDONLY)  # a folder may be passed through without being listed
    | getattr(os, "O_DIRECTORY", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_CLOEXEC", 0)
)

# One buffer instead of two. Below it, page faults of the map cost more than the copy; and a mapped file that another
# process cuts short in the same instant would end this one, so small files are never mapped.
_MAP_FROM = 16 * 1024 * 1024
_CHUNK = 1024 * 1024


def path_of(path: object) -> str:
    """The string of a path or path object."""
    try:
        # What is no path raises, and that is the question; a str subclass is asked past its own methods.
        return str.__str__(os.fsdecode(path))  # type: ignore[arg-type]
    except Exception as error:  # a path object of any make can fail in any way
        raise SourceError(
            f"{a_type(path)} gives no path ({type_name(error)}); pass the path as a string",
            code="unsupported-source",
        ) from error


def shown_path(path: str | bytes) -> str:
    """A path for a message: one line, no payload, even when somebody passed base64 as a path."""
    return one_line(brief(os.fsdecode(path) if isinstance(path, bytes) else path, 160), 160) or "''"


def read_file(path: str, max_bytes: int, root: str | os.PathLike[str] | None = None) -> bytes | mmap:
    """The file's bytes, at most ``max_bytes`` of them; a big file comes as a read-only map."""
    fd, size = open_fd(path, root)
    try:
        if size > max_bytes:
            raise too_large(shown_path(path), size, max_bytes)  # the descriptor is closed below
        if size >= _MAP_FROM:
            from mmap import ACCESS_READ, mmap

            return mmap(fd, 0, access=ACCESS_READ)
        data = os.read(fd, size + 1)
        return data if len(data) == size and size else _read_on(fd, data, path, max_bytes)
    except ValueError as error:  # mapped after it was emptied by somebody else
        if isinstance(error, SourceError):
            raise
        raise SourceError(f"{shown_path(path)} changed while it was read; try again", code="unreadable") from None
    except OSError as error:
        raise _unreadable(path, error) from None
    finally:
        os.close(fd)


def _read_on(fd: int, start: bytes, path: str, max_bytes: int) -> bytes:
    """The rest of a file that was longer or shorter than it said: it grew, or it is one of the kernel's own."""
    data = bytearray(start)
    while len(data) <= max_bytes and (chunk := os.read(fd, min(_CHUNK, max_bytes + 1 - len(data)))):
        data += chunk
    if len(data) > max_bytes:
        raise too_large(shown_path(path), None, max_bytes)
    return bytes(data)


def open_fd(path: str, root: str | os.PathLike[str] | None = None) -> tuple[int, int]:
    """A descriptor of a regular file and its size; anything else is refused without being opened.

    Opening a device can do things (a watchdog starts, a tape rewinds), so the look comes first. Should the path change
    in between, the descriptor does not block, and readers stop at their limit whatever it is.
    """
    try:
        if root is not None:
            return _open_below(os.path.realpath(root), confine(path, os.fsdecode(root)), path)
        info = os.stat(path)
        fd = os.open(path, _FLAGS) if S_ISREG(info.st_mode) else -1
    except SourceError:
        raise
    except (OSError, ValueError) as error:  # ValueError: a NUL byte or a lone surrogate in the path
        raise _unreadable(path, error) from None
    if fd < 0:
        raise _not_a_file(path, info.st_mode)
    return fd, info.st_size


def _open_below(top: str, path: str, given: str) -> tuple[int, int]:
    """``open_fd`` of a real path inside ``top``, folder by folder without following a link that came in between."""
    if os.open not in os.supports_dir_fd:
        fd, size = open_fd(path)
        if os.path.realpath(path) == path and os.path.samestat(os.fstat(fd), os.stat(path)):
            return fd, size
        os.close(fd)
        raise SourceError(f"{shown_path(given)} changed while it was opened; try again", code="unreadable")
    *folders, name = os.path.relpath(path, top).split(os.sep)
    folder = os.open(top, _FOLDER)
    try:
        for step in folders:
            inner = os.open(step, _FOLDER, dir_fd=folder)
            os.close(folder)
            folder = inner
        info = os.stat(name, dir_fd=folder, follow_symlinks=False)
        if not S_ISREG(info.st_mode):
            raise _not_a_file(given, info.st_mode)
        return os.open(name, _FLAGS | os.O_NOFOLLOW, dir_fd=folder), info.st_size
    finally:
        os.close(folder)


def confine(path: str, root: str) -> str:
    """The real path of ``path`` inside ``root``; a relative path may be meant from here or from the root."""
    top = os.path.realpath(root)
    inside = [
        real
        for real in (os.path.realpath(path), os.path.realpath(os.path.join(top, path)))
        if real == top or real.startswith(top.rstrip(os.sep) + os.sep)
    ]
    if not inside:
        raise SourceError(
            f"{shown_path(path)} is outside {shown_path(root)}; pass a path below that folder", code="outside-root"
        )
    return next((real for real in inside if os.path.exists(real)), inside[0])


def _not_a_file(path: str, mode: int) -> SourceError:
    kinds = (
        (S_ISDIR, "a folder"),
        (S_ISFIFO, "a named pipe"),
        (S_ISSOCK, "a socket"),
        (S_ISCHR, "a device"),
        (S_ISBLK, "a device"),
    )
    what = next((name for test, name in kinds if test(mode)), "no regular file")
    way_out = "pass the files in it one by one" if S_ISDIR(mode) else "read it yourself and pass the bytes"
    return SourceError(f"{shown_path(path)} is {what}; {way_out}", code="not-a-file")


def _unreadable(path: str, error: Exception) -> SourceError:
    missing = isinstance(error, (FileNotFoundError, NotADirectoryError, ValueError))
    if missing or getattr(error, "errno", None) in {36, 63}:  # a name too long is no file either (Linux 36, macOS 63)
        return SourceError(
            f"no such file: {shown_path(path)}; check the path, or use content.text_part for text "
            "and content.from_base64 for base64",
            code="not-found",
        )
    reason = getattr(error, "strerror", None) or type(error).__name__
    return SourceError(f"{shown_path(path)} cannot be read ({reason}); check its permissions", code="unreadable")


def too_large(what: str, size: int | None, max_bytes: int) -> SourceError:
    """The error for more bytes than the caller allowed; ``size`` None when reading stopped at the limit."""
    actual = f"{size} bytes" if size is not None else f"more than {max_bytes} bytes"
    return SourceError(
        f"{what} is too large: {actual}, and at most {max_bytes} are allowed; pass a smaller file or raise max_bytes",
        code="too-large",
    )


class Window:
    """A file seen through bounded reads at any offset; a context manager.

    >>> with open_window(__file__) as window:
    ...     window.at(0, 3)
    b'\"\"\"'
    """

    __slots__ = ("_fd", "_path", "size")

    def __init__(self, path: str) -> None:
        self._path = path
        self._fd, self.size = open_fd(path)

    def at(self, offset: int, count: int) -> bytes:
        """At most ``count`` bytes from ``offset``; fewer at the end."""
        if offset < 0 or count <= 0:
            return b""
        try:
            if hasattr(os, "pread"):
                return os.pread(self._fd, count, offset)
            os.lseek(self._fd, offset, os.SEEK_SET)
            return os.read(self._fd, count)
        except (OSError, OverflowError) as error:
            raise _unreadable(self._path, error) from None

    def __enter__(self) -> Window:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._fd)


def open_window(path: str | os.PathLike[str]) -> Window:
    """A ``Window`` on a regular file; ``SourceError`` for anything else."""
    return Window(path_of(path))
