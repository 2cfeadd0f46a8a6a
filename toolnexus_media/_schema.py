"""A function's signature as a tool's input schema, and the model's arguments as that function's.

Only ``native`` reads it, when a function is wrapped.
"""

from __future__ import annotations

from inspect import Parameter, signature

from toolnexus_media import _extras

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

_NAMED = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)


class Signature:
    """The parameters a model fills, and the special ones that it does not."""

    __slots__ = ("function", "open", "parameters", "wants_context", "whole")

    def __init__(self, function: Callable[..., Any], parameters: list[Parameter]) -> None:
        named = [parameter for parameter in parameters if parameter.kind in _NAMED]
        self.function = function
        self.open = any(parameter.kind is Parameter.VAR_KEYWORD for parameter in parameters)
        self.wants_context = any(parameter.name == "ctx" for parameter in named)
        self.parameters = {parameter.name: parameter for parameter in named if parameter.name != "ctx"}
        self.whole = list(self.parameters) == ["args"]

    def infer(self) -> tuple[dict[str, Any], Mapping[str, Any]]:
        """The JSON schema of the arguments, and what converts each of them."""
        if self.whole or not self.parameters:
            return {"type": "object"}, {}
        name = getattr(self.function, "__name__", "the function")
        pydantic = _extras.need("pydantic", f"inferring the input schema of {name} (or pass input_schema=…)")
        hints = _hints(self.function)
        adapters = {key: pydantic.TypeAdapter(hints.get(key, object)) for key in self.parameters}
        return self._schema(pydantic, adapters), adapters

    def _schema(self, pydantic: Any, adapters: Mapping[str, Any]) -> dict[str, Any]:
        inputs = [(key, "validation", adapter) for key, adapter in adapters.items()]
        schemas, shared = pydantic.TypeAdapter.json_schemas(inputs)
        properties = {key: dict(schemas[key, "validation"]) for key in adapters}
        for key, parameter in self.parameters.items():
            if parameter.default is not Parameter.empty and _is_json(parameter.default):
                properties[key].setdefault("default", parameter.default)
        required = [key for key, parameter in self.parameters.items() if parameter.default is Parameter.empty]
        made: dict[str, Any] = {"type": "object", "properties": properties}
        if required:
            made["required"] = required
        if not self.open:
            made["additionalProperties"] = False
        return {**made, **({"$defs": shared["$defs"]} if "$defs" in shared else {})}

    def binder(self, adapters: Mapping[str, Any]) -> Callable[..., dict[str, Any] | str]:
        """A function from the model's arguments to the function's, or to a sentence that says what is wrong."""

        def bind(args: Mapping[str, Any] | None, ctx: Mapping[str, Any] | None) -> dict[str, Any] | str:
            given = dict(args or {})
            bound: dict[str, Any] = {"args": given} if self.whole else {}
            if not self.whole:
                wrong = self._wrong_names(given)
                if wrong:
                    return wrong
                for key, value in given.items():
                    problem = _convert(bound, key, value, adapters.get(key))
                    if problem:
                        return problem
            if self.wants_context:
                bound["ctx"] = {} if ctx is None else ctx
            return bound

        return bind

    def _wrong_names(self, given: Mapping[str, Any]) -> str:
        missing = [key for key, item in self.parameters.items() if item.default is Parameter.empty and key not in given]
        if missing:
            return f"missing required argument{'s' if len(missing) > 1 else ''}: {', '.join(missing)}"
        unknown = [] if self.open else [key for key in given if key not in self.parameters]
        if unknown:
            takes = ", ".join(self.parameters) or "no arguments"
            return f"unknown argument: {', '.join(map(str, unknown))[:200]}; this tool takes {takes}"
        return ""


def _convert(bound: dict[str, Any], key: str, value: Any, adapter: Any) -> str:
    """Put the converted value into ``bound``; the sentence for the model when it does not fit."""
    if adapter is None:
        bound[key] = value
        return ""
    try:
        bound[key] = adapter.validate_python(value)
    except ValueError as error:
        details = getattr(error, "errors", None)
        reasons = [item["msg"] for item in details(include_input=False, include_url=False)] if details else [str(error)]
        return f"argument {key}: {'; '.join(reasons[:3])}"
    return ""


def _is_json(value: object) -> bool:
    return value is None or isinstance(value, (bool, int, float, str, list, dict))


def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    from typing import get_type_hints

    target = function if hasattr(function, "__code__") else getattr(function, "func", None) or type(function).__call__
    try:
        return get_type_hints(target, include_extras=True)
    except (NameError, TypeError, AttributeError):
        # A local class under postponed annotations cannot be found by name: such a parameter takes anything.
        return {key: hint for key, hint in getattr(target, "__annotations__", {}).items() if not isinstance(hint, str)}


def read_signature(function: Callable[..., Any]) -> Signature:
    """The signature of a callable that takes its parameters by name; ``TypeError`` for one that does not."""
    parameters = list(signature(function).parameters.values())
    unnamed = [item for item in parameters if item.kind is Parameter.POSITIONAL_ONLY and item.default is item.empty]
    if unnamed:
        raise TypeError(f"parameter {unnamed[0].name} can only be given by position; give it a name a model can use")
    return Signature(function, parameters)
