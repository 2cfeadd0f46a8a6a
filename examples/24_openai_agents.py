"""A toolkit for the OpenAI Agents SDK: what the SDK makes of a tool's answer for the Responses API."""

import asyncio
from pathlib import Path
from typing import Any

import pybase64
from agents.items import ItemHelpers
from agents.tool_context import ToolContext
from openai.types.responses import ResponseFunctionToolCall

from toolnexus_media import media, tool
from toolnexus_media.adapters import openai_agents
from toolnexus_media.types import ToolResult

PNG = Path(__file__).parents[1] / "fixtures" / "media" / "fixture.png"


def screenshot(args: dict[str, Any]) -> ToolResult:
    return media(PNG)


[shot] = openai_agents.tools(tool.toolkit([tool.tool("screenshot", screenshot, "Take a screenshot")]))
call = ResponseFunctionToolCall(type="function_call", name=shot.name, arguments="{}", call_id="c1")
context = ToolContext(None, tool_name=shot.name, tool_call_id="c1", tool_arguments="{}")  # a Runner makes these two

answer = asyncio.run(shot.on_invoke_tool(context, "{}"))
text, image = ItemHelpers.tool_call_output_item(call, answer)["output"]
print(text)
assert image["type"] == "input_image"
assert pybase64.b64decode(image["image_url"].partition(",")[2]) == PNG.read_bytes()
