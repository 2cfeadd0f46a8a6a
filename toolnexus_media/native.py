"""A plain function becomes a tool: its arguments come by name, and whatever it returns becomes a result.

>>> from toolnexus_media import native
>>> @native.native_tool
... def greet() -> str:
...     "Say hello."
...     return "hello"
>>> native.execute_native(greet, {})
{'output': 'hello', 'isError': False}
"""

from __future__ import annotations

import sys

from toolnexus_media._safe import SafeDict, cast, elide
from toolnexus_media.tool import arun, failure, is_async, run, success, tool, with_parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping
    from typing import Any

    from toolnexus_media.types import ContentPart, Context, Hints, Tool, ToolResult

    Adapters = Mapping[str, Any]
    _List = list[ContentPart]
else:
    _List = list

_MAX_DEPTH = 100
_MAX_VALUES = 2_000_000  # a few lists that hold each other twice stand for more values than can be written down


def native_tool(
    function: Callable[..., Any] | None = None,
    *,
    name: str | None = None,
    description: str | None = None,
    input_schema: dict[str, Any] | None = None,
    source: str = "native",
    hints: Hints | None = None,
) -> Any:
    """A tool from a plain function, sync or async; as a decorator with or without arguments, or as a call.

    Parameters are filled from the arguments by name; a lone one named ``args`` gets them whole, one named ``ctx`` the
    context. The schema is inferred from the annotations, which then also convert what the model sends; that needs
    pydantic (``MissingExtraError`` names the extra), unless the function takes nothing or ``input_schema`` is given.

    >>> native_tool(lambda: 42, name="answer")["input_schema"]
    {'type': 'object'}
    """
    if function is None:
        return lambda wrapped: native_tool(
            wrapped, name=name, description=description, input_schema=input_schema, source=source, hints=hints
        )
    if not callable(function):
        raise TypeError(f"native_tool wraps a function, not a {type(function).__name__}; pass a callable")
    from toolnexus_media._schema import read_signature

    shape = read_signature(function)
    adapters: Adapters = {}
    if input_schema is None:
        input_schema, adapters = shape.infer()
    bind = shape.binder(adapters)
    return tool(
        name or str(getattr(function, "__name__", type(function).__name__)),
        _async_execute(function, bind) if is_async(function) else _sync_execute(function, bind),
        description=_first_words(function) if description is None else description,
        input_schema=input_schema,
        source=source,
        hints=hints,
        context=shape.wants_context,
    )


def _first_words(function: Callable[..., Any]) -> str:
    from inspect import getdoc

    return getdoc(function) or "" if hasattr(function, "__code__") else ""


def _sync_execute(function: Callable[..., Any], bind: Callable[..., Any]) -> Callable[..., Any]:
    def execute(args: Mapping[str, Any], ctx: Context | None = None) -> Any:
        bound = bind(args, ctx)
        if isinstance(bound, str):
            return failure(bound)
        returned = function(**bound)
        return _Later(returned) if hasattr(returned, "__await__") else to_result(returned)

    return execute


def _async_execute(function: Callable[..., Any], bind: Callable[..., Any]) -> Callable[..., Any]:
    async def execute(args: Mapping[str, Any], ctx: Context | None = None) -> ToolResult:
        bound = bind(args, ctx)
        return failure(bound) if isinstance(bound, str) else to_result(await function(**bound))

    return execute


class _Later:
    """The result of an awaitable; closing it closes the awaitable, so that nothing warns of being never awaited."""

    def __init__(self, awaitable: Any) -> None:
        self._awaitable = awaitable

    def __await__(self) -> Generator[Any, None, ToolResult]:
        return to_result((yield from self._awaitable.__await__()))

    def close(self) -> None:
        close = getattr(self._awaitable, "close", None)
        if callable(close):
            close()


def execute_native(tool: Tool, args: Mapping[str, Any], ctx: Context | None = None) -> ToolResult:
    """Run one tool without a toolkit; whatever it raises comes back as a failure, as with ``tool.execute``."""
    return run(tool, args, ctx)


async def aexecute_native(tool: Tool, args: Mapping[str, Any], ctx: Context | None = None) -> ToolResult:
    """``execute_native`` for an event loop."""
    return await arun(tool, args, ctx)


def to_result(value: Any) -> ToolResult:
    """Any return value as a result: text stays text, media become parts, the rest becomes JSON text.

    >>> to_result({"count": 2, "ok": True})["output"]
    '{"count": 2, "ok": true}'
    """
    if value is None:
        return success("")
    if isinstance(value, str):
        return success(value)
    if _is_mapping(value) and "output" in value:
        return _as_given(value)
    parts = _Found()
    if isinstance(value, (list, tuple)) and _is_mixture(value):
        lines = [_replaced(item, parts, ()) for item in value]
        return with_parts(success("\n".join(lines)), parts)
    shown = _replaced(value, parts, ())
    return with_parts(success(shown if isinstance(shown, str) else _to_json(shown)), parts)


class _Found(_List):
    """The media found so far, and how many more values are looked at."""

    left = _MAX_VALUES


def _is_mapping(value: object) -> bool:
    from collections.abc import Mapping

    return isinstance(value, (dict, Mapping))


def _as_given(value: Mapping[str, Any]) -> ToolResult:
    """A mapping that is a result already, or nearly."""
    if isinstance(value, SafeDict) and isinstance(value["output"], str) and isinstance(value.get("isError"), bool):
        return cast("ToolResult", value)
    output = to_result(value["output"])
    kept: Any = SafeDict((key, item) for key, item in value.items() if item is not None)
    kept.update(output=output["output"], isError=bool(value.get("isError")))
    own: Any = kept.pop("parts", None) or []
    every: Any = [*output.get("parts", []), *([own] if isinstance(own, dict) else own)]
    return with_parts(kept, every)


def _is_mixture(items: list[Any] | tuple[Any, ...]) -> bool:
    """Only text and media, with one medium at least: a list that reads top to bottom."""
    media = [_is_media(item) or _is_part(item) for item in items]
    return any(media) and all(found or isinstance(item, str) for found, item in zip(media, items, strict=True))


def _is_part(value: object) -> bool:
    if not isinstance(value, dict) or "type" not in value:
        return False
    from toolnexus_media.part import is_part

    return is_part(value)


def _is_media(value: object) -> bool:
    """Is this an object that ``content.attach`` turns into a part and JSON cannot hold?"""
    if isinstance(value, (bytes, bytearray, memoryview)):
        return True
    if isinstance(value, type):
        return False
    image = sys.modules.get("PIL.Image")
    if image is not None and isinstance(value, image.Image):
        return True
    io = sys.modules.get("io")
    if io is not None and isinstance(value, (io.BytesIO, io.BufferedReader)):
        return True
    methods = ("_repr_png_", "_repr_jpeg_", "savefig")
    return any(callable(getattr(value, method, None)) for method in methods) or _is_pixels(value)


def _is_pixels(value: Any) -> bool:
    """A colour picture as an array; other arrays are numbers."""
    numpy = sys.modules.get("numpy")
    if numpy is None or not isinstance(value, numpy.ndarray):
        return False
    return bool(value.ndim == 3 and value.shape[2] in (3, 4) and value.dtype == numpy.uint8)


def _is_data_url(value: object) -> bool:
    if not isinstance(value, str) or value[:5].lower() != "data:" or ";base64," not in value[:256].lower():
        return False
    from toolnexus_media.source import _urls

    return _urls.scheme_of(value) == "data"


def _replaced(value: Any, parts: _Found, path: tuple[int, ...]) -> Any:
    """The value as JSON can hold it, every medium in it moved to ``parts`` and replaced by its summary."""
    parts.left -= 1
    if parts.left < 0:
        raise ValueError(
            f"the returned value holds over {_MAX_VALUES} values; write them to a file and return its bytes"
        )
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, float):
        from math import isfinite

        return value if isfinite(value) else None  # JSON has no NaN and no infinity
    if _is_part(value) or _is_media(value) or (path and _is_data_url(value)):
        return _moved(value, parts)
    if isinstance(value, str):
        return value
    if id(value) in path or len(path) > _MAX_DEPTH:
        raise ValueError("the returned value contains itself; return a tree of plain values")
    inner = (*path, id(value))
    fields = _fields(value)
    if fields is not None:
        return {_key(key): _replaced(item, parts, inner) for key, item in fields}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_replaced(item, parts, inner) for item in value]
    return _plain(value, parts, inner)


def _moved(value: Any, parts: _Found) -> str:
    from toolnexus_media.content import attach
    from toolnexus_media.summary import summarize_part

    part = attach(value)
    if part["type"] != "text":
        parts.append(part)
    return summarize_part(part)


def _fields(value: Any) -> list[tuple[Any, Any]] | None:
    """The named fields of a mapping, a dataclass, a pydantic model or an attrs class."""
    if _is_mapping(value):
        return list(value.items())
    kind = type(value)
    names: list[str] | None = None
    if hasattr(kind, "__dataclass_fields__"):
        names = [field.name for field in sys.modules["dataclasses"].fields(value)]
    elif isinstance(getattr(kind, "__pydantic_fields__", None), dict):
        computed = getattr(kind, "__pydantic_computed_fields__", {})
        names = [*kind.__pydantic_fields__, *computed, *(getattr(value, "__pydantic_extra__", None) or {})]
    elif hasattr(kind, "__attrs_attrs__"):
        names = [item.name for item in kind.__attrs_attrs__]
    return None if names is None else [(name, getattr(value, name, None)) for name in names]


def _key(key: object) -> str:
    return key if isinstance(key, str) else str(key)


def _plain(value: Any, parts: _Found, path: tuple[int, ...]) -> Any:
    """What JSON has no form for: enum members by value, dates in ISO form, arrays as lists, the rest as text."""
    for attribute in ("isoformat", "tolist"):
        method = getattr(value, attribute, None)
        if callable(method) and not isinstance(value, type):
            return _replaced(method(), parts, path)
    enum = sys.modules.get("enum")
    if enum is not None and isinstance(value, enum.Enum):
        return _replaced(value.value, parts, path)
    return elide(str(value))


def _to_json(value: Any) -> str:
    from json import dumps

    return dumps(value, ensure_ascii=False)
