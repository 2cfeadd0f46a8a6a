"""smolagents: a result as text and PIL images, a toolkit's tools as ``Tool`` objects, pictures shown to the model."""

from __future__ import annotations

from functools import cache
from keyword import iskeyword

from toolnexus_media.adapters._calls import call, named
from toolnexus_media.adapters._frameworks import load
from toolnexus_media.adapters._pieces import ERROR, checked, has_media, in_words, pieces
from toolnexus_media.content import to_image
from toolnexus_media.errors import MediaError
from toolnexus_media.summary import summarize_part
from toolnexus_media.tool import sanitize

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from toolnexus_media.types import MediaPart, Tool, Toolkit, ToolResult

_TYPES = frozenset({"string", "boolean", "integer", "number", "array", "object", "null"})
_MODES = frozenset({"1", "L", "LA", "P", "RGB", "RGBA", "I", "I;16"})  # what can be written as the PNG that is sent
_CHOICES = ("anyOf", "oneOf", "allOf", "$ref")
_KEPT = 16  # pictures that wait for a callback which may never come


class Pieces(list):  # type: ignore[type-arg]  # strings and PIL images
    """Text and pictures in order; printed, as a tool-calling agent reads it, each picture is a line of its size.

    >>> str(Pieces(["done", "more"]))
    'done\\nmore'
    """

    def __str__(self) -> str:
        return "\n".join(piece if isinstance(piece, str) else f"image ({piece.width}x{piece.height})" for piece in self)


def to_result(result: ToolResult) -> Any:
    """The result as what a tool returns here: a string, a PIL image where the result is one picture, or ``Pieces``.

    A failure says so in its text. The model sees no pictures that tools return; ``show_pictures`` lets it. There is no
    place for metadata.
    """
    result = checked(result)
    made, _ = pieces(result, "smolagents", str, _media, prefix=ERROR)
    if all(isinstance(piece, str) for piece in made):
        return "\n".join(made)
    return made[-1] if _is_one_picture(result) else Pieces(made)


def _told(result: ToolResult) -> Any:
    """The result; a failure without pictures is raised, because that is what the agent tells the model."""
    if result["isError"] and not has_media(result):
        raise RuntimeError(in_words(result, "smolagents"))
    return to_result(result)


def _is_one_picture(result: ToolResult) -> bool:
    """Does the text say no more than the picture's own line?"""
    parts = result.get("parts", [])
    return len(parts) == 1 and not result["isError"] and result["output"] in ("", summarize_part(parts[0]))


def _media(part: MediaPart) -> Any:
    if part["type"] != "image" or "url" in part:
        return None
    try:
        picture = to_image(part)
        if picture.mode in _MODES:
            return picture
        from toolnexus_media.fit import fit

        return to_image(fit(part, "safe")[0][0])
    except MediaError:  # of a type that nothing installed decodes
        return None


def tools(tk: Toolkit) -> list[Any]:
    """The tools for an agent, which needs ``step_callbacks=[show_pictures]`` too; they are told nothing of the call."""
    make = _tool_class()
    return [make(name, item) for name, item in named(tk, clean=_identifier)]


def show_pictures(memory_step: Any, agent: Any) -> None:
    """A step callback: the model is shown the pictures that the tools of ``tools`` made in this step."""
    for item in agent.tools.values():
        waiting = getattr(item, "pictures", None)
        while waiting:
            shown = memory_step.observations_images or []
            memory_step.observations_images = [*shown, waiting.popleft()]


def _identifier(name: str) -> str:
    clean = sanitize(name).replace("-", "_")
    return f"_{clean}" if iskeyword(clean) or clean[:1].isdigit() else clean


def _inputs(schema: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """A JSON schema's properties as smolagents describes inputs; what it has no word for is of type ``any``.

    >>> _inputs({"properties": {"page": {"type": "integer"}}})
    {'page': {'type': 'integer', 'description': 'page', 'nullable': True}}
    """
    inputs = {}
    for key, given in (schema.get("properties") or {}).items():
        value = _fields(given)
        kept = {word: told for word, told in value.items() if word not in _CHOICES}
        inputs[key] = {**kept, "type": _type(value), "description": str(value.get("description") or key)}
        if key not in schema.get("required", ()):
            inputs[key]["nullable"] = True
    return inputs


def _fields(schema: Any) -> Mapping[str, Any]:
    """A schema's words; one may be true or false, which has none."""
    return schema if isinstance(schema, dict) else {}


def _type(schema: Mapping[str, Any]) -> str | list[str]:
    given = schema.get("type")
    words: Any = (
        [given] if isinstance(given, str) else given or [_fields(one).get("type") for one in schema.get("anyOf", ())]
    )
    if not words or not _TYPES.issuperset(map(str, words)):
        return "any"
    return words[0] if len(words) == 1 else list(words)


@cache
def _tool_class() -> Any:
    from collections import deque

    base: Any = load("smolagents", "smolagents").Tool

    class MediaTool(base):  # type: ignore[misc]  # the base is loaded by name
        """A tool whose arguments go to it as they come."""

        skip_forward_signature_validation = True
        output_type = "any"

        def __init__(self, name: str, item: Tool) -> None:
            self.name, self.description, self.inputs = name, item["description"], _inputs(item["input_schema"])
            self.media_tool = item
            self.pictures: deque[Any] = deque(maxlen=_KEPT)
            super().__init__()

        def forward(self, *args: Any, **named_args: Any) -> Any:
            given = {**dict(zip(self.inputs, args, strict=False)), **named_args}
            made = _told(call(self.media_tool, given))
            listed = made if isinstance(made, Pieces) else [made]
            self.pictures.extend(piece for piece in listed if not isinstance(piece, str))
            return made

    return MediaTool
