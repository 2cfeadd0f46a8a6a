"""Tokens equal the providers' documented examples, and are None where no formula is published."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus_media import limits, tokens
from toolnexus_media.types import ContentPart

SIDES = st.integers(1, 20_000)
LINK = "https://example.org/x"

IMAGES = [
    ("anthropic", None, None, (1920, 1080), 1560),
    ("anthropic", None, None, (3840, 2160), 1560),
    ("anthropic", "claude-opus-4-7", None, (3840, 2160), 4784),
    ("anthropic", None, None, (200, 200), 64),
    ("anthropic", None, None, (1000, 1000), 1296),
    ("bedrock", "anthropic.claude-opus-5", None, (3840, 2160), 4784),
    ("openai", "gpt-5.6-sol", "high", (2048, 2048), 3000),
    ("openai", "gpt-5.6-sol", "original", (7952, 5304), 35_871),
    ("openai", "gpt-5.6-sol", "low", (2048, 2048), 308),
    ("openai", "gpt-6-astra", None, (1024, 1024), 1229),
    ("openai", "gpt-6-astra", None, (4096, 512), 2458),
    ("openai-responses", "gpt-6-astra", None, (1024, 1024), 1229),
    ("openai", "gpt-5.4", None, (2048, 2048), 3000),
    ("openai", "gpt-5.4", "low", (2048, 2048), 4916),
    ("openai", "gpt-4.1-mini", None, (1024, 1024), 1659),
    ("openai", "gpt-5-nano", None, (1024, 1024), 1536),
    ("openai", "gpt-4o", None, (1024, 1024), 765),
    ("openai", "gpt-4o", None, (2048, 4096), 1105),
    ("openai", "gpt-4o", "low", (2048, 4096), 85),
    ("openai", "gpt-5.1", None, (1024, 1024), 630),
    ("openai", "gpt-4o-mini", None, (1024, 1024), 25_501),
    ("openai", "o3", None, (1024, 1024), 675),
    ("openai", "computer-use-preview", None, (1024, 1024), 581),
    ("gemini", "gemini-2.5-pro", None, (384, 384), 258),
    ("gemini", "gemini-2.5-pro", None, (385, 100), 258),
    ("gemini", "gemini-2.5-pro", None, (769, 100), 516),
    ("gemini", "gemini-2.0-flash", None, (1024, 1024), 1032),
    ("gemini", "gemini-3-pro", None, (9000, 9000), 1120),
    ("gemini", "gemini-3-pro", "low", (9000, 9000), 280),
    ("gemini", "gemini-3-pro", "medium", (10, 10), 560),
    ("gemini", "gemini-3-pro", "ultra_high", (10, 10), 2240),
    ("mistral", "pixtral-12b", None, (1024, 512), 2080),
    ("mistral", "mistral-small-latest", None, (1540, 1540), 3080),
]


@pytest.mark.parametrize(("provider", "model", "detail", "size", "price"), IMAGES)
def test_a_documented_picture_has_its_documented_price(
    provider: str, model: str | None, detail: str | None, size: tuple[int, int], price: int
) -> None:
    facts = {"width": size[0], "height": size[1]}
    assert tokens.tokens_of(facts, "image", limits.row(provider, model), detail) == price


@pytest.mark.parametrize(
    ("provider", "model", "kind", "facts", "price"),
    [
        ("openai", "gpt-audio", "audio", {"duration": 3.2}, 32),
        ("openai", "gpt-audio", "audio", {"duration": 0.01}, 1),
        ("openai", None, "audio", {"duration": 60}, 600),
        ("openai", "gpt-5.5", "audio", {"duration": 60}, None),
        ("gemini", "gemini-2.5-pro", "audio", {"duration": 60.0}, 1920),
        ("gemini", "gemini-2.5-pro", "pdf", {"pages": 10}, 2580),
        ("gemini", "gemini-3-pro", "pdf", {"pages": 10}, 5600),
        ("anthropic", None, "pdf", {"pages": 10}, None),
        ("openai", None, "pdf", {"pages": 10}, None),
        ("anthropic", None, "audio", {"duration": 1.0}, None),
        ("ollama", None, "image", {"width": 10, "height": 10}, None),
        ("openai", "gpt-audio", "image", {"width": 10, "height": 10}, None),
        ("openai", "my-deployment", "image", {"width": 10, "height": 10}, None),
        ("gemini", None, "video", {"duration": 1.0}, None),
        ("gemini", None, "text", {"lines": 3}, None),
    ],
)
def test_sound_and_pages_have_a_price_where_one_is_published(
    provider: str, model: str | None, kind: str, facts: dict[str, Any], price: int | None
) -> None:
    assert tokens.tokens_of(facts, kind, limits.row(provider, model)) == price


@pytest.mark.parametrize(
    ("kind", "facts"),
    [
        ("image", {}),
        ("image", {"width": 10}),
        ("image", {"width": 0, "height": 5}),
        ("image", {"width": "8", "height": 8}),
        ("audio", {"duration": float("inf")}),
        ("audio", {"duration": float("nan")}),
        ("audio", {"duration": -1.0}),
        ("audio", {}),
        ("pdf", {}),
    ],
)
def test_a_header_that_says_too_little_has_no_price(kind: str, facts: dict[str, Any]) -> None:
    assert tokens.tokens_of(facts, kind, limits.row("gemini", "gemini-2.5-pro")) is None


@settings(deadline=None)
@given(SIDES, SIDES, st.sampled_from(limits.rows()))
def test_a_price_is_that_of_the_seen_size(width: int, height: int, row: limits.Limits) -> None:
    seen = limits.native_size(width, height, row)
    price = tokens.tokens_of({"width": width, "height": height}, "image", row)
    assert price == tokens.tokens_of({"width": seen[0], "height": seen[1]}, "image", row)
    assert price is None or price > 0


@settings(deadline=None)
@given(SIDES, SIDES)
def test_no_picture_costs_more_than_its_tier_allows(width: int, height: int) -> None:
    facts = {"width": width, "height": height}
    caps = [("claude-opus-4-6", 1568), ("claude-opus-4-7", 4784)]
    assert all((tokens.tokens_of(facts, "image", limits.row("anthropic", model)) or 0) <= cap for model, cap in caps)


def test_an_unknown_detail_is_told_the_known_ones() -> None:
    with pytest.raises(ValueError, match="no detail 'original' here; the details are auto, high, low, medium"):
        tokens.tokens_of({}, "image", limits.row("gemini", "gemini-3-pro"), "original")


def test_a_text_has_no_published_formula() -> None:
    assert tokens.tokens({"type": "text", "text": "hello"}, "gemini", "gemini-3-pro") is None


@pytest.mark.parametrize(
    ("part", "price"),
    [
        ({"type": "image", "mimeType": "image/png", "url": LINK}, 1120),
        ({"type": "audio", "mimeType": "audio/wav", "url": LINK}, None),
        ({"type": "file", "mimeType": "application/pdf", "url": LINK}, None),
        ({"type": "file", "mimeType": "text/csv", "url": LINK}, None),
    ],
)
def test_a_link_has_a_price_only_where_the_price_is_flat(part: ContentPart, price: int | None) -> None:
    assert tokens.tokens(part, "gemini", "gemini-3-pro") == price


def test_a_part_is_priced_from_its_own_header() -> None:
    from io import BytesIO

    from PIL import Image

    from toolnexus_media.content import attach

    stream = BytesIO()
    Image.new("L", (1024, 1024)).save(stream, "PNG")
    assert tokens.tokens(attach(stream.getvalue()), "openai", "gpt-6-astra") == 1229


def test_an_unknown_provider_is_told() -> None:
    with pytest.raises(ValueError, match="the providers are"):
        tokens.tokens({"type": "text", "text": "hello"}, "nobody")
