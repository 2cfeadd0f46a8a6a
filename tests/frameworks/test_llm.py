"""LLM: what a chain sends back to its model holds every part as an attachment."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any, ClassVar

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
from toolnexus_media.adapters import to_llm
from toolnexus_media.adapters.llm import tools

llm = need("llm", "llm")


Base: Any = llm.Model
AsyncBase: Any = llm.AsyncModel


class Fake:
    """Calls one tool and then says that it is done; keeps the prompts it was given."""

    model_id = "fake"
    supports_tools = True
    attachment_types: ClassVar[set[str]] = {"image/png", "application/pdf", "audio/wav"}

    def asked(self, prompt: Any, response: Any) -> Iterator[str]:
        self.prompts = [*getattr(self, "prompts", []), prompt]
        if prompt.tool_results:
            yield "done"
        else:
            response.add_tool_call(llm.ToolCall(name=self.name, arguments=self.arguments, tool_call_id="call-7"))
            yield ""

    def about(self, name: str, arguments: dict[str, Any]) -> Any:
        self.name, self.arguments = name, arguments
        return self


class Model(Fake, Base):  # type: ignore[misc]  # the base is loaded by name
    def execute(self, prompt: Any, stream: bool, response: Any, conversation: Any) -> Iterator[str]:
        return self.asked(prompt, response)


class AsyncModel(Fake, AsyncBase):  # type: ignore[misc]  # the base is loaded by name
    async def execute(self, prompt: Any, stream: bool, response: Any, conversation: Any) -> AsyncIterator[str]:
        for word in self.asked(prompt, response):
            yield word


def ask(made: list[Any], name: str, arguments: dict[str, Any], *, awaited: bool = False) -> tuple[Any, Any]:
    """The tool result that the model gets for its call, and the tools that it was told of."""
    if awaited:
        model = AsyncModel().about(name, arguments)

        async def run() -> str:
            return str(await model.chain("go", tools=made).text())

        text = asyncio.run(run())
    else:
        model = Model().about(name, arguments)
        text = model.chain("go", tools=made).text()
    assert text == "done"
    [answer] = model.prompts[-1].tool_results
    return answer, {item.name: item for item in model.prompts[0].tools}


def shot_of(result: Any) -> list[Any]:
    def shot() -> Any:
        """Take a screenshot."""
        return to_llm(result)

    return [shot]


def check_everything(answer: Any) -> None:
    image, file, sound, link = answer.attachments
    assert [(item.content, item.type) for item in (image, file, sound)] == [
        (PNG, "image/png"),
        (PDF, "application/pdf"),
        (WAV, "audio/wav"),
    ]
    assert (link.url, link.type) == (FAR, "image/png")
    assert answer.output == "Here it is.\nThat was the picture."
    assert no_payload_in([answer.output])


def test_every_part_reaches_the_model_byte_for_byte() -> None:
    answer, _ = ask(shot_of(everything()), "shot", {})
    check_everything(answer)


def test_a_failure_says_so_in_its_text_and_keeps_its_picture() -> None:
    answer, _ = ask(shot_of(picture(isError=True)), "shot", {})
    assert (answer.output, answer.attachments[0].content) == ("[error] Here it is.", PNG)


@pytest.mark.parametrize("awaited", [False, True], ids=["sync", "async"])
def test_a_tool_is_called_with_its_arguments_and_the_call(awaited: bool) -> None:
    calls = Calls()
    answer, told = ask(tools(toolkit(calls)), "look_at_page", {"config": "home"}, awaited=awaited)
    check_everything(answer)
    [(args, ctx)] = calls
    assert args == {"config": "home"}
    assert ctx["call_id"] == "call-7"
    assert ctx["host"].name == "look_at_page"
    look = told["look_at_page"]
    assert (look.description, look.input_schema) == ("Look at a page", SCHEMA)


@pytest.mark.parametrize("awaited", [False, True], ids=["sync", "async"])
def test_an_async_tool_answers_either_way(awaited: bool) -> None:
    assert ask(tools(toolkit()), "wait", {}, awaited=awaited)[0].attachments[0].content == PNG


def test_a_tool_that_raises_is_recorded_as_such() -> None:
    answer, _ = ask(tools(toolkit()), "broken", {})
    assert (answer.output, str(answer.exception)) == ("Error: no such page", "no such page")


def test_a_failure_of_a_toolkits_tool_keeps_its_picture() -> None:
    answer, _ = ask(tools(toolkit()), "fail_with_picture", {})
    assert (answer.output, answer.attachments[0].content) == ("[error] Here it is.", PNG)


def test_what_a_link_to_a_store_points_at_is_told_in_text(caplog: pytest.LogCaptureFixture) -> None:
    made = to_llm(tool.with_parts(tool.success(), [content.from_url("gs://bucket/chart.png")]))
    assert (made.output, made.attachments) == (
        "[unsupported image part (image/png, 0 bytes)] gs://bucket/chart.png",
        [],
    )
    assert len(caplog.records) == 1
