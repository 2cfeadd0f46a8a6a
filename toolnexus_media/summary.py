"""Parts in words: the pinned summary line, the caption a reader wants, the placeholder, a token estimate."""

from __future__ import annotations

from toolnexus_media import _text
from toolnexus_media.errors import MediaError
from toolnexus_media.part import part_bytes, validate_part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from toolnexus_media.types import ContentPart, PartDescription

_MAX_CAPTION = 300
_TEXT_PAGES = 20  # the text probe looks at the first 20 pages
_WORDS = frozenset({"title", "encrypted"})
_NUMBERS = frozenset({"width", "height", "frames", "duration", "pages", "text_pages", "sample_rate", "channels"})
_MOST = 1e15
_CHANNELS = {1: "mono", 2: "stereo"}


def summarize_part(part: ContentPart) -> str:
    """The part in one line that never changes its form: type, MIME type, decoded bytes; a text part is its own text.

    >>> summarize_part({"type": "image", "mimeType": "image/png", "data": "aGk="})
    'image (image/png, 2 bytes)'
    """
    try:
        if part["type"] != "text":
            return f"{part['type']} ({part['mimeType']}, {part_bytes(part)} bytes)"
        if type(part["text"]) is str:
            return part["text"]
    except Exception:  # noqa: BLE001  # a dict of any make can fail in any way; validation says what is wrong with it
        return summarize_part(validate_part(part))
    return summarize_part(validate_part(part))


def summarize_parts(parts: Iterable[ContentPart]) -> str:
    r"""One summary line a part.

    >>> summarize_parts([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}])
    'a\nb'
    """
    return "\n".join(summarize_part(part) for part in parts)


def describe_part(part: ContentPart) -> PartDescription:
    """The part for a log or an event: what it is and how large, and no payload.

    >>> describe_part({"type": "audio", "mimeType": "audio/wav", "data": "aGk="})
    {'type': 'audio', 'mimeType': 'audio/wav', 'bytes': 2}
    """
    try:
        if part["type"] == "text":
            return {"type": "text", "bytes": len(_text.utf8_safe(part["text"]).encode())}
        return {"type": part["type"], "mimeType": part["mimeType"], "bytes": part_bytes(part)}
    except Exception:  # noqa: BLE001  # see summarize_part
        return describe_part(validate_part(part))


def placeholder(part: ContentPart) -> str:
    """What stands in a conversation for a part that the other side cannot take.

    >>> placeholder({"type": "audio", "mimeType": "audio/wav", "data": "aGk="})
    '[unsupported audio part (audio/wav, 2 bytes)]'
    """
    facts = describe_part(part)
    try:
        return f"[unsupported {facts['type']} part ({facts.get('mimeType', 'text/plain')}, {facts['bytes']} bytes)]"
    except Exception:  # noqa: BLE001  # see summarize_part
        return placeholder(validate_part(part))


def estimate_tokens(part: ContentPart) -> int:
    """A provider-independent guess: a token for four characters, or for 750 bytes and 85 at least.

    >>> estimate_tokens({"type": "text", "text": "hello"})
    2
    """
    try:
        return -(-len(part["text"]) // 4) if part["type"] == "text" else max(85, part_bytes(part) // 750)
    except Exception:  # noqa: BLE001  # see summarize_part
        return estimate_tokens(validate_part(part))


def caption(part: ContentPart, facts: Mapping[str, Any] | None = None) -> str:
    """The summary and what a reader wants to know besides, on one clean line of at most 300 characters.

    Without ``facts`` the part is probed; what cannot be read is left out. The file name never appears.

    >>> caption({"type": "image", "mimeType": "image/png", "data": "aGk="}, {"width": 8, "height": 8})
    'image (image/png, 2 bytes), 8x8'
    """
    summary = summarize_part(part)
    if describe_part(part)["type"] == "text":
        return _text.one_line(summary, _MAX_CAPTION)
    known = _probed(part) if facts is None else _readable(facts)
    return _text.one_line(", ".join([summary, *_details(known)]), _MAX_CAPTION)


def _readable(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts that are numbers, texts or flags of a size that can be told: a caller's come from anywhere."""
    try:
        given = {key: facts[key] for key in _NUMBERS | _WORDS if key in facts}
    except Exception:  # noqa: BLE001  # a mapping of any make can fail in any way
        return {}
    return {
        key: value
        for key, value in given.items()
        if (type(value) in (str, bool) if key in _WORDS else type(value) in (int, float) and 0 <= value < _MOST)
    }


def _probed(part: ContentPart) -> Mapping[str, Any]:
    from toolnexus_media.probe import probe

    try:
        return probe(part)
    except MediaError:
        return {}


def _details(facts: Mapping[str, Any]) -> Iterator[str]:
    if "width" in facts and "height" in facts:
        yield f"{facts['width']}x{facts['height']}"
    if facts.get("frames", 1) > 1:
        yield f"{facts['frames']} frames"
    if "duration" in facts:
        yield f"{facts['duration']:.1f} s"
    if "pages" in facts:
        yield _counted(facts["pages"], "page")
    if title := _text.one_line(str(facts.get("title") or "").replace('"', "'"), 120):
        yield f'"{title}"'
    if facts.get("encrypted"):
        yield "encrypted"
    yield from _text_layer(facts)
    if "sample_rate" in facts:
        yield f"{facts['sample_rate']} Hz"
    if "channels" in facts:
        yield _CHANNELS.get(facts["channels"], f"{facts['channels']} channels")


def _text_layer(facts: Mapping[str, Any]) -> Iterator[str]:
    if "pages" not in facts or "text_pages" not in facts:
        return
    pages = facts["pages"]
    seen = min(pages, _TEXT_PAGES)
    without = seen - facts["text_pages"]
    if without > 0:
        yield f"no text layer on {without} of {'the first ' if seen < pages else ''}{_counted(seen, 'page')}"


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
