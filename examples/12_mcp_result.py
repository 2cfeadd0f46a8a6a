"""MCP: a result as the protocol's own type, and a block of any server read back into a part."""

from mcp.types import CallToolResult
from stand_in import PICTURE, kit

from toolnexus_media import content, deliver, emit, tool

result = tool.execute(kit, "screenshot", {})
[message], changes = deliver([{"id": "1", "name": "screenshot", "result": result}], "mcp")
answered = CallToolResult.model_validate(message)
print([block.type for block in answered.content])

part = emit.read_block(answered.content[1])
assert part is not None
assert content.part_data(part) == PICTURE.read_bytes()
assert emit.tool_schemas(kit, "mcp")[0]["inputSchema"] == {"type": "object"}
