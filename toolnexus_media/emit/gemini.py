"""Gemini's generateContent: from 3 on media ride in ``functionResponse.parts``, before that beside the responses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus_media import _b64
from toolnexus_media.emit._wire import Answer, Block, Call, Message, Spot, Wire, wire_mime

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolnexus_media.limits import Limits
    from toolnexus_media.types import MediaPart, Tool

UNSIGNED = "skip_thought_signature_validator"
"""What Gemini's thought-signature page says to send with a call that another model made: 3 refuses one without."""


def _text(text: str, spot: Spot) -> Block:
    """A text; a function's response has no place for one among its parts but as a text file."""
    if spot.position == "tool" and spot.limits.tool_media == "native":
        return {"inlineData": {"mimeType": "text/plain", "data": _b64.encode(text.encode())}}
    return {"text": text}


def _media(part: MediaPart, spot: Spot) -> Block:
    """One shape for every kind. A name has no place: the API refuses ``displayName``."""
    mime, url = wire_mime(part, spot), part.get("url")
    block: Block
    if url is None:
        block = {"inlineData": {"mimeType": mime, "data": part.get("data", "")}}
    else:
        block = {"fileData": {"mimeType": mime, "fileUri": url}}
    if spot.detail is not None and spot.position == "user":
        block["mediaResolution"] = {"level": f"MEDIA_RESOLUTION_{spot.detail.upper()}"}
    return block


def _user(blocks: Sequence[Block]) -> Message:
    return {"role": "user", "parts": list(blocks)}


def _assistant(text: str, calls: Sequence[Call], limits: Limits) -> list[Message]:
    parts: list[Block] = [{"text": text}] if text else []
    parts += [_call(call, limits, first=call is calls[0]) for call in calls]
    return [{"role": "model", "parts": parts}]


def _call(call: Call, limits: Limits, *, first: bool) -> Block:
    block: Block = {"functionCall": {"id": call.id, "name": call.name, "args": dict(call.args)}}
    signature = call.extra.get("thoughtSignature")
    if isinstance(signature, str):
        return {**block, "thoughtSignature": signature}
    return {**block, "thoughtSignature": UNSIGNED} if first and limits.tool_media == "native" else block


def _answers(answers: Sequence[Answer], limits: Limits) -> list[Message]:
    """One content: every response first, then what the older ones may not hold."""
    del limits
    moved = [block for answer in answers for block in answer.moved]
    return [{"role": "user", "parts": [*map(_response, answers), *moved]}]


def _response(answer: Answer) -> Block:
    said = {"error" if answer.failed else "output": answer.text if answer.blocks else answer.said}
    response: Block = {"id": answer.id, "name": answer.name, "response": said}
    return {"functionResponse": {**response, "parts": list(answer.blocks)} if answer.blocks else response}


def _tools(tools: Sequence[Tool]) -> list[Block]:
    return [{"functionDeclarations": [_tool(tool) for tool in tools]}] if tools else []


def _tool(tool: Tool) -> Block:
    told = {"description": tool["description"]} if tool["description"] else {}
    return {"name": tool["name"], **told, "parametersJsonSchema": tool["input_schema"]}


def _system(texts: Sequence[str]) -> Block:
    return {"parts": [{"text": text} for text in texts]}


WIRE = Wire(
    text=_text,
    media=_media,
    user=_user,
    assistant=_assistant,
    answers=_answers,
    tools=_tools,
    system=_system,
    system_role="user",
    details=frozenset({"low", "medium", "high", "ultra_high"}),
    joins="parts",
)
