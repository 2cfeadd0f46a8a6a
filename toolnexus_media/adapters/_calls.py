"""Tools as frameworks call them: by a name they allow, with what they know of the call, from any thread or loop."""

from __future__ import annotations

from toolnexus_media._callables import is_async, loop_runs
from toolnexus_media.errors import MediaError
from toolnexus_media.part import validate_part
from toolnexus_media.tool import all_tools, arun, failure, run, sanitize

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from toolnexus_media.types import Context, Tool, Toolkit, ToolResult


def named(tk: Toolkit, *, limit: int = 64, clean: Callable[[str], str] = sanitize) -> Iterator[tuple[str, Tool]]:
    """Each tool with a name that providers take: sanitised, cut, and numbered where two would be the same.

    >>> from toolnexus_media.tool import tool, toolkit
    >>> [name for name, _ in named(toolkit([tool("a b", print), tool("a_b", print)]))]
    ['a_b', 'a_b_2']
    """
    taken: set[str] = set()
    for item in all_tools(tk):
        name = base = clean(item["name"])[:limit]
        number = 1
        while name in taken:
            number += 1
            name = f"{base[: limit - len(str(number)) - 1]}_{number}"
        taken.add(name)
        yield name, item


def context(call_id: object = None, host: object = None, **more: Any) -> Context:
    """What a framework knows of a call: ``call_id``, ``host`` (its own context object), and what else it has.

    >>> context("c1")
    {'call_id': 'c1'}
    """
    known: Any = {"call_id": None if call_id is None else str(call_id), "host": host, **more}
    for key in [key for key, value in known.items() if value is None]:
        del known[key]
    return known  # type: ignore[no-any-return]  # a Context may hold more keys than are pinned


def call(tool: Tool, args: Mapping[str, Any], ctx: Context | None = None) -> ToolResult:
    """Run a tool for a framework that does not await; an async tool runs even where a loop does, in a thread.

    >>> from toolnexus_media.tool import success, tool
    >>> call(tool("ping", lambda args: success("pong")), {})
    {'output': 'pong', 'isError': False}
    """
    if loop_runs() and is_async(tool["execute"]):
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(1) as pool:
            return _sound(pool.submit(run, tool, args, ctx).result())
    return _sound(run(tool, args, ctx))


async def acall(tool: Tool, args: Mapping[str, Any], ctx: Context | None = None) -> ToolResult:
    """Run a tool for a framework that awaits; a sync tool runs in a worker thread."""
    return _sound(await arun(tool, args, ctx))


def _sound(result: ToolResult) -> ToolResult:
    """The result, or a failure when one of its parts is none: an agent's run must not end in our exception."""
    try:
        for part in result.get("parts", ()):
            validate_part(part)
    except MediaError as error:
        return failure(f"the tool returned a part that cannot be sent: {error}", result.get("metadata"))
    except TypeError:  # parts that are no list
        return failure(
            "the tool returned parts that are no list; build results with with_parts", result.get("metadata")
        )
    return result
