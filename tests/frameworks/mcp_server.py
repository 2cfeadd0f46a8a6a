"""An MCP server over stdio for the tests: the shared toolkit on the kind of server that the first argument names."""

from __future__ import annotations

import asyncio
import sys

from tests.frameworks._shared import need, toolkit
from toolnexus_media.adapters import mcp as adapter

lowlevel, mcpserver, stdio = need("mcp", "mcp.server.lowlevel", "mcp.server.mcpserver", "mcp.server.stdio")


async def low_level() -> None:
    server = lowlevel.Server("test")
    adapter.register(server, toolkit())
    async with stdio.stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


def high_level() -> None:
    server = mcpserver.MCPServer("test")
    adapter.register(server, toolkit())
    server.run("stdio")


if __name__ == "__main__":
    if sys.argv[1] == "low-level":
        asyncio.run(low_level())
    else:
        high_level()
