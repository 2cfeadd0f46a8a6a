"""Tools as frameworks call them: by a name they allow, with what they know of the call, from any thread or loop."""

from __future__ import annotations

from toolnexus_media._callables import loop_runs
from toolnexus_media._text import utf8_safe
from toolnexus_media.adapters._pieces import checked
from toolnexus_media.tool import all_tools, arun, failure, run, sanitize

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from toolnexus_media.types import Context, Tool, Toolkit, ToolResult


def named(tk: Toolkit, *, limit: int = 64, clean: Callable[[str], str] = sanitize) -> Iterator[tuple[str, Tool]]:
    """Each tool with a name that providers take: its own where it is one, else sanitised, cut, and numbered.

    >>> from toolnexus_media.tool import tool, toolkit
    >>> [name for name, _ in named(toolkit([tool("a b", print), tool("a_b", print)]))]
    ['a_b_2', 'a_b']
    """
    given = all_tools(tk)
    taken = {item["name"] for item in given if clean(item["name"])[:limit] == item["name"]}
    for item in given:
        name = base = clean(item["name"])[:limit]
        number = 1
        while name in taken and name != item["name"]:
            number += 1
            name = f"{base[: limit - len(str(number)) - 1]}_{number}"
        taken.add(name)
        described: Tool = {**item, "description": utf8_safe(item["description"])}
        yield name, described


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
    """Run a tool for a framework that does not await; where a loop runs, in a thread, so that async tools run too.

    >>> from toolnexus_media.tool import success, tool
    >>> call(tool("ping", lambda args: success("pong")), {})
    {'output': 'pong', 'isError': False}
    """
    if not loop_runs():
        return _sound(run(tool, args, ctx))
    from concurrent.futures import ThreadPoolExecutor
    from contextvars import copy_context

    pool = ThreadPoolExecutor(1)
    try:
        return _sound(pool.submit(copy_context().run, run, tool, args, ctx).result())
    finally:
        pool.shutdown(wait=False)  # an interrupt leaves at once, whatever the tool still does


async def acall(tool: Tool, args: Mapping[str, Any], ctx: Context | None = None) -> ToolResult:
    """Run a tool for a framework that awaits; a sync tool runs in a worker thread."""
    return _sound(await arun(tool, args, ctx))


def _sound(result: ToolResult) -> ToolResult:
    """The result, or a failure when one of its parts is none: an agent's run must not end in our exception."""
    try:
        return checked(result)
    except Exception as error:  # noqa: BLE001  # a MediaError, or what parts that are made one by one raise
        return failure(f"the tool returned a part that cannot be sent: {error}", result.get("metadata"))
