"""Claude: the Messages API, and the same wire on Amazon Bedrock and Google Cloud."""

from __future__ import annotations

from dataclasses import replace

from toolnexus_media.limits._resize import Resize
from toolnexus_media.limits._shape import Accept, Details, Kinds, Limits, Many, NameRule, Source, Tokens, Totals

HIGH_RESOLUTION = (r"claude-(?:[a-z]+-)*(?:4[-.][789]|[5-9]|[1-9]\d)(?!\d)",)
"""Names of Claude 4.7 and later."""

STANDARD = Details(auto=Resize(rule="patches-anthropic", long_edge=1568, unit=28, budget=1568))
HIGH = Details(auto=Resize(rule="patches-anthropic", long_edge=2576, unit=28, budget=4784))
TOKENS = Tokens(image="patches", unit=28)
IMAGE_TYPES = ("image/jpeg", "image/png", "image/gif", "image/webp")
PDF = "application/pdf"

_VISION = "Claude docs, Vision (platform.claude.com/docs/en/build-with-claude/vision)"
_SDK = Source(where="anthropic 2.14.0, types of the content blocks", date="2026-11")
_REQUEST = 32_000_000  # read as decimal: the page says MB

_IMAGE = Accept(
    mimes=IMAGE_TYPES,
    max_bytes=10_485_760,
    urls=("https",),
    animated=("image/gif",),
    max_side=8000,
    many=Many(over=20, side=1999),
    native=STANDARD,
)
_DOCUMENT = Accept(mimes=(PDF,), max_bytes=_REQUEST, urls=("https",), max_pages=100, name=NameRule(max_chars=500))
_KINDS = Kinds(image=_IMAGE, document=_DOCUMENT, text=Accept(mimes=("text/plain",), counted="raw"))

SOURCES = {
    "user": _SDK,
    "tool_media": _SDK,
    "error_flag": _SDK,
    "error_media": Source(
        where="reports that a failing tool_result takes text only (vellum #18387)",
        date="2026-11",
        note="the SDK's types allow media beside is_error",
    ),
    "image": Source(where=_VISION, date="2026-10"),
    "image.mimes": Source(where=_VISION, date="2026-10", note="the label must match the bytes"),
    "image.animated": Source(
        where=_VISION, date="2026-10", note="of a GIF the first frame is read; nothing is said of APNG and WebP"
    ),
    "image.max_bytes": Source(
        where=f"{_VISION}; refusal naming 10485760 bytes, 2026-09-29",
        date="2026-10",
        note="5 MB until mid-2026; no cap is published for url sources",
    ),
    "image.many": Source(
        where=_VISION,
        date="2026-10",
        note="the docs name 2000 as safe; exactly 2000 was reported refused (openclaude #520)",
    ),
    "image.native": Source(
        where=f"{_VISION}; its coordinates page has the algorithm",
        date="2026-10",
        note="larger images from the computer-use and browser-use toolsets are refused, not scaled",
    ),
    "document": Source(where="Claude docs, PDF support", date="2026-10"),
    "document.max_bytes": Source(where="Claude docs, PDF support", date="2026-10", note="the whole request's limit"),
    "document.max_pages": Source(
        where="Claude docs, PDF support", date="2026-10", note="600 where the context window is 1M tokens"
    ),
    "document.name": _SDK,
    "text": _SDK,
    "totals.bytes": Source(where="Claude docs, API errors: 413 request_too_large", date="2026-10", note="32 MB"),
    "totals.images": Source(where=_VISION, date="2026-10", note="600 where the context window is over 200k tokens"),
    "totals.pages": Source(
        where="Claude docs, PDF support", date="2026-10", note="600 where the context window is 1M tokens"
    ),
    "tokens": Source(where=_VISION, date="2026-10", note="w*h/750 is the older approximation"),
}

_DIRECT = Limits(
    provider="anthropic",
    tier="standard",
    wire="anthropic",
    error_media=False,
    user=_KINDS,
    tool=_KINDS,
    totals=Totals(bytes=_REQUEST, images=100, pages=100),
    tokens=TOKENS,
    sources=tuple(SOURCES.items()),
)


def high_resolution(row: Limits) -> Limits:
    """The same row for Claude 4.7 and later."""
    assert row.user.image is not None
    kinds = replace(row.user, image=replace(row.user.image, native=HIGH))
    tool = kinds if row.tool == row.user else replace(row.tool, image=kinds.image)
    return replace(row, tier="high-resolution", models=HIGH_RESOLUTION, user=kinds, tool=tool)


def _on_cloud(provider: str, body: int, where: str) -> Limits:
    """Claude's wire on another cloud: base64 only, half the bytes an image, documents count as images."""
    many = Many(over=20, side=1999, counts_documents=True)
    kinds = replace(
        _KINDS,
        image=replace(_IMAGE, max_bytes=5_242_880, urls=(), many=many),
        document=replace(_DOCUMENT, max_bytes=body, urls=()),
    )
    own = {
        **SOURCES,
        "image.max_bytes": Source(where=_VISION, date="2026-10", note="refusals name 5242880 bytes"),
        "document.max_bytes": Source(where=where, date="2026-10", note="the whole request's limit"),
        "totals.bytes": Source(where=where, date="2026-10"),
    }
    totals = replace(_DIRECT.totals, bytes=body)
    return replace(_DIRECT, provider=provider, user=kinds, tool=kinds, totals=totals, sources=tuple(own.items()))


_BEDROCK = _on_cloud("anthropic-bedrock", 20_000_000, "Claude docs, Claude on Amazon Bedrock: payloads to 20 MB")
_VERTEX = _on_cloud("anthropic-vertex", 30_000_000, "Claude docs, Claude on Google Cloud: payloads to 30 MB")

ROWS = tuple(tier for row in (_DIRECT, _BEDROCK, _VERTEX) for tier in (high_resolution(row), row))
