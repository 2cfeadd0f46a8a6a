"""The judges of emitted messages judge right: good ones pass, a planted fault of any sort does not."""

from __future__ import annotations

import copy
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.wires import clients, golden
from tests.wires.endpoint import Endpoint, serving
from tests.wires.turns import asking
from tests.wires.valid import PROVIDERS, complaints

MEDIA = Path(__file__).resolve().parents[1] / "fixtures" / "media"
PNG, PDF, WAV, TXT = ((MEDIA / name).read_bytes() for name in ("fixture.png", "text.pdf", "tone.wav", "notes.md"))
B64, B64_PDF, B64_WAV = (b64encode(data).decode() for data in (PNG, PDF, WAV))
URL, URL_PDF = f"data:image/png;base64,{B64}", f"data:application/pdf;base64,{B64_PDF}"
A, B = "abcDEF123", "abcDEF124"  # ids that every provider takes
CALLS = [{"id": A, "name": "look"}, {"id": B, "name": "read"}]
Messages = list[dict[str, Any]]

ANSWERS: dict[str, Messages] = {
    "openai": [
        {"role": "tool", "tool_call_id": A, "content": "a picture"},
        {"role": "tool", "tool_call_id": B, "content": [{"type": "text", "text": "a page"}]},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": f"Output of tool look ({A}):"},
                {"type": "image_url", "image_url": {"url": URL, "detail": "low"}},
                {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}},
                {"type": "file", "file": {"filename": "a.pdf", "file_data": URL_PDF}},
                {"type": "input_audio", "input_audio": {"data": B64_WAV, "format": "wav"}},
            ],
        },
        {"role": "assistant", "content": "A square."},
        {"role": "user", "content": "And now?"},
    ],
    "openai-responses": [
        {"type": "function_call_output", "call_id": A, "output": "[error] no page"},
        {
            "type": "function_call_output",
            "call_id": B,
            "output": [
                {"type": "input_text", "text": "a page"},
                {"type": "input_image", "image_url": URL},
                {"type": "input_file", "filename": "a.pdf", "file_data": URL_PDF},
                {"type": "input_file", "file_url": "https://example.org/a.pdf"},
            ],
        },
        {"role": "assistant", "content": "A square."},
        {
            "role": "user",
            "content": [
                {"type": "input_text", "text": "And this?"},
                {"type": "input_image", "detail": "auto", "image_url": URL},
            ],
        },
    ],
    "anthropic": [
        {
            "role": "user",
            "content": [
                {
                    "type": "tool_result",
                    "tool_use_id": A,
                    "content": [
                        {"type": "text", "text": "a picture"},
                        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": B64}},
                        {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}},
                    ],
                },
                {
                    "type": "tool_result",
                    "tool_use_id": B,
                    "is_error": True,
                    "content": [{"type": "text", "text": "no page"}],
                },
                {"type": "text", "text": "And this?"},
                {
                    "type": "document",
                    "source": {"type": "base64", "media_type": "application/pdf", "data": B64_PDF},
                    "title": "a",
                },
                {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "a, b"}},
            ],
        },
        {"role": "assistant", "content": "A square."},
    ],
    "gemini": [
        {
            "role": "user",
            "parts": [
                {
                    "functionResponse": {
                        "id": A,
                        "name": "look",
                        "response": {"output": "a picture", "seen": {"$ref": "a"}},
                        "parts": [{"inlineData": {"mimeType": "image/png", "data": B64, "displayName": "a"}}],
                    }
                },
                {"functionResponse": {"id": B, "name": "read", "response": {"error": "no page"}}},
                {"inlineData": {"mimeType": "audio/wav", "data": B64_WAV}},
                {"fileData": {"fileUri": "https://example.org/a.pdf", "mimeType": "application/pdf"}},
            ],
        },
        {"role": "model", "parts": [{"text": "A square."}]},
    ],
    "bedrock": [
        {
            "role": "user",
            "content": [
                {
                    "toolResult": {
                        "toolUseId": A,
                        "status": "success",
                        "content": [
                            {"text": "a picture"},
                            {"image": {"format": "png", "source": {"bytes": PNG}}},
                            {"document": {"format": "pdf", "name": "a", "source": {"bytes": PDF}}},
                        ],
                    }
                },
                {"toolResult": {"toolUseId": B, "status": "error", "content": [{"json": {"page": None}}]}},
                {"text": "And this?"},
                {"document": {"format": "txt", "name": "notes (1)", "source": {"bytes": TXT}}},
            ],
        },
        {"role": "assistant", "content": [{"text": "A square."}]},
    ],
    "mcp": [
        {
            "content": [
                {"type": "text", "text": "a picture"},
                {"type": "image", "data": B64, "mimeType": "image/png"},
                {"type": "audio", "data": B64_WAV, "mimeType": "audio/wav"},
                {
                    "type": "resource",
                    "resource": {"uri": "file:///a.pdf", "mimeType": "application/pdf", "blob": B64_PDF},
                },
                {
                    "type": "resource_link",
                    "uri": "https://example.org/a.png",
                    "name": "a.png",
                    "mimeType": "image/png",
                },
            ],
            "isError": False,
        },
        {"content": [{"type": "text", "text": "3"}], "structuredContent": {"n": 3}},
    ],
    "ollama": [
        {"role": "tool", "content": "a picture", "tool_name": "look"},
        {"role": "tool", "content": "a page", "tool_name": "read"},
        {"role": "user", "content": f"Output of tool look ({A}):", "images": [B64]},
        {"role": "assistant", "content": "A square."},
    ],
    "mistral": [
        {
            "role": "tool",
            "tool_call_id": A,
            "name": "look",
            "content": [{"type": "text", "text": "a picture"}, {"type": "image_url", "image_url": URL}],
        },
        {"role": "tool", "tool_call_id": B, "name": "read", "content": "a page"},
        {"role": "assistant", "content": "A square."},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "And this?"},
                {"type": "image_url", "image_url": {"url": URL}},
                {"type": "document_url", "document_url": URL_PDF, "document_name": "a.pdf"},
                {"type": "input_audio", "input_audio": B64_WAV},
            ],
        },
    ],
    "a2a": [
        {
            "messageId": "m1",
            "role": "ROLE_USER",
            "parts": [
                {"text": "a picture"},
                {"raw": B64, "mediaType": "image/png", "filename": "a.png"},
                {"url": "https://example.org/a.pdf", "mediaType": "application/pdf"},
                {"data": {"type": "base64", "n": 1}},
            ],
        },
        {"messageId": "m2", "role": "ROLE_AGENT", "parts": [{"text": "A square."}]},
    ],
}


def good(provider: str) -> Messages:
    return copy.deepcopy([*asking(provider, CALLS), *ANSWERS[provider]])


@pytest.mark.parametrize("provider", PROVIDERS)
def test_what_the_provider_takes_passes(provider: str) -> None:
    assert complaints(provider, good(provider)) == []


def put(*path: str | int, value: Any) -> Callable[[Messages], None]:
    """A fault at a place below the answers, whose first message is 0."""

    def plant(messages: Messages) -> None:
        at: Any = messages
        for step in path[:-1]:
            at = at[step]
        at[path[-1]] = value

    return plant


def moved(start: int, end: int) -> Callable[[Messages], None]:
    return lambda messages: messages.insert(end, messages.pop(start))


def without(at: int) -> Callable[[Messages], None]:
    return lambda messages: messages.__delitem__(at)


def twice(at: int) -> Callable[[Messages], None]:
    return lambda messages: messages.insert(at, copy.deepcopy(messages[at]))


def blocks(at: int, key: str, change: Callable[[Messages], None]) -> Callable[[Messages], None]:
    return lambda messages: change(messages[at][key])


HTML = b64encode(b"<html>").decode()
URL_HTML = f"data:image/png;base64,{HTML}"
URL_BMP = "data:image/bmp;base64,Qk0="
RESULT = ("content", 0, "toolResult", "content")
RESPONSE = ("parts", 0, "functionResponse")
KEYS: list[tuple[str, Callable[[Messages], None], str]] = [
    ("openai", put(2, "name", value="x"), "name"),
    ("openai", put(4, "content", 1, "mimeType", value="image/png"), "mimeType"),
    ("openai", put(4, "content", 3, "file", "file_url", value="https://a.b"), "file_url"),
    ("openai-responses", put(4, "output", 1, "media_type", value="image/png"), "media_type"),
    ("openai-responses", put(3, "is_error", value=True), "is_error"),
    ("anthropic", put(2, "content", 0, "content", 1, "source", "mimeType", value="image/png"), "mimeType"),
    ("anthropic", put(2, "content", 0, "name", value="look"), "name"),
    ("gemini", put(2, "parts", 2, "inlineData", "name", value="x"), "name"),
    (
        "gemini",
        put(2, *RESPONSE, "parts", 0, value={"inline_data": {"mimeType": "image/png", "data": B64}}),
        "inline_data",
    ),
    ("bedrock", put(2, *RESULT, 1, "image", "mimeType", value="image/png"), "mimeType"),
    ("mcp", put(0, "content", 1, "name", value="x"), "name"),
    ("mcp", put(0, "content", 1, value={"type": "image", "data": B64, "mime_type": "image/png"}), "mimeType"),
    ("ollama", put(4, "tool_call_id", value=A), "tool_call_id"),
    ("mistral", put(2, "is_error", value=False), "is_error"),
    ("mistral", put(5, "content", 1, "mimeType", value="image/png"), "mimeType"),
    ("a2a", put(0, "parts", 0, "kind", value="text"), "kind"),
]
TYPES: list[tuple[str, Callable[[Messages], None], str]] = [
    ("openai", put(2, "content", value=[{"type": "image_url", "image_url": {"url": URL}}]), "content"),
    ("openai", put(4, "content", 1, "image_url", value=URL), "image_url"),
    ("openai", put(4, "content", 1, "image_url", "detail", value="ultra"), "detail"),
    ("openai", put(4, "content", 4, "input_audio", "format", value="ogg"), "format"),
    ("openai-responses", put(4, "output", 1, "image_url", value={"url": URL}), "image_url"),
    ("openai-responses", put(4, "output", 1, value={"type": "input_audio", "input_audio": {}}), "output"),
    ("openai-responses", put(6, "content", 1, value={"type": "input_image", "image_url": URL}), "detail"),
    ("anthropic", put(2, "content", 0, "content", 1, "source", "media_type", value="image/bmp"), "media_type"),
    ("anthropic", put(2, "content", 3, "source", "media_type", value="text/markdown"), "media_type"),
    ("anthropic", put(2, "content", 1, "is_error", value="true"), "is_error"),
    ("anthropic", put(2, "content", 0, "content", 1, value={"type": "audio", "source": {}}), "content"),
    ("gemini", put(2, *RESPONSE, "response", value="a picture"), "response"),
    ("gemini", put(2, *RESPONSE, "parts", 0, value={"text": "x"}), "text"),
    ("gemini", put(2, "parts", 2, "inlineData", "data", value="a"), "base64"),
    ("bedrock", put(2, *RESULT, 1, "image", "format", value="bmp"), "not one of"),
    ("bedrock", put(2, *RESULT, 1, "image", "source", "bytes", value=B64), "not bytes"),
    ("bedrock", put(2, *RESULT, 1, value={"audio": {"format": "wav", "source": {"bytes": WAV}}}), "audio"),
    ("bedrock", put(2, "content", 0, "toolResult", "toolUseId", value="a b"), "match"),
    ("bedrock", put(2, *RESULT, 2, "document", "name", value="a" * 201), "characters"),
    ("mcp", put(0, "content", 1, "type", value="video"), "type"),
    ("mcp", put(0, "isError", value="false"), "isError"),
    ("ollama", put(4, "images", value=[URL]), "base64"),
    ("ollama", put(4, "content", value=[{"type": "text", "text": "x"}]), "content"),
    ("mistral", put(5, "content", 1, value={"type": "image", "data": B64}), "type"),
    ("mistral", put(5, "content", 3, "input_audio", value={"data": B64_WAV, "format": "wav"}), "input_audio"),
    ("a2a", put(0, "parts", 0, value={"text": "x", "url": "https://a.b"}), "oneof"),
    ("a2a", put(0, "parts", 0, value={"raw": "?"}), "raw"),
]
POSITIONS: list[tuple[str, Callable[[Messages], None], str]] = [
    ("openai", moved(4, 3), "before the answers"),
    ("openai", without(3), "before the answers"),
    ("openai", twice(2), "not asked"),
    ("openai", moved(2, 0), "not asked"),
    ("openai", put(4, "content", value=[]), "nothing"),
    ("openai-responses", moved(3, 1), "not asked"),
    ("openai-responses", twice(3), "not asked"),
    ("openai-responses", without(3), "not answered"),
    ("openai-responses", put(6, "role", value="assistant"), "input_image"),
    ("anthropic", blocks(2, "content", moved(2, 0)), "after another block"),
    ("anthropic", blocks(2, "content", without(1)), "before the answers"),
    ("anthropic", blocks(2, "content", twice(0)), "not asked"),
    ("anthropic", lambda messages: messages.insert(2, {"role": "user", "content": "Wait"}), "before the answers"),
    ("anthropic", put(2, "role", value="assistant"), "assistant's holds"),
    ("anthropic", put(2, "content", 2, "text", value=" "), "blank"),
    ("anthropic", put(2, "content", 0, "content", 0, "text", value=""), "blank"),
    ("anthropic", put(2, "content", 0, "is_error", value=True), "more than text"),
    ("anthropic", put(2, "content", value=[]), "nothing"),
    ("gemini", blocks(2, "parts", without(1)), "1 functionResponses answer 2"),
    ("gemini", blocks(2, "parts", twice(1)), "3 functionResponses answer 2"),
    ("gemini", blocks(2, "parts", moved(1, 0)), "is answered by"),
    ("gemini", put(2, "role", value="tool"), "the role is 'tool'"),
    ("gemini", put(2, "role", value="model"), "functionResponse of the model's"),
    ("gemini", put(2, "parts", 2, "text", value="x"), "not one thing"),
    ("gemini", put(2, *RESPONSE, "response", "seen", "$ref", value="b"), "$ref"),
    ("gemini", put(3, "parts", 0, "text", value=""), "empty"),
    ("bedrock", blocks(2, "content", without(1)), "before the answers"),
    ("bedrock", blocks(2, "content", twice(0)), "not asked"),
    ("bedrock", twice(0), "in a row"),
    ("bedrock", without(0), "starts with the assistant"),
    ("bedrock", put(2, "role", value="assistant"), "assistant's holds"),
    ("bedrock", blocks(2, "content", without(2)), "without a text"),
    ("bedrock", put(2, "content", 2, "text", value=" \n"), "blank"),
    ("bedrock", put(2, *RESULT, 0, "text", value=""), "blank"),
    ("bedrock", put(2, "content", 3, "document", "name", value="A"), "2 documents"),
    ("mcp", put(0, "structuredContent", value={"n": 3}), "structuredContent"),
    ("ollama", moved(4, 3), "before the answers"),
    ("ollama", put(3, "tool_name", value="look"), "not asked"),
    ("ollama", put(2, "images", value=[B64]), "tool's message"),
    ("mistral", without(4), "role user after role tool"),
    ("mistral", without(3), "before the answers"),
    ("mistral", twice(2), "not asked"),
    ("mistral", put(2, "tool_call_id", value="call_1"), "nine"),
    ("a2a", put(0, "messageId", value="m2"), "2 messages"),
    ("a2a", put(0, value={"messageId": "m1", "parts": [{"text": "x"}]}), "role"),
    ("a2a", put(0, "parts", 0, value={"filename": "a.png"}), "holds nothing"),
]
PAYLOADS: list[tuple[str, Callable[[Messages], None], str]] = [
    ("openai", put(4, "content", 1, "image_url", "url", value=B64), "data URL"),
    ("openai", put(4, "content", 1, "image_url", "url", value=URL_BMP), "image/bmp"),
    ("openai", put(4, "content", 1, "image_url", "url", value=URL_HTML), "not image/png"),
    ("openai", put(4, "content", 3, "file", "file_data", value=URL), "image/png"),
    ("openai", put(4, "content", 3, "file", "file_data", value="https://example.org/a.pdf"), "web address"),
    ("openai", put(4, "content", 4, "input_audio", "data", value=f"data:audio/wav;base64,{B64_WAV}"), "no base64"),
    ("openai-responses", put(4, "output", 2, "file_data", value=B64_PDF), "data URL"),
    ("openai-responses", put(4, "output", 3, "file_url", value=URL_PDF), "no web address"),
    ("openai-responses", put(4, "output", 1, value={"type": "input_image"}), "one of"),
    ("anthropic", put(2, "content", 0, "content", 1, "source", "data", value=URL), "no base64"),
    ("anthropic", put(2, "content", 0, "content", 1, "source", "media_type", value="image/jpeg"), "not image/jpeg"),
    ("anthropic", put(2, "content", 0, "content", 2, "source", "url", value="file:///a.png"), "no web address"),
    ("gemini", put(2, *RESPONSE, "parts", 0, "inlineData", "mimeType", value="image/heic"), "not taken"),
    ("gemini", put(2, "parts", 2, "inlineData", "mimeType", value="image/gif"), "not taken"),
    ("gemini", put(2, "parts", 2, "inlineData", "mimeType", value="application/pdf"), "not application/pdf"),
    ("bedrock", put(2, *RESULT, 1, "image", "format", value="jpeg"), "not image/jpeg"),
    ("bedrock", put(2, "content", 3, "document", "name", value="notes.md"), "no name"),
    ("bedrock", put(2, "content", 3, "document", "name", value="my  notes"), "no name"),
    ("mcp", put(0, "content", 1, "data", value=B64[:-1]), "no base64"),
    ("mcp", put(0, "content", 1, "mimeType", value="application/pdf"), "type image"),
    ("mcp", put(0, "content", 3, "resource", "blob", value=HTML), "not application/pdf"),
    ("ollama", put(4, "images", value=[B64_PDF]), "not image/png"),
    ("mistral", put(5, "content", 2, "document_url", value=URL), "image/png"),
    ("a2a", put(0, "parts", 1, "mediaType", value="image/jpeg"), "not image/jpeg"),
]


planted = pytest.mark.parametrize(
    ("provider", "plant", "said"),
    [
        pytest.param(*fault, id=f"{sort} {fault[0]} {at}")
        for sort, faults in (("key", KEYS), ("type", TYPES), ("position", POSITIONS), ("payload", PAYLOADS))
        for at, fault in enumerate(faults)
    ],
)


@planted
def test_a_planted_fault_is_found_and_told(provider: str, plant: Callable[[Messages], None], said: str) -> None:
    messages = good(provider)
    plant(messages)
    found = complaints(provider, messages)
    assert any(said in what for what in found), found


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("faults", [KEYS, TYPES, POSITIONS, PAYLOADS], ids=["key", "type", "position", "payload"])
def test_every_provider_has_a_planted_fault_of_every_sort(provider: str, faults: list[tuple[str, Any, str]]) -> None:
    assert provider in {fault[0] for fault in faults}


SAMPLED: Messages = [
    {"role": "user", "content": {"type": "text", "text": "What do you see?"}},
    {"role": "assistant", "content": [{"type": "tool_use", "id": A, "name": "look", "input": {}}]},
    {
        "role": "user",
        "content": [
            {
                "type": "tool_result",
                "toolUseId": A,
                "content": [{"type": "image", "data": B64, "mimeType": "image/png"}],
                "isError": False,
            }
        ],
    },
    {"role": "user", "content": [{"type": "text", "text": "And now?"}]},
]


def test_a_conversation_that_an_mcp_server_sends_passes() -> None:
    assert complaints("mcp", SAMPLED) == []


@pytest.mark.parametrize(
    ("plant", "said"),
    [
        (put(2, "content", 0, "tool_use_id", value=A), "not kept"),
        (put(3, "content", 0, value={"type": "resource", "resource": {"uri": "a:b", "text": "x"}}), "[3].content"),
        (lambda messages: messages[2]["content"].append({"type": "text", "text": "x"}), "only tool_result"),
        (without(2), "do not match"),
        (lambda messages: messages.__delitem__(slice(2, 4)), "not answered"),
        (put(2, "content", 0, "toolUseId", value=B), "do not match"),
        (put(2, "content", 0, "content", 0, "data", value="?"), "no base64"),
    ],
)
def test_a_fault_in_a_conversation_that_an_mcp_server_sends_is_found(
    plant: Callable[[Messages], None], said: str
) -> None:
    messages = copy.deepcopy(SAMPLED)
    plant(messages)
    found = complaints("mcp", messages)
    assert any(said in what for what in found), found


@pytest.mark.parametrize("provider", [provider for provider in PROVIDERS if provider not in ("mcp", "a2a")])
def test_a_call_without_its_answer_is_found(provider: str) -> None:
    assert complaints(provider, asking(provider, CALLS))


@planted
def test_a_complaint_is_one_short_line_without_payload(
    provider: str, plant: Callable[[Messages], None], said: str
) -> None:
    messages = good(provider)
    plant(messages)
    told = complaints(provider, messages)
    assert not [what for what in told if len(what) > 400 or "\n" in what or B64[:24] in what or B64_PDF[:24] in what]


@pytest.fixture(scope="module")
def vendor() -> Iterator[Endpoint]:
    with serving() as endpoint:
        yield endpoint


def payloads(value: Any) -> Iterator[bytes]:
    """The payloads in a request's body as bytes, whatever key they stand under."""
    if isinstance(value, dict | list):
        for found in value.values() if isinstance(value, dict) else value:
            yield from payloads(found)
    elif isinstance(value, str) and len(value) > 60:
        yield b64decode(value.split(",")[-1].replace("-", "+").replace("_", "/"))


@pytest.mark.parametrize("provider", clients.CLIENTS)
def test_the_vendors_client_sends_what_it_is_given(provider: str, vendor: Endpoint) -> None:
    assert clients.arrived(provider, good(provider), vendor) == good(provider)


@pytest.mark.parametrize("provider", clients.CLIENTS)
def test_a_picture_comes_out_of_the_body_byte_for_byte(provider: str, vendor: Endpoint) -> None:
    assert PNG in set(payloads(clients.send(provider, good(provider), vendor)))


def test_a_golden_copy_keeps_order_and_bytes(tmp_path: Path) -> None:
    golden.store("bedrock/case", good("bedrock"), tmp_path)
    kept = golden.load("bedrock/case", tmp_path)
    assert kept == good("bedrock")
    assert golden.dumps(kept) == golden.path_of("bedrock/case", tmp_path).read_text("utf-8")


def test_a_golden_copy_is_stale_when_changed_missing_or_left_over(tmp_path: Path) -> None:
    made: dict[str, Callable[[], Any]] = {"openai/a": lambda: [1], "openai/b": lambda: [2]}
    golden.store("openai/a", [0], tmp_path)
    golden.store("mcp/c", [3], tmp_path)
    assert golden.write(made, tmp_path) == ["mcp/c", "openai/a", "openai/b"]
    assert golden.stale(made, tmp_path) == []
