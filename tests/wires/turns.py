"""The turns that tool results answer, in every provider's shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

QUESTION = "What do you see?"


def asking(provider: str, calls: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """A question and the assistant's calls, each a dict with ``id`` and ``name``: what goes before their answers.

    >>> asking("gemini", [{"id": "a", "name": "look"}])[1]
    {'role': 'model', 'parts': [{'functionCall': {'id': 'a', 'name': 'look', 'args': {}}}]}

    An MCP result and an A2A message answer no turn, so there is none.
    """
    if provider in ("mcp", "a2a"):
        return []
    if provider == "gemini":
        return [{"role": "user", "parts": [{"text": QUESTION}]}, {"role": "model", "parts": _calls(provider, calls)}]
    if provider == "openai-responses":
        return [{"role": "user", "content": QUESTION}, *_calls(provider, calls)]
    question = [{"text": QUESTION}] if provider == "bedrock" else QUESTION
    key = "content" if provider in ("anthropic", "bedrock") else "tool_calls"
    content = {} if key == "content" else {"content": ""}
    turn = {"role": "assistant", **content, key: _calls(provider, calls)}
    return [{"role": "user", "content": question}, turn]


def _calls(provider: str, calls: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [_call(provider, call["id"], call["name"]) for call in calls]


def _call(provider: str, called: str, name: str) -> dict[str, Any]:
    shapes: dict[str, dict[str, Any]] = {
        "openai": {"id": called, "type": "function", "function": {"name": name, "arguments": "{}"}},
        "openai-responses": {"type": "function_call", "call_id": called, "name": name, "arguments": "{}"},
        "anthropic": {"type": "tool_use", "id": called, "name": name, "input": {}},
        "gemini": {"functionCall": {"id": called, "name": name, "args": {}}},
        "bedrock": {"toolUse": {"toolUseId": called, "name": name, "input": {}}},
        "ollama": {"function": {"name": name, "arguments": {}}},
        "mistral": {"id": called, "type": "function", "function": {"name": name, "arguments": "{}"}},
    }
    return shapes[provider]
