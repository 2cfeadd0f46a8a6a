"""``check``: what a provider would refuse of a transcript or a file; ``--repair`` writes one that it takes."""

from __future__ import annotations

import sys

from toolnexus_media import check as _check
from toolnexus_media import content, sniff, source
from toolnexus_media._text import one_line
from toolnexus_media.cli import _inputs
from toolnexus_media.errors import SourceError
from toolnexus_media.part import text_part

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

    from toolnexus_media.types import Finding

_JSON = "application/json"
_LINES = "application/x-ndjson"


def attach(parser: argparse.ArgumentParser) -> None:
    _inputs.add_inputs(parser)
    _inputs.add_target(parser)
    parser.add_argument("--repair", action="store_true", help="write a copy of one transcript that passes")
    parser.add_argument("-o", "--output", metavar="FILE", help="where to write the repaired transcript")
    parser.set_defaults(usage_error=parser.error)


def main(args: argparse.Namespace) -> int:
    if args.repair != bool(args.output) or (args.repair and len(args.inputs) > 1):
        args.usage_error("--repair takes one transcript and needs -o FILE to write to")
    refused: list[Finding] = []

    named = _inputs.expand(args.inputs)[2]

    def work(item: str) -> tuple[str, list[Finding]]:
        held, mime = _held(item)
        found = _check.check(held, args.provider, args.model)
        if args.repair:
            if mime is None:
                raise SourceError("this is a media file; use the verb fit", code="unsupported-source")
            found = _repaired(held, mime, args)
        refused.extend(one for one in found if "severity" not in one)
        return item, found

    def line(made: tuple[str, list[Finding]]) -> str:
        before = f"\n{one_line(made[0], 4096)}: " if named else "\n"
        return before.join(map(_line, made[1])) or "nothing found"

    status = _inputs.report(args, work, lambda made: {"findings": made[1]}, line)
    return 1 if refused else status


def _held(item: str) -> tuple[Any, str | None]:
    """The transcript in a file and how it is written; a part, and None, for a file of another type."""
    blob = source.gather(_inputs.read(item))
    data = bytes(blob.data or b"")
    mime = sniff.sniff(data, blob.name)
    if mime not in (_JSON, _LINES):
        return content.attach(data, name=blob.name, verify="none"), None
    import json

    try:
        if mime == _LINES:
            return [json.loads(line) for line in data.splitlines() if line.strip()], mime
        return json.loads(data), mime
    except (ValueError, RecursionError) as error:
        said = str(error) if isinstance(error, json.JSONDecodeError) else type(error).__name__
        raise SourceError(f"no JSON that can be read ({said:.80}); pass a transcript", code="unreadable") from None


def _repaired(held: Any, mime: str, args: argparse.Namespace) -> list[Finding]:
    """What is still wrong with the repaired transcript, once it is written; the changes go to standard error."""
    import json

    made, changes = _check.repair(held, args.provider, args.model)
    text = "".join(f"{json.dumps(turn)}\n" for turn in made) if mime == _LINES else f"{json.dumps(made, indent=1)}\n"
    content.save_part(text_part(text), args.output)
    for change in changes:
        print(f"{_dotted(change['path'])}: {change['what']}", file=sys.stderr)
    return [found for found in _check.check(made, args.provider, args.model) if "severity" not in found]


def _line(found: Finding) -> str:
    """One finding: where, which rule, what is and what may be, what to do."""
    note = f" ({found['severity']})" if "severity" in found else ""
    limit = ", ".join(found["limit"]) if isinstance(found["limit"], list) else found["limit"]
    actual = _dotted(found["actual"]) if isinstance(found["actual"], list) else found["actual"]
    return f"{_dotted(found['path'])}: {found['rule']}{note}: {actual}, limit {limit}; {found['fix']}"


def _dotted(path: list[str | int]) -> str:
    """A path in one word.

    >>> _dotted(["messages", 0, "content"]), _dotted([])
    ('messages.0.content', 'the request')
    """
    return ".".join(map(str, path)) or "the request"
