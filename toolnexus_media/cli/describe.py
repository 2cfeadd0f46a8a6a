"""``describe``: one caption a file."""

from __future__ import annotations

from toolnexus_media import content
from toolnexus_media.cli import _inputs

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

    from toolnexus_media.types import ContentPart


def attach(parser: argparse.ArgumentParser) -> None:
    _inputs.add_inputs(parser)


def main(args: argparse.Namespace) -> int:
    return _inputs.report(args, _describe, _row, lambda made: str(made[1]))


def _describe(item: str) -> tuple[ContentPart, str]:
    part = content.attach(_inputs.read(item))
    return part, content.caption(part)


def _row(made: tuple[ContentPart, str]) -> dict[str, Any]:
    part, caption = made
    return {**content.describe_part(part), "caption": caption}
