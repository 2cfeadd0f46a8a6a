"""``probe``: the facts of a file, as the probes find them."""

from __future__ import annotations

from toolnexus_media import probe as _probe
from toolnexus_media.cli import _inputs

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any


def attach(parser: argparse.ArgumentParser) -> None:
    _inputs.add_inputs(parser)


def main(args: argparse.Namespace) -> int:
    return _inputs.report(args, _facts, dict, _line)


def _facts(item: str) -> dict[str, Any]:
    mime, facts = _probe.identify(_inputs.read(item))
    return {"mimeType": mime, **facts}


def _line(facts: dict[str, Any]) -> str:
    return ", ".join(f"{key} {_shown(value)}" for key, value in facts.items())


def _shown(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.3f}".rstrip("0").rstrip(".")
    return "x".join(_shown(item) for item in value) if isinstance(value, tuple) else str(value)
