"""What somebody says bytes are, beside what they were sniffed as; and types in plain words."""

from __future__ import annotations

from toolnexus_media.sniff._names import is_text

_PDF = "application/pdf"
_UNKNOWN = "application/octet-stream"
_SAYS_NOTHING = frozenset({_UNKNOWN, "binary/octet-stream", "application/x-download", "application/unknown"})

# Containers whose types people mix up in good faith: the bytes decide between them, and nobody is warned.
_FAMILIES = (
    frozenset({"audio/mp4", "video/mp4", "video/quicktime", "video/3gpp", "audio/3gpp", "video/x-m4v"}),
    frozenset({"audio/webm", "video/webm", "audio/x-matroska", "video/x-matroska"}),
    frozenset({"audio/ogg", "video/ogg", "application/ogg", "audio/opus", "audio/vorbis"}),
    frozenset({"image/heic", "image/heif", "image/heic-sequence", "image/heif-sequence", "image/avif"}),
    frozenset({"image/jp2", "image/jpx", "image/jpm"}),
)

_WORDS = {
    _UNKNOWN: "of no known type",
    _PDF: "a PDF",
    "application/json": "JSON",
    "application/xml": "XML",
    "application/zip": "a ZIP archive",
    "image/svg+xml": "an SVG drawing",
    "text/html": "an HTML page",
    "text/plain": "plain text",
}
_FAMILY_WORDS = {"image": "an image", "audio": "a sound", "video": "a video", "text": "text"}
_SUFFIXES = {"application/zip": "+zip", "application/json": "+json", "application/xml": "+xml"}


def settle(found: str, wanted: str) -> str | None:
    """The type of bytes sniffed as ``found`` and declared as ``wanted``; None where the two contradict each other.

    >>> settle("text/plain", "text/markdown"), settle("image/jpeg", "image/png")
    ('text/markdown', None)
    """
    if wanted == found or wanted in _SAYS_NOTHING:
        return found
    if found == _UNKNOWN or (found == "text/plain" and is_text(wanted)) or _refines(wanted, found):
        return wanted
    if (is_text(found) and is_text(wanted)) or any(found in family and wanted in family for family in _FAMILIES):
        return found
    return None


def _refines(wanted: str, found: str) -> bool:
    """Is ``wanted`` a special case of the container ``found``, which the bytes alone cannot tell?"""
    suffix = _SUFFIXES.get(found)
    return suffix is not None and wanted.endswith(suffix) and wanted != "image/svg+xml"


def in_words(mime: str) -> str:
    """The type for a sentence, with its name.

    >>> in_words("text/html"), in_words("image/png")
    ('an HTML page (text/html)', 'an image (image/png)')
    """
    return f"{_WORDS.get(mime) or _FAMILY_WORDS.get(mime.partition('/')[0], 'a file')} ({mime})"
