"""The Model Context Protocol: a result as ``CallToolResult`` and back, a toolkit on a server."""

from __future__ import annotations

from functools import cache, partial

from toolnexus_media._text import utf8_safe
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

    The texts before the first of them are the output; ``_meta`` and ``structuredContent`` are kept in the metadata.
    """
    given = call_tool_result
    fields: dict[str, Any] = given if isinstance(given, dict) else given.model_dump(by_alias=True, exclude_none=True)
    parts = [_part_of(item) for item in fields.get("content") or ()]
    first = next((index for index, part in enumerate(parts) if part["type"] != "text"), len(parts))
    output = "\n".join(part["text"] for part in parts[:first] if part["type"] == "text")
    metadata = {**(fields.get("_meta") or {})}
    if fields.get("structuredContent") is not None:
        metadata["structuredContent"] = fields["structuredContent"]
    make = failure if fields.get("isError") else success
    return with_parts(make(output or summarize_parts(parts[first:]), metadata or None), parts[first:])


def _part_of(item: Any) -> ContentPart:
    part = read_block(item)
    if part is not None:
        return part
    from logging import getLogger

    kind = str(item.get("type") if isinstance(item, dict) else getattr(item, "type", "unknown"))
    getLogger("toolnexus_media.adapters").warning(
        "an MCP server sent a block of type %s that holds nothing to read", kind
    )
    return text_part(f"[unreadable {kind} block]")


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
                description=utf8_safe(item["description"]),
                parameters=item["input_schema"],
                fn_metadata=schemas.FuncMetadata(arg_model=schemas.ArgModelBase),
                is_async=True,
                annotations=hints_of(item),
            )

        async def run(self, arguments: dict[str, Any], context: Any, **_: Any) -> Any:
            return await self.fn(arguments, context)

    return MediaTool


async def _answer(item: Tool, arguments: dict[str, Any] | None, host: Any) -> Any:
    return to_result(await acall(item, arguments or {}, context(getattr(host, "request_id", None), host)))


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
    told = {"description": utf8_safe(item["description"]), "annotations": hints_of(item)}
    return types.Tool.model_validate({"name": name, "inputSchema": item["input_schema"], **told})
