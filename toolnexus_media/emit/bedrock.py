"""Amazon Bedrock's Converse: raw bytes, format words, documents under neutral names of their own."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from toolnexus_media.emit._formats import format_of
from toolnexus_media.emit._wire import Answer, Block, Call, Message, Spot, Wire
from toolnexus_media.part import part_data

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolnexus_media.limits import Limits
    from toolnexus_media.types import FilePart, MediaPart, Tool

_BESIDE = "The attached document:"
"""A message with a document must hold a text as well."""


def _text(text: str, spot: Spot) -> Block:
    del spot
    return {"text": text}


def _media(part: MediaPart, spot: Spot) -> Block:
    major = part["mimeType"].partition("/")[0]
    if part["type"] != "file" or major == "video":
        return {major: {"format": format_of(part["mimeType"]), "source": _source(part)}}
    return {"document": _document(part, spot)}


def _document(part: FilePart, spot: Spot) -> Block:
    """A name of the caller's would be read by the model as an instruction, and two of one name are refused."""
    seen = sha256(f"{spot.salt}\0{part.get('url', '')}\0".encode())
    seen.update(part.get("data", "").encode())
    name = f"document-{seen.hexdigest()[:12]}"
    return {"format": format_of(part["mimeType"]), "name": name, "source": _source(part)}


def _source(part: MediaPart) -> Block:
    url = part.get("url")
    return {"bytes": part_data(part)} if url is None else {"s3Location": {"uri": url}}


def _user(blocks: Sequence[Block]) -> Message:
    lonely = any("document" in block for block in blocks) and not any("text" in block for block in blocks)
    return {"role": "user", "content": [{"text": _BESIDE}, *blocks] if lonely else list(blocks)}


def _assistant(text: str, calls: Sequence[Call], limits: Limits) -> list[Message]:
    del limits
    content: list[Block] = [{"text": text}] if text else []
    content += [{"toolUse": {"toolUseId": call.id, "name": call.name, "input": dict(call.args)}} for call in calls]
    return [{"role": "assistant", "content": content}]


def _answers(answers: Sequence[Answer], limits: Limits) -> list[Message]:
    """One user message: every ``toolResult`` first, then what may not ride in one."""
    moved = [block for answer in answers for block in answer.moved]
    return [{"role": "user", "content": [*(_tool_result(answer, limits) for answer in answers), *moved]}]


def _tool_result(answer: Answer, limits: Limits) -> Block:
    said = [{"text": answer.text}] if answer.text else []
    content = [*said, *answer.blocks] or [{"text": answer.said}]
    block: Block = {"toolUseId": answer.id, "content": content}
    if limits.error_flag:
        block["status"] = "error" if answer.failed else "success"
    return {"toolResult": block}


def _tools(tools: Sequence[Tool]) -> list[Block]:
    return [{"toolSpec": _tool(tool)} for tool in tools]


def _tool(tool: Tool) -> Block:
    told = {"description": tool["description"]} if tool["description"] else {}
    return {"name": tool["name"], **told, "inputSchema": {"json": tool["input_schema"]}}


def _system(texts: Sequence[str]) -> list[Block]:
    return [{"text": text} for text in texts]


WIRE = Wire(
    text=_text,
    media=_media,
    user=_user,
    assistant=_assistant,
    answers=_answers,
    tools=_tools,
    system=_system,
    system_role="user",
    joins="content",
    ids=r"[a-zA-Z0-9_.:-]+",
)
