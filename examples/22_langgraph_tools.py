"""A toolkit in LangGraph: the tool message holds the picture, a failure has the status that says so."""

from pathlib import Path
from typing import Any

import pybase64
from langchain_core.messages import AIMessage
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode

from toolnexus_media import media, tool
from toolnexus_media.adapters import langchain
from toolnexus_media.types import ToolResult

PNG = Path(__file__).parents[1] / "fixtures" / "media" / "fixture.png"


def view(args: dict[str, Any]) -> ToolResult:
    return media(PNG.parent / args["name"])


schema = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
tk = tool.toolkit([tool.tool("view", view, "Look at a file", schema)])

graph = StateGraph(MessagesState)
graph.add_node("tools", ToolNode(langchain.tools(tk)))
graph.add_edge(START, "tools")
calls = [{"id": "c1", "name": "view", "args": {"name": "fixture.png"}}]
calls += [{"id": "c2", "name": "view", "args": {"name": "none.png"}}]
seen, missing = graph.compile().invoke({"messages": [AIMessage("", tool_calls=calls)]})["messages"][1:]

text, image = seen.content
print(text["text"], missing.status, sep="\n")
assert pybase64.b64decode(image["base64"]) == PNG.read_bytes()
assert missing.status == "error"
