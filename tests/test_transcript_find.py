"""Every payload of a structure is found once, in order, with its place, size, true type and shape."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pybase64
import pytest

from toolnexus_media.content import from_bytes
from toolnexus_media.emit import read_block
from toolnexus_media.sniff import sniff
from toolnexus_media.transcript import find, payloads
from toolnexus_media.types import MediaFinding

MEDIA = Path(__file__).resolve().parents[1] / "fixtures" / "media"
PNG = (MEDIA / "fixture.png").read_bytes()
JPEG = (MEDIA / "photo.jpg").read_bytes()
PDF = (MEDIA / "text.pdf").read_bytes()
WAV = (MEDIA / "tone.wav").read_bytes()
P, J, D, W = (pybase64.b64encode_as_string(data) for data in (PNG, JPEG, PDF, WAV))
PNG_URL, PDF_URL = f"data:image/png;base64,{P}", f"data:application/pdf;base64,{D}"
SVG = "<svg xmlns='http://www.w3.org/2000/svg'/>"

# A structure, the path of its payload, and the shape.
SHAPES: list[tuple[Any, list[str | int], str]] = [
    ({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": P}}, ["source", "data"],
     "anthropic-image"),
    ({"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": D}},
     ["source", "data"], "anthropic-document"),
    ({"type": "image_url", "image_url": {"url": PNG_URL}}, ["image_url", "url"], "openai-image_url"),
    ({"type": "video_url", "video_url": {"url": PNG_URL}}, ["video_url", "url"], "openai-video_url"),
    ({"type": "file", "file": {"filename": "a.pdf", "file_data": PDF_URL}}, ["file", "file_data"], "openai-file"),
    ({"type": "input_audio", "input_audio": {"data": W, "format": "wav"}}, ["input_audio", "data"],
     "openai-input_audio"),
    ({"role": "assistant", "audio": {"id": "a", "data": W, "transcript": "hm"}}, ["audio", "data"], "openai-audio"),
    ({"data": [{"b64_json": P}]}, ["data", 0, "b64_json"], "openai-b64_json"),
    ({"type": "image", "image_url": PNG_URL}, ["image_url"], "openai-agents-image"),
    ({"type": "file", "file_data": PDF_URL, "filename": "a.pdf"}, ["file_data"], "openai-agents-file"),
    ({"type": "input_image", "image_url": PNG_URL}, ["image_url"], "responses-input_image"),
    ({"type": "input_file", "file_data": PDF_URL}, ["file_data"], "responses-input_file"),
    ({"type": "computer_screenshot", "image_url": PNG_URL}, ["image_url"], "responses-screenshot"),
    ({"type": "image_generation_call", "result": P}, ["result"], "responses-image_generation"),
    ({"inlineData": {"mimeType": "image/png", "data": P}}, ["inlineData", "data"], "gemini-inline"),
    ({"inline_data": {"mime_type": "image/png", "data": PNG}}, ["inline_data", "data"], "gemini-inline"),
    ({"functionResponse": {"name": "f", "parts": [{"inlineData": {"mimeType": "image/png", "data": P}}]}},
     ["functionResponse", "parts", 0, "inlineData", "data"], "gemini-inline"),
    ({"image": {"format": "png", "source": {"bytes": PNG}}}, ["image", "source", "bytes"], "bedrock-image"),
    ({"document": {"format": "pdf", "name": "a", "source": {"bytes": D}}}, ["document", "source", "bytes"],
     "bedrock-document"),
    ({"audio": {"format": "wav", "source": {"bytes": WAV}}}, ["audio", "source", "bytes"], "bedrock-audio"),
    ({"type": "image", "data": P, "mimeType": "image/png"}, ["data"], "mcp-image"),
    ({"type": "audio", "data": W, "mimeType": "audio/wav"}, ["data"], "mcp-audio"),
    ({"type": "resource", "resource": {"uri": "file:///a", "blob": D}}, ["resource", "blob"], "mcp-blob"),
    ({"type": "image_url", "image_url": PNG_URL}, ["image_url"], "mistral-image_url"),
    ({"type": "document_url", "document_url": PDF_URL}, ["document_url"], "mistral-document_url"),
    ({"type": "input_audio", "input_audio": W}, ["input_audio"], "mistral-input_audio"),
    ({"role": "user", "content": "see", "images": ["none", P]}, ["images", 1], "ollama-image"),
    ({"raw": P, "mediaType": "image/png"}, ["raw"], "a2a-raw"),
    ({"kind": "file", "file": {"bytes": P, "mimeType": "image/png"}}, ["file", "bytes"], "a2a-file"),
    ({"type": "image", "base64": P, "mime_type": "image/png"}, ["base64"], "langchain-image"),
    ({"type": "file", "source_type": "base64", "data": D, "mime_type": "application/pdf"}, ["data"],
     "langchain-file"),
    ({"type": "media", "mime_type": "image/png", "data": P}, ["data"], "langchain-media"),
    ({"kind": "binary", "media_type": "image/png", "data": P}, ["data"], "pydantic-ai-binary"),
    ({"type": "image", "image": P}, ["image"], "ai-sdk-image"),
    ({"output": "", "isError": False, "parts": [{"type": "image", "mimeType": "image/png", "data": P}]},
     ["parts", 0, "data"], "part"),
    ({"type": "file", "mimeType": "application/pdf", "data": D}, ["data"], "part"),
    ({"contentType": "image/png", "data": P}, ["data"], "typed-data"),
    (PNG_URL, [], "data-url"),
    ({"html": f'<img src="{PNG_URL}">'}, ["html"], "data-url"),
    ({"avatar": {"url": PNG_URL}}, ["avatar", "url"], "data-url"),
    ({"output": J}, ["output"], "bare-base64"),
    ({"output": json.dumps({"shot": J})}, ["output"], "bare-base64"),
    (JPEG, [], "bytes"),
    ({"a": (1, bytearray(PNG))}, ["a", 1], "bytes"),
    ([memoryview(PNG)], [0], "bytes"),
]  # fmt: skip
shapes = pytest.mark.parametrize(
    ("structure", "path", "shape"), SHAPES, ids=[f"{number}-{shape}" for number, (_, _, shape) in enumerate(SHAPES)]
)
SIZES = {"image/png": len(PNG), "image/jpeg": len(JPEG), "application/pdf": len(PDF), "audio/wav": len(WAV)}


@shapes
def test_a_shape_is_found(structure: Any, path: list[str | int], shape: str) -> None:
    [found] = find(structure)
    assert (found["path"], found["shape"]) == (path, shape)
    assert found["bytes"] == SIZES[found["mimeType"]]
    assert found["kind"] == (found["mimeType"].split("/")[0] if found["mimeType"] != "application/pdf" else "file")


@shapes
def test_the_path_leads_to_the_value_in_any_depth(structure: Any, path: list[str | int], shape: str) -> None:
    deep: Any = structure
    for _ in range(3):
        deep = [{"role": "user"}, {"content": [{"text": "hello"}, deep]}]
    [found] = find(deep)
    assert found["shape"] == shape
    assert found["path"] == [1, "content", 1] * 3 + path
    value = deep
    for key in found["path"]:
        value = value[key]
    assert isinstance(value, (str, bytes, bytearray, memoryview))


NOTHING: dict[str, Any] = {
    "a remote URL": {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}},
    "a file id": {"type": "image", "source": {"type": "file", "file_id": "file_1"}},
    "a summary in the place of a payload": {
        "type": "image",
        "source": {"type": "base64", "media_type": "image/png", "data": "image (image/png, 82 bytes)"},
    },
    "a reference in the place of a payload": {"type": "image", "mimeType": "image/png", "data": "media:sha256-00"},
    "a placeholder": {"inlineData": {"mimeType": "image/png", "data": "[omitted]"}},
    "an empty payload": {"inlineData": {"mimeType": "image/png", "data": ""}},
    "empty bytes": {"a": b""},
    "a plain text source": {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "word"}},
    "words after data:": {"text": "metadata:text/html,foo and data: 1, 2 or data:image/png, and so on"},
    "a data URL with nothing in it": {"text": "data:image/png;base64,"},
    "a signature": {"type": "thinking", "signature": "EqQBCgIYAhIM" + "q1Zx9" * 200},
    "base64 of text": {"text": pybase64.b64encode_as_string(b"only words, no media. " * 40)},
    "a long word": {"text": "A" * 5000},
    "a long path": {"text": "/tmp/" + "abc/" * 300},
    "hexadecimal": {"sha": "0123456789abcdef" * 40},
    "short base64 of an image": {"text": P[:100]},
    "a list of words": {"text": "\n".join(["apple", "pear", "plum"] * 500)},
    "names of images": {"images": ["cat", "aGk=", "https://example.org/a.png"]},
    "typed words": {"contentType": "text/plain", "data": "hello"},
    "numbers": [1, 2.5, None, True, {"data": 7, "url": None}],
}


@pytest.mark.parametrize("name", NOTHING)
def test_what_is_no_payload_is_not_found(name: str) -> None:
    assert find([NOTHING[name]]) == []


def test_payloads_come_in_document_order() -> None:
    message = {"b": [PNG_URL, {"data": J, "mimeType": "image/jpeg"}], "a": PNG, "text": f"{PDF_URL} then {PNG_URL}"}
    found = find([message, message])
    assert [item["mimeType"] for item in found] == 2 * [
        "image/png",
        "image/jpeg",
        "image/png",
        "application/pdf",
        "image/png",
    ]
    assert [item["path"][0] for item in found] == [0] * 5 + [1] * 5


def test_the_type_is_sniffed_and_not_believed() -> None:
    block = {"type": "image", "source": {"type": "base64", "media_type": "image/jpeg", "data": P}}
    assert find(block)[0]["mimeType"] == "image/png"
    assert find({"text": f"data:image/webp;base64,{P}"})[0]["mimeType"] == "image/png"


def test_a_declared_type_serves_where_the_bytes_say_nothing() -> None:
    unknown = pybase64.b64encode_as_string(b"\x00\x01\x02\x03")
    assert find({"inlineData": {"mimeType": "video/mp4", "data": unknown}})[0]["mimeType"] == "video/mp4"
    assert find({"document": {"format": "csv", "source": {"bytes": b"a,b\n1,2\n"}}})[0]["mimeType"] == "text/csv"


def test_a_type_that_only_the_whole_tells_is_told() -> None:
    data = (MEDIA / "letter.docx").read_bytes()
    [found] = find({"inlineData": {"data": pybase64.b64encode_as_string(data)}})
    assert found["mimeType"] == "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


@pytest.mark.parametrize("path", sorted(MEDIA.iterdir()), ids=lambda path: path.name)
def test_a_beginning_tells_what_the_whole_file_tells(path: Path) -> None:
    data = path.read_bytes()
    text = pybase64.b64encode_as_string(data)
    [found] = find({"inlineData": {"data": text}})
    assert (found["mimeType"], found["bytes"]) == (sniff(data), len(data))
    part: Any = read_block({"inlineData": {"data": text}})
    assert part["mimeType"] == sniff(data)


def test_a_sound_behind_a_long_tag_is_what_it_is() -> None:
    tagged = b"ID3\x03\x00\x00\x00\x00\x10\x00" + bytes(2048) + (MEDIA / "tone.flac").read_bytes()
    assert find({"inlineData": {"data": pybase64.b64encode_as_string(tagged)}})[0]["mimeType"] == "audio/flac"


@pytest.mark.parametrize(
    "text",
    [
        "DATA:IMAGE/PNG;BASE64," + P,
        f"data:image/png;name=a.png;base64,{P}",
        f"data:image/png; base64, {P}",
        f"data:;base64,{P}",
        f"data:image/png;base64,{P.rstrip('=')}",
        f"data:image/png;base64,{P.replace('+', '-').replace('/', '_')}",
        f"![shot]({PNG_URL})",
        json.dumps({"a": json.dumps({"url": PNG_URL})}),
    ],
)  # fmt: skip
def test_a_data_url_is_found_however_it_is_spelled(text: str) -> None:
    [found] = find({"text": text})
    assert (found["mimeType"], found["bytes"]) == ("image/png", len(PNG))


@pytest.mark.parametrize(
    "text",
    [f"data:image/svg+xml,{SVG}", f'url("data:image/svg+xml;utf8,{SVG.replace("<", "%3C")}")'],
    ids=["bare", "quoted"],
)
def test_a_drawing_in_a_data_url_without_base64_is_found(text: str) -> None:
    [found] = find({"text": text})
    assert (found["mimeType"], found["bytes"]) == ("image/svg+xml", len(SVG))


@pytest.mark.parametrize(
    "text",
    [
        J,
        f"image:{J}",
        f"here it is\n{J}\nand more",
        pybase64.encodebytes(JPEG).decode(),
        f"$ base64 photo.jpg\n{pybase64.encodebytes(JPEG).decode()}$ exit",
        f"\\n{J}",
        J.replace("+", "-").replace("/", "_"),
    ],
)  # fmt: skip
def test_a_bare_run_of_base64_is_found_in_any_string(text: str) -> None:
    [found] = find({"output": text})
    assert (found["shape"], found["mimeType"], found["bytes"]) == ("bare-base64", "image/jpeg", len(JPEG))


def test_two_runs_that_padding_parts_are_two_payloads() -> None:
    padded = pybase64.b64encode_as_string(JPEG + b"\x00" * (1 - len(JPEG) % 3 + 3))
    assert padded.endswith("=")
    assert [item["mimeType"] for item in find([padded + padded])] == ["image/jpeg"] * 2


def test_a_large_payload_ends_where_its_run_ends() -> None:
    large = pybase64.b64encode_as_string(JPEG + bytes(300_000))
    for text in (f"a {large} b", f"![x](data:image/jpeg;base64,{large}) {PNG_URL}"):
        assert find([text])[0]["bytes"] == len(JPEG) + 300_000


def test_a_part_of_this_package_is_found_as_part() -> None:
    assert find({"content": [from_bytes(PNG, verify="none")]})[0]["shape"] == "part"


def test_depth_is_no_limit() -> None:
    deep: Any = PNG_URL
    for _ in range(50_000):
        deep = [deep]
    [found] = find(deep)
    assert found["path"] == [0] * 50_000


def test_a_structure_inside_itself_is_entered_once() -> None:
    loop: dict[str, Any] = {"url": PNG_URL}
    loop["self"] = loop
    loop["list"] = [loop, loop, [loop]]
    assert [item["path"] for item in find(loop)] == [["url"]]


def test_one_object_in_two_places_is_found_in_both() -> None:
    shared = {"url": PNG_URL}
    assert [item["path"] for item in find([shared, shared])] == [[0, "url"], [1, "url"]]


def test_keys_of_any_type_and_wide_dicts_are_walked() -> None:
    wide: dict[Any, Any] = dict.fromkeys(range(200), "no")
    wide[("a", 1)] = {None: PNG_URL}
    path: list[Any] = find(wide)[0]["path"]
    assert path == [("a", 1), None]


def test_objects_of_other_classes_are_not_looked_into() -> None:
    class Holder:
        data = P

    assert find([Holder(), {P}, frozenset({PNG_URL})]) == []


def test_finding_changes_nothing() -> None:
    structures = [structure for structure, _, _ in SHAPES if not isinstance(structure, list)]
    before = copy.deepcopy(structures)
    find(structures)
    assert structures == before


def test_a_finding_has_these_keys_and_no_more() -> None:
    assert set(find(PNG_URL)[0]) == set(MediaFinding.__annotations__)


@shapes
def test_a_payload_gives_its_bytes_and_its_place(structure: Any, path: list[str | int], shape: str) -> None:
    [payload] = payloads(structure)
    assert payload.data() in (PNG, JPEG, PDF, WAV)
    assert payload.path == path
    if path:
        assert payload.holder[payload.key] is payload.value
    if shape not in {"data-url", "bare-base64"}:
        assert payload.is_whole


def test_values_may_be_replaced_while_walking() -> None:
    message = {"parts": [{"inlineData": {"data": P}}, {"text": "x", "inlineData": {"data": D}}]}
    for payload in payloads(message):
        payload.holder[payload.key] = "[gone]"
    assert find(message) == []


def test_a_found_block_reads_as_a_part_of_the_found_type() -> None:
    blocks = [structure for structure, _, _ in SHAPES if isinstance(structure, dict) and read_block(structure)]
    assert len(blocks) > 25
    for block in blocks:
        part: Any = read_block(block)
        assert part["mimeType"] == find(block)[0]["mimeType"]
