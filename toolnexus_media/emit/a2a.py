"""The A2A protocol, version 1: a part is exactly one of text, raw bytes, a URL and JSON data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus_media.emit._wire import Answer, Block, Call, Message, Spot, Wire

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolnexus_media.limits import Limits
    from toolnexus_media.types import MediaPart


def _text(text: str, spot: Spot) -> Block:
    del spot
    return {"text": text}


def _media(part: MediaPart, spot: Spot) -> Block:
    del spot
    name, url = part.get("name"), part.get("url")
    held: Block = {"raw": part.get("data", "")} if url is None else {"url": url}
    named = {} if name is None else {"filename": name}
    return {**held, "mediaType": part["mimeType"], **named}


def _user(blocks: Sequence[Block]) -> Message:
    return {"role": "ROLE_USER", "parts": list(blocks)}


def _assistant(text: str, calls: Sequence[Call], limits: Limits) -> list[Message]:
    """An agent's message; the protocol knows no calls, so each is JSON data."""
    del limits
    parts: list[Block] = [{"text": text}] if text else []
    parts += [{"data": {"id": call.id, "name": call.name, "args": dict(call.args)}} for call in calls]
    return [{"role": "ROLE_AGENT", "parts": parts}]


def _answers(answers: Sequence[Answer], limits: Limits) -> list[Message]:
    """One agent's message a call, with the call's id and name in its metadata."""
    del limits
    return [_answer(answer) for answer in answers]


def _answer(answer: Answer) -> Message:
    said = [{"text": answer.text}] if answer.text else []
    return {
        "messageId": answer.id,
        "role": "ROLE_AGENT",
        "parts": [*said, *answer.blocks] or [{"text": answer.said}],
        "metadata": {"toolCallId": answer.id, "toolName": answer.name, "isError": answer.failed},
    }


WIRE = Wire(
    text=_text,
    media=_media,
    user=_user,
    assistant=_assistant,
    answers=_answers,
    system_role="ROLE_USER",
    id_key="messageId",
)
