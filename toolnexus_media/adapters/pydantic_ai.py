"""Pydantic AI: a result as ``ToolReturn``, a toolkit's tools as ``Tool`` objects."""

from __future__ import annotations

from functools import partial

from toolnexus_media.adapters._calls import acall, context, named
from toolnexus_media.adapters._frameworks import load
from toolnexus_media.adapters._pieces import ERROR, checked, has_media, in_words, is_document, pieces
from toolnexus_media.part import part_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from toolnexus_media.types import MediaPart, Tool, Toolkit, ToolResult

_URLS = {
    "image": "ImageUrl",
    "audio": "AudioUrl",
    "video": "VideoUrl",
    "application": "DocumentUrl",
    "text": "DocumentUrl",
}


def to_result(result: ToolResult) -> Any:
    """The result as ``pydantic_ai.ToolReturn``: the text and the media stand side by side in its ``return_value``.

    A failure says so in its text.
    """
    result = checked(result)
    made, _ = pieces(result, "pydantic_ai", str, _media, prefix=ERROR)
    value = made if has_media(result) else "\n".join(made)
    return load("pydantic_ai", "pydantic_ai").ToolReturn(return_value=value, metadata=result.get("metadata"))


def _media(part: MediaPart) -> Any:
    messages = load("pydantic_ai", "pydantic_ai.messages")
    mime = part["mimeType"]
    if part["type"] == "file" and not mime.startswith("video/") and not is_document(mime):
        return None
    if "url" in part:
        made = _URLS.get(mime.partition("/")[0])
        return made and getattr(messages, made)(url=part["url"], media_type=mime)
    return messages.BinaryContent(data=part_data(part), media_type=mime)


def tools(tk: Toolkit) -> list[Any]:
    """The tools for ``Agent(tools=…)``; a tool's context holds the call's id and the ``RunContext``.

    A failure without media is raised as ``ToolFailed``, which the agent tells the model and which costs no retry. One
    with media is returned, because ``ToolFailed`` carries text alone.
    """
    make = load("pydantic_ai", "pydantic_ai").Tool.from_schema
    return [
        make(
            partial(_answer, item),
            name=name,
            description=item["description"],
            json_schema=item["input_schema"],
            takes_ctx=True,
        )
        for name, item in named(tk)
    ]


async def _answer(item: Tool, host: Any, /, **args: Any) -> Any:
    result = await acall(item, args, context(host.tool_call_id, host))
    if result["isError"] and not has_media(result):
        raise load("pydantic_ai", "pydantic_ai").ToolFailed(in_words(result, "pydantic_ai"))
    return to_result(result)
