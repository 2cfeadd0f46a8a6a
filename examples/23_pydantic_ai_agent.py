"""A Pydantic AI agent with a tool that returns a picture; the model here is a function that looks at it."""

import asyncio
from pathlib import Path

from pydantic_ai import Agent, BinaryContent, ToolReturn
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from toolnexus_media import media
from toolnexus_media.adapters import to_pydantic_ai

PNG = Path(__file__).parents[1] / "fixtures" / "media" / "fixture.png"


def screenshot() -> ToolReturn:
    """Take a screenshot."""
    return to_pydantic_ai(media(PNG))


def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    last = messages[-1].parts[-1]
    if not isinstance(last, ToolReturnPart):
        return ModelResponse([ToolCallPart("screenshot")])
    text, image = last.content
    assert isinstance(image, BinaryContent)
    assert image.data == PNG.read_bytes()
    return ModelResponse([TextPart(f"I see: {text}")])


answer = asyncio.run(Agent(FunctionModel(model), tools=[screenshot]).run("What does the page show?"))
print(answer.output)
assert answer.output == "I see: image (image/png, 82 bytes)"
