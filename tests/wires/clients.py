"""The vendors' own clients, pointed at an endpoint on this machine."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable
from typing import Any

from tests.wires.endpoint import Endpoint

Messages = list[dict[str, Any]]
KEY = "none"


def send(provider: str, messages: Messages, endpoint: Endpoint) -> dict[str, Any]:
    """The body that the vendor's client sends for these messages."""
    before = len(endpoint.bodies)
    CLIENTS[provider](messages, endpoint.url)
    assert len(endpoint.bodies) == before + 1, f"{provider} sent {len(endpoint.bodies) - before} requests"
    return endpoint.bodies[-1]


def arrived(provider: str, messages: Messages, endpoint: Endpoint) -> Messages:
    """The messages as the vendor gets them, in the shape they were given to its client: equal, when all is well.

    What a client does of its own accord to every message is undone: bytes go as base64, or base64 in the URL-safe
    alphabet; keys inside functionResponse and fileData go in snake_case; an empty string is left out; defaults are
    written down.
    """
    found: Messages = send(provider, messages, endpoint)[KEYS.get(provider, "messages")]
    return UNDONE[provider](found) if provider in UNDONE else found


KEYS = {"openai-responses": "input", "gemini": "contents"}


def _raw(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: b64decode(found) if key == "bytes" else _raw(found) for key, found in value.items()}
    return [_raw(found) for found in value] if isinstance(value, list) else value


def _standard(value: Any, key: str = "") -> Any:
    if key in ("args", "response"):
        return value
    if key == "data":
        return value.replace("-", "+").replace("_", "/")
    if isinstance(value, dict):
        return {_camel(name): _standard(found, name) for name, found in value.items()}
    return [_standard(found) for found in value] if isinstance(value, list) else value


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(map(str.capitalize, rest))


def _with_content(messages: Messages) -> Messages:
    return [{"content": "", **message} for message in messages]


def _without_defaults(messages: Messages) -> Messages:
    for message in messages:
        if message.get("prefix") is False:
            del message["prefix"]
        for call in message.get("tool_calls") or ():
            if call.get("index") == 0:
                del call["index"]
    return messages


UNDONE: dict[str, Callable[[Messages], Messages]] = {
    "bedrock": _raw,
    "gemini": _standard,
    "ollama": _with_content,
    "mistral": _without_defaults,
}


def _openai(messages: Any, url: str) -> None:
    from openai import OpenAI

    with OpenAI(api_key=KEY, base_url=f"{url}/v1", max_retries=0) as client:
        client.chat.completions.create(model="m", messages=messages)


def _responses(items: Any, url: str) -> None:
    from openai import OpenAI

    with OpenAI(api_key=KEY, base_url=f"{url}/v1", max_retries=0) as client:
        client.responses.create(model="m", input=items)


def _anthropic(messages: Any, url: str) -> None:
    from anthropic import Anthropic

    with Anthropic(api_key=KEY, base_url=url, max_retries=0) as client:
        client.messages.create(model="m", max_tokens=1, messages=messages)


def _gemini(contents: Any, url: str) -> None:
    from google.genai import Client

    with Client(api_key=KEY, vertexai=False, http_options={"base_url": url}) as client:
        client.models.generate_content(model="m", contents=contents)


def _bedrock(messages: Any, url: str) -> None:
    from boto3.session import Session
    from botocore.config import Config

    session = Session(aws_access_key_id=KEY, aws_secret_access_key=KEY, region_name="us-east-1")
    config = Config(retries={"total_max_attempts": 1}, proxies={})
    client = session.client("bedrock-runtime", endpoint_url=url, config=config)
    client.converse(modelId="m", messages=messages)
    client.close()


def _ollama(messages: Any, url: str) -> None:
    from ollama import Client

    with Client(host=url) as client:
        client.chat(model="m", messages=messages)


def _mistral(messages: Any, url: str) -> None:
    from mistralai.client import Mistral

    with Mistral(api_key=KEY, server_url=url) as client:
        client.chat.complete(model="m", messages=messages)


CLIENTS: dict[str, Callable[[Any, str], None]] = {
    "openai": _openai,
    "openai-responses": _responses,
    "anthropic": _anthropic,
    "gemini": _gemini,
    "bedrock": _bedrock,
    "ollama": _ollama,
    "mistral": _mistral,
}
