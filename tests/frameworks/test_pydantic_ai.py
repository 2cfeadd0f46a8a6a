"""Pydantic AI: what an agent sends back to its model holds every part, as bytes."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.frameworks._shared import (
    FAR,
    PDF,
    PNG,
    SCHEMA,
    WAV,
    Calls,
    everything,
    need,
    no_payload_in,
    picture,
    toolkit,
)
from toolnexus_media import content, tool
from toolnexus_media.adapters import to_pydantic_ai
from toolnexus_media.adapters.pydantic_ai import tools

pydantic_ai, messages, function = need(
    "pydantic_ai", "pydantic_ai", "pydantic_ai.messages", "pydantic_ai.models.function"
)


def ask(made: list[Any], name: str, args: dict[str, Any]) -> tuple[Any, Any]:
    """The tool return that the model is given for a call of its own, and what it was told of the tools."""
    told: list[Any] = []

    def model(history: list[Any], info: Any) -> Any:
        if len(history) == 1:
            return messages.ModelResponse([messages.ToolCallPart(name, args, tool_call_id="call-7")])
        told.extend([history[-1].parts, info.function_tools])
        return messages.ModelResponse([messages.TextPart("done")])

    agent = pydantic_ai.Agent(function.FunctionModel(model), tools=made)
    assert asyncio.run(agent.run("go")).output == "done"
    [part] = told[0]
    return part, {item.name: item for item in told[1]}


def shot_of(result: Any) -> list[Any]:
    def shot() -> Any:
        return to_pydantic_ai(result)

    return [shot]


def check_everything(part: Any) -> None:
    text, image, more, file, sound, link = part.content
    assert (text, more) == ("Here it is.", "That was the picture.")
    assert [(item.data, item.media_type) for item in (image, file, sound)] == [
        (PNG, "image/png"),
        (PDF, "application/pdf"),
        (WAV, "audio/wav"),
    ]
    assert (type(link).__name__, link.url, link.media_type) == ("ImageUrl", FAR, "image/png")
    assert part.metadata == {"seconds": 3}
    assert no_payload_in([text, more])


def test_every_part_reaches_the_model_in_order_and_byte_for_byte() -> None:
    part, _ = ask(shot_of(everything()), "shot", {})
    check_everything(part)


def test_a_text_result_is_text() -> None:
    part, _ = ask(shot_of(tool.success("hi")), "shot", {})
    assert part.content == "hi"


def test_a_failure_says_so_in_its_text() -> None:
    part, _ = ask(shot_of(tool.failure("no such page")), "shot", {})
    assert part.content == "[error] no such page"


def test_a_failure_of_a_toolkits_tool_is_a_failed_call_that_the_model_reads() -> None:
    failing = tool.toolkit([tool.tool("shot", lambda args: tool.failure("no such page"))])
    part, _ = ask(tools(failing), "shot", {})
    assert (part.outcome, part.content) == ("failed", "no such page")


def test_a_failure_with_a_picture_keeps_the_picture() -> None:
    part, _ = ask(shot_of(picture(isError=True)), "shot", {})
    assert part.content[0] == "[error] Here it is."
    assert part.content[1].data == PNG


def test_a_tool_is_called_with_its_arguments_and_what_the_agent_knows() -> None:
    calls = Calls()
    part, told = ask(tools(toolkit(calls)), "look_at_page", {"config": "home"})
    check_everything(part)
    [(args, ctx)] = calls
    assert args == {"config": "home"}
    assert ctx["call_id"] == "call-7"
    assert type(ctx["host"]).__name__ == "RunContext"
    look = told["look_at_page"]
    assert (look.description, look.parameters_json_schema) == ("Look at a page", SCHEMA)


def test_an_async_tool_is_awaited() -> None:
    assert ask(tools(toolkit()), "wait", {})[0].content[1].data == PNG


def test_a_tool_that_raises_does_not_end_the_run() -> None:
    part, _ = ask(tools(toolkit()), "broken", {})
    assert (part.outcome, part.content) == ("failed", "no such page")


def test_what_has_no_kind_there_is_told_in_text(caplog: pytest.LogCaptureFixture) -> None:
    part, _ = ask(shot_of(tool.with_parts(tool.success(), [content.from_bytes(b"\0\1\2")])), "shot", {})
    assert part.content == ["[unsupported file part (application/octet-stream, 3 bytes)]"]
    assert len(caplog.records) == 1
