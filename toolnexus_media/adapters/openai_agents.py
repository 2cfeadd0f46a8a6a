"""OpenAI Agents SDK: a result as its list of tool outputs, a toolkit's tools as ``FunctionTool`` objects."""

from __future__ import annotations

from functools import partial

from toolnexus_media.adapters._calls import acall, context, named
from toolnexus_media.adapters._frameworks import load
from toolnexus_media.adapters._pieces import ERROR, checked, pieces
from toolnexus_media.emit import block
from toolnexus_media.tool import failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from toolnexus_media.types import MediaPart, Tool, Toolkit, ToolResult


def to_result(result: ToolResult) -> list[dict[str, Any]]:
    """The result as plain dicts that a function tool returns: texts, pictures and files, in order.

    >>> to_result({"output": "no such page", "isError": True})
    [{'type': 'text', 'text': '[error] no such page'}]

    The SDK has no place for a failure nor for metadata: a failure says so in its text, the metadata stays here.
    """
    made, _ = pieces(checked(result), "openai_agents", _text, _media, prefix=ERROR)
    return made or [_text("")]  # an empty list would be told as "[]"


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _media(part: MediaPart) -> dict[str, Any]:
    made = block(part, "openai-responses", position="tool")
    return {**made, "type": made["type"].removeprefix("input_")}


def tools(tk: Toolkit) -> list[Any]:
    """The tools for ``Agent(tools=…)``; a tool's context holds the call's id and the SDK's ``ToolContext``."""
    make = load("openai_agents", "agents").FunctionTool
    return [
        make(
            name=name,
            description=item["description"],
            params_json_schema=item["input_schema"],
            on_invoke_tool=partial(_answer, item),
            strict_json_schema=False,
        )
        for name, item in named(tk)
    ]


async def _answer(item: Tool, host: Any, arguments: str) -> list[dict[str, Any]]:
    from json import loads

    try:
        args = loads(arguments or "{}")
    except ValueError as error:
        return to_result(failure(f"the arguments are no JSON: {error}"))
    return to_result(await acall(item, args, context(host.tool_call_id, host)))
