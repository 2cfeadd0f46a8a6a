"""``attach``: the part a file becomes, in wire form; a terminal is shown its size instead of its payload."""

from __future__ import annotations

import sys

from toolnexus_media import content, source, tool
from toolnexus_media.cli import _inputs

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any


def attach(parser: argparse.ArgumentParser) -> None:
    _inputs.add_inputs(parser)
    parser.add_argument("--mime-type", help="the type to use where the bytes say nothing")
    parser.add_argument("--name", help="the name to keep on a file part")
    parser.add_argument("--verify", choices=("full", "header", "none"), default="full", help="how much to check")
    parser.add_argument("--max-bytes", type=_inputs.positive, default=source.MAX_BYTES, help="refuse larger inputs")
    parser.add_argument("--strict", action="store_true", help="refuse a type that the bytes contradict")
    parser.add_argument("--result", action="store_true", help="print a whole tool result instead of the part")


def main(args: argparse.Namespace) -> int:
    def work(item: str) -> dict[str, Any]:
        part = content.attach(
            _inputs.read(item),
            mime_type=args.mime_type,
            name=args.name,
            verify=args.verify,
            max_bytes=args.max_bytes,
            strict=args.strict,
        )
        made: Any = part
        return tool.with_parts(tool.success(content.summarize_part(part)), part) if args.result else made  # type: ignore[return-value]  # a result is a dict

    hidden = sys.stdout.isatty()
    return _inputs.report(args, work, dict, repr if hidden else _inputs.to_json)
