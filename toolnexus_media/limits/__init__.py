"""What each provider and model tier accepts, as rows of data: nobody else tests a provider's name.

    row        provider, model → Limits                 rows, PROVIDERS   all there is
    custom     a row with your own numbers              resolve           what ``limits=`` of other functions takes
    native_size, sent_size                              the pixel grid a model sees; the size to send

Every value has its source and date (``Limits.source``, docs/limits.md). Where sources disagree the stricter value is
used and the other one noted.
"""

from __future__ import annotations

from functools import lru_cache

from toolnexus_media.limits import _anthropic, _bedrock, _gemini, _openai, _others
from toolnexus_media.limits._custom import changed
from toolnexus_media.limits._resize import Resize, by_rule, checked, inside, patches, resize, within_patches
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
    from typing import Any

    from toolnexus_media.limits._shape import Position

__all__ = [
    "KINDS",
    "PROVIDERS",
    "Accept",
    "Details",
    "Kinds",
    "Limits",
    "Many",
    "NameRule",
    "Resize",
    "Source",
    "Tokens",
    "Totals",
    "custom",
    "inside",
    "native_size",
    "patches",
    "resize",
    "resize_for",
    "resolve",
    "row",
    "rows",
    "sent_size",
]

_ROWS = (*_anthropic.ROWS, *_openai.ROWS, *_gemini.ROWS, *_bedrock.ROWS, *_others.ROWS)

PROVIDERS = tuple(dict.fromkeys(known.provider for known in _ROWS))
"""The names that ``row`` knows."""


def rows(provider: str | None = None) -> tuple[Limits, ...]:
    """Every row, or one provider's, in the order in which names are matched.

    >>> [known.tier for known in rows("gemini")]
    ['3+', '2.5', '2.0', 'default']
    """
    if provider is None:
        return _ROWS
    found = tuple(known for known in _ROWS if known.provider == provider)
    if not found:
        raise ValueError(f"no limits are known for {provider!r:.80}; the providers are {', '.join(PROVIDERS)}")
    return found


@lru_cache(maxsize=256)
def row(provider: str, model: str | None = None) -> Limits:
    """The row of a provider's model: the first whose pattern is in the name, else the provider's last and cautious one.

    ``ValueError`` names the known providers when this is none of them.

    >>> row("anthropic", "claude-opus-4-7").tier, row("anthropic").tier
    ('high-resolution', 'standard')
    """
    import re

    known = rows(provider)
    name = (model or "").lower()
    for candidate in known:
        if any(re.search(f"(?<![a-z0-9])(?:{pattern})", name) for pattern in candidate.models):
            return candidate
    return known[-1]


def custom(base: Limits | str, /, **changes: Any) -> Limits:
    """A row with some values replaced: yours, where you know better.

    A kind changes in both positions (``image={"max_side": 1024}``, ``audio=None``), or in one (``user={"image": …}``);
    other fields go by their own names, nested ones as dicts. What is changed has the source "given by the caller".

    >>> custom("openai", image={"max_side": 1024}, totals={"images": 4}).user.image.max_side
    1024
    """
    return changed(row(base) if isinstance(base, str) else base, changes)


def resolve(provider: str, model: str | None = None, limits: Limits | Mapping[str, Any] | None = None) -> Limits:
    """The row to work by: the one given, or the provider's own, with the changes of a mapping.

    >>> resolve("ollama", limits={"image": {"max_side": 896}}).user.image.max_side
    896
    """
    if limits is None:
        return row(provider, model)
    return limits if isinstance(limits, Limits) else changed(row(provider, model), limits)


def resize_for(accept: Accept, detail: str | None = None) -> Resize | None:
    """The provider's own resize rule at a detail, ``None`` where it has none; ``ValueError`` names the details."""
    if accept.native is None:
        return None
    if detail is None:
        return accept.native.auto
    rule: Resize | None = getattr(accept.native, detail or "auto", None)
    if rule is None:
        known = [name for name in ("auto", "low", "high", "original") if getattr(accept.native, name) is not None]
        raise ValueError(f"no detail {detail!r:.80} here; the details are {', '.join(known)}")
    return rule


def native_size(
    width: int, height: int, limits: Limits, *, position: Position = "user", detail: str | None = None
) -> tuple[int, int]:
    """The pixel grid the provider's model sees of a picture: its own resize rule, never larger than the picture.

    Where too many patches are refused and not scaled, it is the largest size that is taken.

    >>> native_size(3840, 2160, row("anthropic", "claude-opus-4-7"))
    (2576, 1449)
    """
    accept = limits.at(position).image
    size = checked(width, height)
    return size if accept is None else _native(size, accept, detail)


def _native(size: tuple[int, int], accept: Accept, detail: str | None) -> tuple[int, int]:
    rule = resize_for(accept, detail)
    if rule is not None:
        size = by_rule(*size, rule)
    return size if accept.max_patches is None else within_patches(*size, accept.patch, accept.max_patches)


def sent_size(
    width: int,
    height: int,
    limits: Limits,
    *,
    position: Position = "user",
    detail: str | None = None,
    images: int = 1,
    documents: int = 0,
) -> tuple[int, int]:
    """The size to send: the native size, inside the longest side that passes beside so many images and documents.

    >>> sent_size(4000, 3000, row("anthropic", "claude-opus-4-7"), images=21)
    (1999, 1499)
    """
    accept = limits.at(position).image
    size = checked(width, height)
    return size if accept is None else size_for(size, accept, images, documents, detail)


def size_for(
    size: tuple[int, int], accept: Accept, images: int, documents: int, detail: str | None = None
) -> tuple[int, int]:
    """The same of a size that was checked, for an entry of a row."""
    size, side = _native(size, accept, detail), accept.side(images, documents)
    return size if side is None else inside(*size, side)
