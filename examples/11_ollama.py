"""Ollama: pictures are bare base64 beside a message's words; what it cannot see becomes pictures or words."""

from typing import Any

from ollama import Client
from stand_in import arrived, kit, stand_in

from toolnexus_media import deliver, emit, tool

MODEL = "qwen3-vl"


def answer(message: dict[str, Any]) -> dict[str, Any]:
    return {"model": MODEL, "message": {"role": "assistant", **message}, "done": True}


asks = answer({"content": "", "tool_calls": [{"function": {"name": "screenshot", "arguments": {}}}]})
tells = answer({"content": "A red square."})

conversation: list[Any] = [{"role": "user", "content": "How does the page look?"}]
schemas = emit.tool_schemas(kit, "ollama")

with stand_in(asks, tells) as (url, bodies), Client(host=url) as client:
    reply = client.chat(model=MODEL, messages=conversation, tools=schemas).message
    conversation.append(reply)
    calls = [
        {
            "id": f"call_{number}",  # Ollama's calls have none
            "name": call.function.name,
            "result": tool.execute(kit, call.function.name, call.function.arguments),
        }
        for number, call in enumerate(reply.tool_calls or [], 1)
    ]
    messages, changes = deliver(calls, "ollama", model=MODEL)
    conversation += messages
    print(client.chat(model=MODEL, messages=conversation, tools=schemas).message.content)

assert messages[0]["tool_name"] == "screenshot"
assert len(messages[1]["images"]) == 1
assert arrived(bodies[-1])
