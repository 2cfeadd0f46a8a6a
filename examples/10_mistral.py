"""Mistral's chat: a tool message is text, and the picture follows in a user message."""

import json
from typing import Any

from mistralai.client import Mistral
from stand_in import arrived, kit, stand_in

from toolnexus_media import deliver, emit, tool

MODEL = "mistral-medium-latest"
CALL = {"id": "aB3dE5gH7", "type": "function", "function": {"name": "screenshot", "arguments": "{}"}}


def answer(message: dict[str, Any], reason: str) -> dict[str, Any]:
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": reason}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    return {"id": "c", "object": "chat.completion", "created": 1, "model": MODEL, "choices": [choice], "usage": usage}


asks = answer({"content": "", "tool_calls": [CALL]}, "tool_calls")
tells = answer({"content": "A red square."}, "stop")

conversation: list[Any] = [{"role": "user", "content": "How does the page look?"}]
schemas: Any = emit.tool_schemas(kit, "mistral")

with stand_in(asks, tells) as (url, bodies), Mistral(api_key="none", server_url=url) as client:
    reply: Any = client.chat.complete(model=MODEL, messages=conversation, tools=schemas).choices[0].message
    conversation.append(reply)
    calls = [
        {
            "id": call.id,
            "name": call.function.name,
            "result": tool.execute(kit, call.function.name, json.loads(call.function.arguments)),
        }
        for call in reply.tool_calls
    ]
    messages, changes = deliver(calls, "mistral", model=MODEL)
    conversation += messages
    told: Any = client.chat.complete(model=MODEL, messages=conversation, tools=schemas).choices[0].message
    print(told.content)

assert [message["role"] for message in messages] == ["tool", "assistant", "user"]
assert arrived(bodies[-1])
