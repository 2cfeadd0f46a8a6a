"""FastMCP: results and tools go through its in-memory client as they are."""

from __future__ import annotations

import asyncio
from typing import Any

import pybase64

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
from toolnexus_media.adapters import mcp as mcp_adapter
from toolnexus_media.adapters import to_fastmcp
from toolnexus_media.adapters.fastmcp import tools

fastmcp = need("fastmcp", "fastmcp")


def serve(result: Any) -> Any:
    server = fastmcp.FastMCP("test")

    @server.tool  # type: ignore[untyped-decorator]  # loaded by name
    def shot() -> Any:
        return to_fastmcp(result)

    return ask(server, "shot", {})


def ask(server: Any, name: str, args: dict[str, Any]) -> Any:
    async def run() -> Any:
        async with fastmcp.Client(server) as client:
            return await client.call_tool(name, args, raise_on_error=False)

    return asyncio.run(run())


def test_every_part_arrives_in_order_and_byte_for_byte() -> None:
    text, image, more, file, audio, link = serve(everything()).content
    assert (text.text, more.text) == ("Here it is.", "That was the picture.")
    assert pybase64.b64decode(image.data) == PNG
    assert pybase64.b64decode(file.resource.blob) == PDF
    assert pybase64.b64decode(audio.data) == WAV
    assert (link.type, str(link.uri)) == ("resource_link", FAR)
    assert no_payload_in([text.text, more.text])


def test_metadata_travels_beside_the_content_and_nothing_is_structured() -> None:
    answered = serve(everything())
    assert answered.structured_content is None
    assert answered.meta["seconds"] == 3


def test_a_failure_is_an_error_with_its_picture() -> None:
    answered = serve(picture(isError=True))
    assert answered.is_error
    assert pybase64.b64decode(answered.content[1].data) == PNG


def test_structured_content_of_a_text_result_is_sent_as_such() -> None:
    answered = serve(tool.success("{}", {"structuredContent": {"a": 1}}))
    assert answered.structured_content == {"a": 1}


def server_of(calls: Calls | None = None) -> Any:
    server = fastmcp.FastMCP("test")
    mcp_adapter.register(server, toolkit(calls))
    return server


def test_a_tool_is_listed_with_its_schema_and_hints() -> None:
    async def run() -> Any:
        async with fastmcp.Client(server_of()) as client:
            return await client.list_tools()

    [look] = [item for item in asyncio.run(run()) if item.name == "look_at_page"]
    wire = look.model_dump(by_alias=True, exclude_none=True)
    assert (wire["description"], wire["inputSchema"]) == ("Look at a page", SCHEMA)
    assert wire["annotations"] == {"readOnlyHint": True}


def test_a_tool_is_called_with_its_arguments_and_what_the_server_knows() -> None:
    calls = Calls()
    answered = ask(server_of(calls), "look_at_page", {"config": "home"})
    [(args, ctx)] = calls
    assert args == {"config": "home"}
    assert ctx["call_id"]
    assert type(ctx["host"]).__name__ == "Context"
    assert pybase64.b64decode(answered.content[1].data) == PNG


def test_an_async_tool_is_awaited() -> None:
    assert pybase64.b64decode(ask(server_of(), "wait", {}).content[1].data) == PNG


def test_a_tool_that_raises_is_an_error_with_its_reason() -> None:
    answered = ask(server_of(), "broken", {})
    assert answered.is_error
    assert answered.content[0].text == "no such page"


def test_a_tool_runs_by_hand_too() -> None:
    [wait] = [item for item in tools(toolkit()) if item.name == "wait"]
    assert asyncio.run(wait.run({})).content[0].text == "Here it is."


def test_what_its_client_answers_is_read_as_a_result() -> None:
    server = fastmcp.FastMCP("test")
    mcp_adapter.register(server, toolkit())

    async def run() -> Any:
        async with fastmcp.Client(server) as client:
            return await client.call_tool("fail_with_picture", {}, raise_on_error=False)

    back: Any = mcp_adapter.from_result(asyncio.run(run()))
    assert (back["output"], back["isError"]) == ("Here it is.", True)
    assert content.part_data(back["parts"][0]) == PNG
