"""Running tools: whatever they do, the loop gets a result; results of many sources in one call."""

from __future__ import annotations

import asyncio
import contextvars
import functools
import threading
import types
from collections.abc import Callable
from typing import Any

import pytest

from tests._make import CASES, PNG, image_part, leaks
from toolnexus_media import content, tool
from toolnexus_media.errors import PartError


def kit(execute: Callable[..., Any], **more: Any) -> Any:
    return tool.toolkit([tool.tool("t", execute, **more)])


def run(execute: Callable[..., Any], ctx: Any = None, **more: Any) -> Any:
    return tool.execute(kit(execute, **more), "t", {"a": 1}, ctx)


def arun(execute: Callable[..., Any], ctx: Any = None, **more: Any) -> Any:
    return asyncio.run(tool.aexecute(kit(execute, **more), "t", {"a": 1}, ctx))


def raiser(error: BaseException) -> Callable[..., Any]:
    def fail(args: Any) -> Any:
        raise error

    return fail


def araiser(error: BaseException) -> Callable[..., Any]:
    async def fail(args: Any) -> Any:
        raise error

    return fail


async def afine(args: Any) -> Any:
    await asyncio.sleep(0)
    return tool.success("fine")


class MuteError(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")


BOTH = pytest.mark.parametrize("runner", [run, arun])
FAULTS = [
    (ValueError("bad row"), "bad row"),
    (ValueError(), "ValueError"),
    (KeyError("id"), "'id'"),
    (StopIteration("over"), "over"),
    (RecursionError("deep"), "deep"),
    (MemoryError(), "MemoryError"),
    (AssertionError("no"), "no"),
    (ExceptionGroup("many", [ValueError("x")]), "many (1 sub-exception)"),
    (MuteError(), "MuteError"),
]


@BOTH
@pytest.mark.parametrize(("error", "text"), FAULTS, ids=lambda value: type(value).__name__)
def test_whatever_a_tool_raises_is_a_failure(runner: Any, error: Exception, text: str) -> None:
    assert runner(raiser(error)) == {"output": text, "isError": True}


@BOTH
@pytest.mark.parametrize("error", [ValueError("bad row"), StopAsyncIteration("s")])
def test_whatever_an_async_tool_raises_is_a_failure(runner: Any, error: Exception) -> None:
    assert runner(araiser(error)) == {"output": str(error), "isError": True}


@BOTH
def test_an_async_tool_that_raises_stop_iteration_is_a_failure(runner: Any) -> None:
    assert runner(araiser(StopIteration()))["isError"] is True


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(3), asyncio.CancelledError(), GeneratorExit()])
def test_what_must_stop_a_program_passes_through(error: BaseException) -> None:
    with pytest.raises(type(error)):
        run(raiser(error))


def test_cancellation_passes_through_an_async_tool() -> None:
    async def scenario() -> str:
        started = asyncio.Event()

        async def wait(args: Any) -> Any:
            started.set()
            await asyncio.Event().wait()

        task = asyncio.create_task(tool.aexecute(kit(wait), "t", {}))
        await started.wait()
        task.cancel()
        try:
            await task
        except asyncio.CancelledError:
            return "cancelled"
        return "swallowed"

    assert asyncio.run(scenario()) == "cancelled"


@BOTH
@pytest.mark.parametrize(
    "returned", ["text", None, 3, [], {"output": "x"}, {"output": 1, "isError": False}, {"isError": True}]
)
def test_a_return_that_is_no_result_is_a_failure_that_says_so(runner: Any, returned: Any) -> None:
    result = runner(lambda args: returned)
    assert result["isError"] is True
    assert ("None" if returned is None else type(returned).__name__) in result["output"]
    assert "native_tool" in result["output"]


@BOTH
def test_a_plain_dict_that_is_a_result_passes_untouched(runner: Any) -> None:
    plain = {"output": "x", "isError": True, "custom": 1}
    assert runner(lambda args: plain) == plain


@pytest.mark.parametrize("name", [None, 3, ["t"], {"t": 1}, "", "T", "t\udcff"])
def test_a_name_that_is_no_tools_is_unknown_whatever_it_is(name: Any) -> None:
    assert tool.execute(kit(print), name, {}) == {"output": f"unknown tool: {name}", "isError": True}
    assert asyncio.run(tool.aexecute(kit(print), name, {}))["isError"] is True


@pytest.mark.parametrize("broken", [{}, {"tools": None}, {"tools": {"t": {}}}, {"tools": {"t": None}}])
def test_a_broken_toolkit_is_a_failure_too(broken: Any) -> None:
    assert tool.execute(broken, "t", {})["isError"] is True
    assert asyncio.run(tool.aexecute(broken, "t", {}))["isError"] is True


@BOTH
def test_an_async_tool_runs_to_its_end(runner: Any) -> None:
    assert runner(afine)["output"] == "fine"


def test_a_coroutine_is_driven_from_a_thread_without_a_loop() -> None:
    async def scenario() -> Any:
        return await asyncio.to_thread(run, afine)

    assert asyncio.run(scenario())["output"] == "fine"


@pytest.mark.parametrize("execute", [afine, lambda args: afine(args), functools.partial(afine)])
def test_inside_a_running_loop_the_failure_names_aexecute(execute: Any) -> None:
    async def scenario() -> Any:
        return run(execute)

    result = asyncio.run(scenario())
    assert result["isError"] is True
    assert "aexecute" in result["output"]


def test_a_sync_tool_runs_inside_a_running_loop() -> None:
    async def scenario() -> Any:
        return run(lambda args: tool.success("ok"))

    assert asyncio.run(scenario())["output"] == "ok"


def test_aexecute_runs_a_sync_tool_in_another_thread_with_the_callers_context() -> None:
    variable: contextvars.ContextVar[str] = contextvars.ContextVar("variable", default="unset")

    async def scenario() -> Any:
        variable.set("kept")
        execute = lambda args: tool.success(f"{threading.current_thread() is threading.main_thread()} {variable.get()}")  # noqa: E731
        return await tool.aexecute(kit(execute), "t", {})

    assert asyncio.run(scenario())["output"] == "False kept"


def test_aexecute_runs_an_async_tool_in_the_loops_own_thread() -> None:
    async def where(args: Any) -> Any:
        return tool.success(threading.current_thread() is threading.main_thread())

    assert arun(where)["output"] == "True"


def test_aexecute_awaits_what_a_sync_function_returns() -> None:
    assert arun(lambda args: afine(args))["output"] == "fine"


def test_aexecute_of_an_unknown_name_is_a_failure() -> None:
    assert asyncio.run(tool.aexecute(tool.toolkit([]), "nope", {})) == {"output": "unknown tool: nope", "isError": True}


# --- context arities -------------------------------------------------------------------------------------------------


class Methods:
    def one(self, args: Any) -> Any:
        return tool.success("one")

    def two(self, args: Any, ctx: Any) -> Any:
        return tool.success(ctx["call_id"])

    @classmethod
    def class_two(cls, args: Any, ctx: Any) -> Any:
        return tool.success(ctx["call_id"])

    @staticmethod
    def static_two(args: Any, ctx: Any) -> Any:
        return tool.success(ctx["call_id"])


class CallsOne:
    def __call__(self, args: Any) -> Any:
        return tool.success("one")


class CallsTwo:
    def __call__(self, args: Any, ctx: Any) -> Any:
        return tool.success(ctx["call_id"])


def two(args: Any, ctx: Any) -> Any:
    return tool.success(ctx["call_id"])


def one(args: Any) -> Any:
    return tool.success("one")


def keyword_only(args: Any, *, ctx: Any = None) -> Any:
    return tool.success("one" if ctx is None else "ctx by keyword")


def logged(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return wrapper


def narrowed(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapper(args: Any) -> Any:
        return function(args, {"call_id": "one"})

    return wrapper


def three(first: Any, args: Any, ctx: Any) -> Any:
    return tool.success(ctx["call_id"])


async def atwo(args: Any, ctx: Any) -> Any:
    return tool.success(ctx["call_id"])


TAKES_TWO: list[Any] = [
    two, Methods().two, Methods.class_two, Methods.static_two, CallsTwo(), logged(two), logged(logged(two)), atwo,
    functools.partial(three, None), functools.partial(two), lambda args, ctx: two(args, ctx), lambda *both: two(*both),
    lambda args, /, ctx: two(args, ctx), lambda args, ctx=None: two(args, ctx), logged(Methods().two),
]  # fmt: skip
TAKES_ONE: list[Any] = [
    one, Methods().one, CallsOne(), logged(one), functools.partial(one), keyword_only, narrowed(two),
    functools.partial(two, ctx={"call_id": "one"}), lambda args, **more: one(args), logged(narrowed(two)),
]  # fmt: skip


@BOTH
@pytest.mark.parametrize("execute", TAKES_TWO)
def test_a_given_context_goes_to_callables_that_take_a_second_positional(runner: Any, execute: Any) -> None:
    assert runner(execute, {"call_id": "c1"})["output"] == "c1"


@BOTH
@pytest.mark.parametrize("execute", TAKES_ONE)
def test_a_given_context_stays_away_from_callables_that_do_not(runner: Any, execute: Any) -> None:
    assert runner(execute, {"call_id": "c1"})["output"] == "one"


def test_an_empty_context_is_a_given_one() -> None:
    seen: list[Any] = []

    def spy(args: Any, ctx: Any = "none") -> Any:
        seen.append(ctx)
        return tool.success("")

    run(spy, {})
    assert seen == [{}]


def test_without_a_context_a_default_stays() -> None:
    assert run(lambda args, limit=10: tool.success(limit))["output"] == "10"


@BOTH
def test_a_context_tool_always_gets_one(runner: Any) -> None:
    assert runner(lambda args, ctx: tool.success(ctx), context=True)["output"] == "{}"


def test_any_mapping_makes_a_tool() -> None:
    spec: Any = types.MappingProxyType({"name": "a", "execute": print})
    assert tool.tool(spec)["name"] == "a"


# --- with_parts ------------------------------------------------------------------------------------------------------


def test_with_parts_replaces_and_never_mutates() -> None:
    first: Any = tool.with_parts(tool.success("x"), [content.text_part("a")])
    second: Any = tool.with_parts(first, [content.text_part("b")])
    assert first["parts"] == [{"type": "text", "text": "a"}]
    assert second["parts"] == [{"type": "text", "text": "b"}]


def test_with_parts_keeps_the_parts_a_result_has_when_given_none() -> None:
    first: Any = tool.with_parts(tool.success("x"), [content.text_part("a")])
    assert tool.with_parts(first, []) is first


@pytest.mark.parametrize(
    "wrap", [list, tuple, iter, lambda xs: (x for x in xs), lambda xs: dict.fromkeys(range(1), xs[0]).values()]
)
def test_with_parts_takes_any_iterable(wrap: Any) -> None:
    result: Any = tool.with_parts(tool.success("x"), wrap([image_part()]))
    assert result["parts"] == [image_part()]
    assert isinstance(result["parts"], list)


def test_one_part_alone_is_a_list_of_one() -> None:
    result: Any = tool.with_parts(tool.success("x"), content.text_part("a"))
    assert len(result["parts"]) == 1


def test_hand_made_parts_and_results_are_wrapped() -> None:
    hand: Any = {"output": "x", "isError": False}
    result: Any = tool.with_parts(hand, [image_part()])  # type: ignore[list-item]  # a hand-made dict
    assert not leaks(result)
    assert "parts" not in hand


@pytest.mark.parametrize(
    "parts", [[{"type": "image"}], [None], ["text"], "text", b"bytes", 3, [PNG], {"type": "image"}, [{}]]
)
def test_a_malformed_part_is_a_part_error(parts: Any) -> None:
    with pytest.raises(PartError):
        tool.with_parts(tool.success("x"), parts)


# --- media -----------------------------------------------------------------------------------------------------------


def test_media_is_caption_and_one_line_a_part() -> None:
    result: Any = tool.media(PNG, b"hello", caption="Two things")
    assert result["output"] == "Two things\nimage (image/png, 82 bytes)\nfile (text/plain, 5 bytes)"
    assert [part["type"] for part in result["parts"]] == ["image", "file"]
    assert result["isError"] is False


def test_media_says_which_source_failed_and_why_and_the_others_go() -> None:
    result: Any = tool.media(PNG, "/no/such/chart.png", object(), b"")
    lines = result["output"].split("\n")
    assert (len(lines), len(result["parts"]), result["isError"]) == (4, 1, False)
    assert "chart.png" in lines[1]
    assert "no such file" in lines[1]
    assert "source 3" in lines[2]
    assert "empty" in lines[3]


def test_media_is_an_error_only_if_there_were_sources_and_none_could() -> None:
    assert tool.media(b"")["isError"] is True
    assert "parts" not in tool.media(b"")
    assert tool.media() == {"output": "", "isError": False}
    assert tool.media(caption="Nothing") == {"output": "Nothing", "isError": False}


def test_media_hands_attach_options_on() -> None:
    result: Any = tool.media(b"hello", name="a.md", max_bytes=5)
    assert result["parts"][0]["name"] == "a.md"
    assert tool.media(b"hello", max_bytes=4)["isError"] is True


def test_media_shows_no_payload_and_one_line_for_a_source_that_fails() -> None:
    payload = image_part()["data"] * 9
    for source in (payload, f"data:image/png;base64,{payload}!!", "a\nb\x1b[31m\u202e.png", CASES):
        output = tool.media(source)["output"]
        assert not leaks(output)
        assert len(output.splitlines()) == 1
        assert "\x1b" not in output
