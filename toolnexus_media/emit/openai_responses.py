"""OpenAI's Responses: a flat list of items; a ``function_call_output`` holds text, images and files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, assert_never

from toolnexus_media.emit._wire import Answer, Block, Call, Message, Spot, Wire, data_url, file_name, wire_mime

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolnexus_media.limits import Limits
    from toolnexus_media.types import FilePart, ImagePart, MediaPart, Tool


def _text(text: str, spot: Spot) -> Block:
    del spot
    return {"type": "input_text", "text": text}


def _media(part: MediaPart, spot: Spot) -> Block:
    if part["type"] == "image":
        return _image(part, spot)
    if part["type"] == "file":
        return _file(part, spot)
    if part["type"] == "audio":
        raise AssertionError("no row of this wire takes audio")
    assert_never(part)


def _image(part: ImagePart, spot: Spot) -> Block:
    url = data_url(part, wire_mime(part, spot))
    return {"type": "input_image", "image_url": url, "detail": spot.detail or "auto"}


def _file(part: FilePart, spot: Spot) -> Block:
    url = part.get("url")
    if url is not None:
        return {"type": "input_file", "file_url": url}
    return {"type": "input_file", "filename": file_name(part), "file_data": data_url(part, wire_mime(part, spot))}


def _user(blocks: Sequence[Block]) -> Message:
    return {"type": "message", "role": "user", "content": list(blocks)}


def _assistant(text: str, calls: Sequence[Call], limits: Limits) -> list[Message]:
    del limits
    said: list[Message] = [{"role": "assistant", "content": text}] if text else []
    return said + [_call(call) for call in calls]


def _call(call: Call) -> Message:
    arguments = json.dumps(dict(call.args))
    return {"type": "function_call", "call_id": call.id, "name": call.name, "arguments": arguments}


def _answers(answers: Sequence[Answer], limits: Limits) -> list[Message]:
    del limits
    return [_answer(answer) for answer in answers]


def _answer(answer: Answer) -> Message:
    output: str | list[Block] = answer.said
    if answer.blocks:
        output = [*([{"type": "input_text", "text": answer.text}] if answer.text else []), *answer.blocks]
    return {"type": "function_call_output", "call_id": answer.id, "output": output}


def _tools(tools: Sequence[Tool]) -> list[Block]:
    return [_tool(tool) for tool in tools]


def _tool(tool: Tool) -> Block:
    """Not strict: strict mode refuses most schemas, and the API turns it on where nothing is said."""
    told = {"description": tool["description"]} if tool["description"] else {}
    return {"type": "function", "name": tool["name"], **told, "parameters": tool["input_schema"], "strict": False}


WIRE = Wire(
    text=_text,
    media=_media,
    user=_user,
    assistant=_assistant,
    answers=_answers,
    plain="content",
    tools=_tools,
    details=frozenset({"auto", "low", "high", "original"}),
)
