"""LangChain: a result as content and artifact, a toolkit's tools as ``BaseTool`` objects, for LangGraph too."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache

from toolnexus_media._text import utf8_safe
from toolnexus_media.adapters._calls import acall, call, context, named
from toolnexus_media.adapters._frameworks import load
from toolnexus_media.adapters._pieces import ERROR, checked, is_document, pieces

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from toolnexus_media.types import Context, MediaPart, Tool, Toolkit, ToolResult

    Answer = tuple[list[dict[str, Any]], dict[str, Any] | None]

# The call that runs: its id, and the artifact of a failure, for which an exception has no place.
_CALL: ContextVar[dict[str, Any] | None] = ContextVar("call", default=None)

# Other types of blocks make LangChain write the whole content, payloads and all, as JSON text.
_PICTURES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp", "image/heic", "image/heif"})


def to_result(result: ToolResult) -> Answer:
    """Content blocks and artifact, as a tool with ``response_format="content_and_artifact"`` returns them.

    >>> to_result({"output": "no such page", "isError": True})
    ([{'type': 'text', 'text': '[error] no such page'}], None)

    The artifact, which no model sees, holds the metadata, and the parts that LangChain has no block for (sound, video).
    A failure says so in its text, because the pair has no place for it; the tools of ``tools`` give it the status.
    """
    return _answer(result, prefix=ERROR)


def _answer(result: ToolResult, *, prefix: str = "") -> Answer:
    result = checked(result)
    content, lost = pieces(result, "langchain", _text, _media, prefix=prefix)
    kept: dict[str, Any] = {"metadata": result.get("metadata"), "parts": lost or None}
    artifact = {key: value for key, value in kept.items() if value is not None}
    return content or [_text("")], artifact or None


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _media(part: MediaPart) -> dict[str, Any] | None:
    mime, url = part["mimeType"], part.get("url")
    taken = mime in _PICTURES if part["type"] == "image" else is_document(mime)
    if not taken or (url is not None and not url.startswith("http")):
        return None
    block: dict[str, Any] = {"type": part["type"], "mime_type": mime}
    block.update({"base64": part.get("data")} if url is None else {"url": url})
    if name := part.get("name"):
        block["extras"] = {"filename": name}
    return block


def tools(tk: Toolkit) -> list[Any]:
    """The tools for an agent or a ``ToolNode``; a failure is a ``ToolMessage`` with status ``error``, media and all.

    A tool's context holds the call's id and the ``RunnableConfig``.
    """
    return [_tool(name, item) for name, item in named(tk)]


def _tool(name: str, item: Tool) -> Any:
    made = _tool_class()(
        name=name,
        description=item["description"],
        args_schema=item["input_schema"],
        response_format="content_and_artifact",
        handle_tool_error=_content_of,
    )
    made._item = item
    return made


def _content_of(error: Any) -> list[dict[str, Any]]:
    return error.content  # type: ignore[no-any-return]  # put there by _told


@cache
def _tool_class() -> Any:
    base: Any = load("langchain", "langchain_core.tools").BaseTool
    private = load("langchain", "pydantic").PrivateAttr

    class MediaTool(base):  # type: ignore[misc]  # the base is loaded by name
        """A tool whose arguments go to it as they come, whatever their names, with the schema it was given."""

        _item = private()

        @property
        def args(self) -> dict[str, Any]:
            return self.args_schema.get("properties") or {}

        def run(self, tool_input: Any, *args: Any, tool_call_id: str | None = None, **kwargs: Any) -> Any:
            with _call_of(tool_call_id) as running:
                return _kept(super().run(tool_input, *args, tool_call_id=tool_call_id, **kwargs), running)

        async def arun(self, tool_input: Any, *args: Any, tool_call_id: str | None = None, **kwargs: Any) -> Any:
            with _call_of(tool_call_id) as running:
                return _kept(await super().arun(tool_input, *args, tool_call_id=tool_call_id, **kwargs), running)

        def _run(self, /, **args: Any) -> Answer:
            return _told(call(self._item, args, _context()))

        async def _arun(self, /, **args: Any) -> Answer:
            return _told(await acall(self._item, args, _context()))

    return MediaTool


@contextmanager
def _call_of(call_id: str | None) -> Iterator[dict[str, Any]]:
    running: dict[str, Any] = {"id": call_id}
    token = _CALL.set(running)
    try:
        yield running
    finally:
        _CALL.reset(token)


def _kept(answered: Any, running: dict[str, Any]) -> Any:
    """The message, with a failure's artifact; by hand there is content alone."""
    if "artifact" in running and hasattr(answered, "artifact"):
        answered.artifact = running["artifact"]
    return answered


def _context() -> Context:
    return context((_CALL.get() or {}).get("id"), load("langchain", "langchain_core.runnables.config").ensure_config())


def _told(result: ToolResult) -> Answer:
    """Content and artifact; a failure is raised, with its content beside the text, which alone is in the traceback."""
    answer = _answer(result)
    if not result["isError"]:
        return answer
    error = load("langchain", "langchain_core.tools").ToolException(utf8_safe(result["output"]))
    error.content, artifact = answer
    if running := _CALL.get():
        running["artifact"] = artifact
    raise error
