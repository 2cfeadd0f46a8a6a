"""MCP: results reach a client of the SDK over stdio as they are, and come back as results."""

from __future__ import annotations

import asyncio
import os
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pybase64
import pytest

from tests.frameworks._shared import (
    FAR,
    MEDIA,
    PDF,
    PNG,
    SCHEMA,
    WAV,
    Calls,
    b64,
    everything,
    need,
    no_payload_in,
    picture,
    toolkit,
)
from toolnexus_media import content, tool
from toolnexus_media.adapters import mcp as adapter
from toolnexus_media.adapters import to_mcp

mcp, types, stdio, mcpserver, lowlevel = need(
    "mcp", "mcp", "mcp.types", "mcp.client.stdio", "mcp.server.mcpserver", "mcp.server.lowlevel"
)
ROOT = Path(__file__).resolve().parents[2]


def read(answered: Any) -> Any:
    return adapter.from_result(answered)


@cache
def over_stdio(kind: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The tools that a server in a process of its own lists, and what two of them answer, both by name."""
    server = stdio.StdioServerParameters(
        command=sys.executable,
        args=["-m", "tests.frameworks.mcp_server", kind],
        cwd=str(ROOT),
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    calls = {"look_at_page": {"config": "home"}, "broken": {}}

    async def run() -> Any:
        async with stdio.stdio_client(server) as (reading, writing), mcp.ClientSession(reading, writing) as session:
            await session.initialize()
            listed = await session.list_tools()
            answered = {name: await session.call_tool(name, args) for name, args in calls.items()}
            return {item.name: item for item in listed.tools}, answered

    found: tuple[dict[str, Any], dict[str, Any]] = asyncio.run(run())
    return found


@pytest.mark.parametrize("kind", ["low-level", "high-level"])
def test_every_part_arrives_over_stdio_in_order_and_byte_for_byte(kind: str) -> None:
    listed, answers = over_stdio(kind)
    wire = listed["look_at_page"].model_dump(by_alias=True, exclude_none=True)
    assert (wire["description"], wire["inputSchema"]) == ("Look at a page", SCHEMA)
    assert wire["annotations"] == {"readOnlyHint": True}
    text, image, more, file, audio, link = answers["look_at_page"].content
    assert [text.text, more.text] == ["Here it is.", "That was the picture."]
    assert pybase64.b64decode(image.data) == PNG
    assert pybase64.b64decode(file.resource.blob) == PDF
    assert pybase64.b64decode(audio.data) == WAV
    assert (link.type, str(link.uri)) == ("resource_link", FAR)
    assert no_payload_in([text.text, more.text])


def test_what_a_server_sent_comes_back_as_the_result_it_was() -> None:
    back = read(over_stdio("high-level")[1]["look_at_page"])
    assert back["output"] == "Here it is."
    assert [content.part_data(part) for part in back["parts"][:4]] == [PNG, b"That was the picture.", PDF, WAV]
    assert back["parts"][4]["url"] == FAR
    assert back["metadata"]["seconds"] == 3


@pytest.mark.parametrize("kind", ["low-level", "high-level"])
def test_a_tool_that_raises_is_an_error_with_its_reason(kind: str) -> None:
    assert read(over_stdio(kind)[1]["broken"]) == tool.failure("no such page")


def test_a_failure_keeps_its_picture() -> None:
    back = read(to_mcp(picture(isError=True)))
    assert back["isError"]
    assert content.part_data(back["parts"][0]) == PNG


def test_media_and_structured_content_never_stand_side_by_side() -> None:
    result = tool.with_parts(tool.success("x", {"structuredContent": {"a": 1}}), [content.from_bytes(PNG)])
    wire = to_mcp(result).model_dump(by_alias=True, exclude_none=True)
    assert "structuredContent" not in wire
    assert wire["_meta"]["structuredContent"] == {"a": 1}
    assert read(wire)["metadata"]["structuredContent"] == {"a": 1}


def test_structured_content_of_a_text_result_goes_there_and_back() -> None:
    result = tool.success("x", {"structuredContent": {"a": 1}})
    assert to_mcp(result).model_dump(by_alias=True, exclude_none=True)["structuredContent"] == {"a": 1}
    assert read(to_mcp(result)) == result


def test_metadata_that_is_no_json_stays_behind_and_is_told(caplog: pytest.LogCaptureFixture) -> None:
    wire = to_mcp(tool.success("x", {"seconds": 3, "when": object()})).model_dump(by_alias=True, exclude_none=True)
    assert wire["_meta"] == {"seconds": 3}
    assert ["when" in record.getMessage() for record in caplog.records] == [True]


def test_texts_before_the_first_media_are_the_output_and_later_ones_parts() -> None:
    said = [{"type": "text", "text": word} for word in ("a", "b", "c")]
    image = {"type": "image", "data": b64(PNG), "mimeType": "image/png"}
    back = read({"content": [said[0], said[1], image, said[2]]})
    assert back["output"] == "a\nb"
    assert [part["type"] for part in back["parts"]] == ["image", "text"]


def test_media_alone_are_summed_up_for_those_who_read_only_text() -> None:
    image = {"type": "image", "data": b64(PNG), "mimeType": "image/png"}
    assert read({"content": [image]})["output"] == "image (image/png, 82 bytes)"


def test_a_block_that_holds_nothing_to_read_is_told(caplog: pytest.LogCaptureFixture) -> None:
    back = read({"content": [{"type": "image", "data": "!!", "mimeType": "image/png"}]})
    assert back["output"] == "[unreadable image block]"
    assert len(caplog.records) == 1


def test_an_embedded_text_is_a_file() -> None:
    resource = {"uri": "file:///notes.md", "mimeType": "text/markdown", "text": "# Hi"}
    [part] = read({"content": [{"type": "resource", "resource": resource}]})["parts"]
    assert (part["type"], content.part_data(part)) == ("file", b"# Hi")


def test_a_tool_knows_the_request_it_answers() -> None:
    calls = Calls()
    server = mcpserver.MCPServer("test", tools=adapter.tools(toolkit(calls)))

    async def run() -> Any:
        async with mcp.Client(server) as client:
            return await client.call_tool("look_at_page", {"config": "home"})

    asyncio.run(run())
    [(args, ctx)] = calls
    assert args == {"config": "home"}
    assert ctx["call_id"]
    assert ctx["host"].request_id is not None


def test_a_low_level_server_keeps_the_tools_it_had() -> None:
    async def listing(ctx: Any, params: Any) -> Any:
        return types.ListToolsResult(tools=[types.Tool(name="own", input_schema={"type": "object"})])

    async def calling(ctx: Any, params: Any) -> Any:
        return types.CallToolResult(content=[types.TextContent(type="text", text=f"own {params.name}")])

    server = lowlevel.Server("test", on_list_tools=listing, on_call_tool=calling)
    adapter.register(server, toolkit())

    async def run() -> Any:
        async with mcp.Client(server) as client:
            names = [item.name for item in (await client.list_tools()).tools]
            return names, (await client.call_tool("own", {})).content[0].text, await client.call_tool("wait", {})

    names, own, waited = asyncio.run(run())
    assert names == ["own", "broken", "fail_with_picture", "look_at_page", "wait"]
    assert own == "own own"
    assert pybase64.b64decode(waited.content[1].data) == PNG


def test_what_is_no_server_is_refused() -> None:
    with pytest.raises(TypeError, match="no MCP server"):
        adapter.register(object(), toolkit())


def test_the_sdks_own_types_take_the_wire_form_of_every_fixture() -> None:
    for path in sorted(MEDIA.iterdir()):
        part = content.from_file(path, verify="none")
        made = to_mcp(tool.with_parts(tool.success(), [part]))
        [back] = read(made)["parts"]
        assert content.part_data(back) == path.read_bytes(), path.name


def test_everything_is_one_result_and_not_a_copy_of_it() -> None:
    given = everything()
    to_mcp(given)
    assert given == everything()


def test_either_spelling_of_a_dict_is_read() -> None:
    said = [{"type": "text", "text": "no"}]
    camel = {"content": said, "isError": True, "structuredContent": {"a": None}, "_meta": {"k": 1}}
    snake = {"content": said, "is_error": True, "structured_content": {"a": None}, "meta": {"k": 1}}
    assert read(camel) == read(snake) == tool.failure("no", {"k": 1, "structuredContent": {"a": None}})


@pytest.mark.parametrize("by_alias", [True, False])
def test_what_the_sdk_dumps_is_read_as_its_object_is(by_alias: bool) -> None:
    made = to_mcp(everything(isError=True))
    assert read(made.model_dump(by_alias=by_alias)) == read(made)
    assert read(made)["isError"]


def test_blocks_of_the_sdks_may_stand_in_a_dict() -> None:
    assert content.part_data(read({"content": to_mcp(picture()).content})["parts"][0]) == PNG


def test_structured_content_without_any_other_is_what_the_model_reads() -> None:
    back = read({"content": [], "structuredContent": {"price": 3}})
    assert back == tool.success('{"price": 3}', {"structuredContent": {"price": 3}})


@pytest.mark.parametrize("uri", ["file:///notes.md", "table://orders/1"])
def test_a_link_that_only_its_server_can_follow_is_told_in_text(uri: str) -> None:
    link = {"type": "resource_link", "uri": uri, "name": "notes"}
    assert read({"content": [link]}) == tool.success(f"[resource_link] notes {uri}")
    assert read(types.CallToolResult.model_validate({"content": [link]})) == tool.success(
        f"[resource_link] notes {uri}"
    )


def test_a_block_whose_type_is_a_payload_shows_none(caplog: pytest.LogCaptureFixture) -> None:
    back = read({"content": [{"type": b64(PDF)}, {"type": ["x"]}, None, 7]})
    assert back["output"].count("unreadable") == 4
    assert no_payload_in([back["output"], *(record.getMessage() for record in caplog.records)])


@pytest.mark.parametrize("answered", [None, [], "x", object()])
def test_what_no_server_answered_is_refused(answered: Any) -> None:
    with pytest.raises(TypeError, match="no result of a call"):
        read(answered)


@pytest.mark.parametrize(
    "result",
    [
        tool.success("x"),
        tool.failure("x"),
        tool.success(),
        tool.success("x", {"a": 1, "structuredContent": [1]}),
        tool.with_parts(tool.success("x", {"structuredContent": {"a": 1}}), [content.from_bytes(PNG)]),
        tool.with_parts(tool.failure("x"), [content.from_bytes(PNG), content.text_part("y"), content.from_bytes(PNG)]),
        tool.with_parts(tool.success("x"), [content.from_url("gs://bucket/a.png")]),
        tool.with_parts(tool.success("x"), [content.from_url("s3://bucket/a.pdf", name="a.pdf")]),
        tool.with_parts(tool.success("x"), [content.from_bytes(b"a,b\n", mime_type="text/csv", name="a%20b#?.csv")]),
        tool.with_parts(tool.success("x"), [content.from_bytes(b"caf\xe9", mime_type="text/plain", verify="none")]),
    ],
)
def test_a_result_goes_to_the_protocol_and_back(result: Any) -> None:
    assert read(to_mcp(result)) == result


def test_metadata_with_lone_surrogates_can_be_sent() -> None:
    assert "\ufffd" in to_mcp(tool.success("x", {"a\udcff": {"b": "\udcff"}})).model_dump_json(by_alias=True)


def test_a_tool_runs_by_hand_outside_a_request() -> None:
    server = mcpserver.MCPServer("test", tools=adapter.tools(toolkit()))
    assert read(asyncio.run(server.call_tool("wait", {})))["output"] == "Here it is."
