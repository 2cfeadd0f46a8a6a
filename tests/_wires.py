"""Transcripts in every provider's own shape, with one medium in them, for the tests of checking and repairing."""

from __future__ import annotations

from typing import Any

import pybase64

FORMATS = {
    "image/png": "png", "image/jpeg": "jpeg", "image/gif": "gif", "image/webp": "webp", "application/pdf": "pdf",
    "audio/wav": "wav", "audio/mpeg": "mp3", "image/bmp": "bmp",
}  # fmt: skip
USER = (
    "openai", "openai-responses", "anthropic", "gemini", "bedrock", "mistral", "ollama", "a2a", "part", "canonical",
)  # fmt: skip
"""Shapes of a user's turn that holds a picture."""
RESULTS = ("openai-responses", "anthropic", "gemini", "bedrock", "mcp", "result", "canonical")
"""Shapes of a tool's result that holds one natively."""


def b64(data: bytes) -> str:
    return pybase64.b64encode_as_string(data)


def url(mime: str, data: bytes) -> str:
    return f"data:{mime};base64,{b64(data)}"


def part(mime: str, data: bytes) -> dict[str, Any]:
    kind = mime.split("/")[0]
    return {"type": kind if kind in ("image", "audio") else "file", "mimeType": mime, "data": b64(data)}


def block(wire: str, mime: str, data: bytes) -> Any:
    """A wire's block for a picture, a sound or a PDF."""
    kind = mime.split("/")[0] if mime != "application/pdf" else "document"
    if wire == "openai":
        return {
            "image": {"type": "image_url", "image_url": {"url": url(mime, data), "detail": "auto"}},
            "document": {"type": "file", "file": {"filename": "a.pdf", "file_data": url(mime, data)}},
            "audio": {"type": "input_audio", "input_audio": {"data": b64(data), "format": FORMATS[mime]}},
        }[kind]
    if wire == "openai-responses":
        if kind == "image":
            return {"type": "input_image", "detail": "auto", "image_url": url(mime, data)}
        return {"type": "input_file", "filename": "a.pdf", "file_data": url(mime, data)}
    if wire == "anthropic":
        return {"type": kind, "source": {"type": "base64", "media_type": mime, "data": b64(data)}, "id": "kept"}
    if wire == "gemini":
        return {"inlineData": {"mimeType": mime, "data": b64(data)}}
    if wire == "bedrock":
        named = {"name": "a"} if kind == "document" else {}
        return {kind: {"format": FORMATS[mime], "source": {"bytes": data}, **named}}
    if wire == "mistral":
        key = f"{kind}_url"
        return {"type": key, key: url(mime, data)}
    if wire == "ollama":
        return b64(data)
    return {"raw": b64(data), "mediaType": mime} if wire == "a2a" else part(mime, data)


def user(wire: str, *media: tuple[str, bytes]) -> Any:
    """A transcript with one turn of the user's that holds the media."""
    blocks = [block(wire, mime, data) for mime, data in media]
    if wire == "part":
        return blocks
    if wire == "gemini":
        return [{"role": "user", "parts": [{"text": "see"}, *blocks]}]
    if wire == "ollama":
        return [{"role": "user", "content": "see", "images": blocks}]
    if wire == "a2a":
        return {"role": "ROLE_USER", "messageId": "m1", "parts": [{"text": "see"}, *blocks]}
    return [{"role": "user", "content": [*_texts(wire), *blocks], "id": "m1"}]


def _texts(wire: str) -> list[dict[str, str]]:
    if wire == "bedrock":
        return [{"text": "see"}]
    return [{"type": "input_text" if wire == "openai-responses" else "text", "text": "see"}]


def result(wire: str, mime: str, data: bytes, *, failed: bool = False) -> Any:
    """A transcript with a tool's result that holds the medium."""
    inner = block(wire, mime, data)
    if wire == "openai-responses":
        return [{"type": "function_call_output", "call_id": "c1", "output": [inner]}]
    if wire == "anthropic":
        outer: dict[str, Any] = {"type": "tool_result", "tool_use_id": "c1", "content": [inner]}
        return [{"role": "user", "content": [{**outer, "is_error": True} if failed else outer]}]
    if wire == "gemini":
        response = {"name": "shoot", "response": {"output": "done"}, "parts": [inner]}
        return [{"role": "user", "parts": [{"functionResponse": response}]}]
    if wire == "bedrock":
        held: dict[str, Any] = {"toolUseId": "c1", "content": [inner]}
        return [{"role": "user", "content": [{"toolResult": {**held, "status": "error"} if failed else held}]}]
    if wire == "mcp":
        return {"content": [{"type": "text", "text": "done"}, inner], "isError": failed}
    answer: dict[str, Any] = {"output": "done", "isError": failed, "parts": [inner]}
    return answer if wire == "result" else [{"role": "tool", "id": "c1", "name": "shoot", "result": answer}]


def provider_of(wire: str) -> str:
    return "anthropic" if wire in ("part", "canonical", "result") else wire


def at(x: Any, path: list[str | int]) -> Any:
    for key in path:
        x = x[key]
    return x
