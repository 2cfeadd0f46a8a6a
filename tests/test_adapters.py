"""What adapters do whatever is installed: load nothing too soon, say what to install, keep every part, name tools."""

from __future__ import annotations

import asyncio
import logging
from contextvars import ContextVar
from importlib import import_module
from typing import Any

import pytest

from tests._make import check, image_part, leaks
from tests.test_imports import loaded_by
from toolnexus_media import adapters, content, tool
from toolnexus_media.adapters import _calls, _frameworks, _pieces
from toolnexus_media.emit import block
from toolnexus_media.errors import MissingExtraError, PartError
from toolnexus_media.types import Context, ToolResult

NAMES = sorted(_frameworks.REQUIREMENTS)


PICTURE: Any = image_part()


def nothing(part: Any) -> None:
    """A framework that has no shape for any media."""


@pytest.mark.parametrize("name", NAMES)
def test_the_function_of_a_framework_is_its_modules(name: str) -> None:
    module = import_module(f"toolnexus_media.adapters.{name}")
    assert getattr(adapters, f"to_{name}") is module.to_result
    assert getattr(adapters, name) is module
    assert callable(module.tools)


def test_there_are_these_frameworks_and_no_more() -> None:
    assert sorted(adapters.__all__) == [f"to_{name}" for name in NAMES]
    assert {*NAMES, *adapters.__all__} <= set(dir(adapters))
    with pytest.raises(AttributeError, match="to_nothing"):
        adapters.to_nothing  # noqa: B018  # asking is the test


def test_no_framework_is_loaded_before_it_is_needed() -> None:
    roots = {"mcp", "fastmcp", "langchain_core", "pydantic_ai", "agents", "google", "llm", "strands", "chatlas"}
    asked = "\n".join(f"adapters.to_{name}, adapters.{name}" for name in NAMES)
    assert not loaded_by(f"from toolnexus_media import adapters\n{asked}") & (roots | {"smolagents", "pydantic"})


@pytest.mark.parametrize("name", NAMES)
def test_a_missing_framework_is_an_error_that_says_what_to_install(name: str) -> None:
    with pytest.raises(MissingExtraError) as caught:
        _frameworks.load(name, f"{name}.no_such_module")
    check(caught.value, "missing-extra")
    assert str(caught.value).endswith(f"pip install '{_frameworks.REQUIREMENTS[name]}'")
    assert caught.value.extra == ("mcp" if name == "mcp" else _frameworks.REQUIREMENTS[name].partition(">")[0])


def test_what_has_no_shape_is_told_in_its_place_and_once_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    parts = [content.text_part("a"), PICTURE, content.text_part("b"), PICTURE]
    with caplog.at_level(logging.WARNING):
        made, lost = _pieces.pieces(tool.with_parts(tool.success("said"), parts), "none", str, nothing)
    stand_in = "[unsupported image part (image/png, 82 bytes)]"
    assert made == ["said", "a", stand_in, "b", stand_in]
    assert [content.part_bytes(part) for part in lost] == [82, 82]
    [record] = caplog.records
    assert (record.name, record.levelname) == ("toolnexus_media.adapters", "WARNING")
    assert not leaks(record.getMessage())


def test_what_a_provider_refuses_is_told_in_its_place() -> None:
    sound = content.from_bytes(b"RIFF\x24\0\0\0WAVEfmt ", verify="none")
    made, lost = _pieces.pieces(
        tool.with_parts(tool.success(), [sound]), "none", str, lambda part: block(part, "anthropic")
    )
    assert made == [content.placeholder(sound)]
    assert lost == [sound]


def test_a_wrong_label_is_set_right_before_it_travels() -> None:
    part: Any = image_part(mimeType="image/jpeg")
    result = _pieces.checked(tool.with_parts(tool.success(), [part]))
    assert _pieces.pieces(result, "none", str, lambda item: item["mimeType"])[0] == ["image/png"]


@pytest.mark.parametrize(
    "parts", [None, [], (PICTURE,), iter([PICTURE]), PICTURE], ids=["none", "empty", "tuple", "iterator", "one"]
)
def test_parts_may_stand_in_whatever_holds_them(parts: Any) -> None:
    made = _pieces.checked({"output": "x", "isError": False, "parts": parts, "metadata": None})
    assert made.get("parts", [PICTURE]) == [PICTURE]
    assert _pieces.has_media(made) == ("parts" in made)


@pytest.mark.parametrize("result", [None, "x", [], {"output": "x"}, {"isError": True}, {"output": 3, "isError": True}])
@pytest.mark.parametrize("name", ["langchain", "openai_agents", "strands"])
def test_what_is_no_result_is_an_error_that_says_so(name: str, result: Any) -> None:
    with pytest.raises(PartError) as caught:
        getattr(adapters, f"to_{name}")(result)
    check(caught.value, "bad-data")


@pytest.mark.parametrize("name", ["langchain", "openai_agents", "strands"])
def test_adapting_leaves_a_handmade_result_as_it_was(name: str) -> None:
    def made() -> Any:
        return {"output": "x", "isError": 0, "parts": ({**PICTURE, "mimeType": "image/jpeg"},), "metadata": {"a": [1]}}

    given = made()
    getattr(adapters, f"to_{name}")(given)
    assert given == made()


def test_metadata_of_no_json_is_told_without_what_it_holds(caplog: pytest.LogCaptureFixture) -> None:
    payload = PICTURE["data"]
    held = {payload: object(), "bytes": b"x", (1, 2): 3, "nan": float("nan"), "kept": {"\udcff": ("\udcff", 1)}}
    result: Any = {"output": "", "isError": False, "metadata": held}
    assert _pieces.json_metadata(result, "none") == {"kept": {"\ufffd": ["\ufffd", 1]}}
    [record] = caplog.records
    assert "'bytes'" in record.getMessage()
    assert not leaks(record.getMessage())


@pytest.mark.parametrize("metadata", ["words", [1], 7])
def test_metadata_of_no_dict_stays_behind_and_is_told(metadata: Any, caplog: pytest.LogCaptureFixture) -> None:
    assert _pieces.json_metadata({"output": "", "isError": False, "metadata": metadata}, "none") == {}
    assert type(metadata).__name__ in caplog.records[0].getMessage()


def test_texts_without_a_letter_are_no_pieces() -> None:
    result = tool.with_parts(tool.success("  \n"), [content.text_part(""), content.text_part(" \t\n"), PICTURE])
    assert len(_pieces.pieces(result, "none", str, str)[0]) == 1


def test_lone_surrogates_never_reach_a_framework() -> None:
    assert _pieces.pieces(tool.success("a\udcff"), "none", str, str)[0] == ["a�"]


@pytest.mark.parametrize(
    ("output", "told"), [("no such page", "[error] no such page"), ("", "[error] the tool failed")]
)
def test_a_failure_says_so_where_only_text_can(output: str, told: str) -> None:
    assert _pieces.pieces(tool.failure(output), "none", str, str, prefix=_pieces.ERROR)[0] == [told]


def test_a_failure_without_a_word_has_one() -> None:
    assert _pieces.in_words(tool.failure(), "none") == "the tool failed"
    assert _pieces.in_words(tool.success(), "none") == ""


def test_tools_of_names_that_become_the_same_keep_apart() -> None:
    tk = tool.toolkit([tool.tool(name, print) for name in ("a b", "a.b", "a_b", "x" * 80, "x" * 70)])
    names = [name for name, _ in _calls.named(tk)]
    assert names == ["a_b_2", "a_b_3", "a_b", "x" * 64, "x" * 62 + "_2"]
    assert max(map(len, names)) == 64


def test_a_context_holds_what_is_known_and_no_more() -> None:
    host = object()
    assert _calls.context(0, host, cancel=None) == {"call_id": "0", "host": host}
    assert _calls.context() == {}


def broken(args: dict[str, Any]) -> ToolResult:
    return {"output": "look", "isError": False, "parts": [{"type": "image", "mimeType": "image/png", "data": "!"}]}


def listless(args: dict[str, Any]) -> Any:
    return {"output": "look", "isError": False, "parts": 7}


def breaking(args: dict[str, Any]) -> Any:
    return {"output": "look", "isError": False, "parts": (part["no"] for part in [PICTURE])}


@pytest.mark.parametrize("function", [broken, listless, breaking])
def test_a_part_that_is_none_is_a_failure_and_no_exception(function: Any) -> None:
    item = tool.tool("t", function)
    for result in (_calls.call(item, {}), asyncio.run(_calls.acall(item, {}))):
        assert result["isError"]
        assert result["output"].startswith("the tool returned ")


def test_an_async_tool_runs_for_a_caller_that_does_not_await_inside_a_loop() -> None:
    async def wait(args: dict[str, Any], ctx: Context) -> ToolResult:
        await asyncio.sleep(0)
        return tool.success(ctx.get("call_id"))

    async def within() -> ToolResult:
        return _calls.call(tool.tool("wait", wait, context=True), {}, {"call_id": "c1"})

    assert asyncio.run(within()) == tool.success("c1")


def test_a_sync_function_that_gives_an_awaitable_runs_inside_a_loop() -> None:
    async def wait() -> ToolResult:
        return tool.success("waited")

    async def within() -> ToolResult:
        return _calls.call(tool.tool("wait", lambda args: wait()), {})

    assert asyncio.run(within()) == tool.success("waited")


def test_a_tool_that_runs_in_a_thread_sees_its_callers_context() -> None:
    who: ContextVar[str] = ContextVar("who", default="nobody")

    async def within() -> ToolResult:
        who.set("caller")
        return _calls.call(tool.tool("who", lambda args: tool.success(who.get())), {})

    assert asyncio.run(within()) == tool.success("caller")


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit, asyncio.CancelledError])
def test_what_ends_a_program_passes_through(kind: type[BaseException]) -> None:
    def end(args: dict[str, Any]) -> ToolResult:
        raise kind

    async def within() -> ToolResult:
        return _calls.call(tool.tool("end", end), {})

    async def awaited() -> ToolResult:
        return await _calls.acall(tool.tool("end", end), {})

    with pytest.raises(kind):
        _calls.call(tool.tool("end", end), {})
    for run in (within, awaited):
        with pytest.raises(kind):
            asyncio.run(run())


def test_a_description_that_no_wire_takes_is_mended_and_the_tool_left_as_it_is() -> None:
    item = tool.tool("t", print, "a\udcff")
    [(_, described)] = _calls.named(tool.toolkit([item]))
    assert (described["description"], item["description"]) == ("a\ufffd", "a\udcff")


@pytest.mark.parametrize("name", ["langchain", "openai_agents", "strands"])
def test_results_that_are_plain_data_need_no_framework(name: str) -> None:
    to_result = getattr(adapters, f"to_{name}")
    picture = tool.with_parts(tool.success("look"), [PICTURE])
    assert leaks(to_result(picture)) or b"\x89PNG" in to_result(picture)["content"][1]["image"]["source"]["bytes"]
    assert to_result(tool.failure("no")) != to_result(tool.success("no"))
