"""Which shape a payload stands in: told by the key that holds it, its neighbours and what is above.

A shape's name is stable. A key that many things use (``data``, ``url``) counts only in surroundings that are known.
"""

from __future__ import annotations

from toolnexus_media._safe import SafeDict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    Key = str | int

MIME_KEYS = ("mimeType", "mime_type", "media_type", "mediaType", "contentType", "content_type")
_KINDS = frozenset({"image", "audio", "video", "file", "document", "media"})
_FAMILIES = frozenset({"image", "document", "video", "audio"})


class Place:
    """Where a value stands: under ``key`` of ``holder``, at ``path``; ``above`` holds the holder."""

    __slots__ = ("above", "holder", "key", "path", "value")

    def __init__(self, value: object, path: list[Key], holder: Any, above: Any) -> None:
        self.value = value
        self.path = path
        self.key = path[-1] if path else None
        self.holder = holder
        self.above = above

    def up(self, steps: int) -> Key | None:
        """The key so many steps above this one."""
        return self.path[-1 - steps] if len(self.path) > steps else None

    def field(self, name: str) -> Any:
        """A neighbour under the same holder."""
        return self.holder.get(name) if isinstance(self.holder, dict) else None

    def has(self, *names: str) -> bool:
        return isinstance(self.holder, dict) and any(name in self.holder for name in names)


def declared_type(place: Place) -> str | None:
    """The type that the payload's neighbours declare."""
    mime = next((value for key in MIME_KEYS if isinstance(value := place.field(key), str)), None)
    if mime is not None:
        return mime
    if place.key == "bytes" and isinstance(place.above, dict):
        from toolnexus_media.emit._formats import of_format

        return of_format(place.above.get("format"), str(place.up(2)))
    return None


def shape_of(place: Place) -> str | None:
    """The name of the shape that this value is the payload of, or None.

    >>> holder = {"type": "base64", "media_type": "image/png", "data": "aGk="}
    >>> shape_of(Place("aGk=", ["source", "data"], holder, {"type": "image", "source": holder}))
    'anthropic-image'
    """
    if place.key.__class__ is int:
        return _listed(place)
    rule = RULES.get(place.key)  # type: ignore[arg-type]  # a key of another type finds nothing
    return rule(place) if rule is not None else None


def _listed(place: Place) -> str | None:
    if place.up(1) == "images" and isinstance(place.above, dict) and {"role", "model", "prompt"} & place.above.keys():
        return "ollama-image"
    return None


def _data(place: Place) -> str | None:
    kind, up = place.field("type"), place.up(1)
    if kind == "base64" and place.has("media_type"):
        return _anthropic(place)
    if up in ("inlineData", "inline_data"):
        return "gemini-inline"
    if up == "input_audio":
        return "openai-input_audio"
    if up == "audio" and place.has("transcript", "expires_at"):
        return "openai-audio"
    if place.field("kind") == "binary":
        return "pydantic-ai-binary"
    if place.has("source_type"):
        return f"langchain-{_word(kind)}" if place.field("source_type") == "base64" else None
    if kind == "media":
        return "langchain-media"
    return _part_or_mcp(place, kind) if kind in ("image", "audio", "file") else _typed(place)


def _anthropic(place: Place) -> str:
    above = place.above.get("type") if isinstance(place.above, dict) else None
    is_document = above == "document" or (above is None and place.field("media_type") == "application/pdf")
    return "anthropic-document" if is_document else "anthropic-image"


def _part_or_mcp(place: Place, kind: str) -> str | None:
    """Our parts and MCP's blocks are spelled alike: a part is a file, of this package's making, or under ``parts``."""
    if not place.has(*MIME_KEYS):
        return None
    if kind == "file" or isinstance(place.holder, SafeDict) or place.up(2) == "parts":
        return "part"
    return f"mcp-{kind}"


def _typed(place: Place) -> str | None:
    return "typed-data" if place.has(*MIME_KEYS) else None


def _word(kind: object) -> str:
    return kind if isinstance(kind, str) and kind in _KINDS else "data"


def _base64(place: Place) -> str | None:
    kind = place.field("type")
    return f"langchain-{kind}" if isinstance(kind, str) and kind in _KINDS else _typed(place)


def _bytes(place: Place) -> str | None:
    if place.up(1) == "source" and place.up(2) in _FAMILIES:
        return f"bedrock-{place.up(2)}"
    return "a2a-file" if place.up(1) == "file" else _typed(place)


def _blob(place: Place) -> str | None:
    return "mcp-blob" if place.up(1) == "resource" or place.has("uri", *MIME_KEYS) else None


def _raw(place: Place) -> str | None:
    return "a2a-raw" if place.has("mediaType", "media_type", "filename") else None


def _url(place: Place) -> str:
    up = place.up(1)
    return f"openai-{up}" if up in ("image_url", "video_url", "audio_url") else "data-url"


def _image_url(place: Place) -> str:
    kind = place.field("type")
    named = {
        "input_image": "responses-input_image",
        "computer_screenshot": "responses-screenshot",
        "image_url": "mistral-image_url",
        "image": "openai-agents-image",
    }
    return named.get(kind, "openai-image_url") if isinstance(kind, str) else "openai-image_url"


def _file_data(place: Place) -> str | None:
    if place.up(1) == "file":
        return "openai-file"
    named = {"input_file": "responses-input_file", "file": "openai-agents-file"}
    kind = place.field("type")
    return named.get(kind) if isinstance(kind, str) else None


def _when(kinds: Sequence[str], shape: str) -> Callable[[Place], str | None]:
    return lambda place: shape if place.field("type") in kinds else None


def _always(shape: str) -> Callable[[Place], str | None]:
    return lambda _place: shape


# By the key that holds the payload. Under a key of LINKS only a data URL is one.
RULES: Mapping[str, Callable[[Place], str | None]] = {
    "data": _data,
    "base64": _base64,
    "bytes": _bytes,
    "blob": _blob,
    "raw": _raw,
    "file_data": _file_data,
    "image": _when(("image",), "ai-sdk-image"),
    "input_audio": _when(("input_audio",), "mistral-input_audio"),
    "result": _when(("image_generation_call",), "responses-image_generation"),
    "b64_json": _always("openai-b64_json"),
    "partial_image_b64": _always("openai-b64_json"),
    "url": _url,
    "uri": _always("data-url"),
    "image_url": _image_url,
    "file_url": _when(("input_file",), "responses-input_file"),
    "document_url": _always("mistral-document_url"),
}
LINKS = frozenset({"url", "uri", "image_url", "file_url", "document_url"})
WEAK = frozenset({"typed-data"})  # shapes that count only when the bytes are media
