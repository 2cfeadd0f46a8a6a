"""Gemini: from 3 on a picture rides inside the function's response."""

from typing import Any

from google.genai import Client, types
from stand_in import arrived, kit, stand_in

from toolnexus_media import deliver, emit, tool

MODEL = "gemini-3-pro"


def answer(part: dict[str, Any]) -> dict[str, Any]:
    return {"candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}]}


asks = answer({"functionCall": {"id": "call_1", "name": "screenshot", "args": {}}, "thoughtSignature": "c2lnbmVk"})
tells = answer({"text": "A red square."})

conversation: list[Any] = [{"role": "user", "parts": [{"text": "How does the page look?"}]}]
declared: Any = emit.tool_schemas(kit, "gemini")
config = types.GenerateContentConfig(tools=declared)

with (
    stand_in(asks, tells) as (url, bodies),
    Client(api_key="none", vertexai=False, http_options=types.HttpOptions(base_url=url)) as client,
):
    reply = client.models.generate_content(model=MODEL, contents=conversation, config=config)
    assert reply.candidates
    conversation.append(reply.candidates[0].content)  # with its thought signature
    calls = [
        {"id": call.id, "name": call.name, "result": tool.execute(kit, str(call.name), call.args or {})}
        for call in reply.function_calls or []
    ]
    messages, changes = deliver(calls, "gemini", model=MODEL)
    conversation += messages
    print(client.models.generate_content(model=MODEL, contents=conversation, config=config).text)

[part] = messages[0]["parts"]
assert part["functionResponse"]["response"] == {"output": "The page as it is now:\nimage (image/png, 82 bytes)"}
assert arrived(bodies[-1])
