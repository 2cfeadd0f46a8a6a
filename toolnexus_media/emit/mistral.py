"""Mistral's chat: chunks whose URL is a bare string; no user message may follow a tool's at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from toolnexus_media.emit import openai
from toolnexus_media.emit._wire import Answer, Block, Message, Spot, Wire, data_url, wire_mime

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolnexus_media.limits import Limits
    from toolnexus_media.types import AudioPart, FilePart, ImagePart, MediaPart

BRIDGE: Message = {"role": "assistant", "content": "Let me look at what the tools returned."}
"""The API answers 400 "Unexpected role 'user' after role 'tool'"; this stands between the two."""


def _text(text: str, spot: Spot) -> Block:
    del spot
    return {"type": "text", "text": text}


def _media(part: MediaPart, spot: Spot) -> Block:
    if part["type"] == "image":
        return _image(part, spot)
    if part["type"] == "audio":
        return _audio(part)
    if part["type"] == "file":
        return _document(part, spot)
    assert_never(part)


def _image(part: ImagePart, spot: Spot) -> Block:
    url = data_url(part, wire_mime(part, spot))
    return {"type": "image_url", "image_url": url if spot.detail is None else {"url": url, "detail": spot.detail}}


def _audio(part: AudioPart) -> Block:
    return {"type": "input_audio", "input_audio": part.get("url") or part.get("data", "")}


def _document(part: FilePart, spot: Spot) -> Block:
    name = part.get("name")
    named = {} if name is None else {"document_name": name}
    return {"type": "document_url", "document_url": data_url(part, wire_mime(part, spot)), **named}


def _answers(answers: Sequence[Answer], limits: Limits) -> list[Message]:
    """Tool messages, a bridge, then one user message with their media."""
    del limits
    told: list[Message] = [
        {"role": "tool", "tool_call_id": answer.id, "name": answer.name, "content": answer.said} for answer in answers
    ]
    moved = [block for answer in answers for block in answer.moved]
    return [*told, dict(BRIDGE), openai.user(moved)] if moved else told


WIRE = Wire(
    text=_text,
    media=_media,
    user=openai.user,
    assistant=openai.assistant,
    answers=_answers,
    plain="content",
    tools=openai.tools,
    details=frozenset({"auto", "low", "high"}),
    between=BRIDGE,
    ids=r"[a-zA-Z0-9]{9}",
    id_chars=9,
)
