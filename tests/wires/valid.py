"""Would the provider take these messages: first by its own types, then by the rules that types cannot say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.wires import payloads, positions, shapes

PROVIDERS = ("openai", "openai-responses", "anthropic", "gemini", "bedrock", "mcp", "ollama", "mistral", "a2a")


def complaints(provider: str, messages: Sequence[dict[str, Any]]) -> list[str]:
    """What the provider would find wrong with a whole conversation, each with its path; nothing when it is good.

    >>> complaints("openai", [{"role": "user", "content": "What do you see?"}])
    []
    >>> complaints("openai", [{"role": "tool", "tool_call_id": "a", "content": "ok"}])
    ["[0]: answers 'a', which is not asked for here"]

    Answers need their question: put ``turns.asking(provider, calls)`` before what answers ``calls``.
    """
    if provider not in PROVIDERS:
        raise ValueError(f"no such provider: {provider}; there are {', '.join(PROVIDERS)}")
    wrong = [f"[{at}]{what}" for at, message in enumerate(messages) for what in shapes.complaints(provider, message)]
    if wrong:  # what follows relies on the shapes
        return wrong
    return [*positions.complaints(provider, messages), *payloads.complaints(provider, messages)]
