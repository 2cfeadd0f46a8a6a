"""A result in pieces, as every framework takes it: the text first, then the parts in order, and nothing left out.

What a framework has no shape for is told in text, by its placeholder, and once in the log.
"""

from __future__ import annotations

from toolnexus_media._safe import SafeDict, brief, cast, shown
from toolnexus_media._text import a_type, utf8_safe
from toolnexus_media.emit._carry import listed
from toolnexus_media.errors import PartError, UnsupportedPartError
from toolnexus_media.part import labelled, validate_part
from toolnexus_media.sniff import is_text
from toolnexus_media.summary import placeholder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from toolnexus_media.types import ContentPart, ToolResult

ERROR = "[error] "
"""What stands before the text of a failure where a framework has no other place for saying so."""

_FAILED = "the tool failed"
_OFFICE = (
    "application/pdf",
    "application/msword",
    "application/vnd.ms-excel",
    "application/vnd.ms-powerpoint",
    "application/vnd.openxmlformats-officedocument.",
    "application/vnd.oasis.opendocument.",
    "text/rtf",
)


def checked(result: object) -> ToolResult:
    """A result of any make as it should be: its parts in a list, checked, each under its true label.

    ``PartError`` when it is no result or one of its parts is none.

    >>> checked({"output": "done", "isError": 0, "parts": None})
    {'output': 'done', 'isError': False}
    """
    given: Any = result if isinstance(result, dict) else {}
    if not isinstance(given.get("output"), str) or "isError" not in given:
        raise PartError(
            f"{a_type(result)} is no result with 'output' and 'isError'; build it with tool.success", code="bad-data"
        )
    made = SafeDict({**given, "isError": bool(given["isError"])})
    made.pop("parts", None)
    if parts := [labelled(validate_part(part)) for part in listed(given.get("parts") or [])]:
        made["parts"] = parts
    return cast("ToolResult", made)


def pieces(
    result: ToolResult,
    framework: str,
    text: Callable[[str], Any],
    media: Callable[[Any], Any],
    *,
    prefix: str = "",
) -> tuple[list[Any], list[ContentPart]]:
    """The checked result as a framework's pieces, and the parts that only their placeholders stand for.

    ``text`` makes a piece of a string, ``media`` of a part that is no text; None from it, or ``UnsupportedPartError``,
    says that there is no such piece. ``prefix`` goes before the text of a failure.

    >>> pieces({"output": "done", "isError": False, "parts": [{"type": "text", "text": "more"}]}, "none", str, str)
    (['done', 'more'], [])
    """
    made: list[Any] = []
    lost: list[ContentPart] = []
    said = utf8_safe(result["output"]) if result["output"].strip() else ""
    if result["isError"] and prefix:
        said = prefix + (said or _FAILED)
    if said:
        made.append(text(said))
    for part in result.get("parts", ()):
        if part["type"] == "text":
            made += [text(part["text"])] if part["text"].strip() else []  # no provider takes a blank text
            continue
        piece = _made(part, media)
        if piece is None:
            lost.append(part)
            piece = text(stand_in(part))
        made.append(piece)
    _warn(framework, lost)
    return made, lost


def _made(part: ContentPart, media: Callable[[Any], Any]) -> Any:
    try:
        return media(part)
    except UnsupportedPartError:
        return None


def stand_in(part: ContentPart) -> str:
    """The text for a part that cannot be carried: its placeholder, and its URL where it has one.

    >>> stand_in({"type": "image", "mimeType": "image/png", "url": "https://example.org/a.png"})
    '[unsupported image part (image/png, 0 bytes)] https://example.org/a.png'
    """
    return " ".join(filter(None, [placeholder(part), str(part.get("url", ""))]))


def _warn(framework: str, lost: list[ContentPart]) -> None:
    if lost:
        from logging import getLogger

        told = ", ".join(placeholder(part) for part in lost)
        getLogger("toolnexus_media.adapters").warning(
            "%s takes no such part, its place is told in text: %s", framework, told
        )


def in_words(result: ToolResult, framework: str, *, prefix: str = "") -> str:
    """The whole result as text alone, a placeholder for every part that is none."""
    made, _ = pieces(result, framework, str, lambda _: None, prefix=prefix)
    return "\n".join(made) or (_FAILED if result["isError"] else "")


def has_media(result: ToolResult) -> bool:
    """Does the result carry more than text?

    >>> has_media({"output": "hi", "isError": False})
    False
    """
    return any(part["type"] != "text" for part in result.get("parts", ()))


def json_metadata(result: ToolResult, framework: str) -> dict[str, Any]:
    """The metadata that JSON can hold, for a framework that sends it on; what it cannot is told in the log.

    >>> json_metadata({"output": "", "isError": False, "metadata": {"seconds": 3}}, "none")
    {'seconds': 3}
    """
    from json import loads

    given: Any = result.get("metadata")
    if given is not None and not isinstance(given, dict):
        given = {a_type(given): ...}  # all of it is told by its type
    written = {key: _as_json(value) if isinstance(key, str) else None for key, value in (given or {}).items()}
    left = sorted(brief(shown(key)) for key, text in written.items() if text is None)
    if left:
        from logging import getLogger

        getLogger("toolnexus_media.adapters").warning(
            "%s takes metadata as JSON, and these are none: %s", framework, ", ".join(left)
        )
    return {utf8_safe(key): loads(text) for key, text in written.items() if text is not None}


def is_document(mime: str) -> bool:
    """Is this a type that models are given as documents: PDF, text, office files?

    >>> is_document("application/pdf"), is_document("text/csv"), is_document("application/zip")
    (True, True, False)
    """
    return mime.startswith(_OFFICE) or is_text(mime)


def _as_json(value: object) -> str | None:
    from json import dumps

    try:
        return utf8_safe(dumps(value, allow_nan=False, ensure_ascii=False))
    except (TypeError, ValueError, RecursionError):
        return None
