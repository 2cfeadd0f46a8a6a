"""LangChain and LangGraph: what a ToolNode hands to the model holds every part, and the artifact what no block does."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pybase64
import pytest

from tests.frameworks._shared import (
    FAR,
    NO_SOUND,
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
from toolnexus_media.adapters import to_langchain
from toolnexus_media.adapters.langchain import tools

core, messages, graph, prebuilt, memory, functions = need(
    "langchain",
    "langchain_core.tools",
    "langchain_core.messages",
    "langgraph.graph",
    "langgraph.prebuilt",
    "langgraph.checkpoint.memory",
    "langchain_core.utils.function_calling",
)


def through_a_graph(made: list[Any], name: str, args: dict[str, Any], *, awaited: bool = False) -> Any:
    """The tool message that a ToolNode in a graph with a memory answers a call with."""
    builder = graph.StateGraph(graph.MessagesState)
    builder.add_node("tools", prebuilt.ToolNode(made))
    builder.add_edge("__start__", "tools")
    app = builder.compile(checkpointer=memory.InMemorySaver())
    call = {"id": "call-7", "name": name, "args": args}
    given = {"messages": [messages.AIMessage("", tool_calls=[call])]}
    config = {"configurable": {"thread_id": "1"}}
    asyncio.run(app.ainvoke(given, config)) if awaited else app.invoke(given, config)
    return app.get_state(config).values["messages"][-1]


def shot_of(result: Any) -> list[Any]:
    @core.tool(response_format="content_and_artifact")  # type: ignore[untyped-decorator]  # loaded by name
    def shot() -> Any:
        """Take a screenshot."""
        return to_langchain(result)

    return [shot]


def check_everything(message: Any) -> None:
    text, image, more, file, sound, link = message.content
    assert pybase64.b64decode(image["base64"]) == PNG
    assert pybase64.b64decode(file["base64"]) == PDF
    assert (file["mime_type"], file["extras"]) == ("application/pdf", {"filename": "text.pdf"})
    assert (link["type"], link["url"]) == ("image", FAR)
    assert [text["text"], more["text"], sound["text"]] == ["Here it is.", "That was the picture.", NO_SOUND]
    assert message.artifact["metadata"] == {"seconds": 3}
    assert [content.part_data(part) for part in message.artifact["parts"]] == [WAV]
    assert no_payload_in([text, more, sound])


def test_every_part_reaches_the_tool_message_in_order(caplog: pytest.LogCaptureFixture) -> None:
    message = through_a_graph(shot_of(everything()), "shot", {})
    check_everything(message)
    assert ["audio/wav" in record.getMessage() for record in caplog.records] == [True]


def test_the_blocks_are_standard_ones() -> None:
    message = through_a_graph(shot_of(picture()), "shot", {})
    assert [block["type"] for block in message.content_blocks] == ["text", "image"]


def test_a_result_without_media_has_no_artifact() -> None:
    assert to_langchain(tool.success("hi")) == ([{"type": "text", "text": "hi"}], None)


def test_an_empty_result_is_an_empty_text() -> None:
    assert through_a_graph(shot_of(tool.success()), "shot", {}).content == [{"type": "text", "text": ""}]


def test_a_failure_says_so_where_there_is_no_place_for_a_status() -> None:
    message = through_a_graph(shot_of(picture(isError=True)), "shot", {})
    assert message.content[0]["text"] == "[error] Here it is."
    assert pybase64.b64decode(message.content[1]["base64"]) == PNG


@pytest.mark.parametrize("awaited", [False, True], ids=["sync", "async"])
def test_a_tool_is_called_with_its_arguments_and_what_the_graph_knows(awaited: bool) -> None:
    calls = Calls()
    message = through_a_graph(tools(toolkit(calls)), "look_at_page", {"config": "home"}, awaited=awaited)
    check_everything(message)
    [(args, ctx)] = calls
    assert args == {"config": "home"}
    assert ctx["call_id"] == "call-7"
    assert ctx["host"]["configurable"]["thread_id"] == "1"


@pytest.mark.parametrize("awaited", [False, True], ids=["sync", "async"])
def test_an_async_tool_answers_either_way(awaited: bool) -> None:
    message = through_a_graph(tools(toolkit()), "wait", {}, awaited=awaited)
    assert pybase64.b64decode(message.content[1]["base64"]) == PNG


@pytest.mark.parametrize("awaited", [False, True], ids=["sync", "async"])
def test_a_failure_of_a_toolkits_tool_has_the_status_and_its_picture(awaited: bool) -> None:
    message = through_a_graph(tools(toolkit()), "fail_with_picture", {}, awaited=awaited)
    assert (message.status, message.content[0]["text"]) == ("error", "Here it is.")
    assert pybase64.b64decode(message.content[1]["base64"]) == PNG


def test_a_tool_that_raises_does_not_end_the_run() -> None:
    message = through_a_graph(tools(toolkit()), "broken", {})
    assert (message.status, message.content) == ("error", [{"type": "text", "text": "no such page"}])


def test_a_model_is_told_the_tools_own_schema() -> None:
    [look] = [made for made in tools(toolkit()) if made.name == "look_at_page"]
    declared = functions.convert_to_openai_tool(look)["function"]
    assert (declared["name"], declared["description"]) == ("look_at_page", "Look at a page")
    assert declared["parameters"]["properties"] == SCHEMA["properties"]
    assert declared["parameters"]["required"] == ["config"]


def test_a_tool_runs_by_hand_too() -> None:
    [wait] = [made for made in tools(toolkit()) if made.name == "wait"]
    assert wait.invoke({})[0]["text"] == "Here it is."


def test_an_async_tool_runs_for_a_sync_caller_inside_a_loop() -> None:
    async def within() -> Any:
        [wait] = [made for made in tools(toolkit()) if made.name == "wait"]
        return wait.invoke({})

    assert asyncio.run(within())[0]["text"] == "Here it is."


def test_what_a_link_to_a_store_points_at_is_told_in_text() -> None:
    part = content.from_url("gs://bucket/chart.png")
    [block], artifact = to_langchain(tool.with_parts(tool.success(), [part]))
    assert block["text"] == "[unsupported image part (image/png, 0 bytes)] gs://bucket/chart.png"
    assert artifact == {"parts": [part]}


def test_a_failure_keeps_what_no_model_sees_too() -> None:
    failed = tool.with_parts(tool.failure("no", {"seconds": 3}), [content.from_bytes(WAV)])
    message = through_a_graph(tools(tool.toolkit([tool.tool("t", lambda args: failed)])), "t", {})
    assert (message.status, message.artifact["metadata"]) == ("error", {"seconds": 3})
    assert content.part_data(message.artifact["parts"][0]) == WAV


@pytest.mark.parametrize("awaited", [False, True], ids=["sync", "async"])
def test_calls_that_run_at_once_keep_their_own_ids(awaited: bool) -> None:
    def who(args: dict[str, Any], ctx: Any) -> Any:
        return tool.failure(ctx["call_id"], {"n": args["n"]})

    async def await_who(args: dict[str, Any], ctx: Any) -> Any:
        await asyncio.sleep(0)
        return who(args, ctx)

    made = tools(tool.toolkit([tool.tool("a", who, context=True), tool.tool("b", await_who, context=True)]))
    by_name = {item.name: item for item in made}
    calls = [{"type": "tool_call", "id": f"c{n}", "name": "ab"[n % 2], "args": {"n": n}} for n in range(20)]

    async def all_at_once() -> Any:
        return await asyncio.gather(*(by_name[call["name"]].ainvoke(call) for call in calls))

    answers = (
        asyncio.run(all_at_once())
        if awaited
        else list(ThreadPoolExecutor(8).map(lambda call: by_name[call["name"]].invoke(call), calls))
    )
    assert [answer.content[0]["text"] for answer in answers] == [f"c{n}" for n in range(20)]
    assert [answer.artifact["metadata"]["n"] for answer in answers] == list(range(20))


def test_the_arguments_of_every_schema_can_be_asked_for() -> None:
    assert {made.name: list(made.args) for made in tools(toolkit())} == {
        "broken": [],
        "fail_with_picture": [],
        "look_at_page": ["config"],
        "wait": [],
    }


@pytest.mark.parametrize("awaited", [False, True], ids=["sync", "async"])
def test_an_interrupt_passes_through(awaited: bool) -> None:
    def end(args: dict[str, Any]) -> Any:
        raise KeyboardInterrupt

    [made] = tools(tool.toolkit([tool.tool("end", end)]))
    with pytest.raises(KeyboardInterrupt):
        asyncio.run(made.ainvoke({})) if awaited else made.invoke({})
