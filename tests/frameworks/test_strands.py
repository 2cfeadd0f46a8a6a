"""Strands Agents: what an agent sends back to its model holds every part, as raw bytes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.frameworks._shared import (
    FAR,
    NO_SOUND,
    PDF,
    PNG,
    SCHEMA,
    Calls,
    everything,
    need,
    no_payload_in,
    picture,
    toolkit,
)
from toolnexus_media import content, tool
from toolnexus_media.adapters import to_strands
from toolnexus_media.adapters.strands import tools

strands, models = need("strands", "strands", "strands.models.model")


Base: Any = models.Model


class Model(Base):  # type: ignore[misc]  # the base is loaded by name
    """A model that calls one tool and then says that it is done; it keeps what it was given."""

    def __init__(self, name: str, arguments: str) -> None:
        self.name, self.arguments = name, arguments
        self.given: list[Any] = []
        self.tools: dict[str, Any] = {}

    def update_config(self, **_: Any) -> None:
        raise NotImplementedError

    def get_config(self) -> dict[str, Any]:
        return {}

    def structured_output(self, *args: Any, **_: Any) -> Any:
        raise NotImplementedError

    async def stream(self, messages: Any, tool_specs: Any = None, *args: Any, **_: Any) -> AsyncIterator[Any]:
        self.given = list(messages)
        self.tools = {spec["name"]: spec for spec in tool_specs}
        yield {"messageStart": {"role": "assistant"}}
        if len(self.given) == 1:
            yield {"contentBlockStart": {"start": {"toolUse": {"name": self.name, "toolUseId": "call-7"}}}}
            yield {"contentBlockDelta": {"delta": {"toolUse": {"input": self.arguments}}}}
        else:
            yield {"contentBlockStart": {"start": {}}}
            yield {"contentBlockDelta": {"delta": {"text": "done"}}}
        yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "tool_use" if len(self.given) == 1 else "end_turn"}}


def ask(made: list[Any], name: str, arguments: str = "{}") -> tuple[Any, Any]:
    """The tool result that the model gets for its call, and the tools that it was told of."""
    model = Model(name, arguments)
    agent = strands.Agent(model=model, tools=made, callback_handler=None)
    assert str(asyncio.run(agent.invoke_async("go"))).strip() == "done"
    [answer] = [block["toolResult"] for block in model.given[-1]["content"] if "toolResult" in block]
    assert answer["toolUseId"] == "call-7"
    return answer, model.tools


def shot_of(result: Any) -> list[Any]:
    @strands.tool  # type: ignore[untyped-decorator]  # loaded by name
    def shot() -> Any:
        """Take a screenshot."""
        return to_strands(result)

    return [shot]


def check_everything(answer: Any) -> None:
    text, image, more, file, sound, link = answer["content"]
    assert image == {"image": {"format": "png", "source": {"bytes": PNG}}}
    assert (file["document"]["format"], file["document"]["source"]) == ("pdf", {"bytes": PDF})
    assert [text["text"], more["text"], sound["text"]] == ["Here it is.", "That was the picture.", NO_SOUND]
    assert link["text"] == f"[unsupported image part (image/png, 0 bytes)] {FAR}"
    assert no_payload_in([text, more, sound, link])


def test_every_part_reaches_the_model_in_order_and_byte_for_byte(caplog: pytest.LogCaptureFixture) -> None:
    answer, _ = ask(shot_of(everything()), "shot")
    check_everything(answer)
    assert answer["status"] == "success"
    told = [record.getMessage() for record in caplog.records if record.name == "toolnexus_media.adapters"]
    assert ["audio/wav" in text for text in told] == [True]


def test_a_failure_has_the_status_and_its_picture() -> None:
    answer, _ = ask(shot_of(picture(isError=True)), "shot")
    assert answer["status"] == "error"
    assert answer["content"] == [{"text": "Here it is."}, {"image": {"format": "png", "source": {"bytes": PNG}}}]


def test_an_empty_result_has_a_text_because_bedrock_takes_no_empty_one() -> None:
    assert ask(shot_of(tool.success()), "shot")[0]["content"] == [{"text": "(no output)"}]


def test_a_tool_is_called_with_its_arguments_and_what_the_agent_knows() -> None:
    calls = Calls()
    answer, told = ask(tools(toolkit(calls)), "look_at_page", '{"config": "home"}')
    check_everything(answer)
    [(args, ctx)] = calls
    assert args == {"config": "home"}
    assert ctx["call_id"] == "call-7"
    assert ctx["host"]["agent"].tool_names == ["broken", "fail_with_picture", "look_at_page", "wait"]
    assert ctx["cancel"].is_set() is False
    look = told["look_at_page"]
    assert (look["description"], look["inputSchema"]["json"]["required"]) == ("Look at a page", ["config"])
    assert look["inputSchema"]["json"]["properties"] == SCHEMA["properties"]
    assert look["annotations"] == {"readOnlyHint": True}


def test_an_async_tool_is_awaited() -> None:
    answer, _ = ask(tools(toolkit()), "wait")
    assert answer["content"][1]["image"]["source"]["bytes"] == PNG


def test_a_tool_that_raises_is_an_error_with_its_reason() -> None:
    answer, _ = ask(tools(toolkit()), "broken")
    assert (answer["status"], answer["content"]) == ("error", [{"text": "no such page"}])


def test_a_picture_in_s3_keeps_its_place() -> None:
    part = content.from_url("s3://bucket/chart.png")
    [block] = to_strands(tool.with_parts(tool.success(), [part]))["content"]
    place = {"type": "s3", "uri": "s3://bucket/chart.png"}
    assert block == {"image": {"format": "png", "source": {"location": place}}}
