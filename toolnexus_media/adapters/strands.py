"""Strands Agents: a result as its tool result, a toolkit's tools as ``AgentTool`` objects."""

from __future__ import annotations

from functools import cache
from os import urandom

from toolnexus_media.adapters._calls import acall, context, named
from toolnexus_media.adapters._frameworks import load
from toolnexus_media.adapters._pieces import checked, pieces
from toolnexus_media.adapters._wire import hints_of
from toolnexus_media.emit import block

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from typing import Any

    from toolnexus_media.types import MediaPart, Tool, Toolkit, ToolResult


def to_result(result: ToolResult) -> dict[str, Any]:
    """The result as the dict that a ``@tool`` function returns: ``status`` and content blocks with raw bytes.

    >>> to_result({"output": "no such page", "isError": True})
    {'status': 'error', 'content': [{'text': 'no such page'}]}

    The decorator adds the call's id. There is no place for metadata.
    """
    result = checked(result)
    content, _ = pieces(result, "strands", lambda text: {"text": text}, _media)
    return {"status": "error" if result["isError"] else "success", "content": content or [{"text": "(no output)"}]}


def _media(part: MediaPart) -> dict[str, Any] | None:
    """Bedrock's block, its place in S3 as Strands spells it; a tool result takes no video there."""
    made = block(part, "bedrock", position="tool")
    if image := made.get("image"):
        return {"image": {**image, "source": _source(image["source"])}}
    if document := made.get("document"):  # a name that no other document of the conversation has, or all are refused
        name = f"document-{urandom(6).hex()}"
        return {"document": {**document, "name": name, "source": _source(document["source"])}}
    return None


def _source(source: dict[str, Any]) -> dict[str, Any]:
    return {"location": {"type": "s3", **source["s3Location"]}} if "s3Location" in source else source


def tools(tk: Toolkit) -> list[Any]:
    """The tools for ``Agent(tools=…)``.

    A tool's context holds the call's id, the ``invocation_state`` with the agent, and the signal to stop (``cancel``).
    """
    make = _tool_class()
    return [make(name, item) for name, item in named(tk)]


@cache
def _tool_class() -> Any:
    base: Any = load("strands", "strands.types.tools").AgentTool
    event = load("strands", "strands.types._events").ToolResultEvent

    class MediaTool(base):  # type: ignore[misc]  # the base is loaded by name
        """A tool whose arguments go to it as they come, with the schema it was given."""

        tool_type = "toolnexus_media"

        def __init__(self, name: str, item: Tool) -> None:
            super().__init__()
            self._item = item
            self._spec = _spec(name, item)

        @property
        def tool_name(self) -> str:
            return str(self._spec["name"])

        @property
        def tool_spec(self) -> dict[str, Any]:
            return self._spec

        async def stream(self, tool_use: Any, invocation_state: dict[str, Any], **kwargs: Any) -> AsyncIterator[Any]:
            signal = getattr(kwargs.get("_tool_context") or invocation_state.get("agent"), "cancel_signal", None)
            known = context(tool_use["toolUseId"], invocation_state, cancel=signal)
            result = await acall(self._item, tool_use["input"] or {}, known)
            yield event({"toolUseId": tool_use["toolUseId"], **to_result(result)})

    return MediaTool


def _spec(name: str, item: Tool) -> dict[str, Any]:
    spec = {"name": name, "description": item["description"] or name, "inputSchema": {"json": item["input_schema"]}}
    hints = hints_of(item)
    return {**spec, "annotations": hints} if hints else spec
