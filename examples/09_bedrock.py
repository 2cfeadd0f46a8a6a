"""Amazon Bedrock's Converse: raw bytes and format words; documents get neutral names of their own."""

from typing import Any

from boto3.session import Session
from stand_in import arrived, kit, stand_in

from toolnexus_media import deliver, emit, tool

MODEL = "anthropic.claude-opus-4-7"


def answer(block: dict[str, Any], reason: str) -> dict[str, Any]:
    usage = {"inputTokens": 1, "outputTokens": 1, "totalTokens": 2}
    message = {"role": "assistant", "content": [block]}
    return {"output": {"message": message}, "stopReason": reason, "usage": usage, "metrics": {"latencyMs": 1}}


asks = answer({"toolUse": {"toolUseId": "tooluse_1", "name": "screenshot", "input": {}}}, "tool_use")
tells = answer({"text": "A red square."}, "end_turn")

conversation: list[Any] = [{"role": "user", "content": [{"text": "How does the page look?"}]}]
tools = {"tools": emit.tool_schemas(kit, "bedrock")}
keys = {"aws_access_key_id": "none", "aws_secret_access_key": "none"}
session = Session(**keys, region_name="us-east-1")

with stand_in(asks, tells) as (url, bodies):
    client = session.client("bedrock-runtime", endpoint_url=url)
    reply = client.converse(modelId=MODEL, messages=conversation, toolConfig=tools)["output"]["message"]
    conversation.append(reply)
    used = [block["toolUse"] for block in reply["content"] if "toolUse" in block]
    calls = [
        {"id": call["toolUseId"], "name": call["name"], "result": tool.execute(kit, call["name"], call["input"])}
        for call in used
    ]
    messages, changes = deliver(calls, "bedrock", model=MODEL)
    conversation += messages
    told = client.converse(modelId=MODEL, messages=conversation, toolConfig=tools)["output"]["message"]
    print(told["content"][0]["text"])
    client.close()

assert messages[0]["content"][0]["toolResult"]["content"][1]["image"]["format"] == "png"
assert arrived(bodies[-1])
