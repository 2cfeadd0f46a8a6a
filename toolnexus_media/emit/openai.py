"""OpenAI's Chat Completions, and those that speak it: a tool message is text, media follow in one user message."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, assert_never

from toolnexus_media.emit._wire import Answer, Block, Call, Message, Spot, Wire, data_url, file_name, wire_mime

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolnexus_media.limits import Limits
    from toolnexus_media.types import AudioPart, FilePart, ImagePart, MediaPart, Tool

_AUDIO = {
    "audio/wav": "wav",
    "audio/mpeg": "mp3",
    "audio/flac": "flac",
    "audio/mp4": "m4a",
    "audio/ogg": "ogg",
    "audio/aiff": "aiff",
    "audio/aac": "aac",
}
"""Type and format word; OpenAI itself takes the first two."""


def _text(text: str, spot: Spot) -> Block:
    del spot
    return {"type": "text", "text": text}


def _media(part: MediaPart, spot: Spot) -> Block:
    if part["type"] == "image":
        return _image(part, spot)
    if part["type"] == "audio":
        return _audio(part)
    if part["type"] == "file":
        return _video(part, spot) if part["mimeType"].startswith("video/") else _file(part, spot)
    assert_never(part)


def _image(part: ImagePart, spot: Spot) -> Block:
    detail = {} if spot.detail is None else {"detail": spot.detail}
    return {"type": "image_url", "image_url": {"url": data_url(part, wire_mime(part, spot)), **detail}}


def _audio(part: AudioPart) -> Block:
    return {
        "type": "input_audio",
        "input_audio": {"data": part.get("data", ""), "format": _AUDIO[part["mimeType"]]},
    }


def _video(part: FilePart, spot: Spot) -> Block:
    return {"type": "video_url", "video_url": {"url": data_url(part, wire_mime(part, spot))}}


def _file(part: FilePart, spot: Spot) -> Block:
    file = {"filename": file_name(part), "file_data": data_url(part, wire_mime(part, spot))}
    return {"type": "file", "file": file}


def user(blocks: Sequence[Block]) -> Message:
    """A user message."""
    return {"role": "user", "content": list(blocks)}


def assistant(text: str, calls: Sequence[Call], limits: Limits) -> list[Message]:
    """An assistant message; arguments travel as a JSON text."""
    del limits
    made = [
        {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": json.dumps(dict(call.args))}}
        for call in calls
    ]
    message: Message = {"role": "assistant"}
    if text:
        message["content"] = text
    return [{**message, "tool_calls": made} if made else message]


def _answers(answers: Sequence[Answer], limits: Limits) -> list[Message]:
    """Tool messages one after the other, as the API asks, then one user message with what they may not hold."""
    del limits
    told: list[Message] = [{"role": "tool", "tool_call_id": answer.id, "content": answer.said} for answer in answers]
    moved = [block for answer in answers for block in answer.moved]
    return [*told, user(moved)] if moved else told


def tools(tools: Sequence[Tool]) -> list[Block]:
    """Function tools; a description only where there is one."""
    return [{"type": "function", "function": _function(tool)} for tool in tools]


def _function(tool: Tool) -> Block:
    told = {"description": tool["description"]} if tool["description"] else {}
    return {"name": tool["name"], **told, "parameters": tool["input_schema"]}


WIRE = Wire(
    text=_text,
    media=_media,
    user=user,
    assistant=assistant,
    answers=_answers,
    plain="content",
    tools=tools,
    details=frozenset({"auto", "low", "high", "original"}),
    id_chars=40,
)
