"""A toolkit on an MCP server; what a client gets back is a result again."""

import asyncio
from pathlib import Path
from typing import Any

from mcp import Client
from mcp.server.mcpserver import MCPServer

from toolnexus_media import content, media, tool
from toolnexus_media.adapters import mcp
from toolnexus_media.types import ToolResult

PNG = Path(__file__).parents[1] / "fixtures" / "media" / "fixture.png"


def view(args: dict[str, Any]) -> ToolResult:
    return media(PNG.parent / args["name"])


schema = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
server = MCPServer("viewer")
mcp.register(server, tool.toolkit([tool.tool("view", view, "Look at a file", schema)]))


async def main() -> None:
    async with Client(server) as client:
        seen = mcp.from_result(await client.call_tool("view", {"name": "fixture.png"}))
        missing = mcp.from_result(await client.call_tool("view", {"name": "none.png"}))
    print(seen)
    print(missing["output"])
    [part] = seen.get("parts", [])
    assert content.part_data(part) == PNG.read_bytes()
    assert missing["isError"]


asyncio.run(main())
