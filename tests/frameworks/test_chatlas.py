"""chatlas: what a chat sends to its provider after a tool call holds every part."""

from __future__ import annotations

import asyncio
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
from toolnexus_media import content, tool
from toolnexus_media.adapters import to_chatlas
from toolnexus_media.adapters.chatlas import tools

chatlas, contents, providers, turns = need(
    "chatlas", "chatlas", "chatlas._content", "chatlas._provider", "chatlas._turn"
)


Base: Any = providers.Provider


class Provider(Base):  # type: ignore[misc]  # the base is loaded by name
    """Calls one tool and then says that it is done; keeps the turns it was given."""

    def __init__(self, name: str, arguments: dict[str, Any]) -> None:
        super().__init__(name="fake", model="fake")
        self.call = contents.ContentToolRequest(id="call-7", name=name, arguments=arguments)
        self.given: list[Any] = []
        self.tools: dict[str, Any] = {}

    def chat_perform(self, *, stream: bool, turns: list[Any], tools: dict[str, Any], **_: Any) -> Any:
        self.given, self.tools = turns, tools
        return "called" if len(turns) == 1 else "done"

    async def chat_perform_async(self, **asked: Any) -> Any:
        return self.chat_perform(**asked)

    def value_turn(self, completion: Any, has_data_model: bool, turns: Any = ()) -> Any:
        return self.turn([self.call] if completion == "called" else [contents.ContentText(text="done")])

    def turn(self, said: list[Any]) -> Any:
        return turns.AssistantTurn(said)

    def value_tokens(self, completion: Any) -> None:
        return None

    def translate_model_params(self, params: Any) -> dict[str, Any]:
        return {}

    list_models = token_count = token_count_async = supported_model_params = None
    stream_content = stream_merge_chunks = stream_turn = None


def ask(made: list[Any], name: str, arguments: dict[str, Any], *, awaited: bool = False) -> tuple[list[Any], Any]:
    """The contents of the turn that answers the call, as the provider gets them, and the tools it was told of."""
    provider = Provider(name, arguments)
    chat = chatlas.Chat(provider)
    chat.set_tools(made)
    if awaited:

        async def run() -> Any:
            return await (await chat.chat_async("go", echo="none", stream=False)).get_content()

        assert "done" in asyncio.run(run())
    else:
        assert "done" in str(chat.chat("go", echo="none", stream=False))
    return provider.given[-1].contents, provider.tools


def shot_of(result: Any) -> list[Any]:
    def shot() -> Any:
        """Take a screenshot."""
        return to_chatlas(result)

    return [shot]


def sent(answer: list[Any]) -> list[Any]:
    """The pieces between chatlas's own tags, which say which call they belong to."""
    assert answer[0].request.id == "call-7"
    tags = ("<tool-content", "</tool-content")
    return [item for item in answer[1:] if not getattr(item, "text", "").startswith(tags)]


def check_everything(answer: list[Any]) -> None:
    text, image, more, file, sound, link = sent(answer)
    assert [text.text, more.text, sound.text] == ["Here it is.", "That was the picture.", NO_SOUND]
    assert (image.image_content_type, pybase64.b64decode(image.data)) == ("image/png", PNG)
    assert (file.filename, file.data) == ("text.pdf", PDF)
    assert link.url == FAR
    assert no_payload_in([item.text for item in (text, more, sound)])


def test_every_part_reaches_the_provider_in_order(caplog: pytest.LogCaptureFixture) -> None:
    answer, _ = ask(shot_of(everything()), "shot", {})
    check_everything(answer)
    assert ["audio/wav" in record.getMessage() for record in caplog.records] == [True]


def test_metadata_is_the_results_extra() -> None:
    assert to_chatlas(everything()).extra == {"seconds": 3}


def test_a_text_result_is_text() -> None:
    [answer] = ask(shot_of(tool.success("hi")), "shot", {})[0]
    assert answer.get_model_value() == "hi"


def test_a_failure_is_an_error() -> None:
    [answer] = ask(shot_of(tool.failure("no such page")), "shot", {})[0]
    assert answer.get_model_value() == "Tool call failed with error: 'no such page'"


def test_a_failure_with_a_picture_keeps_the_picture() -> None:
    text, image = sent(ask(shot_of(picture(isError=True)), "shot", {})[0])
    assert text.text == "[error] Here it is."
    assert pybase64.b64decode(image.data) == PNG


def test_a_tool_is_called_with_its_arguments() -> None:
    calls = Calls()
    made = [item for item in tools(toolkit(calls)) if item.name == "look_at_page"]
    answer, told = ask(made, "look_at_page", {"config": "home"})
    check_everything(answer)
    assert calls == [({"config": "home"}, {})]
    function = told["look_at_page"].schema["function"]
    assert (function["description"], function["parameters"]) == ("Look at a page", SCHEMA)
    assert told["look_at_page"].annotations == {"readOnlyHint": True}


def test_an_async_tool_is_awaited() -> None:
    _, image = sent(ask(tools(toolkit()), "wait", {}, awaited=True)[0])
    assert pybase64.b64decode(image.data) == PNG


def test_a_tool_that_raises_is_an_error_with_its_reason() -> None:
    [answer] = ask(tools(toolkit()), "broken", {}, awaited=True)[0]
    assert str(answer.error) == "no such page"


def test_a_document_keeps_its_type_and_name() -> None:
    part = content.from_bytes(b"a,b\n1,2\n", name="table.csv")
    _, document = sent(ask(shot_of(tool.with_parts(tool.success("A table"), [part])), "shot", {})[0])
    assert (document.data, document.mime_type, document.filename) == (b"a,b\n1,2\n", "text/csv", "table.csv")


def test_what_chatlas_has_no_content_for_is_told_in_text() -> None:
    part = content.from_bytes(b"\0\1\2")
    [text] = ask(shot_of(tool.with_parts(tool.success(), [part])), "shot", {})[0]
    assert "[unsupported file part (application/octet-stream, 3 bytes)]" in str(text.get_model_value())
