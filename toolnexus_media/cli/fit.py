"""``fit``: files as a provider takes them, one line a file with what was done to it."""

from __future__ import annotations

import os

from toolnexus_media import content
from toolnexus_media import fit as _fit
from toolnexus_media._text import base_name
from toolnexus_media.cli import _inputs
from toolnexus_media.errors import SourceError
from toolnexus_media.sniff import ending_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

    from toolnexus_media.types import Change, ContentPart

    Fitted = tuple[list[ContentPart], list[Change], list[str]]  # with the paths that were written


def attach(parser: argparse.ArgumentParser) -> None:
    _inputs.add_inputs(parser)
    _inputs.add_target(parser)
    parser.add_argument("--position", choices=("user", "tool"), default="user", help="in a user turn or a tool result")
    parser.add_argument("-o", "--output", metavar="FOLDER", help="where to write; without it nothing is written")
    parser.add_argument("--tall", choices=("fit", "slice"), default="fit", help="cut tall pictures into slices")
    parser.add_argument("--animation", choices=("first", "sheet"), default="first", help="a sheet shows several frames")
    parser.add_argument("--keep-metadata", action="store_true", help="leave GPS, EXIF and the like in pictures")


def main(args: argparse.Namespace) -> int:
    stems = _stems(_inputs.expand(args.inputs)[0])

    def work(item: str) -> Fitted:
        parts, changes = _fit.fit(
            content.attach(_inputs.read(item)),
            args.provider,
            model=args.model,
            position=args.position,
            tall=args.tall,
            animation=args.animation,
            keep_metadata=args.keep_metadata,
        )
        return parts, changes, _saved(parts, args.output, item, stems[item]) if args.output else []

    return _inputs.report(args, work, _row, _line)


def _stems(items: list[str]) -> dict[str, str]:
    """A file name without ending for each input, none twice."""
    stems: dict[str, str] = {}
    used: set[str] = set()
    for item in dict.fromkeys(items):
        bare = os.path.splitext(base_name(item))[0] if item != "-" else ""
        stem, number = bare or "stdin", 1
        while stem.casefold() in used:
            number += 1
            stem = f"{bare or 'stdin'}-{number}"
        used.add(stem.casefold())
        stems[item] = stem
    return stems


def _saved(parts: list[ContentPart], folder: str, item: str, stem: str) -> list[str]:
    """The paths of the files written, which never are the one that was read."""
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise SourceError(
            f"the folder {folder!r:.200} cannot be made ({error.strerror}); choose another", code="unreadable"
        ) from None
    paths = []
    for number, part in enumerate(parts, 1):
        if "url" in part:
            continue
        numbered = f"{stem}-{number}" if len(parts) > 1 else stem
        ending = ".txt" if part["type"] == "text" else ending_of(part["mimeType"])
        path = os.path.join(folder, numbered + ending)
        if os.path.exists(path) and os.path.exists(item) and os.path.samefile(path, item):
            path = os.path.join(folder, f"{numbered}-fitted{ending}")
        content.save_part(part, path)
        paths.append(path)
    return paths


def _row(made: Fitted) -> dict[str, Any]:
    parts, changes, paths = made
    return {"parts": [content.describe_part(part) for part in parts], "changes": changes, "written": paths}


def _line(made: Fitted) -> str:
    """What was done, and what came of it."""
    parts, changes, paths = made
    told = "; ".join(dict.fromkeys(change["what"] for change in changes)) or "fits as it is"
    names = [part["mimeType"] if part["type"] != "text" else "text" for part in parts]
    return f"{told} → {', '.join(paths or names)}"
