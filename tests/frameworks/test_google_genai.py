"""Google Gen AI SDK: a function response of its own types holds every part that Gemini takes there."""

from __future__ import annotations

import asyncio
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
from toolnexus_media import tool
from toolnexus_media.adapters import to_google_genai
from toolnexus_media.adapters.google_genai import aanswer, answer, tools

types = need("google_genai", "google.genai.types")


def call(name: str, **args: Any) -> Any:
    return types.FunctionCall(id="call-7", name=name, args=args)


def check_everything(response: Any) -> None:
    image, more, file, sound, link = response.parts
    assert (image.inline_data.data, image.inline_data.mime_type) == (PNG, "image/png")
    assert (file.inline_data.data, file.inline_data.mime_type) == (PDF, "application/pdf")
    told = ["That was the picture.", NO_SOUND, f"[unsupported image part (image/png, 0 bytes)] {FAR}"]
    assert [text.inline_data.data.decode() for text in (more, sound, link)] == told
    assert more.inline_data.mime_type == "text/plain"
    assert response.response == {"output": "Here it is."}
    assert no_payload_in([response.response])


def test_every_part_is_in_the_function_response_in_order(caplog: pytest.LogCaptureFixture) -> None:
    check_everything(to_google_genai(everything()))
    assert ["audio/wav" in record.getMessage() for record in caplog.records] == [True]


def test_the_wire_form_is_read_back_as_the_same_bytes() -> None:
    part = types.Part(function_response=to_google_genai(picture(), name="shot"))
    wire = types.Content(role="user", parts=[part]).model_dump_json(by_alias=True, exclude_none=True)
    [back] = types.Content.model_validate_json(wire).parts
    assert back.function_response.parts[0].inline_data.data == PNG


def test_a_text_result_has_no_parts() -> None:
    assert to_google_genai(tool.success("hi"), name="a", call_id="1").model_dump(exclude_none=True) == {
        "id": "1",
        "name": "a",
        "response": {"output": "hi"},
    }


def test_a_failure_is_an_error_and_keeps_its_picture() -> None:
    response = to_google_genai(picture(isError=True))
    assert response.response == {"error": "Here it is."}
    assert response.parts[0].inline_data.data == PNG


def test_a_toolkit_is_declared_with_its_own_schemas() -> None:
    [declared] = tools(toolkit())
    [look] = [item for item in declared.function_declarations if item.name == "look_at_page"]
    assert (look.description, look.parameters_json_schema) == ("Look at a page", SCHEMA)
    assert types.GenerateContentConfig(tools=[declared]).tools == [declared]


def test_no_tools_are_no_declarations() -> None:
    assert tools(tool.toolkit([])) == []


def test_a_call_is_answered_under_the_name_it_was_declared_with() -> None:
    calls = Calls()
    asked = call("look_at_page", config="home")
    response = answer(toolkit(calls), asked).function_response
    check_everything(response)
    assert (response.name, response.id) == ("look_at_page", "call-7")
    assert calls == [({"config": "home"}, {"call_id": "call-7", "host": asked})]


def test_a_call_is_answered_from_a_loop() -> None:
    response = asyncio.run(aanswer(toolkit(), call("wait"))).function_response
    assert response.parts[0].inline_data.data == PNG


@pytest.mark.parametrize(("name", "told"), [("broken", "no such page"), ("none", "unknown tool: none")])
def test_what_goes_wrong_is_an_error_that_the_model_reads(name: str, told: str) -> None:
    assert answer(toolkit(), call(name)).function_response.response == {"error": told}
    assert asyncio.run(aanswer(toolkit(), call(name))).function_response.response == {"error": told}


def test_a_name_begins_as_gemini_wants_it_and_a_call_by_it_is_answered() -> None:
    tk = tool.toolkit([tool.tool(name, lambda args: tool.success("hi")) for name in ("2d", "-x", "b")])
    [declared] = tools(tk)
    assert [item.name for item in declared.function_declarations] == ["_-x", "_2d", "b"]
    assert answer(tk, call("_2d")).function_response.response == {"output": "hi"}
