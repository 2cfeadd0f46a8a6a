"""What a callable takes and gives, told without importing ``inspect`` or ``asyncio`` where that can be."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable
    from typing import Any

_COROUTINE = 0x80  # inspect.CO_COROUTINE, without the 6 ms that importing inspect costs
_VARARGS = 0x04


def takes_two(function: Any, bound: bool = False) -> bool:
    """Does the callable take a second positional argument? A wrapper that takes any number asks what it wraps."""
    code = getattr(function, "__code__", None)
    if code is not None:
        bound = bound or getattr(function, "__self__", None) is not None
        if code.co_argcount - bound >= 2 or not code.co_flags & _VARARGS:
            return bool(code.co_argcount - bound >= 2)
        wrapped = getattr(function, "__wrapped__", None)
        return wrapped is None or takes_two(wrapped, bound)
    from inspect import Parameter, signature

    try:
        kinds = [parameter.kind for parameter in signature(function).parameters.values()]
    except (TypeError, ValueError):  # a builtin without a signature
        return False
    positional = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    return Parameter.VAR_POSITIONAL in kinds or sum(kind in positional for kind in kinds) >= 2


def is_async(function: Any) -> bool:
    """Is this an ``async def``, or an object whose call is one?"""
    for candidate in (function, getattr(function, "func", None), vars(type(function)).get("__call__")):
        code = getattr(candidate, "__code__", None)
        if code is not None:
            return bool(code.co_flags & _COROUTINE)
    return False


def loop_runs() -> bool:
    """Does an event loop run in this thread?"""
    asyncio = sys.modules.get("asyncio")
    return asyncio is not None and asyncio._get_running_loop() is not None


def drive(awaitable: Awaitable[Any]) -> Any:
    """Run a loop until the awaitable is done; its result."""
    from asyncio import run as run_loop

    async def wait() -> Any:
        return await awaitable

    return run_loop(wait())


def discard(awaitable: Any) -> None:
    """Close a coroutine that nobody will await, so that it does not warn when it is collected."""
    close = getattr(awaitable, "close", None)
    if callable(close):
        close()
