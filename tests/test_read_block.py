"""Every provider's block comes back as the part it holds, and what is no block as None."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pybase64
import pytest

from toolnexus_media.content import from_bytes
from toolnexus_media.emit import read_block
from toolnexus_media.part import validate_part

MEDIA = Path(__file__).resolve().parents[1] / "fixtures" / "media"
PNG = (MEDIA / "fixture.png").read_bytes()
PDF = (MEDIA / "text.pdf").read_bytes()
WAV = (MEDIA / "tone.wav").read_bytes()


def b64(data: bytes) -> str:
    return pybase64.b64encode_as_string(data)


def url(data: bytes, mime: str) -> str:
    return f"data:{mime};base64,{b64(data)}"


def part(data: bytes, mime: str, name: str | None = None) -> dict[str, Any]:
    kind = mime.split("/")[0] if mime.startswith(("image/", "audio/")) else "file"
    named = {"name": name} if name else {}
    return {"type": kind, "mimeType": mime, "data": b64(data), **named}


def link(to: str, mime: str, name: str | None = None) -> dict[str, Any]:
    found = part(b"", mime, name)
    del found["data"]
    return {**found, "url": to}


IMAGE = part(PNG, "image/png")
SOUND = part(WAV, "audio/wav")
DOC = part(PDF, "application/pdf")
FAR = "https://example.org/a.png"
BLOCKS: dict[str, tuple[Any, dict[str, Any]]] = {
    "openai image": ({"type": "image_url", "image_url": {"url": url(PNG, "image/png"), "detail": "low"}}, IMAGE),
    "openai image url": ({"type": "image_url", "image_url": {"url": FAR}}, link(FAR, "image/png")),
    "openai file": (
        {"type": "file", "file": {"filename": "a.pdf", "file_data": url(PDF, "application/pdf")}},
        part(PDF, "application/pdf", "a.pdf"),
    ),
    "openai audio": ({"type": "input_audio", "input_audio": {"data": b64(WAV), "format": "wav"}}, SOUND),
    "openrouter file url": (
        {"type": "file", "file": {"filename": "a.pdf", "file_data": "https://example.org/a.pdf"}},
        link("https://example.org/a.pdf", "application/pdf", "a.pdf"),
    ),
    "responses image": ({"type": "input_image", "image_url": url(PNG, "image/png"), "detail": "auto"}, IMAGE),
    "responses file": (
        {"type": "input_file", "filename": "a.pdf", "file_data": url(PDF, "application/pdf")},
        part(PDF, "application/pdf", "a.pdf"),
    ),
    "responses file url": (
        {"type": "input_file", "file_url": "https://example.org/a.csv"},
        link("https://example.org/a.csv", "text/csv"),
    ),
    "responses text": ({"type": "input_text", "text": "hi"}, {"type": "text", "text": "hi"}),
    "responses answer": ({"type": "output_text", "text": "hi"}, {"type": "text", "text": "hi"}),
    "responses screenshot": ({"type": "computer_screenshot", "image_url": url(PNG, "image/png")}, IMAGE),
    "responses drawing": ({"type": "image_generation_call", "id": "ig_1", "result": b64(PNG)}, IMAGE),
    "agents image": ({"type": "image", "image_url": url(PNG, "image/png"), "detail": "low"}, IMAGE),
    "agents file": ({"type": "file", "file_data": url(PDF, "application/pdf"), "filename": "a.pdf"},
                    part(PDF, "application/pdf", "a.pdf")),
    "anthropic image": (
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": b64(PNG)}},
        IMAGE,
    ),
    "anthropic image url": ({"type": "image", "source": {"type": "url", "url": FAR}}, link(FAR, "image/png")),
    "anthropic document": (
        {
            "type": "document",
            "title": "Report",
            "source": {"type": "base64", "media_type": "application/pdf", "data": b64(PDF)},
        },
        part(PDF, "application/pdf", "Report"),
    ),
    "anthropic document url": (
        {"type": "document", "source": {"type": "url", "url": "https://example.org/paper"}},
        link("https://example.org/paper", "application/pdf"),
    ),
    "anthropic text": (
        {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "hello"}},
        part(b"hello", "text/plain"),
    ),
    "anthropic content": (
        {"type": "document", "source": {"type": "content", "content": [{"type": "text", "text": t} for t in "ab"]}},
        part(b"a\nb", "text/plain"),
    ),
    "gemini": ({"inlineData": {"mimeType": "image/png", "data": b64(PNG)}}, IMAGE),
    "gemini snake": ({"inline_data": {"mime_type": "image/png", "data": PNG, "display_name": "x"}}, IMAGE),
    "gemini file": (
        {"fileData": {"fileUri": "gs://bucket/a", "mimeType": "video/mp4"}},
        link("gs://bucket/a", "video/mp4"),
    ),
    "gemini text": ({"text": "hi"}, {"type": "text", "text": "hi"}),
    "bedrock image": ({"image": {"format": "png", "source": {"bytes": PNG}}}, IMAGE),
    "bedrock document": (
        {"document": {"format": "md", "name": "notes", "source": {"bytes": b"# Title\n"}}},
        part(b"# Title\n", "text/markdown", "notes"),
    ),
    "bedrock audio": ({"audio": {"format": "wav", "source": {"bytes": b64(WAV)}}}, SOUND),
    "bedrock video in s3": (
        {"video": {"format": "three_gp", "source": {"s3Location": {"uri": "s3://bucket/a"}}}},
        link("s3://bucket/a", "video/3gpp"),
    ),
    "bedrock text": (
        {"document": {"name": "n", "source": {"content": [{"text": "hi"}]}}},
        part(b"hi", "text/plain", "n"),
    ),
    "mcp image": ({"type": "image", "data": b64(PNG), "mimeType": "image/png", "annotations": {}}, IMAGE),
    "mcp audio": ({"type": "audio", "data": b64(WAV), "mimeType": "audio/x-wav"}, SOUND),
    "mcp blob": (
        {"type": "resource", "resource": {"uri": "file:///tmp/a.pdf", "mimeType": "application/pdf", "blob": b64(PDF)}},
        part(PDF, "application/pdf", "a.pdf"),
    ),
    "mcp text resource": (
        {"type": "resource", "resource": {"uri": "file:///tmp/a.md", "mimeType": "text/markdown", "text": "# A"}},
        part(b"# A", "text/markdown", "a.md"),
    ),
    "mcp link": (
        {"type": "resource_link", "uri": "https://example.org/b", "name": "b.pdf", "mimeType": "application/pdf"},
        link("https://example.org/b", "application/pdf", "b.pdf"),
    ),
    "mistral image": ({"type": "image_url", "image_url": url(PNG, "image/png")}, IMAGE),
    "mistral document": (
        {"type": "document_url", "document_url": url(PDF, "application/pdf"), "document_name": "a.pdf"},
        part(PDF, "application/pdf", "a.pdf"),
    ),
    "mistral audio": ({"type": "input_audio", "input_audio": b64(WAV)}, SOUND),
    "mistral audio url": (
        {"type": "input_audio", "input_audio": "https://example.org/a"},
        link("https://example.org/a", "audio/mpeg"),
    ),
    "a2a raw": ({"raw": b64(PDF), "mediaType": "application/pdf", "filename": "a.pdf"},
                part(PDF, "application/pdf", "a.pdf")),
    "a2a url": ({"url": FAR, "mediaType": "image/png"}, link(FAR, "image/png")),
    "a2a 0.3 bytes": ({"kind": "file", "file": {"bytes": b64(PNG), "mimeType": "image/png"}}, IMAGE),
    "a2a 0.3 uri": ({"kind": "file", "file": {"uri": FAR, "name": "a.png"}}, link(FAR, "image/png")),
    "a2a 0.3 text": ({"kind": "text", "text": "hi"}, {"type": "text", "text": "hi"}),
    "langchain image": ({"type": "image", "base64": b64(PNG), "mime_type": "image/png"}, IMAGE),
    "langchain old image": (
        {"type": "image", "source_type": "base64", "data": b64(PNG), "mime_type": "image/png"},
        IMAGE,
    ),
    "langchain url": ({"type": "image", "url": FAR}, link(FAR, "image/png")),
    "langchain file": (
        {"type": "file", "base64": b64(PDF), "mime_type": "application/pdf", "extras": {"filename": "a.pdf"}},
        part(PDF, "application/pdf", "a.pdf"),
    ),
    "langchain text": (
        {"type": "file", "source_type": "text", "text": "hello", "mime_type": "text/plain"},
        part(b"hello", "text/plain"),
    ),
    "pydantic-ai": ({"kind": "binary", "data": b64(PNG), "media_type": "image/png", "identifier": "a"}, IMAGE),
    "pydantic-ai url": (
        {"kind": "image-url", "url": "https://example.org/a"},
        link("https://example.org/a", "image/jpeg"),
    ),
    "part": (IMAGE, IMAGE),
    "text part": ({"type": "text", "text": "hi"}, {"type": "text", "text": "hi"}),
    "url part": (link(FAR, "image/png"), link(FAR, "image/png")),
}  # fmt: skip


@pytest.mark.parametrize("name", BLOCKS)
def test_a_block_is_read_into_its_part(name: str) -> None:
    block, expected = BLOCKS[name]
    found = read_block(block)
    assert found == expected
    assert validate_part(found) is found


NO_PART: dict[str, Any] = {
    "None": None,
    "a string": b64(PNG),
    "bytes": PNG,
    "a list": [IMAGE],
    "an empty dict": {},
    "a call": {"type": "tool_use", "id": "t1", "name": "f", "input": {}},
    "a whole tool result": {"type": "tool_result", "tool_use_id": "t1", "content": [IMAGE]},
    "an image by file id": {"type": "image", "source": {"type": "file", "file_id": "file_1"}},
    "a file by id": {"type": "file", "file": {"file_id": "file_1"}},
    "an input image by id": {"type": "input_image", "file_id": "file_1"},
    "a resource link elsewhere": {"type": "resource_link", "uri": "ui://card", "name": "card"},
    "a JSON answer": {"json": {"a": 1}},
    "a type that is no string": {"type": ["image"], "data": b64(PNG)},
    "an image without payload": {"type": "image", "mimeType": "image/png"},
    "base64 that does not decode": {"type": "image", "mimeType": "image/png", "data": "!!!"},
    "base64 cut in a group": {"type": "image", "mimeType": "image/png", "data": "iVBOR"},
    "empty data": {"type": "image", "mimeType": "image/png", "data": ""},
    "a broken data URL": {"type": "image_url", "image_url": {"url": "data:image/png;base64,@@@@"}},
    "a data URL with nothing in it": {"type": "image_url", "image_url": {"url": "data:image/png;base64,"}},
    "a path": {"type": "image_url", "image_url": {"url": "/etc/passwd"}},
    "a file URL": {"type": "image_url", "image_url": {"url": "file:///etc/passwd"}},
    "a number as payload": {"type": "image", "mimeType": "image/png", "data": 7},
    "text that is none": {"type": "text", "text": None},
    "no bytes": {"image": {"format": "png", "source": {"bytes": b""}}},
    "a source that is a list": {"type": "image", "source": []},
    "an unknown kind": {"kind": "data", "data": {"a": 1}},
}


@pytest.mark.parametrize("name", NO_PART)
def test_what_holds_no_media_and_no_text_is_none(name: str) -> None:
    assert read_block(NO_PART[name]) is None


def test_the_bytes_correct_a_wrong_label() -> None:
    for block in (
        {"type": "image", "source": {"type": "base64", "media_type": "image/jpeg", "data": b64(PNG)}},
        {"type": "image_url", "image_url": {"url": url(PNG, "image/webp")}},
        {"image": {"format": "gif", "source": {"bytes": PNG}}},
        {"inlineData": {"mimeType": "png", "data": b64(PNG)}},
    ):
        assert read_block(block) == IMAGE


@pytest.mark.parametrize(
    "payload",
    [
        b64(PNG).rstrip("="),
        b64(PNG).replace("+", "-").replace("/", "_"),
        pybase64.encodebytes(PNG).decode(),
        f"  {b64(PNG)}\n",
        url(PNG, "image/png"),
    ],
    ids=["unpadded", "url-safe", "wrapped", "white space around", "a data URL"],
)
def test_base64_is_taken_in_any_dialect(payload: str) -> None:
    assert read_block({"type": "image", "data": payload, "mimeType": "image/png"}) == IMAGE


def test_a_remote_url_is_of_the_blocks_kind_whatever_its_ending() -> None:
    there = "https://example.org/show.php?id=1"
    assert read_block({"type": "image_url", "image_url": {"url": there}}) == link(there, "image/jpeg")


class Dumped:
    """An SDK's model: its attributes are snake_case, its dump has the wire's names."""

    mime_type = "image/png"

    def model_dump(self, *, by_alias: bool, exclude_none: bool) -> dict[str, Any]:
        assert by_alias
        assert exclude_none
        return {"type": "image", "data": b64(PNG), "mimeType": self.mime_type}


class Raising:
    def model_dump(self, **_options: object) -> None:
        raise RuntimeError


def test_an_sdks_object_is_read_like_its_dict() -> None:
    assert read_block(Dumped()) == IMAGE
    assert read_block(SimpleNamespace(type="image", data=b64(PNG), mime_type="image/png")) == IMAGE
    assert read_block(SimpleNamespace(kind="binary", data=PNG, media_type="image/png")) == IMAGE
    assert read_block(OrderedDict(text="hi")) == {"type": "text", "text": "hi"}


def test_an_object_that_cannot_be_dumped_is_none() -> None:
    assert read_block(Raising()) is None
    assert read_block(object()) is None
    assert read_block(int) is None


def test_a_nested_objects_fields_are_read_too() -> None:
    blob = SimpleNamespace(mime_type="image/png", data=PNG)
    assert read_block(SimpleNamespace(text=None, inline_data=blob)) == IMAGE


def test_a_documents_own_documents_are_not_descended_into() -> None:
    block: dict[str, Any] = {"type": "text", "text": "deep"}
    for _ in range(5000):
        block = {"type": "document", "source": {"type": "content", "content": [block]}}
    assert read_block(block) is None


def test_a_part_of_this_package_comes_back_equal() -> None:
    for data, name in ((PNG, "a.png"), (PDF, "a.pdf"), (b"a,b\n1,2\n", "t.csv"), (b"\x00\x01\x02", "x.bin")):
        made = from_bytes(data, name=name, verify="none")
        assert read_block(made) == made
        assert read_block(dict(made)) == made
