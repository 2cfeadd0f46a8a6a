"""What is kept as golden copies: a name ``<provider>/<case>``, and what makes the messages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from tests.wires.turns import asking
from toolnexus_media import attach, deliver, emit, failure, success, with_parts
from toolnexus_media.content import from_url, text_part
from toolnexus_media.types import ContentPart, ToolResult

Messages = list[dict[str, Any]]
NEWEST = {"gemini": "gemini-3-pro", "anthropic": "claude-opus-4-7", "openai": "gpt-5.4", "openai-responses": "gpt-5.4"}
PROVIDERS = ("openai", "openai-responses", "anthropic", "gemini", "bedrock", "mcp", "ollama", "mistral", "a2a")
MODELS: list[tuple[str, str, str | None]] = [
    *((provider, "", NEWEST.get(provider)) for provider in PROVIDERS),
    ("gemini", "-before-3", "gemini-2.5-pro"),
    ("openai", "-that-hears", "gpt-audio"),
    ("bedrock", "-other-model", "meta.llama4-scout"),
]
"""Provider, what is added to a case's name, model."""


def png() -> ContentPart:
    return attach("fixtures/media/fixture.png")


def pdf() -> ContentPart:
    return attach("fixtures/media/text.pdf")


def with_media(*parts: ContentPart, output: str = "Here it is.") -> ToolResult:
    return with_parts(success(output), parts)


def results() -> dict[str, Sequence[tuple[str, str, ToolResult]]]:
    """By case: the id, the name and the result of every call."""
    link = from_url("https://example.org/page.png")
    words = [text_part("before"), png(), text_part("after")]
    return {
        "text": [("call00001", "weather", success("72 degrees"))],
        "nothing": [("call00001", "wait", success(""))],
        "image": [("call00001", "screenshot", with_media(png(), output="image (image/png, 82 bytes)"))],
        "pdf": [("call00001", "report", with_media(pdf()))],
        "audio": [("call00001", "record", with_media(attach("fixtures/media/tone.mp3")))],
        "text-file": [("call00001", "notes", with_media(attach("fixtures/media/words.txt")))],
        "url": [("call00001", "find", with_media(link))],
        "words-between": [("call00001", "compare", with_media(*words, output=""))],
        "failure": [("call00001", "fetch", failure("404 Not Found"))],
        "failure-with-parts": [("call00001", "click", with_parts(failure("no such button"), [png()]))],
        "unsupported": [("call00001", "export", with_media(attach("fixtures/media/files.zip"), png()))],
        "parallel": [
            ("call00001", "screenshot", with_media(png())),
            ("call00002", "weather", success("72 degrees")),
            ("call00003", "click", with_parts(failure("no such button"), [png()])),
            ("call00004", "report", with_media(pdf(), png())),
        ],
    }


def delivered(provider: str, model: str | None, case: str) -> Messages:
    """The question, the calls, and what is delivered in answer."""
    calls = [{"id": call_id, "name": name, "result": result} for call_id, name, result in results()[case]]
    return [*asking(provider, calls), *deliver(calls, provider, model=model)[0]]


def chain() -> Messages:
    """A canonical transcript of several turns with tools, pictures from both sides and a failure."""

    def asked(*calls: tuple[str, str]) -> dict[str, Any]:
        return {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"id": call_id, "name": name, "args": {"n": 1}} for call_id, name in calls],
        }

    def answered(call_id: str, name: str, result: ToolResult) -> dict[str, Any]:
        return {"role": "tool", "id": call_id, "name": name, "result": result}

    return [
        {"role": "user", "content": "Compare these pages."},
        asked(("call00001", "screenshot"), ("call00002", "screenshot")),
        answered("call00001", "screenshot", with_media(png())),
        answered("call00002", "screenshot", with_parts(failure("timeout"), [png()])),
        {"role": "assistant", "content": "The second one failed.", "tool_calls": [
            {"id": "call00003", "name": "screenshot", "args": {}}
        ]},
        answered("call00003", "screenshot", with_media(png(), output="")),
        {"role": "assistant", "content": "They are alike."},
        {"role": "user", "content": [text_part("And this one?"), png()]},
        asked(("call00004", "weather")),
        answered("call00004", "weather", success("72 degrees")),
        {"role": "user", "content": "Thanks."},
        {"role": "assistant", "content": "You are welcome."},
        {"role": "user", "content": "One more."},
    ]  # fmt: skip


def _cases() -> dict[str, Callable[[], Messages]]:
    made: dict[str, Callable[[], Messages]] = {}
    for provider, added, model in MODELS:
        cases = results() if not added else ("image", "audio", "failure-with-parts", "parallel")
        for case in cases:
            made[f"{provider}/{case}{added}"] = partial(delivered, provider, model, case)
        if "hears" not in added:
            made[f"{provider}/chain{added}"] = partial(emit.messages, chain(), provider, model=model)
    return made


CASES = _cases()
