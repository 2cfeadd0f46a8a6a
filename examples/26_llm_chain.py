"""A toolkit for LLM: a chain hands what a tool returns to the model as attachments. The model here is a stand-in."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import llm

from toolnexus_media import media, tool
from toolnexus_media.adapters import llm as adapter
from toolnexus_media.types import ToolResult

PNG = Path(__file__).parents[1] / "fixtures" / "media" / "fixture.png"


def screenshot(args: dict[str, Any]) -> ToolResult:
    return media(PNG)


class StandIn(llm.Model):
    model_id = "stand-in"
    supports_tools = True

    def execute(self, prompt: Any, stream: bool, response: Any, conversation: Any) -> Iterator[str]:
        if not prompt.tool_results:
            response.add_tool_call(llm.ToolCall(name="screenshot", arguments={}))
            return
        [answer] = prompt.tool_results
        [image] = answer.attachments
        assert (image.type, image.content) == ("image/png", PNG.read_bytes())
        yield f"I see: {answer.output}"


tools = adapter.tools(tool.toolkit([tool.tool("screenshot", screenshot, "Take a screenshot")]))
said = StandIn().chain("What does the page show?", tools=tools).text()
print(said)
assert said == "I see: image (image/png, 82 bytes)"
