"""What a part costs in tokens, by the provider's own published formula; one function a family.

Text, text-like files and url parts of unknown size have no published formula: ``content.estimate_tokens`` guesses.
"""

from __future__ import annotations

from toolnexus_media.limits import native_size, patches, row

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from toolnexus_media.limits import Limits, Tokens
    from toolnexus_media.types import ContentPart

    Family = Callable[[int, int, Limits, "str | None"], int]


def tokens(part: ContentPart, provider: str, model: str | None = None, *, detail: str | None = None) -> int | None:
    """What the part costs, ``None`` where the provider publishes no formula for it or the header does not say enough.

    Read from the header, nothing is decoded. ``detail`` is OpenAI's, or Gemini 3's media resolution.

    >>> tokens({"type": "image", "mimeType": "image/png", "url": "https://example.org/a.png"}, "gemini", "gemini-3-pro")
    1120
    """
    limits = row(provider, model)
    kind = _kind(part)
    if kind is None:
        return None
    from toolnexus_media.probe import probe

    return tokens_of(probe(part) if "data" in part else {}, kind, limits, detail)


def tokens_of(facts: Mapping[str, Any], kind: str, limits: Limits, detail: str | None = None) -> int | None:
    """The same from facts already known; ``kind`` is ``image``, ``pdf`` or ``audio``, any other has no formula.

    >>> tokens_of({"width": 1920, "height": 1080}, "image", row("anthropic"))
    1560
    """
    if kind == "image":
        return _image(facts, limits, detail)
    if kind == "pdf":
        return _pages(facts, limits.tokens, detail)
    return _seconds(facts, limits.tokens) if kind == "audio" else None


def _kind(part: ContentPart) -> str | None:
    if part["type"] == "image" or part["type"] == "audio":
        return part["type"]
    return "pdf" if part["type"] == "file" and part["mimeType"] == "application/pdf" else None


def _image(facts: Mapping[str, Any], limits: Limits, detail: str | None) -> int | None:
    formula = limits.tokens
    if formula.image is None or limits.user.image is None:
        return None
    if formula.image == "levels":
        return _level(formula.levels, detail)
    width, height = facts.get("width"), facts.get("height")
    if not (isinstance(width, int) and isinstance(height, int) and width >= 1 and height >= 1):
        return None
    return FAMILIES[formula.image](width, height, limits, detail)


def _patches(width: int, height: int, limits: Limits, detail: str | None) -> int:
    """Anthropic and OpenAI: patches after the provider's resizing, times the model's multiplier."""
    formula = limits.tokens
    count = patches(*native_size(width, height, limits, detail=detail), formula.unit)
    return -(-count * formula.percent // 100)


def _tiles(width: int, height: int, limits: Limits, detail: str | None) -> int:
    """OpenAI's older models: a base, and a price for each tile; ``low`` is the base alone."""
    formula = limits.tokens
    size = native_size(width, height, limits, detail=detail)
    return formula.base if detail == "low" else formula.base + formula.each * patches(*size, formula.unit)


def _rows(width: int, height: int, limits: Limits, detail: str | None) -> int:
    """Mistral: a token for each square and one for the end of each row."""
    formula = limits.tokens
    width, height = native_size(width, height, limits, detail=detail)
    return (-(-width // formula.unit) + 1) * -(-height // formula.unit)


def _large_tiles(width: int, height: int, limits: Limits, _detail: str | None) -> int:
    """Gemini 2: one tile for a picture of half a tile, else as many as cover it."""
    formula = limits.tokens
    small = max(width, height) <= formula.unit // 2
    return formula.each * (1 if small else patches(width, height, formula.unit))


FAMILIES: dict[str, Family] = {"patches": _patches, "tiles": _tiles, "rows": _rows, "large-tiles": _large_tiles}
"""The formulas that need a picture's size; ``levels`` are prices and need none."""


def _level(levels: tuple[tuple[str, int], ...], detail: str | None) -> int:
    """Gemini 3: a flat price, whatever the size."""
    prices = dict(levels)
    level = levels[0][0] if detail is None or detail == "auto" else detail
    if level not in prices:
        raise ValueError(f"no detail {detail!r:.80} here; the details are auto, {', '.join(prices)}")
    return prices[level]


def _pages(facts: Mapping[str, Any], formula: Tokens, detail: str | None) -> int | None:
    pages = facts.get("pages")
    if not formula.page_levels or not isinstance(pages, int) or pages < 0:
        return None
    return pages * _level(formula.page_levels, detail)


def _seconds(facts: Mapping[str, Any], formula: Tokens) -> int | None:
    """A fixed rate; a part of a token counts whole."""
    from math import ceil, isfinite

    duration = facts.get("duration")
    if formula.audio_per_second is None or not isinstance(duration, (int, float)):
        return None
    if not isfinite(duration) or duration < 0:
        return None
    return ceil(round(duration * formula.audio_per_second, 6))
