"""A toolkit for the Google Gen AI SDK: declarations for the model, and the answer to a call of its."""

from pathlib import Path
from typing import Any

from google.genai import types

from toolnexus_media import media, tool
from toolnexus_media.adapters import google_genai
from toolnexus_media.types import ToolResult

PNG = Path(__file__).parents[1] / "fixtures" / "media" / "fixture.png"


def screenshot(args: dict[str, Any]) -> ToolResult:
    return media(PNG, caption="The page as it is now")


tk = tool.toolkit([tool.tool("screenshot", screenshot, "Take a screenshot")])
config = types.GenerateContentConfig(tools=google_genai.tools(tk))

call = types.FunctionCall(id="c1", name="screenshot", args={})  # as the model sends it
part = google_genai.answer(tk, call)
next_turn = types.Content(role="user", parts=[part])

response = part.function_response
print(response.response["output"])
assert (response.id, response.name) == ("c1", "screenshot")
assert response.parts[0].inline_data.data == PNG.read_bytes()
