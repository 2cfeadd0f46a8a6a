"""chatlas: a result as ``ContentToolResult``, a toolkit's tools as ``Tool`` objects."""

from __future__ import annotations

from toolnexus_media._callables import is_async
from toolnexus_media.adapters._calls import acall, call, named
from toolnexus_media.adapters._frameworks import load
from toolnexus_media.adapters._pieces import ERROR, checked, has_media, in_words, pieces
from toolnexus_media.adapters._wire import hints_of
from toolnexus_media.part import part_data
from toolnexus_media.sniff import is_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from toolnexus_media.types import MediaPart, Tool, Toolkit, ToolResult

_PDF = "application/pdf"


def to_result(result: ToolResult) -> Any:
    """The result as ``chatlas.ContentToolResult``; the metadata is its ``extra``.

    A failure without media is its ``error``. One with media is told in the text, because chatlas leaves the value of an
    error unread.
    """
    result = checked(result)
    make = load("chatlas", "chatlas").ContentToolResult
    extra = result.get("metadata")
    if not has_media(result):
        text = in_words(result, "chatlas")
        return make(value=text, error=RuntimeError(text) if result["isError"] else None, extra=extra)
    made, _ = pieces(result, "chatlas", str, _media, prefix=ERROR)
    return make(value=made, model_format="as_is", extra=extra)


def _media(part: MediaPart) -> Any:
    if part.get("url", "https:").startswith("http"):
        if part["type"] == "image":
            return _image(part)
        if part["type"] == "file":
            return _document(part)
    return None


def _image(part: MediaPart) -> Any:
    content = load("chatlas", "chatlas._content")
    if "url" in part:
        return content.ContentImageRemote(url=part["url"])
    if part["mimeType"] not in content.IMAGE_CONTENT_TYPES:
        return None
    return content.ContentImageInline(image_content_type=part["mimeType"], data=part.get("data"))


def _document(part: MediaPart) -> Any:
    content = load("chatlas", "chatlas._content")
    mime = part["mimeType"]
    held = {"url": part["url"]} if "url" in part else {"data": part_data(part)}
    if mime == _PDF:
        return content.ContentPDF(filename=part.get("name", "document.pdf"), **held)
    if is_text(mime) or mime in content.BINARY_DOCUMENT_MIME_TYPES:
        return content.ContentDocument(filename=part.get("name", "document"), mime_type=mime, **held)
    return None


def tools(tk: Toolkit) -> list[Any]:
    """The tools for ``chat.set_tools``; chatlas tells a tool nothing of the call.

    ``register_tool`` would make them anew from their functions and lose the schemas: to keep what a chat has, pass
    ``[*chat.get_tools(), *tools(tk)]``.
    """
    make = load("chatlas", "chatlas").Tool
    return [
        make(
            func=_function(item),
            name=name,
            description=item["description"],
            parameters=item["input_schema"],
            annotations=hints_of(item),
            strict=False,
        )
        for name, item in named(tk)
    ]


def _function(item: Tool) -> Any:
    async def awaited(**args: Any) -> Any:
        return to_result(await acall(item, args))

    def called(**args: Any) -> Any:
        return to_result(call(item, args))

    return awaited if is_async(item["execute"]) else called
