"""Google Gen AI SDK: a result as ``FunctionResponse``, a toolkit as its declarations and the answers to calls."""

from __future__ import annotations

from toolnexus_media._b64 import decode
from toolnexus_media.adapters._calls import acall, call, context, named
from toolnexus_media.adapters._frameworks import load
from toolnexus_media.adapters._pieces import checked, pieces
from toolnexus_media.emit import block
from toolnexus_media.tool import failure, sanitize

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from toolnexus_media.types import MediaPart, Tool, Toolkit, ToolResult

_MODEL = "gemini-3-pro"  # the first generation that takes media in a function's response


def to_result(result: ToolResult, *, name: str | None = None, call_id: str | None = None) -> Any:
    """The result as ``google.genai.types.FunctionResponse``, media inside; for models of Gemini 3 and later.

    The text is ``response["output"]``, a failure's ``response["error"]``; texts between media are parts of their own.
    ``name`` and ``call_id`` are those of the ``FunctionCall`` that it answers. There is no place for metadata.
    """
    result = checked(result)
    types = load("google_genai", "google.genai.types")
    made, _ = pieces(result, "google_genai", str, _media)
    said = made.pop(0) if made and isinstance(made[0], str) else ""
    if all(isinstance(piece, str) for piece in made):
        said, made = "\n".join([said, *made]).lstrip("\n"), []
    return types.FunctionResponse(
        name=name,
        id=call_id,
        response={"error" if result["isError"] else "output": said},
        parts=[types.FunctionResponsePart.model_validate(_part(piece)) for piece in made] or None,
    )


def _media(part: MediaPart) -> dict[str, Any]:
    return block(part, "gemini", position="tool", model=_MODEL)


def _part(piece: Any) -> dict[str, Any]:
    """A piece with the bytes that the SDK encodes itself; parts hold media alone, so a text is a text file."""
    if isinstance(piece, str):
        return {"inlineData": {"mimeType": "text/plain", "data": piece.encode()}}
    if "inlineData" in piece:
        return {"inlineData": {**piece["inlineData"], "data": decode(piece["inlineData"]["data"])}}
    return dict(piece)


def tools(tk: Toolkit) -> list[Any]:
    """The declarations for ``GenerateContentConfig(tools=…)``; ``answer`` runs the calls.

    The SDK's automatic calling of Python functions puts what they return into JSON, pictures and all: it isn't used.
    """
    types = load("google_genai", "google.genai.types")
    declared = [
        types.FunctionDeclaration(
            name=name, description=item["description"], parameters_json_schema=item["input_schema"]
        )
        for name, item in _named(tk)
    ]
    return [types.Tool(function_declarations=declared)] if declared else []


def answer(tk: Toolkit, function_call: Any) -> Any:
    """Run the tool that a ``FunctionCall`` names; the ``types.Part`` for the next content of the user's.

    A tool's context holds the call's id and the ``FunctionCall``.
    """
    item = _tool(tk, function_call)
    result = _unknown(function_call) if item is None else call(item, *_args(function_call))
    return _response(result, function_call)


async def aanswer(tk: Toolkit, function_call: Any) -> Any:
    """``answer`` for an event loop."""
    item = _tool(tk, function_call)
    result = _unknown(function_call) if item is None else await acall(item, *_args(function_call))
    return _response(result, function_call)


def _tool(tk: Toolkit, function_call: Any) -> Tool | None:
    return dict(_named(tk)).get(function_call.name)


def _named(tk: Toolkit) -> Iterator[tuple[str, Tool]]:
    """The tools by names that Gemini takes, which start with a letter or ``_``."""
    return named(tk, clean=lambda name: (name[:1].isdigit() or name[:1] == "-") * "_" + sanitize(name))


def _unknown(function_call: Any) -> ToolResult:
    return failure(f"unknown tool: {function_call.name}")


def _args(function_call: Any) -> tuple[Any, Any]:
    return function_call.args or {}, context(function_call.id, function_call)


def _response(result: ToolResult, function_call: Any) -> Any:
    answered = to_result(result, name=function_call.name, call_id=function_call.id)
    return load("google_genai", "google.genai.types").Part(function_response=answered)
