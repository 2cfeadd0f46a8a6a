"""OpenAI Agents SDK: what the Runner sends back to the model holds every part."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pybase64
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
from toolnexus_media import tool
from toolnexus_media.adapters import to_openai_agents
from toolnexus_media.adapters.openai_agents import tools

agents, interface, responses = need("openai_agents", "agents", "agents.models.interface", "openai.types.responses")


Base: Any = interface.Model


class Model(Base):  # type: ignore[misc]  # the base is loaded by name
    """A model that calls one tool and then says that it is done; it keeps what it was given."""

    def __init__(self, name: str, arguments: str) -> None:
        self.call = responses.ResponseFunctionToolCall(
            type="function_call", name=name, arguments=arguments, call_id="call-7"
        )
        self.given: list[Any] = []
        self.tools: dict[str, Any] = {}

    async def get_response(self, **asked: Any) -> Any:
        self.given = asked["input"]
        self.tools = {item.name: item for item in asked["tools"]}
        text = responses.ResponseOutputText(type="output_text", text="done", annotations=[])
        done = responses.ResponseOutputMessage(
            id="m", type="message", role="assistant", status="completed", content=[text]
        )
        output = [self.call] if not any("output" in item for item in self.given) else [done]
        return agents.ModelResponse(output=output, usage=agents.Usage(), response_id=None)

    async def stream_response(self, *args: Any, **more: Any) -> AsyncIterator[Any]:
        raise NotImplementedError
        yield


def ask(made: list[Any], name: str, arguments: str = "{}") -> tuple[list[Any], Any]:
    """The content of the tool's output as the model gets it, and the tools that it was told of."""
    model = Model(name, arguments)
    agent = agents.Agent("test", model=model, tools=made)
    run = agents.Runner.run(agent, "go", run_config=agents.RunConfig(tracing_disabled=True))
    assert asyncio.run(run).final_output == "done"
    [answer] = [item for item in model.given if item.get("type") == "function_call_output"]
    assert answer["call_id"] == "call-7"
    return answer["output"], model.tools


def shot_of(result: Any) -> list[Any]:
    @agents.function_tool  # type: ignore[untyped-decorator]  # loaded by name
    def shot() -> Any:
        """Take a screenshot."""
        return to_openai_agents(result)

    return [shot]


def payload(url: str) -> bytes:
    return pybase64.b64decode(url.partition(";base64,")[2])


def check_everything(output: list[Any]) -> None:
    text, image, more, file, sound, link = output
    assert [text["text"], more["text"], sound["text"]] == ["Here it is.", "That was the picture.", NO_SOUND]
    assert (image["type"], payload(image["image_url"])) == ("input_image", PNG)
    assert (file["type"], payload(file["file_data"]), file["filename"]) == ("input_file", PDF, "text.pdf")
    assert (link["type"], link["image_url"]) == ("input_image", FAR)
    assert no_payload_in([text, more, sound])


def test_every_part_reaches_the_model_in_order(caplog: pytest.LogCaptureFixture) -> None:
    output, _ = ask(shot_of(everything()), "shot")
    check_everything(output)
    assert ["audio/wav" in record.getMessage() for record in caplog.records] == [True]


def test_a_failure_says_so_in_its_text_and_keeps_its_picture() -> None:
    output, _ = ask(shot_of(picture(isError=True)), "shot")
    assert output[0] == {"type": "input_text", "text": "[error] Here it is."}
    assert payload(output[1]["image_url"]) == PNG


def test_an_empty_result_is_an_empty_text() -> None:
    assert ask(shot_of(tool.success()), "shot")[0] == [{"type": "input_text", "text": ""}]


def test_a_tool_is_called_with_its_arguments_and_what_the_runner_knows() -> None:
    calls = Calls()
    output, told = ask(tools(toolkit(calls)), "look_at_page", '{"config": "home"}')
    check_everything(output)
    [(args, ctx)] = calls
    assert args == {"config": "home"}
    assert ctx["call_id"] == "call-7"
    assert type(ctx["host"]).__name__ == "ToolContext"
    look = told["look_at_page"]
    assert (look.description, look.params_json_schema) == ("Look at a page", SCHEMA)


def test_an_async_tool_is_awaited() -> None:
    assert payload(ask(tools(toolkit()), "wait")[0][1]["image_url"]) == PNG


@pytest.mark.parametrize(
    ("arguments", "told"), [("{}", "[error] no such page"), ("{", "[error] the arguments are no JSON: ")]
)
def test_what_goes_wrong_does_not_end_the_run(arguments: str, told: str) -> None:
    [text] = ask(tools(toolkit()), "broken", arguments)[0]
    assert text["text"].startswith(told)
