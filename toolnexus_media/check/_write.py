"""A part written back as the block it came from: same keys, same spelling of the payload, another payload."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolnexus_media import emit
from toolnexus_media.check._look import family_of
from toolnexus_media.check._rules import is_plain_text
from toolnexus_media.check._shapes import OLLAMA_IMAGE, held
from toolnexus_media.emit._formats import format_of
from toolnexus_media.emit._wire import data_url
from toolnexus_media.errors import UnsupportedPartError
from toolnexus_media.part import part_data, text_part

if TYPE_CHECKING:
    from toolnexus_media.check._sites import Site
    from toolnexus_media.limits import Limits
    from toolnexus_media.types import ContentPart

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


def written(site: Site, part: ContentPart, limits: Limits) -> Any:
    """The part as a block in the place of the site; ``None`` where its wire has no block for it.

    The limits say which one that is where the block could be of several, and the name of a type there.
    """
    if part["type"] == "text":
        return text_block(site, part["text"])
    if site.shape is OLLAMA_IMAGE:
        return _spelled(site.value, part, site, part["mimeType"]) if part["type"] == "image" else None
    if site.shape.family in ("", family_of(part["mimeType"])):
        return _changed(site, part, limits)
    return _fresh(site, part, limits.wire)


def _changed(site: Site, part: ContentPart, limits: Limits) -> Any:
    assert part["type"] != "text"
    accept = limits.accepts(part["mimeType"], site.where.position) if site.shape.wires else None
    mime = part["mimeType"] if accept is None else accept.wire_name(part["mimeType"])
    if is_plain_text(site, part["mimeType"]):
        anew = _emitted(part, "anthropic")
        return None if anew is None else {**site.block, **anew}
    block = _copied(site.block, site.shape.value)
    held(block, site.shape.value[:-1])[site.shape.value[-1]] = _spelled(site.value, part, site, mime)
    label = site.shape.label
    if label:
        word = mime if label[-1] != "format" else format_of(part["mimeType"])
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


def _spelled(old: object, part: ContentPart, site: Site, mime: str) -> Any:
    assert part["type"] != "text"
    data = part.get("data", "")
    if isinstance(old, _BYTES):
        return part_data(part)
    is_url = isinstance(old, str) and old[:5].lower() == "data:"
    if site.shape.form == "url" or (is_url and site.shape.form == "either"):
        return data_url(part, mime)
    return data


def _fresh(site: Site, part: ContentPart, wire: str | None) -> Any:
    """A block of another kind than the one that was there."""
    if not site.shape.wires and site.shape.label != ("mimeType",):
        return None  # a framework's block: how it spells another kind is its own business
    for own in site.shape.wires or ("mcp" if wire == "mcp" else "part",):
        if own == "part":
            return dict(part)
        made = _emitted(part, own)
        if made is not None:
            return made
    return None


def _emitted(part: ContentPart, wire: str) -> dict[str, Any] | None:
    try:
        return emit.block(part, wire)
    except UnsupportedPartError:
        return None


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
