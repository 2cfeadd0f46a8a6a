"""MCP, Mistral, Ollama, OpenRouter, xAI, A2A, and the common denominator of them all."""

from __future__ import annotations

from dataclasses import replace

from toolnexus_media.limits._resize import Resize
from toolnexus_media.limits._shape import Accept, Details, Kinds, Limits, Many, Source, Tokens, Totals

_PDF = "application/pdf"
_WEB = ("https", "http")
_ANY_URL = ("https", "http", "gs", "s3")
_ALL_FOUR = ("image/png", "image/jpeg", "image/webp", "image/gif")

# MCP: the protocol leaves all free, so the image's size is what any model behind a host takes.
_MCP_SPEC = Source(where="MCP 2026-07-28, content blocks; mcp 2.3.0", date="2026-11")
_HOSTS = "hosts: Claude Code, Codex, pi, Crush, and the anthropic SDK's mcp_content"
_MCP_KINDS = Kinds(
    image=Accept(
        mimes=("image/*",),
        advised=_ALL_FOUR,
        max_bytes=5_000_000,
        urls=_ANY_URL,
        animated=("image/*",),
        native=Details(auto=Resize(rule="long-edge", long_edge=1999)),
    ),
    document=Accept(mimes=("application/*",), urls=_ANY_URL),
    audio=Accept(mimes=("audio/*",), urls=_ANY_URL),
    video=Accept(mimes=("video/*",), urls=_ANY_URL),
    text=Accept(mimes=("*/*",), urls=_ANY_URL),
)
_MCP = Limits(
    provider="mcp",
    wire="mcp",
    user=_MCP_KINDS,
    tool=_MCP_KINDS,
    sources=(
        ("user", _MCP_SPEC),
        ("tool_media", _MCP_SPEC),
        ("error_flag", _MCP_SPEC),
        ("error_media", _MCP_SPEC),
        ("image.advised", Source(where=_HOSTS, date="2026-10", note="the protocol leaves the type free")),
        (
            "image.max_bytes",
            Source(where="the row `safe`", date="2026-11", note="the protocol has no limit; the model is not known"),
        ),
        (
            "image.native",
            Source(where=_HOSTS, date="2026-10", note="2000 px; 1999 passes where 2000 does not"),
        ),
    ),
)

_A2A_SPEC = Source(where="A2A 1.0 and 0.3, message parts; a2a-sdk 1.3.0", date="2026-11")
_A2A_KINDS = Kinds(
    image=Accept(mimes=("image/*",), urls=_ANY_URL, animated=("image/*",)),
    document=Accept(mimes=("application/*",), urls=_ANY_URL),
    audio=Accept(mimes=("audio/*",), urls=_ANY_URL),
    video=Accept(mimes=("video/*",), urls=_ANY_URL),
    text=Accept(mimes=("*/*",), urls=_ANY_URL),
)
_A2A = Limits(
    provider="a2a",
    wire="a2a",
    error_flag=False,
    user=_A2A_KINDS,
    tool=_A2A_KINDS,
    sources=tuple((path, _A2A_SPEC) for path in ("user", "tool_media", "error_flag", "error_media")),
)

_MISTRAL_SDK = Source(where="mistralai 3.7.0, content chunks", date="2026-11")
_MISTRAL_IMAGE = Accept(
    mimes=_ALL_FOUR,
    max_bytes=10_000_000,
    urls=_WEB,
    native=Details(auto=Resize(rule="long-edge", long_edge=1540)),
)
_MISTRAL_KINDS = Kinds(
    image=_MISTRAL_IMAGE,
    document=Accept(mimes=(_PDF,), max_bytes=50_000_000, urls=("https",), max_pages=1000),
)
_MISTRAL_AUDIO = Accept(mimes=("audio/wav", "audio/mpeg"), urls=_WEB)
_MISTRAL_HEARING = replace(_MISTRAL_KINDS, audio=_MISTRAL_AUDIO)
_VISION_FAQ = "Mistral docs, Vision FAQ"
_MISTRAL = Limits(
    provider="mistral",
    wire="mistral",
    models=("^$",),
    tool_media="relocated",
    error_flag=False,
    user=_MISTRAL_HEARING,
    tool=_MISTRAL_HEARING,
    totals=Totals(images=8),
    tokens=Tokens(image="rows", unit=28),
    sources=(
        ("user", _MISTRAL_SDK),
        (
            "tool_media",
            Source(where="mistralai 3.7.0", date="2026-11", note="the type allows images; unproven that they are seen"),
        ),
        ("error_flag", _MISTRAL_SDK),
        ("error_media", _MISTRAL_SDK),
        ("image.mimes", Source(where=_VISION_FAQ, date="2025-06", note="a GIF of one frame")),
        (
            "image.max_bytes",
            Source(where=_VISION_FAQ, date="2025-06", note="how it is counted is not said, so encoded"),
        ),
        (
            "image.native",
            Source(where="mistral-common, image encoder; model files of Mistral Small 3.1", date="2026-10"),
        ),
        ("document", Source(where="Mistral docs, Known limitations", date="2026-09")),
        (
            "audio",
            Source(where="mistralai 3.7.0", date="2026-11", note="Voxtral only; the list of formats is not stated"),
        ),
        ("totals.images", Source(where=_VISION_FAQ, date="2025-06", note="no newer figure is known")),
        ("tokens", Source(where="mistral-common, image encoder: (columns + 1) * rows", date="2026-10")),
    ),
)
_PIXTRAL_IMAGE = replace(_MISTRAL_IMAGE, native=Details(auto=Resize(rule="long-edge", long_edge=1024)))
_PIXTRAL_KINDS = replace(_MISTRAL_KINDS, image=_PIXTRAL_IMAGE)
_VOXTRAL_KINDS = Kinds(audio=_MISTRAL_AUDIO)
_MISTRALS = (
    _MISTRAL,
    replace(
        _MISTRAL,
        tier="pixtral",
        models=("pixtral",),
        user=_PIXTRAL_KINDS,
        tool=_PIXTRAL_KINDS,
        tokens=Tokens(image="rows", unit=16),
    ),
    replace(_MISTRAL, tier="voxtral", models=("voxtral",), user=_VOXTRAL_KINDS, tool=_VOXTRAL_KINDS, tokens=Tokens()),
    replace(_MISTRAL, tier="other", models=(), user=_MISTRAL_KINDS, tool=_MISTRAL_KINDS),
)

_OLLAMA_SDK = Source(where="ollama 0.6.3, Message.images", date="2026-11")
_OLLAMA_KINDS = Kinds(image=Accept(mimes=("image/png", "image/jpeg")))
_OLLAMA = Limits(
    provider="ollama",
    wire="ollama",
    tool_media="relocated",
    error_flag=False,
    user=_OLLAMA_KINDS,
    tool=_OLLAMA_KINDS,
    sources=(
        ("user", _OLLAMA_SDK),
        (
            "tool_media",
            Source(where="ollama 0.6.3", date="2026-11", note="the schema allows images on any role; unproven"),
        ),
        ("error_flag", _OLLAMA_SDK),
        ("error_media", _OLLAMA_SDK),
        ("image.mimes", Source(where="ollama #7388", date="2026-09", note="WebP is refused by some runners")),
    ),
)

_OPENROUTER_DOCS = Source(where="OpenRouter docs, Multimodal", date="2026-09")
_OPENROUTER_KINDS = Kinds(
    image=Accept(mimes=_ALL_FOUR, max_bytes=5_242_880, urls=_WEB, max_side=8000, many=Many(over=20, side=1999)),
    document=Accept(mimes=(_PDF,), urls=_WEB),
    audio=Accept(mimes=("audio/wav", "audio/mpeg", "audio/flac", "audio/mp4", "audio/ogg", "audio/aiff", "audio/aac")),
    video=Accept(mimes=("video/mp4",), urls=("https",)),
)
_UPSTREAM = Source(where="the strictest upstream, Claude", date="2026-10", note="the upstream's own limits apply")
_OPENROUTER = Limits(
    provider="openrouter",
    wire="openai",
    tool_media="relocated",
    error_flag=False,
    user=_OPENROUTER_KINDS,
    tool=_OPENROUTER_KINDS,
    sources=(
        ("user", _OPENROUTER_DOCS),
        (
            "tool_media",
            Source(
                where="OpenRouter docs", date="2026-09", note="the schema allows images in a tool message; unproven"
            ),
        ),
        ("error_flag", _OPENROUTER_DOCS),
        ("error_media", _OPENROUTER_DOCS),
        ("image.max_bytes", _UPSTREAM),
        ("image.max_side", _UPSTREAM),
        ("image.many", _UPSTREAM),
        (
            "audio",
            Source(where="OpenRouter docs, Audio", date="2026-09", note="which formats depends on the upstream"),
        ),
    ),
)

_XAI_DOCS = Source(where="xAI docs, Image understanding", date="2026-09")
_XAI_KINDS = Kinds(image=Accept(mimes=("image/jpeg", "image/png"), max_bytes=20_971_520, urls=_WEB))
_XAI = Limits(
    provider="xai",
    wire="openai",
    tool_media="relocated",
    error_flag=False,
    user=_XAI_KINDS,
    tool=_XAI_KINDS,
    sources=(
        ("user", _XAI_DOCS),
        (
            "tool_media",
            Source(
                where="xAI docs", date="2026-09", note="images in a tool message were seen live, 2026-09; files refused"
            ),
        ),
        ("error_flag", _XAI_DOCS),
        ("error_media", _XAI_DOCS),
        (
            "image.max_bytes",
            Source(
                where="xAI docs, Image understanding",
                date="2026-09",
                note="20 MiB, 10 MiB on older pages; how it is counted is not said, so encoded",
            ),
        ),
    ),
)

_DERIVED = Source(where="the strictest of all other rows; a test holds it", date="2026-11")
_SAFE_KINDS = Kinds(image=Accept(mimes=("image/png", "image/jpeg"), max_bytes=5_000_000, max_side=1999))
SAFE = Limits(
    provider="safe",
    wire=None,
    tool_media="relocated",
    error_flag=False,
    error_media=False,
    user=_SAFE_KINDS,
    tool=_SAFE_KINDS,
    totals=Totals(bytes=20_000_000, images=8, message_images=8),
    sources=tuple((path, _DERIVED) for path in ("user", "tool_media", "error_flag", "error_media", "totals")),
)

ROWS = (_MCP, *_MISTRALS, _OLLAMA, _OPENROUTER, _XAI, _A2A, SAFE)
