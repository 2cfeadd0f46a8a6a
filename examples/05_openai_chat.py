"""OpenAI's Chat Completions: the model calls a tool, and sees the picture that the tool took."""

import json
from typing import Any

from openai import OpenAI
from stand_in import arrived, kit, stand_in

from toolnexus_media import deliver, emit, tool

MODEL = "gpt-5.4"
CALL = {"id": "call_1", "type": "function", "function": {"name": "screenshot", "arguments": "{}"}}


def answer(message: dict[str, Any], reason: str) -> dict[str, Any]:
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": reason}
    return {"id": "c", "object": "chat.completion", "created": 1, "model": MODEL, "choices": [choice]}


asks = answer({"content": None, "tool_calls": [CALL]}, "tool_calls")
tells = answer({"content": "A red square."}, "stop")

conversation: list[Any] = [{"role": "user", "content": "How does the page look?"}]
schemas: Any = emit.tool_schemas(kit, "openai")

with stand_in(asks, tells) as (url, bodies), OpenAI(api_key="none", base_url=f"{url}/v1") as client:
    reply = client.chat.completions.create(model=MODEL, messages=conversation, tools=schemas).choices[0].message
    conversation.append(reply.model_dump(exclude_none=True))
    calls = [
        {"id": call.id, "name": call.function.name, "result": tool.execute(kit, call.function.name, arguments)}
        for call in reply.tool_calls or []
        if call.type == "function" and (arguments := json.loads(call.function.arguments)) is not None
    ]
    messages, changes = deliver(calls, "openai", model=MODEL)
    conversation += messages
    print(client.chat.completions.create(model=MODEL, messages=conversation, tools=schemas).choices[0].message.content)

assert [message["role"] for message in messages] == ["tool", "user"]
assert messages[1]["content"][0]["text"] == "Output of tool screenshot (call_1):"
assert arrived(bodies[-1])
