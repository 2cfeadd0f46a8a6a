"""A toolkit for smolagents: the model sees the pictures of its tools. The model here is a stand-in."""

from pathlib import Path
from typing import Any

from smolagents import ChatMessage, Model, ToolCallingAgent
from smolagents.models import ChatMessageToolCall, ChatMessageToolCallFunction

from toolnexus_media import media, tool
from toolnexus_media.adapters import smolagents
from toolnexus_media.types import ToolResult

PNG = Path(__file__).parents[1] / "fixtures" / "media" / "fixture.png"


def screenshot(args: dict[str, Any]) -> ToolResult:
    return media(PNG, caption="The page as it is now")


class StandIn(Model):
    def generate(self, messages: list[ChatMessage], **options: Any) -> ChatMessage:
        pictures = [item["image"].size for one in messages for item in one.content if item["type"] == "image"]
        name, args = ("final_answer", {"answer": f"I see {pictures}"}) if pictures else ("screenshot", {})
        call = ChatMessageToolCallFunction(name=name, arguments=args)
        return ChatMessage("assistant", tool_calls=[ChatMessageToolCall(call, id="c1", type="function")])


agent = ToolCallingAgent(
    tools=smolagents.tools(tool.toolkit([tool.tool("screenshot", screenshot, "Take a screenshot")])),
    model=StandIn(),
    step_callbacks=[smolagents.show_pictures],
    verbosity_level=0,
)
answer = agent.run("What does the page show?")
print(answer)
assert answer == "I see [(8, 8)]"
