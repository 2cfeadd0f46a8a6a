"""A screenshot tool: the output describes the picture, the part carries it."""

from pathlib import Path

from toolnexus_media import content, tool
from toolnexus_media.types import ToolResult

PNG = Path(__file__).parents[1] / "fixtures" / "media" / "fixture.png"


def take_screenshot(args: dict[str, str]) -> ToolResult:
    part = content.image_file(PNG)
    return tool.with_parts(tool.success(content.summarize_part(part)), [part])


shot = tool.tool("screenshot", take_screenshot, description="Take a screenshot")
tk = tool.toolkit([shot])

result = tool.execute(tk, "screenshot", {})
print(result["output"])
print(result)
assert result["output"] == "image (image/png, 82 bytes)"
assert result["isError"] is False
[part] = result.get("parts", [])
assert content.describe_part(part) == {"type": "image", "mimeType": "image/png", "bytes": 82}
