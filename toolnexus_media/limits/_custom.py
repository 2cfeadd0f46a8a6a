"""A row with a caller's own numbers: plain dicts become the frozen classes, and an unknown name or value is told."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace

from toolnexus_media.limits._resize import RULES, Resize
from toolnexus_media.limits._shape import (
    KINDS,
    Accept,
    Details,
    Kinds,
    Limits,
    Many,
    NameRule,
    Source,
    Tokens,
    Totals,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from dataclasses import Field
    from typing import Any

_SHAPES: dict[str, type] = {
    shape.__name__: shape for shape in (Accept, Details, Kinds, Many, NameRule, Resize, Tokens, Totals)
}
_WORDS = {
    "Counted": ("encoded", "raw"),
    "ToolMedia": ("native", "relocated"),
    "Rule": tuple(RULES),
    "TokenFamily": ("patches", "tiles", "rows", "large-tiles", "levels"),
}
_PLAIN: dict[str, type] = {"int": int, "bool": bool, "str": str}
_CALLER = Source(where="given by the caller", date="-")


def changed(base: Limits, changes: Mapping[str, Any]) -> Limits:
    """The row with the changes made; ``ValueError`` says which name or value is not one of a row's."""
    result: Limits = _replaced(base, {key: value for key, value in changes.items() if key not in KINDS}, "a row")
    kinds = {key: value for key, value in changes.items() if key in KINDS}
    user: Kinds = _replaced(result.user, kinds, "user")
    if result.tool_media == "relocated":
        if "tool" in changes:
            raise ValueError("media of a tool result travel in a user message here; change user instead of tool")
        tool = user
    else:
        there = {key: value for key, value in kinds.items() if getattr(result.tool, key) is not None}
        tool = _replaced(result.tool, there, "tool")
    sources = {**dict(base.sources), **dict.fromkeys(_paths(changes), _CALLER)}
    return replace(result, user=user, tool=tool, sources=tuple(sources.items()))


def _replaced(value: Any, changes: Mapping[str, Any], where: str) -> Any:
    known = _known(type(value))
    built = {
        key: _built(getattr(value, key, None), change, _named(known, key, where)) for key, change in changes.items()
    }
    return replace(value, **built)


def _known(shape: type) -> dict[str, Field[Any]]:
    return {part.name: part for part in fields(shape) if part.name != "sources"}


def _named(known: Mapping[str, Field[Any]], key: str, where: str) -> Field[Any]:
    if key not in known:
        raise ValueError(f"{where} has no {key!r:.80}; it has {', '.join(known)}")
    return known[key]


def _built(old: object, change: Any, part: Field[Any]) -> Any:
    kind, _, optional = str(part.type).partition(" | ")
    if change is None and optional:
        return None
    shape = _SHAPES.get(kind)
    if shape is None:
        return _value(change, part.name, kind)
    if isinstance(change, shape):
        return change
    if not isinstance(change, dict):
        raise _wrong(part.name, "a dict of its values", change)
    return _replaced(old, change, part.name) if is_dataclass(old) else _new(shape, change, part.name)


def _new(shape: type, values: Mapping[str, Any], where: str) -> Any:
    known = _known(shape)
    built = {key: _built(None, value, _named(known, key, where)) for key, value in values.items()}
    try:
        return shape(**built)
    except TypeError as error:
        raise ValueError(f"{where} is not complete: {str(error).partition(') ')[2]}; give the rest too") from None


def _value(change: Any, name: str, kind: str) -> Any:
    if kind.startswith("tuple") and isinstance(change, (list, tuple)):
        return tuple(tuple(item) if isinstance(item, list) else item for item in change)
    if kind in _WORDS and change not in _WORDS[kind]:
        raise _wrong(name, " or ".join(_WORDS[kind]), change)
    wanted = _PLAIN.get(kind)
    if kind.startswith("tuple") or (wanted is not None and type(change) is not wanted):
        raise _wrong(name, f"of type {kind.partition('[')[0]}", change)
    if wanted is int and change < 0:
        raise ValueError(f"{name} is {change}; a limit is 0 or more")
    return change


def _wrong(name: str, wanted: str, change: object) -> ValueError:
    return ValueError(f"{name} is {wanted}, not {change!r:.80}")


def _paths(changes: Mapping[str, Any], above: str = "") -> list[str]:
    """The path of every changed value, as ``Limits.source`` knows it."""
    found = []
    for key, change in changes.items():
        nested = isinstance(change, dict) and key not in {"many", "native", "name"}
        found += _paths(change, f"{above}{key}.") if nested else [f"{above}{key}"]
    return found
