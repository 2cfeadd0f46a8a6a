"""What the verbs share: inputs from paths, globs, folders and ``-``; work in order; errors by name; progress."""

from __future__ import annotations

import glob
import os
import sys
import time

from toolnexus_media._safe import elide
from toolnexus_media._text import one_line
from toolnexus_media.errors import MediaError, SourceError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator
    from typing import Any, TypeVar

    Made = TypeVar("Made")

_BAR = 24
_CLEAR = "\r\x1b[K"
_PATIENCE = 0.5  # seconds of work before a progress bar shows


def add_inputs(parser: argparse.ArgumentParser) -> None:
    """The arguments every verb over files takes."""
    parser.add_argument("inputs", nargs="+", metavar="FILE", help="files, folders, globs, or - for standard input")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one JSON array")
    form.add_argument("--jsonl", action="store_true", help="print one JSON object a line")
    parser.add_argument("--jobs", type=positive, default=1, metavar="N", help="work on N files at once (default 1)")


def positive(text: str) -> int:
    """A number of one or more, for ``argparse``."""
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value < 1:
        from argparse import ArgumentTypeError

        raise ArgumentTypeError(f"{text!r} is no whole number above 0")
    return value


def add_target(parser: argparse.ArgumentParser) -> None:
    """The arguments that say whose limits count."""
    from toolnexus_media.limits import PROVIDERS

    names = ", ".join(PROVIDERS)
    parser.add_argument("--for", dest="provider", required=True, choices=PROVIDERS, metavar="PROVIDER", help=names)
    parser.add_argument("--model", help="the model's name, where its limits are its own")


def expand(inputs: list[str]) -> tuple[list[str], list[str], bool]:
    """The files meant (of a glob each once), the folders that hold none, and whether captions need a name in front."""
    found: list[str] = []
    empty: list[str] = []
    named = len(inputs) > 1
    for item in inputs:
        matches, meant = [item], []
        if not os.path.lexists(item) and glob.has_magic(item):
            matches = sorted(glob.glob(item, recursive=True)) or [item]
            named = True
        for match in matches:
            files = [match]
            if os.path.isdir(match):
                files = list(_files_below(match))
                named = True
            meant.extend(files)
            if not files:
                empty.append(match)
        found.extend(dict.fromkeys(meant))  # a recursive glob names a folder and what is in it
    return found, empty, named


def _files_below(folder: str) -> Iterator[str]:
    """Every file below a folder in the order of names; hidden ones are left out."""
    for base, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (os.path.join(base, name) for name in sorted(names) if not name.startswith("."))


def read(item: str) -> Any:
    """The source to attach: the path itself, or what standard input holds."""
    if item != "-":
        return _Path(item)
    if sys.stdin is None:  # closed by who started this
        raise SourceError("there is no standard input; pass the path of a file", code="unreadable")
    return sys.stdin.buffer


class _Path(os.PathLike[str]):
    """A path that is never taken for a URL."""

    def __init__(self, path: str) -> None:
        self._path = path

    def __fspath__(self) -> str:
        return self._path


def each(items: list[str], work: Callable[[str], Made], jobs: int) -> Iterator[tuple[str, Made | MediaError]]:
    """What ``work`` makes of each item, in order; a ``MediaError`` is a value here."""

    def caught(item: str) -> Made | MediaError:
        try:
            return work(item)
        except MediaError as error:
            return error

    with _Progress(len(items)) as progress:
        if jobs == 1:
            for item in items:
                yield item, caught(item)
                progress.step()
            return
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(jobs) as pool:
            for item, made in zip(items, pool.map(caught, items), strict=True):
                yield item, made
                progress.step()


class _Progress:
    """A bar on standard error, when that is a terminal and the work takes long enough to wonder."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = 0
        self._start = time.monotonic()
        self._live = sys.stderr.isatty() and not sys.stdout.isatty() and total > 1

    def step(self) -> None:
        self._done += 1
        if self._live and time.monotonic() - self._start > _PATIENCE:
            filled = _BAR * self._done // self._total
            bar = "█" * filled + "░" * (_BAR - filled)
            sys.stderr.write(f"\r{bar} {self._done}/{self._total}")
            sys.stderr.flush()

    def __enter__(self) -> _Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._live:
            sys.stderr.write(_CLEAR)
            sys.stderr.flush()


def report(
    args: argparse.Namespace,
    work: Callable[[str], Any],
    row: Callable[[Any], dict[str, Any]],
    line: Callable[[Any], str],
) -> int:
    """Print what ``work`` makes of every input in the form asked for; the exit status."""
    items, empty, named = expand(args.inputs)
    failed = bool(empty)
    for folder in empty:
        tell(one_line(folder, 4096), SourceError("the folder holds no files; pass another", code="empty"))
    rows: list[dict[str, Any]] = []
    for item, made in each(items, work, args.jobs):
        path = elide(one_line(item, 4096))
        if isinstance(made, MediaError):
            failed = True
            tell(path, made)
            found: dict[str, Any] = {"path": elide(item), "error": {"code": made.code, "message": str(made)}}
        else:
            found = {"path": item, **row(made)} if args.json or args.jsonl else {}
            if not found:
                print(f"{path}: {line(made)}" if named else line(made))
        if args.jsonl:
            print(to_json(found))
        if args.json:
            rows.append(found)
    if args.json:
        print(to_json(rows))
    return int(failed)


def tell(path: str, error: MediaError) -> None:
    """Name a failed input on standard error, once."""
    said = str(error).removeprefix(f"{path} ")
    if error.code == "not-found":  # what the message says of functions is for those who call them
        said = "no such file; check the path"
    clear = _CLEAR if sys.stderr.isatty() else ""  # a progress bar may stand in the line
    print(f"{clear}toolnexus-media: {path}: {said} [{error.code}]", file=sys.stderr)


def to_json(value: object) -> str:
    """JSON in ASCII, so that no terminal or pipe can trip over a character."""
    import json

    return json.dumps(value)
