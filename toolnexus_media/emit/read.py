"""A provider's content block becomes a part: one small function a shape, two tables, a short chooser.

Bytes decide the type, so a block with a wrong label comes back with the right one. A block that holds no media and no
text, points at a provider's file id, or whose payload is broken is None: reading never raises.
"""

from __future__ import annotations

from urllib.parse import unquote

from toolnexus_media import _b64
from toolnexus_media._safe import cast
from toolnexus_media.content import attach, from_url
from toolnexus_media.emit._formats import of_format
from toolnexus_media.errors import MediaTypeError
from toolnexus_media.part import text_part
from toolnexus_media.sniff import kind_of
from toolnexus_media.source import gather

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from toolnexus_media.types import ContentPart

    Fields = dict[str, Any]
    Reader = Callable[[Fields], ContentPart | None]

_UNKNOWN = "application/octet-stream"
_MIME_KEYS = ("mimeType", "mime_type", "media_type", "mediaType")
_NAME_KEYS = ("name", "filename", "title", "displayName", "display_name")
_INLINE_KEYS = ("data", "base64", "file_data", "image")
_LINK_KEYS = ("url", "image_url", "file_url", "uri")

# What a URL is taken for when neither a declared type nor its ending tells.
_LINK_TYPES = {
    "image": "image/jpeg",
    "audio": "audio/mpeg",
    "video": "video/mp4",
    "document": "application/pdf",
}


def read_block(block: object) -> ContentPart | None:
    """The part that a provider's or MCP block holds, or None.

    >>> read_block({"type": "image_url", "image_url": {"url": "https://example.org/a.png"}})
    {'type': 'image', 'mimeType': 'image/png', 'url': 'https://example.org/a.png'}
    >>> read_block({"type": "tool_use", "id": "t1"})

    Takes the blocks of OpenAI (Chat and Responses), Anthropic, Gemini, Bedrock, MCP, Mistral, A2A, LangChain and
    pydantic-ai, as dicts or as their SDKs' objects, and parts. A text inside a document or a resource is a file part,
    because it has a type and a name of its own; a text block is a text part.
    """
    try:
        fields = _fields(block)
        return None if fields is None else _read(fields)
    except ValueError:  # a MediaError, or a memoryview that was released
        return None


def _read(fields: Fields) -> ContentPart | None:
    for tag, table in (("type", _BY_TYPE), ("kind", _BY_KIND)):
        word = fields.get(tag)
        if isinstance(word, str):
            reader = table.get(word)
            return reader(fields) if reader is not None else None
    for key, reader in _BY_KEY.items():
        if fields.get(key) is not None:
            return reader(fields)
    return None


def _fields(block: object) -> Fields | None:
    """The block as a dict: an SDK's model is dumped in its wire names, a plain object gives its attributes."""
    if isinstance(block, dict):
        return block
    if block is None or isinstance(block, (str, bytes, int, float, list, tuple, type)):
        return None
    dump = getattr(block, "model_dump", None)
    try:
        found = dump(by_alias=True, exclude_none=True) if callable(dump) else dict(vars(block))
    except Exception:  # noqa: BLE001  # a stranger's object may raise anything, and reading never does
        return None
    return found if isinstance(found, dict) else None


def _inner(fields: Fields, key: str) -> Fields:
    return _fields(fields.get(key)) or {}


def _first(fields: Fields, keys: tuple[str, ...]) -> Any:
    return next((value for key in keys if (value := fields.get(key)) is not None), None)


def _declared(fields: Fields) -> str | None:
    mime = _first(fields, _MIME_KEYS)
    return mime if isinstance(mime, str) and mime else None


def _name(fields: Fields) -> str | None:
    name = _first(fields, _NAME_KEYS)
    if name is None:
        name = _first({**_inner(fields, "extras"), **_inner(fields, "metadata")}, _NAME_KEYS)
    return name if isinstance(name, str) and name else None


def _inline(payload: object, declared: str | None, name: str | None) -> ContentPart | None:
    """A part of raw bytes, of base64 in any dialect, or of a URL where the shape allows one in the same place."""
    if isinstance(payload, (bytes, bytearray, memoryview)):
        return _of_bytes(bytes(payload), declared, name)
    if not isinstance(payload, str):
        return None
    if ":" in payload:
        return _link(payload, declared, name, None)
    return _of_bytes(_b64.decode_any(payload), declared, name)


def _of_bytes(data: bytes, declared: str | None, name: str | None) -> ContentPart:
    limit = max(1, len(data))
    try:
        return attach(data, mime_type=declared, name=name, max_bytes=limit, verify="none", strict=True)
    except MediaTypeError:  # a label that the bytes contradict, or that is none
        return attach(data, name=name, max_bytes=limit, verify="none")


def _link(url: object, declared: str | None, name: str | None, family: str | None) -> ContentPart | None:
    """A part of a ``data:`` or remote URL; a remote one is of the block's family even if its ending says otherwise."""
    text = _url_text(url)
    if ":" not in text:
        return None
    if text[:5].lower() == "data:":
        blob = gather(text, max_bytes=max(1, len(text)))
        return _of_bytes(cast("bytes", blob.data), blob.declared or declared, name)
    fallback = _LINK_TYPES.get(family or "", _UNKNOWN)
    try:
        part: Any = from_url(text, declared, name)
    except MediaTypeError:
        return from_url(text, fallback, name)
    return part if family is None or part["type"] == kind_of(fallback) else from_url(text, fallback, name)


def _url_text(url: object) -> str:
    """A URL as a string; pydantic's URL types are objects."""
    if not isinstance(url, str):
        unicode_string = getattr(url, "unicode_string", None)
        url = unicode_string() if callable(unicode_string) else ""
    return url.strip() if isinstance(url, str) else ""


def _text_file(text: object, declared: str | None, name: str | None) -> ContentPart | None:
    if not isinstance(text, str) or not text:
        return None
    return _of_bytes(text_part(text)["text"].encode(), declared or "text/plain", name)


def _text(fields: Fields) -> ContentPart | None:
    text = fields.get("text")
    return text_part(text) if isinstance(text, str) else None


def _media(fields: Fields, family: str | None) -> ContentPart | None:
    """Our parts, MCP's image and audio, LangChain's blocks of both ages: payload and type side by side."""
    declared, name = _declared(fields), _name(fields)
    payload = _first(fields, _INLINE_KEYS)
    if payload is not None:
        return _inline(payload, declared, name)
    link = _first(fields, _LINK_KEYS)
    if link is not None:
        return _link(link, declared, name, family)
    return _text_file(fields.get("text"), declared, name)


def _image(fields: Fields) -> ContentPart | None:
    return _anthropic(fields, "image") if "source" in fields else _media(fields, "image")


def _document(fields: Fields) -> ContentPart | None:
    return _anthropic(fields, "document") if "source" in fields else _media(fields, None)


def _file(fields: Fields) -> ContentPart | None:
    return _wrapped_file(fields) if "file" in fields else _media(fields, None)


def _audio(fields: Fields) -> ContentPart | None:
    return _media(fields, "audio")


def _video(fields: Fields) -> ContentPart | None:
    return _media(fields, "video")


def _any_media(fields: Fields) -> ContentPart | None:
    return _media(fields, None)


def _anthropic(fields: Fields, family: str) -> ContentPart | None:
    source, name = _inner(fields, "source"), _name(fields)
    kind = source.get("type")
    if kind == "base64":
        return _inline(source.get("data"), _declared(source), name)
    if kind == "url":
        return _link(source.get("url"), None, name, family)
    if kind == "text":
        return _text_file(source.get("data"), _declared(source), name)
    if kind == "content" and family == "document":
        return _written(source.get("content"), name)
    return None


def _written(content: object, name: str | None) -> ContentPart | None:
    """A document made of blocks: its text, or the one image it holds."""
    if not isinstance(content, (list, tuple)):
        return _text_file(content, None, name)
    blocks = [fields for block in content if (fields := _fields(block)) is not None]
    texts = [block["text"] for block in blocks if isinstance(block.get("text"), str)]
    if texts:
        return _text_file("\n".join(texts), None, name)
    images = [block for block in blocks if block.get("type") == "image"]
    return _image(images[0]) if len(images) == 1 else None


def _wrapped_file(fields: Fields) -> ContentPart | None:
    """OpenAI Chat's ``file`` and A2A 0.3's: an object under ``file``."""
    file = _inner(fields, "file")
    declared, name = _declared(file), _name(file)
    payload = _first(file, ("file_data", "bytes"))
    return _inline(payload, declared, name) if payload is not None else _link(file.get("uri"), declared, name, None)


def _url_object(key: str, family: str) -> Reader:
    """A URL under a key: an object with ``url`` (OpenAI Chat) or the string itself (Responses, Mistral)."""

    def read(fields: Fields) -> ContentPart | None:
        held = fields.get(key)
        url = held if isinstance(held, str) else _inner(fields, key).get("url")
        name = fields.get("document_name")
        return _link(url, None, name if isinstance(name, str) else None, family)

    return read


def _input_file(fields: Fields) -> ContentPart | None:
    payload = fields.get("file_data")
    if payload is not None:
        return _inline(payload, None, _name(fields))
    return _link(fields.get("file_url"), None, _name(fields), None)


def _input_audio(fields: Fields) -> ContentPart | None:
    held = fields.get("input_audio")
    if isinstance(held, str):
        return _link(held, None, None, "audio") if ":" in held else _inline(held, None, None)
    audio = _inner(fields, "input_audio")
    return _inline(audio.get("data"), of_format(audio.get("format"), "audio"), None)


def _generated_image(fields: Fields) -> ContentPart | None:
    return _inline(fields.get("result"), None, None)


def _resource(fields: Fields) -> ContentPart | None:
    held = _inner(fields, "resource")
    uri = _url_text(held.get("uri"))
    name = unquote(uri) if uri and not uri.startswith("media:") else None
    if held.get("blob") is not None:
        return _inline(held["blob"], _declared(held), name)
    return _text_file(held.get("text"), _declared(held), name)


def _resource_link(fields: Fields) -> ContentPart | None:
    return _link(fields.get("uri"), _declared(fields), _name(fields), None)


def _ollama_images(fields: Fields) -> ContentPart | None:
    """The one image of a piece of a message."""
    images = fields["images"]
    return _inline(images[0], None, None) if isinstance(images, list) and len(images) == 1 else None


def _ollama_content(fields: Fields) -> ContentPart | None:
    text = fields["content"]
    return text_part(text) if isinstance(text, str) and len(fields) == 1 else None


def _gemini_inline(fields: Fields) -> ContentPart | None:
    blob = _inner(fields, "inlineData") or _inner(fields, "inline_data")
    return _inline(blob.get("data"), _declared(blob), _name(blob))


def _gemini_file(fields: Fields) -> ContentPart | None:
    file = _inner(fields, "fileData") or _inner(fields, "file_data")
    return _link(_first(file, ("fileUri", "file_uri")), _declared(file), _name(file), None)


def _bedrock(family: str) -> Reader:
    """Converse: ``{family: {"format", "source": {"bytes" | "s3Location" | "text" | "content"}}}``."""

    def read(fields: Fields) -> ContentPart | None:
        held = _inner(fields, family)
        source, name, declared = _inner(held, "source"), _name(held), of_format(held.get("format"), family)
        if source.get("bytes") is not None:
            return _inline(source["bytes"], declared, name)
        if "s3Location" in source:
            return _link(_inner(source, "s3Location").get("uri"), declared, name, None)
        if "text" in source:
            return _text_file(source["text"], declared, name)
        return _written(source.get("content"), name)

    return read


def _a2a_raw(fields: Fields) -> ContentPart | None:
    return _inline(fields["raw"], _declared(fields), _name(fields))


def _a2a_url(fields: Fields) -> ContentPart | None:
    return _link(fields["url"], _declared(fields), _name(fields), None)


_BY_TYPE: dict[str, Reader] = {
    "text": _text,
    "input_text": _text,
    "output_text": _text,
    "text-plain": _any_media,  # LangChain's text file
    "image": _image,
    "document": _document,
    "file": _file,
    "audio": _audio,
    "video": _video,
    "media": _any_media,  # langchain-google
    "image_url": _url_object("image_url", "image"),
    "video_url": _url_object("video_url", "video"),
    "audio_url": _url_object("audio_url", "audio"),
    "document_url": _url_object("document_url", "document"),
    "input_image": _url_object("image_url", "image"),
    "computer_screenshot": _url_object("image_url", "image"),
    "image_generation_call": _generated_image,
    "input_file": _input_file,
    "input_audio": _input_audio,
    "resource": _resource,
    "resource_link": _resource_link,
}
_BY_KIND: dict[str, Reader] = {
    "text": _text,
    "file": _wrapped_file,
    "binary": _any_media,  # pydantic-ai, and the four below
    "image-url": _image,
    "audio-url": _audio,
    "video-url": _video,
    "document-url": _any_media,
}
_BY_KEY: dict[str, Reader] = {
    "inlineData": _gemini_inline,
    "inline_data": _gemini_inline,
    "fileData": _gemini_file,
    "file_data": _gemini_file,
    **{family: _bedrock(family) for family in ("image", "document", "video", "audio")},
    "raw": _a2a_raw,
    "url": _a2a_url,
    "text": _text,
    "images": _ollama_images,
    "content": _ollama_content,
}
