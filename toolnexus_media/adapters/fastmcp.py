"""FastMCP: a result as its ``ToolResult``, a toolkit's tools as its ``Tool`` objects."""

from __future__ import annotations

from functools import cache

from toolnexus_media.adapters._calls import acall, context
from toolnexus_media.adapters._frameworks import load
from toolnexus_media.adapters._wire import hints_of, names, wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from toolnexus_media.types import Context, Tool, Toolkit, ToolResult


def to_result(result: ToolResult) -> Any:
    """The result as ``fastmcp.tools.ToolResult``: return it from a tool of the server's.

    Metadata travels as it does for MCP, in ``meta``; see ``adapters.mcp.to_result``.
    """
    fields = wire(result, "fastmcp")
    content = load("fastmcp", "mcp.types").CallToolResult.model_validate(fields).content
    return load("fastmcp", "fastmcp.tools").ToolResult(
        content=content,
        structured_content=fields.get("structuredContent"),
        meta=fields.get("_meta"),
        is_error=fields["isError"],
    )


def tools(tk: Toolkit) -> list[Any]:
    """The tools for ``server.add_tool``; a tool's context holds the request's id and FastMCP's ``Context``."""
    return [_tool(name, item) for name, item in names(tk)]


def _tool(name: str, item: Tool) -> Any:
    made = _tool_class()(
        name=name,
        description=item["description"],
        parameters=item["input_schema"],
        annotations=hints_of(item),
    )
    made._item = item
    return made


@cache
def _tool_class() -> Any:
    base: Any = load("fastmcp", "fastmcp.tools").Tool
    private = load("fastmcp", "pydantic").PrivateAttr

    class MediaTool(base):  # type: ignore[misc]  # the base is loaded by name
        """A tool whose arguments go to it as they come, with the schema it was given."""

        _item = private()

        async def run(self, arguments: dict[str, Any]) -> Any:
            return to_result(await acall(self._item, arguments, _context()))

    return MediaTool


def _context() -> Context:
    """What FastMCP knows of the call that runs; nothing where a tool is run by hand."""
    try:
        host = load("fastmcp", "fastmcp.server.dependencies").get_context()
        return context(host.request_id, host)
    except RuntimeError:
        return context()
