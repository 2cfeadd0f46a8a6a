"""Ollama's chat: a message is a text with a list of bare base64 images beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus_media.emit import openai
from toolnexus_media.emit._wire import Answer, Block, Call, Message, Spot, Wire

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolnexus_media.limits import Limits
    from toolnexus_media.types import MediaPart


def _text(text: str, spot: Spot) -> Block:
    """A piece of a message: its text."""
    del spot
    return {"content": text}


def _media(part: MediaPart, spot: Spot) -> Block:
    """A piece of a message: its images."""
    del spot
    return {"images": [part.get("data", "")]}


def _user(blocks: Sequence[Block]) -> Message:
    """The pieces as one message; where images stand among the words, each place is marked."""
    images = [image for block in blocks for image in block.get("images", [])]
    marked = len(images) > 1 or any("images" in block for block in blocks[:-1])
    lines: list[str] = []
    seen = 0
    for block in blocks:
        seen += len(block.get("images", []))
        if "content" in block:
            lines.append(block["content"])
        elif marked:
            lines.append(f"[image {seen}]")
    message: Message = {"role": "user", "content": "\n".join(lines)}
    return {**message, "images": images} if images else message


def _assistant(text: str, calls: Sequence[Call], limits: Limits) -> list[Message]:
    del limits
    made = [{"function": {"name": call.name, "arguments": dict(call.args)}} for call in calls]
    message: Message = {"role": "assistant", "content": text}
    return [{**message, "tool_calls": made} if made else message]


def _answers(answers: Sequence[Answer], limits: Limits) -> list[Message]:
    """Tool messages, then one user message with their images."""
    del limits
    told: list[Message] = [{"role": "tool", "content": answer.said, "tool_name": answer.name} for answer in answers]
    moved = [block for answer in answers for block in answer.moved]
    return [*told, _user(moved)] if moved else told


WIRE = Wire(
    text=_text,
    media=_media,
    user=_user,
    assistant=_assistant,
    answers=_answers,
    tools=openai.tools,
)
