"""A toolkit for chatlas: a chat holds the tools, and their answers hold pictures as chatlas has them."""

from pathlib import Path
from typing import Any

import pybase64
from chatlas import ContentToolResult
from chatlas.types import ContentImageInline

from toolnexus_media import media, tool
from toolnexus_media.adapters import chatlas
from toolnexus_media.types import ToolResult

PNG = Path(__file__).parents[1] / "fixtures" / "media" / "fixture.png"


def screenshot(args: dict[str, Any]) -> ToolResult:
    return media(PNG)


[shot] = chatlas.tools(tool.toolkit([tool.tool("screenshot", screenshot, "Take a screenshot")]))
answer = shot.func()  # chat.set_tools([shot]) lets the model call it

assert isinstance(answer, ContentToolResult)
text, image = answer.value
print(text)
assert isinstance(image, ContentImageInline)
assert pybase64.b64decode(image.data) == PNG.read_bytes()
