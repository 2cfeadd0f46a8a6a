"""The Model Context Protocol: text, image and audio blocks, embedded resources, links."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, assert_never
from urllib.parse import quote, urlsplit

from toolnexus_media.emit._wire import Answer, Block, Call, Message, Spot, Wire
from toolnexus_media.part import part_data
from toolnexus_media.sniff import is_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolnexus_media.limits import Limits
    from toolnexus_media.types import FilePart, Hints, MediaPart, Tool

_HINTS = {"read_only": "readOnlyHint", "destructive": "destructiveHint", "open_world": "openWorldHint"}


def _text(text: str, spot: Spot) -> Block:
    del spot
    return {"type": "text", "text": text}


def _media(part: MediaPart, spot: Spot) -> Block:
    del spot
    if part.get("url") is not None:
        return _link(part)
    if part["type"] == "image" or part["type"] == "audio":
        return {"type": part["type"], "data": part.get("data", ""), "mimeType": part["mimeType"]}
    if part["type"] == "file":
        return {"type": "resource", "resource": _resource(part)}
    assert_never(part["type"])


def _link(part: MediaPart) -> Block:
    url = part.get("url", "")
    name = part.get("name") or urlsplit(url).path.rpartition("/")[2] or part["mimeType"]
    return {"type": "resource_link", "uri": url, "name": name, "mimeType": part["mimeType"]}


def _resource(part: FilePart) -> Block:
    """A text as a text, which more hosts show, where its bytes are UTF-8; everything else as it is."""
    data = part_data(part)
    name = part.get("name")
    uri = f"media:sha256-{sha256(data).hexdigest()}" if name is None else f"file:///{quote(name)}"
    held: Block = {"uri": uri, "mimeType": part["mimeType"]}
    if is_text(part["mimeType"]):
        try:
            return {**held, "text": data.decode()}
        except UnicodeDecodeError:
            pass
    return {**held, "blob": part.get("data", "")}


def _user(blocks: Sequence[Block]) -> Message:
    return {"role": "user", "content": list(blocks)}


def _assistant(text: str, calls: Sequence[Call], limits: Limits) -> list[Message]:
    del limits
    content: list[Block] = [{"type": "text", "text": text}] if text else []
    content += [{"type": "tool_use", "id": call.id, "name": call.name, "input": dict(call.args)} for call in calls]
    return [{"role": "assistant", "content": content}]


def _answers(answers: Sequence[Answer], limits: Limits) -> list[Message]:
    """One ``CallToolResult`` a call: a server answers each by itself."""
    del limits
    return [{"content": _content(answer), "isError": answer.failed} for answer in answers]


def _content(answer: Answer) -> list[Block]:
    return [*([{"type": "text", "text": answer.text}] if answer.text else []), *answer.blocks]


def in_conversation(answers: Sequence[Answer], limits: Limits) -> list[Message]:
    """The results as one user message of a sampling request."""
    del limits
    content = [
        {"type": "tool_result", "toolUseId": answer.id, "content": _content(answer), "isError": answer.failed}
        for answer in answers
    ]
    return [{"role": "user", "content": content}]


def _tools(tools: Sequence[Tool]) -> list[Block]:
    return [_tool(tool) for tool in tools]


def _tool(tool: Tool) -> Block:
    told = {"description": tool["description"]} if tool["description"] else {}
    block: Block = {"name": tool["name"], **told, "inputSchema": tool["input_schema"]}
    hints = _annotations(tool.get("hints") or {})
    return {**block, "annotations": hints} if hints else block


def _annotations(hints: Hints) -> Block:
    return {wire: hints[own] for own, wire in _HINTS.items() if own in hints}  # type: ignore[literal-required]  # the keys of Hints


WIRE = Wire(
    text=_text,
    media=_media,
    user=_user,
    assistant=_assistant,
    answers=_answers,
    turn_answers=in_conversation,
    tools=_tools,
    system_role="user",
)
