"""A part written back as the block it came from: same keys, same spelling of the payload, another payload."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolnexus_media import _b64
from toolnexus_media.check._look import family_of
from toolnexus_media.check._rules import is_plain_text
from toolnexus_media.check._shapes import OLLAMA_IMAGE, held
from toolnexus_media.emit._formats import format_of
from toolnexus_media.part import part_data, text_part

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolnexus_media.check._sites import Site
    from toolnexus_media.types import ContentPart

    Fresh = Callable[[str, str], dict[str, Any]]

_BYTES = (bytes, bytearray, memoryview)


def text_block(site: Site, text: str) -> Any:
    """A text in the spelling of the wire that the site is of."""
    wires, block = site.shape.wires, site.block
    if "openai-responses" in wires and "openai" not in wires:
        return {"type": "input_text", "text": text}
    if isinstance(block, dict) and block.get("kind") == "file":
        return {"kind": "text", "text": text}
    if isinstance(block, dict) and block.get("kind") == "binary":
        return text
    if {"gemini", "bedrock", "a2a"} & set(wires):
        return {"text": text}
    return {"type": "text", "text": text} if wires else text_part(text)


def written(site: Site, part: ContentPart, wire: str | None = None) -> Any:
    """The part as a block in the place of the site; ``None`` where its wire has no block for it.

    ``wire`` says which one that is where the block could be of several.
    """
    if part["type"] == "text":
        return text_block(site, part["text"])
    if site.shape is OLLAMA_IMAGE:
        return _spelled(site.value, part, site) if part["type"] == "image" else None
    if site.shape.family in ("", family_of(part["mimeType"])):
        return _changed(site, part)
    return _fresh(site, part, wire)


def _changed(site: Site, part: ContentPart) -> Any:
    assert part["type"] != "text"
    if is_plain_text(site, part["mimeType"]):
        return {**site.block, **_plain_text(part["mimeType"], part.get("data", ""))}
    block = _copied(site.block, site.shape.value)
    held(block, site.shape.value[:-1])[site.shape.value[-1]] = _spelled(site.value, part, site)
    label = site.shape.label
    if label:
        word = part["mimeType"] if label[-1] != "format" else format_of(part["mimeType"])
        if word is None:
            return None
        if label[:-1] != site.shape.value[:-1]:
            block = _copied(block, label)
        held(block, label[:-1])[label[-1]] = word
    if site.shape.label == ("mimeType",) and block.get("type") in ("image", "audio", "file"):
        block["type"] = part["type"]
    return block


def _copied(block: Any, path: tuple[str, ...]) -> Any:
    """The block with copies of the dicts along a path, the rest shared."""
    made = node = block.copy()
    for key in path[:-1]:
        node[key] = node[key].copy()
        node = node[key]
    return made


def renamed(block: Any, path: tuple[str, ...], name: str) -> Any:
    """The block under another name."""
    made = _copied(block, path)
    held(made, path[:-1])[path[-1]] = name
    return made


def _spelled(old: object, part: ContentPart, site: Site) -> Any:
    assert part["type"] != "text"
    data = part.get("data", "")
    if isinstance(old, _BYTES):
        return part_data(part)
    is_url = isinstance(old, str) and old[:5].lower() == "data:"
    if site.shape.form == "url" or (is_url and site.shape.form == "either"):
        return data_url(part["mimeType"], data)
    return data


def data_url(mime: str, data: str) -> str:
    return f"data:{mime};base64,{data}"


def _fresh(site: Site, part: ContentPart, wire: str | None) -> Any:
    """A block of another kind than the one that was there."""
    assert part["type"] != "text"
    mime, data = part["mimeType"], part.get("data", "")
    if not site.shape.wires and site.shape.label != ("mimeType",):
        return None  # a framework's block: how it spells another kind is its own business
    for own in site.shape.wires or ("mcp" if wire == "mcp" else "part",):
        make = _MAKERS.get((own, family_of(mime)))
        if make is not None:
            return make(mime, data)
    return None


def _anthropic(kind: str) -> Fresh:
    return lambda mime, data: {"type": kind, "source": {"type": "base64", "media_type": mime, "data": data}}


def _anthropic_document(mime: str, data: str) -> dict[str, Any]:
    return _plain_text(mime, data) if mime == "text/plain" else _anthropic("document")(mime, data)


def _plain_text(mime: str, data: str) -> dict[str, Any]:
    text = _b64.decode(data).decode("utf-8", "replace")
    return {"type": "document", "source": {"type": "text", "media_type": mime, "data": text}}


def _bedrock_image(mime: str, data: str) -> dict[str, Any]:
    return {"image": {"format": format_of(mime), "source": {"bytes": _b64.decode(data)}}}


def _bedrock_document(mime: str, data: str) -> dict[str, Any]:
    source = {"bytes": _b64.decode(data)}
    return {"document": {"format": format_of(mime), "name": "document", "source": source}}


def _openai_file(mime: str, data: str) -> dict[str, Any]:
    return {"type": "file", "file": {"filename": _file_name(mime), "file_data": data_url(mime, data)}}


def _responses_file(mime: str, data: str) -> dict[str, Any]:
    return {"type": "input_file", "filename": _file_name(mime), "file_data": data_url(mime, data)}


def _resource(mime: str, data: str) -> dict[str, Any]:
    return {"type": "resource", "resource": {"uri": f"file:///{_file_name(mime)}", "mimeType": mime, "blob": data}}


def _file_name(mime: str) -> str:
    return f"document.{format_of(mime) or 'bin'}"


def _beside(kind: str) -> Fresh:
    return lambda mime, data: {"type": kind, "mimeType": mime, "data": data}


_MAKERS: dict[tuple[str, str], Fresh] = {
    ("anthropic", "image"): _anthropic("image"),
    ("anthropic", "document"): _anthropic_document,
    ("bedrock", "image"): _bedrock_image,
    ("bedrock", "document"): _bedrock_document,
    ("openai", "image"): lambda mime, data: {"type": "image_url", "image_url": {"url": data_url(mime, data)}},
    ("openai", "document"): _openai_file,
    ("openai", "audio"): lambda mime, data: {
        "type": "input_audio",
        "input_audio": {"data": data, "format": format_of(mime)},
    },
    ("openai-responses", "image"): lambda mime, data: {"type": "input_image", "image_url": data_url(mime, data)},
    ("openai-responses", "document"): _responses_file,
    ("mistral", "image"): lambda mime, data: {"type": "image_url", "image_url": data_url(mime, data)},
    ("mistral", "document"): lambda mime, data: {"type": "document_url", "document_url": data_url(mime, data)},
    ("mcp", "image"): _beside("image"),
    ("mcp", "audio"): _beside("audio"),
    ("mcp", "document"): _resource,
    ("mcp", "video"): _resource,
    ("part", "image"): _beside("image"),
    ("part", "audio"): _beside("audio"),
    ("part", "document"): _beside("file"),
    ("part", "video"): _beside("file"),
}
"""What a block of another kind looks like, by wire and kind: a picture that is a PDF, a page that became a picture."""


class Tree:
    """A structure whose containers are copied when they are first changed, and shared while they are not."""

    def __init__(self, root: Any) -> None:
        self.root = root
        self._own: dict[int, Any] = {}

    def at(self, path: tuple[str | int, ...]) -> Any:
        """The container at a path, free to be changed."""
        node = self.root = self._mine(self.root)
        for key in path:
            node[key] = node = self._mine(node[key])
        return node

    def put(self, path: tuple[str | int, ...], blocks: list[Any]) -> None:
        """Set blocks in the place of what is at the path; several of them, or none, in a list only."""
        if not path:
            self.root = blocks[0]
            return
        holder: Any = self.at(path[:-1])
        key = path[-1]
        if isinstance(key, int) and isinstance(holder, list):
            holder[key : key + 1] = blocks
            return
        keyed: dict[str | int, Any] = holder
        keyed[key] = blocks[0]

    def _mine(self, node: Any) -> Any:
        if id(node) in self._own:
            return node
        made = list(node) if isinstance(node, tuple) else node.copy()
        self._own[id(made)] = made
        return made
