"""What a media block looks like in each wire: where its payload, label and name are, and how they are spelled."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from toolnexus_media.transcript._shapes import MIME_KEYS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Literal

    Block = Mapping[str, Any]
    Form = Literal["base64", "url", "either"]
    Reader = Callable[[Block], "Shape | None"]

_FAMILIES = ("image", "document", "video", "audio")


class Shape(NamedTuple):
    """One wire's block; the paths are keys inside it.

    ``wires`` are those that have this block, none for the blocks of frameworks and for parts. ``family`` is what the
    block is for, ``""`` where it is for anything. ``form`` is how a payload must be spelled: bare base64, a data URL,
    or either. A label that ends in ``format`` is a short word, any other one a MIME type.
    """

    wires: tuple[str, ...]
    family: str
    value: tuple[str, ...]
    form: Form = "base64"
    label: tuple[str, ...] = ()
    name: tuple[str, ...] = ()


OLLAMA_IMAGE = Shape(("ollama",), "image", ())
"""An item of a message's ``images``: the block is the payload itself."""

IN_TEXT = Shape((), "text", ())
"""A text with payloads in it; it is no block."""


def held(block: Any, path: tuple[str, ...]) -> Any:
    """What stands at a path, ``None`` where nothing does."""
    for key in path:
        if not isinstance(block, dict):
            return None
        block = block.get(key)
    return block


def shape_of(block: Block) -> Shape | None:
    """The shape of a block that holds a payload or a link; ``None`` for every other dict.

    >>> shape_of({"inlineData": {"mimeType": "image/png", "data": "aGk="}}).value
    ('inlineData', 'data')
    >>> shape_of({"type": "text", "text": "hi"})
    """
    shape = _shape(block)
    if shape is None or not isinstance(held(block, shape.value), (str, bytes, bytearray, memoryview)):
        return None
    return shape


def _shape(block: Block) -> Shape | None:
    for tag, table in (("type", _BY_TYPE), ("kind", _BY_KIND)):
        word = block.get(tag)
        if isinstance(word, str):
            reader = table.get(word)
            return None if reader is None else reader(block)
    for key, reader in _BY_KEY.items():
        if key in block:
            return reader(block)
    return None


def _beside(family: str) -> Reader:
    """A payload and its type side by side: parts, MCP's blocks, LangChain's and others."""

    def read(block: Block) -> Shape | None:
        key = next((key for key in ("data", "base64", "image", "url") if block.get(key) is not None), None)
        if key is None:
            return None
        label = next((known for known in MIME_KEYS if known in block), "mimeType")
        return Shape((), family, (key,), "either" if key in ("image", "url") else "base64", (label,), ("name",))

    return read


def _source(family: str) -> Reader:
    """Anthropic's block with a source."""

    def read(block: Block) -> Shape | None:
        kind = held(block, ("source", "type"))
        if kind == "base64":
            where, label = ("source", "data"), ("source", "media_type")
            return Shape(("anthropic",), family, where, "base64", label, ("title",))
        return Shape(("anthropic",), family, ("source", "url"), "url") if kind == "url" else None

    return read


def _either(key: str, first: Reader, second: Reader) -> Reader:
    return lambda block: first(block) if key in block else second(block)


def _linked(key: str, family: str) -> Reader:
    """A URL: in an object for OpenAI Chat, the string itself for Mistral."""

    def read(block: Block) -> Shape | None:
        if isinstance(block.get(key), dict):
            return Shape(("openai", "mistral"), family, (key, "url"), "url")
        return Shape(("mistral",), family, (key,), "url", (), ("document_name",))

    return read


def _responses(family: str, *keys: str) -> Reader:
    def read(block: Block) -> Shape | None:
        key = next((key for key in keys if block.get(key) is not None), None)
        return None if key is None else Shape(("openai-responses",), family, (key,), "url", (), ("filename",))

    return read


def _framework(key: str, family: str) -> Reader:
    return lambda _block: Shape((), family, (key,), "url", (), ("filename",))


def _input_audio(block: Block) -> Shape | None:
    if isinstance(block.get("input_audio"), dict):
        where, label = ("input_audio", "data"), ("input_audio", "format")
        return Shape(("openai", "openai-responses"), "audio", where, "base64", label)
    return Shape(("mistral",), "audio", ("input_audio",), "either")


def _wrapped_file(block: Block) -> Shape | None:
    """OpenAI Chat's file and A2A 0.3's, both an object under ``file``."""
    if held(block, ("file", "file_data")) is not None:
        return Shape(("openai",), "document", ("file", "file_data"), "url", (), ("file", "filename"))
    label, name = ("file", "mimeType"), ("file", "name")
    if held(block, ("file", "bytes")) is not None:
        return Shape(("a2a",), "", ("file", "bytes"), "base64", label, name)
    return Shape(("a2a",), "", ("file", "uri"), "url", label, name)


def _resource(_block: Block) -> Shape:
    return Shape(("mcp",), "", ("resource", "blob"), "base64", ("resource", "mimeType"))


def _resource_link(_block: Block) -> Shape:
    return Shape(("mcp",), "", ("uri",), "url", ("mimeType",), ("name",))


def _gemini(key: str) -> Reader:
    """The camel case of the wire or the snake case of the SDK, each key by itself."""

    def read(block: Block) -> Shape | None:
        blob = block.get(key)
        if not isinstance(blob, dict):
            return None
        label = "mime_type" if "mime_type" in blob else "mimeType"
        payload = next((name for name in ("data", "fileUri", "file_uri") if name in blob), "data")
        return Shape(("gemini",), "", (key, payload), "base64" if payload == "data" else "url", (key, label))

    return read


def _bedrock(family: str) -> Reader:
    def read(block: Block) -> Shape | None:
        label, name = (family, "format"), (family, "name")
        if held(block, (family, "source", "bytes")) is not None:
            return Shape(("bedrock",), family, (family, "source", "bytes"), "base64", label, name)
        return Shape(("bedrock",), family, (family, "source", "s3Location", "uri"), "url", label, name)

    return read


def _a2a(key: str) -> Reader:
    def read(block: Block) -> Shape | None:
        label = next((known for known in MIME_KEYS if known in block), None)
        if label is None and "filename" not in block:
            return None
        return Shape(("a2a",), "", (key,), "url" if key == "url" else "base64", (label or "mediaType",), ("filename",))

    return read


_IMAGE = _either("image_url", _framework("image_url", "image"), _beside("image"))
_BY_TYPE: dict[str, Reader] = {
    "image": _either("source", _source("image"), _IMAGE),
    "document": _source("document"),
    "file": _either("file", _wrapped_file, _either("file_data", _framework("file_data", ""), _beside(""))),
    "audio": _beside("audio"),
    "video": _beside("video"),
    "media": _beside(""),
    "image_url": _linked("image_url", "image"),
    "video_url": _linked("video_url", "video"),
    "audio_url": _linked("audio_url", "audio"),
    "document_url": _linked("document_url", "document"),
    "input_image": _responses("image", "image_url"),
    "computer_screenshot": _responses("image", "image_url"),
    "input_file": _responses("document", "file_data", "file_url"),
    "input_audio": _input_audio,
    "resource": _resource,
    "resource_link": _resource_link,
}
_BY_KIND: dict[str, Reader] = {
    "file": _wrapped_file,
    "binary": _beside(""),
    "image-url": _beside("image"),
    "audio-url": _beside("audio"),
    "video-url": _beside("video"),
    "document-url": _beside("document"),
}
_BY_KEY: dict[str, Reader] = {
    **{key: _gemini(key) for key in ("inlineData", "inline_data", "fileData", "file_data")},
    **{family: _bedrock(family) for family in _FAMILIES},
    "raw": _a2a("raw"),
    "url": _a2a("url"),
}
