"""What the Model Context Protocol asks of results and tools, for the adapters of its servers."""

from __future__ import annotations

from functools import partial

from toolnexus_media.adapters._calls import named
from toolnexus_media.adapters._pieces import checked, has_media, json_metadata, pieces
from toolnexus_media.emit import block
from toolnexus_media.tool import sanitize

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from toolnexus_media.types import Tool, Toolkit, ToolResult

_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")
_HINTS = {"read_only": "readOnlyHint", "destructive": "destructiveHint", "open_world": "openWorldHint"}


def wire(result: ToolResult, framework: str = "mcp") -> dict[str, Any]:
    """The fields of a ``CallToolResult``, as the protocol spells them."""
    result = checked(result)
    content, _ = pieces(result, framework, _text, partial(block, provider="mcp"))
    made = {"content": content, "isError": result["isError"]}
    meta = json_metadata(result, framework)
    if isinstance(meta.get("structuredContent"), dict) and not has_media(result):
        made["structuredContent"] = meta.pop("structuredContent")
    if meta:
        made["_meta"] = meta
    return made


def _text(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}


def names(tk: Toolkit) -> list[tuple[str, Tool]]:
    """Each tool with a name that the protocol takes, which is its own wherever that can be."""
    return list(named(tk, limit=128, clean=lambda name: name if _NAME.issuperset(name) else sanitize(name)))


def hints_of(item: Tool) -> dict[str, Any] | None:
    """A tool's hints as the protocol names them; None without any."""
    hints: Mapping[str, Any] = item.get("hints", {})
    return {_HINTS[key]: value for key, value in hints.items() if key in _HINTS} or None
