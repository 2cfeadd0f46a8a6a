"""LLM: a result as ``ToolOutput`` with attachments, a toolkit's tools as ``Tool`` objects."""

from __future__ import annotations

from toolnexus_media._callables import is_async
from toolnexus_media.adapters._calls import acall, call, context, named
from toolnexus_media.adapters._frameworks import load
from toolnexus_media.adapters._pieces import ERROR, checked, has_media, in_words, pieces
from toolnexus_media.part import part_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from toolnexus_media.types import MediaPart, Tool, Toolkit, ToolResult


def to_result(result: ToolResult) -> Any:
    """The result as ``llm.ToolOutput``: the texts joined, and an ``Attachment`` for each other part.

    There is no place for metadata nor for a failure, which says so in its text.
    """
    made, _ = pieces(checked(result), "llm", str, _media, prefix=ERROR)
    text = "\n".join(piece for piece in made if isinstance(piece, str))
    return load("llm", "llm").ToolOutput(
        output=text, attachments=[piece for piece in made if not isinstance(piece, str)]
    )


def _media(part: MediaPart) -> Any:
    make = load("llm", "llm").Attachment
    if "url" not in part:
        return make(type=part["mimeType"], content=part_data(part))
    return make(type=part["mimeType"], url=part["url"]) if part["url"].startswith("http") else None


def tools(tk: Toolkit) -> list[Any]:
    """The tools for ``model.chain(tools=…)``; a failure without media is raised, which LLM records and tells the model.

    A tool's context holds the call's id and the ``ToolCall``.
    """
    make = load("llm", "llm").Tool
    return [
        make(
            name=name,
            description=item["description"],
            input_schema=item["input_schema"],
            implementation=_implementation(item),
        )
        for name, item in named(tk)
    ]


def _implementation(item: Tool) -> Any:
    """A function that LLM gives the call itself, which it does where a parameter has this name."""

    async def awaited(*, llm_tool_call: Any, **args: Any) -> Any:
        return _told(await acall(item, args, context(llm_tool_call.tool_call_id, llm_tool_call)))

    def called(*, llm_tool_call: Any, **args: Any) -> Any:
        return _told(call(item, args, context(llm_tool_call.tool_call_id, llm_tool_call)))

    return awaited if is_async(item["execute"]) else called


def _told(result: ToolResult) -> Any:
    if result["isError"] and not has_media(result):
        raise RuntimeError(in_words(result, "llm"))
    return to_result(result)
