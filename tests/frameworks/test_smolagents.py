"""smolagents: what an agent shows its model after a tool call holds the pictures, pixel for pixel."""

from __future__ import annotations

from typing import Any

import pytest
from PIL import Image, ImageChops

from tests.frameworks._shared import (
    FAR,
    MEDIA,
    NO_FILE,
    NO_SOUND,
    PNG,
    Calls,
    need,
    no_payload_in,
    picture,
    toolkit,
)
from toolnexus_media import content, media, tool
from toolnexus_media.adapters import to_smolagents
from toolnexus_media.adapters.smolagents import Pieces, show_pictures, tools

smolagents, models = need("smolagents", "smolagents", "smolagents.models")

ORIGINAL = content.to_image(content.from_bytes(PNG))


Base: Any = models.Model


class Model(Base):  # type: ignore[misc]  # the base is loaded by name
    """A model that calls one tool and then says that it is done; it keeps what it was given."""

    def __init__(self, name: str, arguments: dict[str, Any], code: str = "") -> None:
        super().__init__(model_id="fake")
        self.name, self.arguments, self.code = name, arguments, code
        self.given: list[Any] = []

    def generate(self, messages: list[Any], **_: Any) -> Any:
        self.given = messages
        asked = len(
            [message for message in messages if message.role == "tool-response" or "Error:" in text_of(message)]
        )
        if self.code:
            said = self.code if not asked else "<code>\nfinal_answer('done')\n</code>"
            return models.ChatMessage("assistant", content=said)
        name, arguments = ("final_answer", {"answer": "done"}) if asked else (self.name, self.arguments)
        function = models.ChatMessageToolCallFunction(name=name, arguments=arguments)
        call = models.ChatMessageToolCall(function=function, id="call-7", type="function")
        return models.ChatMessage("assistant", content="", tool_calls=[call])


def text_of(message: Any) -> str:
    found = message.content if isinstance(message.content, list) else [{"text": message.content or ""}]
    return "\n".join(item.get("text", "") for item in found)


def shown(message: Any) -> list[Any]:
    return [item["image"] for item in message.content or [] if isinstance(item, dict) and item["type"] == "image"]


def ask(made: list[Any], name: str, arguments: dict[str, Any]) -> tuple[str, list[Any]]:
    """What the model reads after its call, and the pictures that it sees."""
    model = Model(name, arguments)
    agent = smolagents.ToolCallingAgent(
        tools=made, model=model, step_callbacks=[show_pictures], max_steps=2, verbosity_level=0
    )
    assert agent.run("go") == "done"
    pictures = [found for message in model.given for found in shown(message)]
    return text_of(model.given[-1]), pictures


def same(found: Any) -> bool:
    return (
        found.size == (8, 8) and ImageChops.difference(found.convert("RGB"), ORIGINAL.convert("RGB")).getbbox() is None
    )


def test_a_picture_that_a_tool_made_is_shown_to_the_model_with_its_text() -> None:
    text, pictures = ask(tools(toolkit()), "wait", {})
    assert text == "Observation:\nHere it is.\nimage (8x8)"
    assert [same(found) for found in pictures] == [True]


def test_every_part_is_shown_or_told_in_order(caplog: pytest.LogCaptureFixture) -> None:
    calls = Calls()
    text, pictures = ask(tools(toolkit(calls)), "look_at_page", {"config": "home"})
    link = f"[unsupported image part (image/png, 0 bytes)] {FAR}"
    lines = ["Here it is.", "image (8x8)", "That was the picture.", NO_FILE, NO_SOUND, link]
    assert text.splitlines() == ["Observation:", *lines]
    assert [same(found) for found in pictures] == [True]
    assert calls == [({"config": "home"}, {})]
    assert len(caplog.records) == 1
    assert no_payload_in([text])


def test_a_tool_that_raises_is_an_error_that_the_model_reads() -> None:
    text, _ = ask(tools(toolkit()), "broken", {})
    assert "no such page" in text


def test_a_failure_keeps_its_picture() -> None:
    text, pictures = ask(tools(toolkit()), "fail_with_picture", {})
    assert text.splitlines()[1:] == ["[error] Here it is.", "image (8x8)"]
    assert [same(found) for found in pictures] == [True]


def test_code_holds_the_text_and_the_picture_and_passes_arguments_by_place() -> None:
    calls = Calls()
    code = "<code>\nfound = look_at_page('home')\nprint(found[0], found[1].size)\n</code>"
    model = Model("", {}, code)
    agent = smolagents.CodeAgent(
        tools=tools(toolkit(calls)), model=model, step_callbacks=[show_pictures], max_steps=2, verbosity_level=0
    )
    assert agent.run("go") == "done"
    assert "Here it is. (8, 8)" in text_of(model.given[-1])
    assert [same(found) for message in model.given for found in shown(message)] == [True]
    assert calls == [({"config": "home"}, {})]


def test_a_result_that_is_one_picture_is_that_picture() -> None:
    part = content.from_bytes(PNG)
    found = to_smolagents(tool.with_parts(tool.success(content.summarize_part(part)), [part]))
    assert isinstance(found, Image.Image)
    assert same(found)


def test_a_result_with_more_to_say_is_pieces_that_print_as_text() -> None:
    found = to_smolagents(picture())
    assert isinstance(found, Pieces)
    assert str(found) == "Here it is.\nimage (8x8)"


def test_a_text_result_is_text() -> None:
    assert to_smolagents(tool.success("hi")) == "hi"


def test_a_failure_says_so_in_its_text() -> None:
    assert to_smolagents(tool.failure("no such page")) == "[error] no such page"


def test_a_failure_of_a_toolkits_tool_is_raised() -> None:
    [failing] = tools(tool.toolkit([tool.tool("shot", lambda args: tool.failure("no such page"))]))
    with pytest.raises(RuntimeError, match="no such page"):
        failing.forward()


@pytest.mark.parametrize("name", ["cmyk.jpg", "gray16.png", "palette.png", "alpha.png", "orientation6.jpg"])
def test_a_picture_of_any_mode_can_be_written_as_the_png_that_is_sent(name: str) -> None:
    found = to_smolagents(media(MEDIA / name))
    assert found.size == content.to_image(content.from_file(MEDIA / name)).size
    assert smolagents.utils.encode_image_base64(found)


def test_a_picture_that_nothing_decodes_is_told_in_text() -> None:
    part: Any = {"type": "image", "mimeType": "image/vnd.dwg", "data": "QUMxMDMyAAAA"}
    assert to_smolagents(tool.with_parts(tool.success(), [part])) == "[unsupported image part (image/vnd.dwg, 9 bytes)]"


def test_names_and_schemas_are_said_as_smolagents_wants_them() -> None:
    item = tool.tool(
        "2-class",
        lambda args: tool.success(),
        "Say",
        {
            "type": "object",
            "properties": {
                "who": {"type": "string", "enum": ["a", "b"]},
                "how": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
                "what": {"$ref": "#/$defs/What"},
            },
            "required": ["who"],
        },
    )
    [made] = tools(tool.toolkit([item]))
    assert made.name == "_2_class"
    assert made.inputs == {
        "who": {"type": "string", "enum": ["a", "b"], "description": "who"},
        "how": {"type": ["integer", "null"], "description": "how", "nullable": True},
        "what": {"type": "any", "description": "what", "nullable": True},
    }
    declared = models.get_tool_json_schema(made)["function"]
    assert declared["parameters"]["required"] == ["who"]


def test_an_async_tool_runs_for_an_agent_inside_a_loop() -> None:
    import asyncio

    async def within() -> Any:
        [wait] = [made for made in tools(toolkit()) if made.name == "wait"]
        return wait()

    assert str(asyncio.run(within())) == "Here it is.\nimage (8x8)"


@pytest.mark.parametrize("given", [True, {"anyOf": [True, {"type": "null"}]}])
def test_a_schema_may_be_true(given: Any) -> None:
    schema = {"type": "object", "properties": {"what": given}}
    [made] = tools(tool.toolkit([tool.tool("t", lambda args: tool.success(args["what"]), "Say", schema)]))
    assert made.inputs == {"what": {"type": "any", "description": "what", "nullable": True}}
    assert made(what="hi") == "hi"
