"""OpenAI's Responses: a picture rides inside the function call's output."""

import json
from typing import Any

from openai import OpenAI
from stand_in import arrived, kit, stand_in

from toolnexus_media import deliver, emit, tool

MODEL = "gpt-5.4"


def answer(*items: dict[str, Any]) -> dict[str, Any]:
    response = {"id": "r", "object": "response", "created_at": 1, "model": MODEL, "status": "completed"}
    return {**response, "output": list(items), "parallel_tool_calls": True, "tool_choice": "auto", "tools": []}


asks = answer({"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "screenshot", "arguments": "{}"})
said = {"type": "output_text", "text": "A red square.", "annotations": []}
tells = answer({"type": "message", "id": "m_1", "role": "assistant", "status": "completed", "content": [said]})

conversation: list[Any] = [{"role": "user", "content": "How does the page look?"}]
schemas: Any = emit.tool_schemas(kit, "openai-responses")

with stand_in(asks, tells) as (url, bodies), OpenAI(api_key="none", base_url=f"{url}/v1") as client:
    reply = client.responses.create(model=MODEL, input=conversation, tools=schemas)
    conversation += [item.model_dump(exclude_none=True) for item in reply.output]
    calls = [
        {"id": item.call_id, "name": item.name, "result": tool.execute(kit, item.name, json.loads(item.arguments))}
        for item in reply.output
        if item.type == "function_call"
    ]
    messages, changes = deliver(calls, "openai-responses", model=MODEL)
    conversation += messages
    print(client.responses.create(model=MODEL, input=conversation, tools=schemas).output_text)

assert [block["type"] for block in messages[0]["output"]] == ["input_text", "input_image"]
assert arrived(bodies[-1])
