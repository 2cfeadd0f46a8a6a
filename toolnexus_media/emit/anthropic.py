"""Anthropic's Messages API: images and documents ride inside ``tool_result``; a failed one holds text only."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from toolnexus_media import _text as _text_of
from toolnexus_media.emit._wire import Answer, Block, Call, Message, Spot, Wire
from toolnexus_media.errors import UnsupportedPartError
from toolnexus_media.part import part_data

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolnexus_media.limits import Limits
    from toolnexus_media.types import FilePart, ImagePart, MediaPart, Tool

_MAX_TITLE = 500


def _text(text: str, spot: Spot) -> Block:
    del spot
    return {"type": "text", "text": text}


def _media(part: MediaPart, spot: Spot) -> Block:
    del spot
    if part["type"] == "image":
        return _image(part)
    if part["type"] == "file":
        return _document(part)
    if part["type"] == "audio":
        raise AssertionError("no row of this wire takes audio")
    assert_never(part)


def _image(part: ImagePart) -> Block:
    return {"type": "image", "source": _source(part)}


def _document(part: FilePart) -> Block:
    block = {"type": "document", "source": _source(part)}
    name = part.get("name")
    return block if name is None else {**block, "title": name[:_MAX_TITLE]}


def _source(part: ImagePart | FilePart) -> Block:
    url = part.get("url")
    if url is not None:
        return {"type": "url", "url": url}
    if part["mimeType"] == "text/plain":
        return {"type": "text", "media_type": "text/plain", "data": _words(part)}
    return {"type": "base64", "media_type": part["mimeType"], "data": part.get("data", "")}


def _words(part: ImagePart | FilePart) -> str:
    """The file's text; the API refuses one without a word."""
    from toolnexus_media.probe.text import decode

    data = part_data(part)
    text = _text_of.utf8_safe(decode(data, len(data)))
    if not text.strip():
        raise UnsupportedPartError(
            "anthropic takes no text file without a word in it; leave the part out",
            part_type=part["type"],
            mime_type=part["mimeType"],
            provider="anthropic",
        )
    return text


def _user(blocks: Sequence[Block]) -> Message:
    return {"role": "user", "content": list(blocks)}


def _assistant(text: str, calls: Sequence[Call], limits: Limits) -> list[Message]:
    del limits
    said: list[Block] = [{"type": "text", "text": text}] if text else []
    used = [{"type": "tool_use", "id": call.id, "name": call.name, "input": dict(call.args)} for call in calls]
    return [{"role": "assistant", "content": said + used}]


def _answers(answers: Sequence[Answer], limits: Limits) -> list[Message]:
    """One user message: every ``tool_result`` first, then what a failed one may not hold."""
    del limits
    moved = [block for answer in answers for block in answer.moved]
    return [{"role": "user", "content": [*map(_tool_result, answers), *moved]}]


def _tool_result(answer: Answer) -> Block:
    content: str | list[Block] = answer.said
    if answer.blocks:
        content = [*([{"type": "text", "text": answer.text}] if answer.text else []), *answer.blocks]
    block: Block = {"type": "tool_result", "tool_use_id": answer.id, "content": content}
    return {**block, "is_error": True} if answer.failed else block


def _tools(tools: Sequence[Tool]) -> list[Block]:
    return [_tool(tool) for tool in tools]


def _tool(tool: Tool) -> Block:
    told = {"description": tool["description"]} if tool["description"] else {}
    return {"name": tool["name"], **told, "input_schema": tool["input_schema"]}


def _system(texts: Sequence[str]) -> list[Block]:
    return [{"type": "text", "text": text} for text in texts]


WIRE = Wire(
    text=_text,
    media=_media,
    user=_user,
    assistant=_assistant,
    answers=_answers,
    plain="content",
    tools=_tools,
    system=_system,
    joins="content",
    ids=r"[a-zA-Z0-9_-]+",
)
