"""What every framework's tests share: one result with each kind of part, one toolkit, and what must hold of both."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

import pybase64
import pytest

from toolnexus_media import content, tool
from toolnexus_media.types import Context, Toolkit, ToolResult

MEDIA = Path(__file__).resolve().parents[2] / "fixtures" / "media"
PNG = (MEDIA / "fixture.png").read_bytes()
PDF = (MEDIA / "text.pdf").read_bytes()
WAV = (MEDIA / "tone.wav").read_bytes()
FAR = "https://example.org/chart.png"
NO_SOUND = f"[unsupported audio part (audio/wav, {len(WAV)} bytes)]"
NO_FILE = f"[unsupported file part (application/pdf, {len(PDF)} bytes)]"
SCHEMA = {
    "type": "object",
    "properties": {"config": {"type": "string", "description": "where to look"}},
    "required": ["config"],
    "additionalProperties": False,
}
# The module that tells whether a framework is installed, and the dependency group that has it.
FRAMEWORKS = {
    "chatlas": ("chatlas", "frameworks"),
    "fastmcp": ("fastmcp", "frameworks"),
    "google_genai": ("google.genai", "frameworks"),
    "langchain": ("langgraph.prebuilt", "frameworks"),
    "llm": ("llm", "frameworks"),
    "mcp": ("mcp.server.mcpserver", "frameworks"),
    "openai_agents": ("agents", "frameworks"),
    "pydantic_ai": ("pydantic_ai", "frameworks"),
    "smolagents": ("smolagents", "frameworks"),
    "strands": ("strands", "strands"),
}


def need(framework: str, *modules: str) -> Any:
    """The framework's modules, or a skip that says where they are; where the environment promises them, a failure."""
    module, group = FRAMEWORKS[framework]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what a framework's own imports warn of is not for us to mend
            found = [import_module(name) for name in modules or (module,)]
    except ImportError as error:
        if framework in os.environ.get("TOOLNEXUS_MEDIA_FRAMEWORKS", "").split():
            raise AssertionError(f"{framework} was promised and cannot be imported") from error
        pytest.skip(f"{framework} is not installed; the `{group}` group has it", allow_module_level=True)
    return found[0] if len(found) == 1 else found


def everything(isError: bool = False) -> ToolResult:  # noqa: N803  # the wire's spelling
    """A result with metadata and one part of each kind: picture, text, PDF, sound, and a picture that is elsewhere."""
    make = tool.failure if isError else tool.success
    parts = [
        content.from_bytes(PNG),
        content.text_part("That was the picture."),
        content.pdf_file(MEDIA / "text.pdf"),
        content.audio_file(MEDIA / "tone.wav"),
        content.from_url(FAR),
    ]
    return tool.with_parts(make("Here it is.", {"seconds": 3}), parts)


def picture(isError: bool = False) -> ToolResult:  # noqa: N803  # the wire's spelling
    """A result with a text and a picture."""
    make = tool.failure if isError else tool.success
    return tool.with_parts(make("Here it is."), [content.from_bytes(PNG)])


class Calls(list[tuple[Any, Any]]):
    """The arguments and contexts that the tools of ``toolkit`` were called with."""


def toolkit(seen: Calls | None = None) -> Toolkit:
    """Tools that answer with everything, await, raise, and fail with a picture; one has a name that none allows."""
    calls = Calls() if seen is None else seen

    def look(args: dict[str, Any], ctx: Context) -> ToolResult:
        calls.append((args, ctx))
        return everything()

    async def wait(args: dict[str, Any], ctx: Context) -> ToolResult:
        calls.append((args, ctx))
        return picture()

    def broken(args: dict[str, Any]) -> ToolResult:
        raise LookupError("no such page")

    return tool.toolkit(
        [
            tool.tool("look at page", look, "Look at a page", SCHEMA, context=True, hints={"read_only": True}),
            tool.tool("wait", wait, "Wait for a page", context=True),
            tool.tool("broken", broken, "Raise"),
            tool.tool("fail_with_picture", lambda args: picture(isError=True), "Fail and show it"),
        ]
    )


def b64(data: bytes) -> str:
    return pybase64.b64encode_as_string(data)


def holds_payload(text: str) -> bool:
    """Does the text hold a piece of one of the payloads, in base64 or as the repr of bytes?"""
    marks = [b64(data)[at : at + 24] for data in (PNG, PDF, WAV) for at in (0, 40)]
    return any(mark in text for mark in (*marks, "IHDR", "%PDF", "RIFF"))


def no_payload_in(texts: Iterable[object]) -> bool:
    return not any(holds_payload(text if isinstance(text, str) else json.dumps(text)) for text in texts)
