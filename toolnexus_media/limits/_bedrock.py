"""Amazon Bedrock's Converse: Claude, Nova, and the rest."""

from __future__ import annotations

from dataclasses import replace

from toolnexus_media.limits._anthropic import SOURCES, STANDARD, TOKENS, high_resolution
from toolnexus_media.limits._shape import Accept, Kinds, Limits, Many, NameRule, Source, Tokens, Totals

_SHAPE = "botocore 1.44.8, bedrock-runtime service model"
_RESTRICTIONS = "Amazon Bedrock user guide, API restrictions (inference-api-restrictions.html)"
_SDK = Source(where=_SHAPE, date="2026-11")
_WORD = r"[A-Za-z0-9\-()\[\]]+"
_NAME = NameRule(max_chars=200, required=True, pattern=rf"{_WORD}(?: {_WORD})*")
_S3 = ("s3",)

_IMAGE = Accept(
    mimes=("image/png", "image/jpeg", "image/gif", "image/webp"),
    max_bytes=3_750_000,
    counted="raw",
    max_side=8000,
)
_CLAUDE_IMAGE = replace(
    _IMAGE,
    max_bytes=5_242_880,
    counted="encoded",
    animated=("image/gif",),
    many=Many(over=20, side=1999, counts_documents=True),
    native=STANDARD,
)
_DOCUMENT = Accept(
    mimes=(
        "application/pdf",
        "application/msword",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "application/vnd.ms-excel",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ),
    max_bytes=4_500_000,
    counted="raw",
    name=_NAME,
)
_TEXT = replace(_DOCUMENT, mimes=("text/csv", "text/html", "text/plain", "text/markdown"))
_VIDEO = Accept(
    mimes=(
        "video/x-matroska",
        "video/quicktime",
        "video/mp4",
        "video/webm",
        "video/x-flv",
        "video/mpeg",
        "video/x-ms-wmv",
        "video/3gpp",
    ),
    max_bytes=24_999_999,
    urls=_S3,
)
_AUDIO = Accept(
    mimes=(
        "audio/mpeg",
        "audio/ogg",
        "audio/wav",
        "audio/aac",
        "audio/flac",
        "audio/mp4",
        "audio/x-matroska",
        "audio/webm",
    ),
    max_bytes=20_000_000,
)
_CLAUDE = Kinds(image=_CLAUDE_IMAGE, document=replace(_DOCUMENT, max_pages=100), text=_TEXT)

_SOURCES = {
    "user": _SDK,
    "tool": Source(where=_SHAPE, date="2026-11", note="audio has no place in a tool result"),
    "tool_media": Source(
        where=_SHAPE, date="2026-11", note="images in a tool result are documented for Nova and Claude only"
    ),
    "error_flag": Source(where=_SHAPE, date="2026-11", note="status is documented for Nova and Claude only"),
    "error_media": Source(
        where="Claude's rule, which the gateway passes on", date="2026-11", note="nothing is said for other models"
    ),
    "image": Source(where=f"{_SHAPE}: Message", date="2026-11", note="the newer user guide leaves it to the model"),
    "image.max_bytes": Source(
        where=f"{_SHAPE}: 3.75 MB; Claude refuses naming 5242880 encoded bytes", date="2026-11", note="read as decimal"
    ),
    "image.many": SOURCES["image.many"],
    "image.native": SOURCES["image.native"],
    "image.animated": SOURCES["image.animated"],
    "document": _SDK,
    "document.max_bytes": Source(
        where=_RESTRICTIONS,
        date="2026-10",
        note="4.5 MB, read as decimal; lifted for PDF on Claude 4 and later, for PDF and DOCX on Nova",
    ),
    "document.max_pages": Source(where=_RESTRICTIONS, date="2026-10"),
    "text": _SDK,
    "text.max_bytes": Source(where=_RESTRICTIONS, date="2026-10", note="4.5 MB, read as decimal"),
    "audio": Source(where=_SHAPE, date="2026-11", note="models that hear only"),
    "audio.max_bytes": Source(where=_RESTRICTIONS, date="2026-10", note="no figure for audio; the body's limit"),
    "video": Source(where=_SHAPE, date="2026-11", note="under 25 MB inline; 1 GB through S3"),
    "totals.bytes": Source(
        where="Amazon Bedrock user guide, Claude Messages: 20 MB a body",
        date="2026-10",
        note="32 MB on Claude's own API",
    ),
    "totals.images": SOURCES["totals.images"],
    "totals.message_images": Source(
        where=f"{_SHAPE}: Message", date="2026-11", note="the newer user guide leaves it to the model"
    ),
    "totals.documents": Source(where=_RESTRICTIONS, date="2026-10", note="1,000 through S3 on Nova"),
    "totals.pages": Source(where=_RESTRICTIONS, date="2026-10"),
    "tokens": SOURCES["tokens"],
}

_TOTALS = Totals(bytes=20_000_000, message_images=20, documents=5)
_WIRE = Kinds(
    image=replace(_CLAUDE_IMAGE, max_bytes=3_750_000, counted="raw", animated=(), urls=_S3),
    document=replace(_DOCUMENT, urls=_S3, max_pages=100),
    audio=replace(_AUDIO, urls=_S3),
    video=_VIDEO,
    text=replace(_TEXT, urls=_S3),
)
_NOVA = Kinds(
    image=replace(_IMAGE, urls=_S3),
    document=replace(_DOCUMENT, urls=_S3),
    video=_VIDEO,
    text=replace(_TEXT, urls=_S3),
)
_OTHER = Kinds(image=_IMAGE, document=_DOCUMENT, text=_TEXT)

_DEFAULT = Limits(
    provider="bedrock",
    wire="bedrock",
    models=("^$",),
    error_media=False,
    user=_WIRE,
    tool=replace(_WIRE, audio=None),
    totals=replace(_TOTALS, images=100, pages=100),
    tokens=TOKENS,
    sources=tuple(_SOURCES.items()),
)
_STANDARD = replace(_DEFAULT, tier="claude-standard", models=(r"claude",), user=_CLAUDE, tool=_CLAUDE)

ROWS = (
    _DEFAULT,
    replace(high_resolution(_STANDARD), tier="claude-high-resolution"),
    _STANDARD,
    replace(_DEFAULT, tier="nova", models=(r"nova-",), user=_NOVA, tool=_NOVA, totals=_TOTALS, tokens=Tokens()),
    replace(
        _DEFAULT,
        tier="other",
        models=(),
        tool_media="relocated",
        error_flag=False,
        user=_OTHER,
        tool=_OTHER,
        totals=_TOTALS,
        tokens=Tokens(),
    ),
)
