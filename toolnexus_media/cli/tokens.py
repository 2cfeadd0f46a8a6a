"""``tokens``: what files cost, by the provider's published formula."""

from __future__ import annotations

import sys

from toolnexus_media import content
from toolnexus_media import tokens as _tokens
from toolnexus_media.cli import _inputs

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any


def attach(parser: argparse.ArgumentParser) -> None:
    _inputs.add_inputs(parser)
    _inputs.add_target(parser)
    parser.add_argument("--detail", help="the detail or media resolution to ask for, e.g. low or high")


def main(args: argparse.Namespace) -> int:
    def work(item: str) -> int | None:
        part = content.attach(_inputs.read(item), verify="none")
        return _tokens.tokens(part, args.provider, args.model, detail=args.detail)

    try:
        return _inputs.report(args, work, _row, _line)
    except ValueError as error:  # a detail that the model does not know
        print(f"toolnexus-media: {error}", file=sys.stderr)
        return 2


def _row(count: int | None) -> dict[str, Any]:
    return {"tokens": count}


def _line(count: int | None) -> str:
    return "no published formula" if count is None else f"{count} tokens"
