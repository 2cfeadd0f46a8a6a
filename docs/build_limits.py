"""Write docs/limits.md from the rows of ``toolnexus_media.limits``; ``--check`` only says whether it is current.

python docs/build_limits.py [--check]
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from toolnexus_media import limits  # noqa: E402  # runs as a script from any folder

PAGE = ROOT / "docs" / "limits.md"
HEAD = """# What each provider takes

Written by `python docs/build_limits.py` from `toolnexus_media.limits`; do not edit it by hand.

Where sources disagree the stricter value is used and the other one stands under "note". `encoded` counts base64
characters, `raw` decoded bytes. A date says when the source was read. A side is the largest one that passes. A row's
models are regular expressions that are searched for in the model's name; the first row that matches answers, and the
last row of a provider answers for any other name. Where media are *relocated*, a tool result holds text only and its
media travel in a user message. Of the tool position only what differs from a user turn is listed.
"""
COLUMNS = ("value", "limit", "source", "note")
Facts = dict[str, tuple[object, limits.Source | None]]


def page() -> str:
    """The whole document."""
    return "\n".join([HEAD, *(line for provider in limits.PROVIDERS for line in _provider(provider))])


def _provider(provider: str) -> Iterator[str]:
    first, *rest = limits.rows(provider)
    cited: dict[str, int] = {}
    yield f"## {provider}\n"
    known = _facts(first)
    yield from _row(first, known, cited)
    for row in rest:
        own = _facts(row)
        changed = {path: fact for path, fact in own.items() if path not in known or known[path][0] != fact[0]}
        gone: Facts = {path: ("none", None) for path in known if path not in own and path.rpartition(".")[0] not in own}
        yield from _row(row, {**changed, **gone}, cited, f"As {first.name}, except:")
    yield "Sources:\n"
    yield from (f"{number}. {where}" for where, number in cited.items())
    yield ""


def _facts(row: limits.Limits) -> Facts:
    return {path: (value, source) for path, value, source in row.facts()}


def _row(row: limits.Limits, facts: Facts, cited: dict[str, int], note: str = "") -> Iterator[str]:
    yield f"### {row.name}\n"
    wire = f"Wire `{row.wire}`." if row.wire else "No wire of its own."
    names = [("no model given" if pattern == "^$" else f"`{pattern}`") for pattern in row.models]
    yield f"{wire} Models: {', '.join(names) or 'any other name'}. {note}".rstrip() + "\n"
    yield _line(COLUMNS)
    yield _line(("---",) * len(COLUMNS))
    for path, (value, source) in facts.items():
        number = _number(cited, f"{source.where}, {source.date}") if source else ""
        yield _line((path, shown(value), number, source.note if source else ""))
    yield ""


def _number(cited: dict[str, int], where: str) -> str:
    return str(cited.setdefault(where, len(cited) + 1))


def _line(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def shown(value: object) -> str:
    """A value as a reader wants it."""
    if value is None:
        return "not taken"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, tuple) and not value:
        return "none"
    if isinstance(value, tuple):
        return ", ".join(": ".join(map(shown, item)) if isinstance(item, tuple) else str(item) for item in value)
    if isinstance(value, limits.Many):
        return f"{value.side:,} px over {value.over} images{' and documents' if value.counts_documents else ''}"
    if isinstance(value, limits.NameRule):
        return f"{'required, ' if value.required else ''}1 to {value.max_chars} characters of `{value.pattern}`"
    if isinstance(value, limits.Details):
        return "; ".join(f"{name}: {_rule(rule)}" for name, rule in vars(value).items() if rule is not None)
    return str(value)


def _rule(rule: limits.Resize) -> str:
    words = [f"{rule.rule} in {rule.long_edge:,} px"]
    if rule.short_edge:
        words.append(f"short side {rule.short_edge}")
    if rule.unit > 1:
        words.append(f"squares of {rule.unit} px")
    if rule.budget:
        words.append(f"{rule.budget:,} of them")
    return ", ".join(words)


def main() -> int:
    """Write the page, or compare."""
    text = page()
    if "--check" in sys.argv[1:]:
        current = PAGE.exists() and PAGE.read_text(encoding="utf-8") == text
        print("docs/limits.md is current" if current else "docs/limits.md is old; run python docs/build_limits.py")
        return 0 if current else 1
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
