"""Anthropic's Messages API: a picture rides inside the tool result."""

from typing import Any

from anthropic import Anthropic
from stand_in import arrived, kit, stand_in

from toolnexus_media import deliver, emit, tool

MODEL = "claude-opus-4-7"


def answer(block: dict[str, Any], reason: str) -> dict[str, Any]:
    message = {"id": "m", "type": "message", "role": "assistant", "model": MODEL, "content": [block]}
    return {**message, "stop_reason": reason, "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}


asks = answer({"type": "tool_use", "id": "toolu_1", "name": "screenshot", "input": {}}, "tool_use")
tells = answer({"type": "text", "text": "A red square."}, "end_turn")

conversation: list[Any] = [{"role": "user", "content": "How does the page look?"}]
schemas: Any = emit.tool_schemas(kit, "anthropic")

with stand_in(asks, tells) as (url, bodies), Anthropic(api_key="none", base_url=url) as client:
    reply = client.messages.create(model=MODEL, max_tokens=500, messages=conversation, tools=schemas)
    conversation.append(
        {"role": "assistant", "content": [block.model_dump(exclude_none=True) for block in reply.content]}
    )
    calls = [
        {"id": block.id, "name": block.name, "result": tool.execute(kit, block.name, block.input)}
        for block in reply.content
        if block.type == "tool_use"
    ]
    messages, changes = deliver(calls, "anthropic", model=MODEL)
    conversation += messages
    told = client.messages.create(model=MODEL, max_tokens=500, messages=conversation, tools=schemas)
    print(*(block.text for block in told.content if block.type == "text"))

assert [block["type"] for block in messages[0]["content"][0]["content"]] == ["text", "image"]
assert arrived(bodies[-1])
