"""The Model Context Protocol: a result as ``CallToolResult`` and back, a toolkit on a server."""

from __future__ import annotations

from functools import cache, partial
from json import dumps

from toolnexus_media._safe import brief, shown
from toolnexus_media._text import a_type, one_line
from toolnexus_media.adapters._calls import acall, context
from toolnexus_media.adapters._frameworks import load
from toolnexus_media.adapters._wire import hints_of, names, wire
from toolnexus_media.emit import read_block
from toolnexus_media.part import text_part
from toolnexus_media.summary import summarize_parts
from toolnexus_media.tool import failure, success, with_parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from toolnexus_media.types import ContentPart, Tool, Toolkit, ToolResult


def to_result(result: ToolResult) -> Any:
    """The result as ``mcp.types.CallToolResult``.

    Metadata that is JSON becomes ``_meta``. ``metadata["structuredContent"]``, where ``from_result`` put it, is sent as
    such, but never beside media: clients that read it leave the content unread.
    """
    return load("mcp", "mcp.types").CallToolResult.model_validate(wire(result))


def from_result(call_tool_result: Any) -> ToolResult:
    """A ``CallToolResult``, an SDK's object or a dict, as a result: pictures, sounds, resources and links become parts.

    >>> from_result({"content": [{"type": "text", "text": "no such page"}], "isError": True})
    {'output': 'no such page', 'isError': True}

    The texts before the first of them are the output; ``_meta`` and ``structuredContent`` are kept in the metadata, and
    the latter is the output where there is no content. Dicts may be spelt either way: ``isError`` or ``is_error``.
    """
    read = partial(_field, call_tool_result)
    content, structured = read("content"), read("structured_content", "structuredContent")
    if not isinstance(content, (list, tuple)) and structured is None and not isinstance(call_tool_result, dict):
        raise TypeError(f"{a_type(call_tool_result)} is no result of a call; pass what session.call_tool returned")
    parts = [_part_of(item) for item in content or ()]
    first = next((index for index, part in enumerate(parts) if part["type"] != "text"), len(parts))
    output = "\n".join(part["text"] for part in parts[:first] if part["type"] == "text")
    metadata = dict(read("meta", "_meta") or {})
    if structured is not None:
        metadata["structuredContent"] = structured
        output = output if content else dumps(structured, ensure_ascii=False)
    make = failure if read("is_error", "isError") else success
    return with_parts(make(output or summarize_parts(parts[first:]), metadata or None), parts[first:])


def _field(given: Any, *names: str) -> Any:
    """A field by Python's name or the protocol's, of a dict or of an object of the SDK's or FastMCP's."""
    fields = given if isinstance(given, dict) else {}
    held = next((name for name in names if name in fields or hasattr(given, name)), names[0])
    return fields.get(held, getattr(given, held, None))


def _part_of(item: Any) -> ContentPart:
    part = read_block(item)
    if part is not None:
        return part
    kind = _shown(_field(item, "type") or "unknown")
    if link := _field(item, "uri"):  # what a server has under an address of its own, which the model may ask it for
        return text_part(f"[{kind}] {_shown(_field(item, 'name') or '')} {_shown(link, 2000)}")
    from logging import getLogger

    getLogger("toolnexus_media.adapters").warning(
        "an MCP server sent a block of type %s that holds nothing to read", kind
    )
    return text_part(f"[unreadable {kind} block]")


def _shown(value: object, limit: int = 200) -> str:
    text = str(value) if isinstance(value, str) or hasattr(value, "unicode_string") else shown(value)
    return one_line(brief(text, limit), limit)


def tools(tk: Toolkit) -> list[Any]:
    """The tools for ``MCPServer(name, tools=…)``; a tool's context holds the request's id and MCP's ``Context``."""
    make = _tool_class()
    return [make(name, item) for name, item in names(tk)]


def register(server: Any, tk: Toolkit) -> None:
    """Add the toolkit's tools to a server: an ``MCPServer``, a FastMCP, or a low-level ``Server`` with what it serves.

    A tool of the same name is replaced.
    """
    if hasattr(server, "add_request_handler"):
        _serve(server, tk)
    elif hasattr(server, "_tool_manager"):  # an MCPServer takes finished tools when it is made, and here later
        server._tool_manager._tools.update({made.name: made for made in tools(tk)})
    elif type(server).__module__.startswith("fastmcp"):
        from toolnexus_media.adapters import fastmcp

        for made in fastmcp.tools(tk):
            server.add_tool(made)
    else:
        raise TypeError(f"{type(server).__name__} is no MCP server; pass an MCPServer, a FastMCP or a low-level Server")


@cache
def _tool_class() -> Any:
    base: Any = load("mcp", "mcp.server.mcpserver.tools.base").Tool
    schemas = load("mcp", "mcp.server.mcpserver.utilities.func_metadata")

    class MediaTool(base):  # type: ignore[misc]  # the base is loaded by name
        """A tool whose arguments go to it as they come, with the schema it was given."""

        def __init__(self, name: str, item: Tool) -> None:
            super().__init__(
                fn=partial(_answer, item),
                name=name,
                description=item["description"],
                parameters=item["input_schema"],
                fn_metadata=schemas.FuncMetadata(arg_model=schemas.ArgModelBase),
                is_async=True,
                annotations=hints_of(item),
            )

        async def run(self, arguments: dict[str, Any], context: Any, **_: Any) -> Any:
            return await self.fn(arguments, context)

    return MediaTool


async def _answer(item: Tool, arguments: dict[str, Any] | None, host: Any) -> Any:
    try:
        call_id = host.request_id
    except (AttributeError, ValueError):  # a tool that is run by hand answers no request
        call_id = None
    return to_result(await acall(item, arguments or {}, context(call_id, host)))


def _serve(server: Any, tk: Toolkit) -> None:
    """Answer ``tools/list`` and ``tools/call`` of a low-level server, and let its own handlers answer for the rest."""
    types = load("mcp", "mcp.types")
    held = dict(names(tk))
    listing, calling = server.get_request_handler("tools/list"), server.get_request_handler("tools/call")

    async def list_tools(host: Any, params: Any) -> Any:
        listed = await listing.handler(host, params) if listing else types.ListToolsResult(tools=[])
        if listed.next_cursor is None:  # its last page
            rest = [tool for tool in listed.tools if tool.name not in held]
            ours = [_declaration(types, name, item) for name, item in held.items()]
            listed = listed.model_copy(update={"tools": rest + ours})
        return listed

    async def call_tool(host: Any, params: Any) -> Any:
        if params.name in held:
            return await _answer(held[params.name], params.arguments, host)
        if calling:
            return await calling.handler(host, params)
        return to_result(failure(f"unknown tool: {params.name}"))

    server.add_request_handler("tools/list", types.PaginatedRequestParams, list_tools)
    server.add_request_handler("tools/call", types.CallToolRequestParams, call_tool)


def _declaration(types: Any, name: str, item: Tool) -> Any:
    told = {"description": item["description"], "annotations": hints_of(item)}
    return types.Tool.model_validate({"name": name, "inputSchema": item["input_schema"], **told})
