"""OpenAI: Chat Completions and Responses, one row a model family."""

from __future__ import annotations

from dataclasses import replace

from toolnexus_media.limits._resize import Resize
from toolnexus_media.limits._shape import Accept, Details, Kinds, Limits, NameRule, Source, Tokens, Totals

IMAGE_TYPES = ("image/png", "image/jpeg", "image/webp", "image/gif")
OFFICE = (
    "application/msword",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "text/rtf",
    "application/vnd.oasis.opendocument.text",
    "application/vnd.ms-powerpoint",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "application/vnd.ms-excel",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
)
TEXTS = (
    "text/plain",
    "text/markdown",
    "text/csv",
    "text/tab-separated-values",
    "text/html",
    "text/css",
    "text/javascript",
    "application/json",
    "application/xml",
)

_VISION = "OpenAI docs, Images and vision (developers.openai.com/api/docs/guides/images-vision)"
_FILES = "OpenAI docs, File inputs (developers.openai.com/api/docs/guides/file-inputs)"
_SDK = Source(where="openai 3.57.0, types of the content parts", date="2026-11")


def _patches(edge: int, budget: int | None) -> Resize:
    return Resize(rule="patches-openai", long_edge=edge, unit=32, budget=budget)


def _same(resize: Resize) -> Details:
    return Details(auto=resize, low=resize, high=resize)


def _times(percent: int) -> Tokens:
    return Tokens(image="patches", unit=32, percent=percent)


def _tiles(base: int, each: int) -> Tokens:
    return Tokens(image="tiles", unit=512, base=base, each=each)


_LOW, _HIGH = _patches(512, None), _patches(2048, 2500)
_KEPT, _LARGE = _patches(65_535, None), _patches(6000, 10_000)
_BUDGETED, _OLDER = _same(_patches(2048, 6144)), _same(_patches(2048, 1536))
_TILED = _same(Resize(rule="tiles-openai", long_edge=2048, unit=512, short_edge=768))

FAMILIES: tuple[tuple[str, str, Details, Tokens], ...] = (
    ("gpt-5.6", r"gpt-5\.6|gpt-6(?!\d)", Details(auto=_KEPT, low=_LOW, high=_HIGH, original=_KEPT), _times(120)),
    ("gpt-5.5", r"gpt-5\.5", Details(auto=_LARGE, low=_LOW, high=_HIGH, original=_LARGE), _times(120)),
    (
        "gpt-5.4",
        r"gpt-5\.4",
        Details(auto=_HIGH, low=_patches(2048, 6144), high=_HIGH, original=_LARGE),
        _times(120),
    ),
    ("gpt-5.2", r"gpt-5\.2", _BUDGETED, _times(120)),
    ("gpt-4.1-mini", r"gpt-4\.1-mini", _BUDGETED, _times(162)),
    ("gpt-5-mini", r"gpt-5-mini", _OLDER, _times(120)),
    ("gpt-5-nano", r"gpt-5-nano", _OLDER, _times(150)),
    ("gpt-4.1-nano", r"gpt-4\.1-nano", _OLDER, _times(246)),
    ("o4-mini", r"o4-mini", _OLDER, _times(172)),
    ("gpt-5", r"gpt-5(?:\.1)?(?![.\d])", _TILED, _tiles(70, 140)),
    ("gpt-4o-mini", r"gpt-4o-mini(?!-audio)", _TILED, _tiles(2833, 5667)),
    ("gpt-4o", r"gpt-4o(?!-(?:mini-)?audio)|gpt-4\.1(?!-)|gpt-4\.1-\d", _TILED, _tiles(85, 170)),
    ("o1", r"o[13](?!\w|-mini)", _TILED, _tiles(75, 150)),
    ("computer-use-preview", r"computer-use-preview", _TILED, _tiles(65, 129)),
)
"""Tier, names, resize rules and token formula; the first family whose pattern is found answers."""

_DEFAULT_DETAILS = Details(auto=_HIGH, low=_LOW, high=_HIGH, original=_HIGH)

_IMAGE = Accept(
    mimes=IMAGE_TYPES, urls=("https",), max_side=65_535, native=_DEFAULT_DETAILS, max_patches=30_000, patch=32
)
_PDF = Accept(mimes=("application/pdf",), max_bytes=49_999_999, name=NameRule(max_chars=255, required=True))
_AUDIO = Accept(mimes=("audio/wav", "audio/mpeg"), max_bytes=52_428_800)

_SOURCES = {
    "user": _SDK,
    "tool_media": Source(
        where="openai 3.57.0: a tool message holds text only",
        date="2026-11",
        note="older models refuse an image there, newer ones answer 200 and do not see it (openai-openapi #523)",
    ),
    "error_flag": _SDK,
    "error_media": _SDK,
    "image": Source(where=_VISION, date="2026-08"),
    "image.mimes": Source(where=_VISION, date="2026-08", note="GIF without animation"),
    "image.max_patches": Source(
        where=f"{_VISION}; refusal naming the limit of 30000", date="2026-09", note="known of gpt-5.6 and gpt-6"
    ),
    "image.native": Source(
        where=_VISION,
        date="2026-08",
        note="without a known model: `high`, which each family takes; earlier 2026 pages give 1,536 patches for "
        "gpt-5.2, mini and nano, used here where no newer figure is known",
    ),
    "document": Source(where=_FILES, date="2026-08"),
    "document.max_bytes": Source(
        where=_FILES, date="2026-08", note="under 50 MB; how it is counted is not said, so encoded"
    ),
    "document.name": _SDK,
    "audio": Source(where="openai 3.57.0: format is wav or mp3", date="2026-11", note="audio models only"),
    "audio.max_bytes": Source(
        where="a cap of 50 MiB in the source of OpenAI's Codex", date="2026-09", note="no figure in the docs"
    ),
    "totals.bytes": Source(where=_VISION, date="2026-08", note="50 MB of image bytes on older pages"),
    "totals.images": Source(where=_VISION, date="2026-08", note="500 on older pages"),
    "totals.document_bytes": Source(where=_FILES, date="2026-08"),
    "tokens": Source(
        where=_VISION, date="2026-08", note="earlier 2026: 1.62 for gpt-5.4-mini and 2.46 for gpt-5.4-nano"
    ),
    "tokens.audio_per_second": Source(where="OpenAI docs, Realtime costs", date="2026-09"),
}


_CHAT_KINDS = Kinds(image=_IMAGE, document=_PDF, audio=_AUDIO)
_RESPONSES_KINDS = Kinds(
    image=_IMAGE,
    document=replace(_PDF, mimes=("application/pdf", *OFFICE), urls=("https",)),
    text=replace(_PDF, mimes=TEXTS, urls=("https",)),
)

_CHAT = Limits(
    provider="openai",
    wire="openai",
    models=("^$",),
    tool_media="relocated",
    error_flag=False,
    user=_CHAT_KINDS,
    tool=_CHAT_KINDS,
    totals=Totals(bytes=512_000_000, images=1500, document_bytes=50_000_000),
    tokens=replace(_times(120), audio_per_second=10),
    sources=tuple(_SOURCES.items()),
)
_RESPONSES = replace(
    _CHAT,
    provider="openai-responses",
    wire="openai-responses",
    tool_media="native",
    tokens=_times(120),
    user=_RESPONSES_KINDS,
    tool=_RESPONSES_KINDS,
    sources=tuple(
        {
            **_SOURCES,
            "tool_media": Source(where="openai 3.57.0: function_call_output takes a list of parts", date="2026-11"),
            "text": Source(where=_FILES, date="2026-08"),
        }.items()
    ),
)


def _family(base: Limits, tier: str, pattern: str, details: Details, tokens: Tokens) -> Limits:
    kinds = replace(base.user, image=replace(_IMAGE, native=details), audio=None)
    return replace(base, tier=tier, models=(pattern,), tokens=tokens, user=kinds, tool=kinds)


def _rows(base: Limits) -> tuple[Limits, ...]:
    """The families, then what hears and does not see, then any other name: no formula is known for that one."""
    known = tuple(_family(base, *family) for family in FAMILIES)
    kinds = replace(base.user, audio=None)
    silent = replace(base, tier="other", models=(), tokens=Tokens(), user=kinds, tool=kinds)
    if base.user.audio is None:
        return base, *known, silent
    heard = Kinds(audio=base.user.audio)
    hears = replace(
        base,
        tier="gpt-audio",
        models=(r"gpt-audio|gpt-4o(?:-mini)?-audio",),
        tokens=Tokens(audio_per_second=10),
        user=heard,
        tool=heard,
    )
    return base, hears, *known, silent


ROWS = (*_rows(_CHAT), *_rows(_RESPONSES))
