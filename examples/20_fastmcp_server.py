"""A FastMCP server whose tool returns a picture, and a client that gets its bytes."""

import asyncio
from pathlib import Path

import pybase64
from fastmcp import Client, FastMCP
from fastmcp.tools import ToolResult

from toolnexus_media import media
from toolnexus_media.adapters import to_fastmcp

PNG = Path(__file__).parents[1] / "fixtures" / "media" / "fixture.png"
server = FastMCP("pictures")


@server.tool
def screenshot() -> ToolResult:
    """Take a screenshot."""
    return to_fastmcp(media(PNG, caption="The page as it is now"))


async def main() -> None:
    async with Client(server) as client:
        text, image = (await client.call_tool("screenshot")).content
    print(text.text)
    assert image.mime_type == "image/png"
    assert pybase64.b64decode(image.data) == PNG.read_bytes()


asyncio.run(main())
