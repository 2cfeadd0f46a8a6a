"""Gemini's generateContent: 2.0, 2.5, 3 and later."""

from __future__ import annotations

from dataclasses import replace

from toolnexus_media.limits._shape import Accept, Kinds, Limits, Source, Tokens, Totals

_IMAGES = "Gemini docs, Image understanding (ai.google.dev/gemini-api/docs/generate-content)"
_INPUT = "Gemini docs, File input methods"
_MEDIA = "Gemini docs, Media resolution"
_INLINE = 20_000_000  # the image guide's figure, decimal

_IMAGE = Accept(
    mimes=("image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"),
    max_bytes=7_000_000,
    urls=("https", "gs"),
)
_DOCUMENT = Accept(mimes=("application/pdf",), max_bytes=_INLINE, urls=("https", "gs"), max_pages=1000)
_AUDIO = Accept(
    mimes=("audio/wav", "audio/mp3", "audio/mpeg", "audio/aiff", "audio/aac", "audio/ogg", "audio/flac"),
    max_bytes=_INLINE,
    urls=("https", "gs"),
    max_seconds=34_200,
)
_VIDEO = Accept(
    mimes=(
        "video/mp4",
        "video/mpeg",
        "video/mpg",
        "video/quicktime",
        "video/mov",
        "video/avi",
        "video/x-flv",
        "video/webm",
        "video/wmv",
        "video/3gpp",
    ),
    max_bytes=_INLINE,
    urls=("https", "gs"),
    max_seconds=3600,
)
_TEXT = Accept(
    mimes=(
        "text/plain",
        "text/html",
        "text/css",
        "text/javascript",
        "text/x-typescript",
        "text/csv",
        "text/markdown",
        "text/x-python",
        "text/xml",
        "text/rtf",
        "application/json",
    ),
    max_bytes=_INLINE,
    urls=("https", "gs"),
)
_USER = Kinds(image=_IMAGE, document=_DOCUMENT, audio=_AUDIO, video=_VIDEO, text=_TEXT)
_LINKS_ELSEWHERE = ("gs",)
_USER_2_0 = Kinds(
    image=replace(_IMAGE, urls=_LINKS_ELSEWHERE),
    document=replace(_DOCUMENT, urls=_LINKS_ELSEWHERE),
    audio=replace(_AUDIO, urls=_LINKS_ELSEWHERE),
    video=replace(_VIDEO, urls=_LINKS_ELSEWHERE),
    text=replace(_TEXT, urls=_LINKS_ELSEWHERE),
)
_TOOL = Kinds(
    image=replace(_IMAGE, mimes=("image/png", "image/jpeg", "image/webp"), urls=()),
    document=replace(_DOCUMENT, urls=()),
    text=replace(_TEXT, mimes=("text/plain",), urls=()),
)

_PAGES = (("medium", 560), ("low", 280), ("high", 1120))
_LEVELS = Tokens(
    image="levels",
    levels=(("high", 1120), ("low", 280), ("medium", 560), ("ultra_high", 2240)),
    page_levels=_PAGES,
    audio_per_second=32,
)
_TILES = Tokens(image="large-tiles", unit=768, each=258, page_levels=(("medium", 258),), audio_per_second=32)

_IN_RESULT = Source(
    where="Gemini docs, Function calling: multimodal function responses",
    date="2026-09",
    note="the SDK also has file_data there, the API's description had only inlineData",
)
_SOURCES = {
    "user": Source(where=_INPUT, date="2026-09"),
    "tool.image.mimes": _IN_RESULT,
    "tool.document.mimes": _IN_RESULT,
    "tool.text.mimes": _IN_RESULT,
    "tool_media": Source(
        where="Gemini docs, Function calling; refusal by 2.5: Multimodal function responses are not supported",
        date="2026-09",
        note="without a known model: relocated, which each version takes",
    ),
    "error_flag": Source(where="google-genai 3.6.1: FunctionResponse.response.error", date="2026-11"),
    "error_media": Source(where="google-genai 3.6.1: FunctionResponse.parts", date="2026-11"),
    "image": Source(where=_IMAGES, date="2026-09"),
    "image.mimes": Source(
        where=_IMAGES, date="2026-09", note="a GIF was taken by 3.1 on 2026-09-29 and refused elsewhere; left out"
    ),
    "image.max_bytes": Source(
        where="Vertex AI docs: 7 MB an image", date="2026-09", note="the Gemini API names no cap for one image"
    ),
    "document": Source(where="Gemini docs, Document processing", date="2026-09"),
    "document.max_bytes": Source(
        where=_IMAGES, date="2026-09", note="the inline request's limit; 50 MB a PDF in the file guide"
    ),
    "audio": Source(where="Gemini docs, Audio understanding", date="2026-09"),
    "audio.max_bytes": Source(where=_IMAGES, date="2026-09", note="the inline request's limit"),
    "video": Source(where="Gemini docs, Video understanding", date="2026-09"),
    "video.max_bytes": Source(where=_IMAGES, date="2026-09", note="the inline request's limit"),
    "video.max_seconds": Source(
        where="Gemini docs, Video understanding", date="2026-09", note="three hours at low resolution"
    ),
    "text.max_bytes": Source(where=_IMAGES, date="2026-09", note="the inline request's limit"),
    "totals.bytes": Source(
        where=_IMAGES, date="2026-09", note="100 MB in the file guide; 23 MB were taken in one request, 2026-09"
    ),
    "totals.images": Source(where=_IMAGES, date="2026-09"),
    "tokens": Source(where=_MEDIA, date="2026-09"),
    "tokens.page_levels": Source(where=_MEDIA, date="2026-09", note="a page's own text is not charged"),
    "tokens.audio_per_second": Source(
        where="Gemini docs, Audio understanding", date="2026-09", note="25 a second on the pricing page for some"
    ),
}

_DEFAULT = Limits(
    provider="gemini",
    wire="gemini",
    tool_media="relocated",
    user=_USER_2_0,
    tool=_USER_2_0,
    totals=Totals(bytes=_INLINE, images=3600),
    tokens=_LEVELS,
    sources=tuple(_SOURCES.items()),
)

ROWS = (
    replace(
        _DEFAULT,
        tier="3+",
        models=(r"gemini-(?:[a-z]+-)*(?:[3-9]|[1-9]\d)(?!\d)",),
        tool_media="native",
        user=_USER,
        tool=_TOOL,
    ),
    replace(_DEFAULT, tier="2.5", models=(r"gemini-(?:[a-z]+-)*2\.5",), user=_USER, tool=_USER, tokens=_TILES),
    replace(_DEFAULT, tier="2.0", models=(r"gemini-(?:[a-z]+-)*(?:2\.0|2-|1\.5|1\.0)",), tokens=_TILES),
    _DEFAULT,
)
