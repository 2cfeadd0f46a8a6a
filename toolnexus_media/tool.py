"""Results, tools and toolkits: what a tool answers, and how it is run without ever taking the loop down.

Everything here is a plain dict. A tool's error is a value that the model reads and acts on, not an exception.
"""

from __future__ import annotations

import os

from toolnexus_media._callables import discard, drive, is_async, loop_runs, takes_two
from toolnexus_media._safe import SafeDict, brief, cast
from toolnexus_media._strings import code_points, compare_strings, last_index_of_char, sanitize, sort_strings
from toolnexus_media._text import a_type, type_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from toolnexus_media.types import ContentPart, Context, Hints, Tool, Toolkit, ToolResult

    _Base = dict[str, Any]
else:
    _Base = dict

__all__ = [
    "add_tools",
    "aexecute",
    "all_tools",
    "arun",
    "code_points",
    "compare_strings",
    "execute",
    "failure",
    "is_async",
    "is_result",
    "last_index_of_char",
    "media",
    "run",
    "sanitize",
    "sort_strings",
    "success",
    "tool",
    "tool_names",
    "toolkit",
    "toolkit_id",
    "with_parts",
]


def success(output: object = "", metadata: dict[str, Any] | None = None) -> ToolResult:
    """A result that worked: ``output`` is what the model reads, ``metadata`` what only the host sees.

    >>> success("hi")
    {'output': 'hi', 'isError': False}
    """
    return _result(output, metadata, is_error=False)


def failure(output: object = "", metadata: dict[str, Any] | None = None) -> ToolResult:
    """A result that failed, as a value the model can act on.

    >>> failure("missing required argument: id")
    {'output': 'missing required argument: id', 'isError': True}
    """
    return _result(output, metadata, is_error=True)


def _result(output: object, metadata: dict[str, Any] | None, *, is_error: bool) -> ToolResult:
    result = SafeDict(output="" if output is None else str(output), isError=is_error)
    if metadata is not None:
        result["metadata"] = metadata
    return cast("ToolResult", result)


def with_parts(result: ToolResult, parts: Iterable[ContentPart] | ContentPart | None) -> ToolResult:
    """A copy of the result that carries these parts; without any, the very same result object.

    ``PartError`` when one of them is no part.

    >>> with_parts(success("hi"), [{"type": "text", "text": "more"}])
    {'output': 'hi', 'isError': False, 'parts': [{'type': 'text', 'text': 'more'}]}
    """
    if parts is None:
        return result
    listed = [parts] if isinstance(parts, dict) else _listed(parts)
    if not listed:
        return result
    from toolnexus_media.part import validate_part

    changed = SafeDict(result)
    changed["parts"] = [validate_part(part) for part in listed]
    return cast("ToolResult", changed)


def _listed(parts: Iterable[ContentPart]) -> list[ContentPart]:
    if isinstance(parts, (str, bytes)) or not hasattr(parts, "__iter__"):
        from toolnexus_media.errors import PartError

        raise PartError(f"{a_type(parts)} is no part; build parts with content.attach", code="not-a-part")
    return list(parts)


def media(*sources: object, caption: str | None = None, **attach_options: Any) -> ToolResult:
    """Everything a tool holds as one result: a summary line and a part for each source.

    A source that cannot be attached becomes a line that says which one and why; the others still go. The result is an
    error only when there were sources and none of them could be attached.

    >>> media(b"hello", caption="A greeting")["output"]
    'A greeting\\nfile (text/plain, 5 bytes)'
    """
    from toolnexus_media.content import attach
    from toolnexus_media.errors import MediaError
    from toolnexus_media.summary import summarize_part

    lines = [caption] if caption else []
    parts: list[ContentPart] = []
    for number, source in enumerate(sources, 1):
        try:
            part = attach(source, **attach_options)
        except MediaError as error:
            lines.append(f"{_label(source, number)} could not be attached: {error}")
        else:
            parts.append(part)
            lines.append(summarize_part(part))
    make = failure if sources and not parts else success
    return with_parts(make("\n".join(lines)), parts)


def _label(source: object, number: int) -> str:
    from toolnexus_media._text import base_name
    from toolnexus_media.source import path_of

    try:
        is_path = issubclass(type(source), str) or hasattr(type(source), "__fspath__")
        path = path_of(source) if is_path else ""
    except Exception:  # noqa: BLE001  # an object of any make can fail in any way
        path = ""
    if len(path) <= 255 and path[:5].lower() != "data:" and (name := base_name(brief(path, 255))):
        return name
    return f"source {number} ({type_name(source)})"


def tool(
    name: str | Mapping[str, Any],
    execute: Callable[..., Any] | None = None,
    description: str = "",
    input_schema: dict[str, Any] | None = None,
    source: str = "custom",
    hints: Hints | None = None,
    context: bool = False,
) -> Tool:
    """A tool from a name and a callable that takes the arguments, or the arguments and the context.

    What the callable returns is not normalised (``native.native_tool`` does that). ``TypeError`` without a name or
    with an ``execute`` that cannot be called. A dict of the same keys is accepted in place of the arguments.

    >>> tool("ping", lambda args: success("pong"))["input_schema"]
    {'type': 'object'}
    """
    if not isinstance(name, str) and hasattr(name, "keys"):
        return tool(**name)
    if name is None or not str(name):
        raise TypeError("a tool needs a name; pass name='…'")
    if not callable(execute):
        raise TypeError(f"tool {name}: execute must be callable, not {type(execute).__name__}; pass a function")
    made: Tool = {
        "name": str(name),
        "description": str(description or ""),
        "input_schema": {"type": "object"} if input_schema is None else input_schema,
        "source": source,
        "execute": execute,
    }
    if hints is not None:
        made["hints"] = hints
    if context:
        made["context"] = True
    return made


class _Toolkit(_Base):
    """A toolkit dict with an identity that equality ignores."""

    __slots__ = ("identity",)

    identity: str

    def __or__(self, other: Mapping[str, Any]) -> _Toolkit:  # type: ignore[override]  # dict overloads it
        return _toolkit({**self, **other}, self.identity) if isinstance(other, dict) else NotImplemented

    def copy(self) -> _Toolkit:
        return _toolkit(self, self.identity)


def _toolkit(content: Mapping[str, Any], identity: str) -> _Toolkit:
    made = _Toolkit(content)
    made.identity = identity
    return made


def toolkit(tools: Iterable[Tool], sources: dict[str, Any] | None = None) -> Toolkit:
    """Tools by name; a later tool wins over an earlier one of the same name.

    >>> sorted(toolkit([tool("a", print), tool("b", print)])["tools"])
    ['a', 'b']
    """
    by_name = {item["name"]: item for item in tools}
    content = {"tools": by_name, "sources": {} if sources is None else sources}
    return cast("Toolkit", _toolkit(content, os.urandom(8).hex()))


def add_tools(tk: Toolkit, tools: Iterable[Tool]) -> Toolkit:
    """A new toolkit with these tools added or replaced, and the same identity.

    >>> tk = toolkit([tool("a", print)])
    >>> toolkit_id(add_tools(tk, [tool("b", print)])) == toolkit_id(tk)
    True
    """
    merged = {**tk["tools"], **{item["name"]: item for item in tools}}
    grown: Toolkit = {**tk, "tools": merged, "sources": {**tk.get("sources", {})}}
    identity = toolkit_id(tk)
    return grown if identity is None else cast("Toolkit", _toolkit(grown, identity))


def toolkit_id(tk: Toolkit) -> str | None:
    """An opaque string that stays with a toolkit through its changes; None for a hand-built dict.

    >>> toolkit_id({"tools": {}, "sources": {}}) is None
    True
    """
    return getattr(tk, "identity", None)


def tool_names(tk: Toolkit) -> list[str]:
    """The names, sorted by code point.

    >>> tool_names(toolkit([tool("b", print), tool("a", print)]))
    ['a', 'b']
    """
    return sorted(tk["tools"])


def all_tools(tk: Toolkit) -> list[Tool]:
    """The tools, sorted by name."""
    return [tk["tools"][name] for name in tool_names(tk)]


def execute(tk: Toolkit, name: str, args: Mapping[str, Any], ctx: Context | None = None) -> ToolResult:
    """Run a tool by name; whatever it raises comes back as a failure.

    A coroutine is driven to its end where no event loop runs. ``KeyboardInterrupt``, ``SystemExit`` and cancellation
    pass through.

    >>> execute(toolkit([]), "nope", {})
    {'output': 'unknown tool: nope', 'isError': True}
    """
    found = _find(tk, name)
    return _unknown(name) if found is None else run(found, args, ctx)


async def aexecute(tk: Toolkit, name: str, args: Mapping[str, Any], ctx: Context | None = None) -> ToolResult:
    """``execute`` for an event loop: an async tool is awaited, a sync tool runs in a worker thread."""
    found = _find(tk, name)
    return _unknown(name) if found is None else await arun(found, args, ctx)


def _find(tk: Toolkit, name: str) -> Tool | None:
    """The tool of that name, whatever stands in a name's place: models answer with lists and numbers too."""
    try:
        return tk["tools"][name]
    except Exception:  # noqa: BLE001  # the toolkit and the name may be of any make
        return None


def _unknown(name: object) -> ToolResult:
    return failure(f"unknown tool: {name if type(name) is str else _reason(name)}")


def run(tool: Tool, args: Mapping[str, Any], ctx: Context | None = None) -> ToolResult:
    """Run one tool under the boundary rule of ``execute``."""
    try:
        returned = _call(tool, args, ctx)
        if hasattr(returned, "__await__"):
            if loop_runs():
                discard(returned)
                return failure(f"tool {tool['name']} is async and an event loop runs here; await tool.aexecute instead")
            returned = drive(returned)
        return _checked(tool, returned)
    except Exception as error:  # noqa: BLE001  # the boundary: a misbehaving tool must not take down the loop
        return failure(_reason(error))


async def arun(tool: Tool, args: Mapping[str, Any], ctx: Context | None = None) -> ToolResult:
    """Run one tool from an event loop under the boundary rule of ``execute``."""
    from asyncio import to_thread

    try:
        if is_async(tool["execute"]):
            returned = _call(tool, args, ctx)
        else:
            returned, error = await to_thread(_call_caught, tool, args, ctx)
            if error is not None:
                return failure(_reason(error))
        return _checked(tool, await returned if hasattr(returned, "__await__") else returned)
    except Exception as error:  # noqa: BLE001  # the boundary: a misbehaving tool must not take down the loop
        return failure(_reason(error))


def _call_caught(tool: Tool, args: Mapping[str, Any], ctx: Context | None) -> tuple[Any, Exception | None]:
    """A call whose exception is a value: a StopIteration cannot leave a worker thread otherwise."""
    try:
        return _call(tool, args, ctx), None
    except Exception as error:  # noqa: BLE001  # handed on by the caller
        return None, error


def _call(tool: Tool, args: Mapping[str, Any], ctx: Context | None) -> Any:
    function = tool["execute"]
    if tool.get("context"):
        return function(args, {} if ctx is None else ctx)
    if ctx is not None and takes_two(function):
        return function(args, ctx)
    return function(args)


def _checked(tool: Tool, returned: Any) -> ToolResult:
    if is_result(returned):
        return returned  # type: ignore[no-any-return]  # a dict with the two keys is a result
    return failure(
        f"tool {tool['name']} returned {a_type(returned)}, which is no result; "
        "return success(…), failure(…) or with_parts(…), or wrap the function with native.native_tool"
    )


def is_result(value: object) -> bool:
    """Is this a dict with the two keys every result has?

    >>> is_result(success("hi")), is_result({"output": "hi"})
    (True, False)
    """
    return isinstance(value, dict) and isinstance(value.get("output"), str) and isinstance(value.get("isError"), bool)


def _reason(said: object) -> str:
    try:
        return str.__str__(str(said)) or type_name(said)
    except Exception:  # noqa: BLE001  # an exception whose own text fails still has a name
        return type_name(said)
