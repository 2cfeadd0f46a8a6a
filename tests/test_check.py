"""What a provider would refuse is found, where it is, in every provider's shape; what it takes is not."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from tests import _wires
from tests._make import JPEG, PNG, WAV, png
from tests._pdfs import encrypted, flat
from tests._pictures import file_of, halves
from toolnexus_media import attach
from toolnexus_media import check as check_module
from toolnexus_media.check import check
from toolnexus_media.check._sites import weight
from toolnexus_media.types import Finding

BMP = file_of(halves(), "BMP")
CUT, PDF = PNG[:60], flat(2)
TALL = png(9000, 8)
MODELS = {"gemini": "gemini-3-pro", "bedrock": "anthropic.claude-opus-4-5"}
ANIMATED = file_of(halves(), "GIF", save_all=True, append_images=[halves().rotate(180)], duration=100)


def rules(x: Any, provider: str, model: str | None = None) -> list[str]:
    """The rules that speak against a structure, without those that only note something."""
    return [found["rule"] for found in check(x, provider, model) if "severity" not in found]


def only(x: Any, provider: str, rule: str, model: str | None = None) -> Finding:
    """The one finding of a rule."""
    [found] = [found for found in check(x, provider, model) if found["rule"] == rule]
    return found


def model_of(wire: str) -> str | None:
    return MODELS.get(wire)


@pytest.mark.parametrize("wire", _wires.USER)
def test_a_good_picture_passes_in_every_shape(wire: str) -> None:
    assert check(_wires.user(wire, ("image/png", PNG)), _wires.provider_of(wire), model_of(wire)) == []


@pytest.mark.parametrize("wire", _wires.RESULTS)
def test_a_good_picture_passes_in_a_tools_result(wire: str) -> None:
    assert check(_wires.result(wire, "image/png", PNG), _wires.provider_of(wire), model_of(wire)) == []


@pytest.mark.parametrize("wire", _wires.USER)
def test_a_cut_picture_is_found_at_its_payload(wire: str) -> None:
    x = _wires.user(wire, ("image/png", PNG), ("image/png", CUT))
    found = only(x, _wires.provider_of(wire), "undecodable", model_of(wire))
    assert _wires.at(x, found["path"]) in (CUT, _wires.b64(CUT), _wires.url("image/png", CUT))


@pytest.mark.parametrize("wire", [wire for wire in _wires.USER if wire != "ollama"])  # which has no labels
def test_a_wrong_label_is_found(wire: str) -> None:
    found = only(_wires.user(wire, ("image/jpeg", PNG)), _wires.provider_of(wire), "mislabelled", model_of(wire))
    assert (found["actual"], found["limit"]) == ("image/jpeg", "image/png")


@pytest.mark.parametrize("wire", [wire for wire in _wires.USER if wire != "a2a"])  # which takes any type
def test_a_type_that_is_not_taken_is_found_with_those_that_are(wire: str) -> None:
    found = only(_wires.user(wire, ("image/bmp", BMP)), _wires.provider_of(wire), "type-not-accepted", model_of(wire))
    assert found["actual"] == "image/bmp"
    assert {"image/png", "image/jpeg"} <= set(found["limit"])


@pytest.mark.parametrize("wire", ["openai", "openai-responses", "anthropic", "bedrock", "mistral"])
def test_a_pdf_in_a_block_for_pictures_is_found(wire: str) -> None:
    assert rules(_wires.user(wire, ("application/pdf", PDF)), wire, model_of(wire)) == []
    assert "wrong-block" in rules(_wires.user(wire, ("image/png", PDF)), wire, model_of(wire))


# A structure, the provider, a model, the rule, what is there and what may be.
TOOL = [{"role": "tool", "tool_call_id": "c1", "content": [_wires.block("openai", "image/png", PNG)]}]
SAID = [{"role": "assistant", "content": [_wires.block("openai", "image/png", PNG)]}]
LINK = {"type": "image", "mimeType": "image/png", "url": "https://example.org/a.png"}
FEW = [
    (TOOL, "openai", None, "media-in-tool-result", "image", "text"),
    (TOOL, "mistral", None, "media-in-tool-result", "image", "text"),
    (_wires.result("gemini", "image/png", PNG), "gemini", "gemini-2.5-pro", "media-in-tool-result", "image", "text"),
    ([{"role": "tool", "content": "", "images": [_wires.b64(PNG)]}], "ollama", None, "media-in-tool-result", "image",
     "text"),
    (_wires.result("anthropic", "image/png", PNG, failed=True), "anthropic", None, "media-in-failed-result", "image",
     "text"),
    (_wires.result("bedrock", "image/png", PNG, failed=True), "bedrock", None, "media-in-failed-result", "image",
     "text"),
    (SAID, "openai", None, "media-in-text-role", "assistant", "user"),
    (LINK, "anthropic-bedrock", None, "url-not-taken", "https", []),
    ({**LINK, "url": "http://example.org/a.png"}, "anthropic", None, "url-not-taken", "http", ["https"]),
    ([{"fileData": {"mimeType": "image/png", "fileUri": "https://example.org/a"}}], "gemini", "gemini-2.0-flash",
     "url-not-taken", "https", ["gs"]),
    ({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": ""}}, "anthropic", None,
     "empty-payload", 0, 1),
    ({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "!no base64!"}}, "anthropic",
     None, "bad-base64", "not base64", "standard base64"),
    ({"inlineData": {"mimeType": "image/png", "data": _wires.b64(PNG)[:40] + "\n" + _wires.b64(PNG)[40:]}}, "gemini",
     None, "bad-base64", "base64 of another dialect", "standard base64"),
    ({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": _wires.url("image/png", PNG)}},
     "anthropic", None, "payload-form", "a data URL instead of bare base64", "base64"),
    ({"type": "input_file", "filename": "a.pdf", "file_data": _wires.b64(PDF)}, "openai-responses", None,
     "payload-form", "bare base64 instead of a data URL", "data URL"),
    ({"type": "image", "source": {"type": "base64", "media_type": "image/jpg", "data": _wires.b64(JPEG)}}, "anthropic",
     None, "mislabelled", "image/jpg", "image/jpeg"),
    ({"inlineData": {"mimeType": "application/xml", "data": _wires.b64(b"<?xml version='1.0'?><a/>")}}, "gemini", None,
     "mislabelled", "application/xml", "text/xml"),
    (_wires.part("image/png", TALL), "anthropic", None, "side", 9000, 8000),
    (_wires.part("image/png", png(6000, 6000)), "openai", "gpt-6", "too-many-patches", 35344, 30000),
    (_wires.part("image/gif", ANIMATED), "openai", None, "animated", 2, 1),
    (_wires.part("application/pdf", flat(101)), "anthropic", None, "page-count", 101, 100),
    (_wires.part("application/pdf", encrypted(flat(1), "RC4-128", "secret")), "anthropic", None, "encrypted-pdf",
     "encrypted", "not encrypted"),
    (_wires.part("application/pdf", encrypted(flat(1), "RC4-128")), "anthropic", None, "encrypted-pdf", "encrypted",
     "not encrypted"),
    (_wires.part("audio/wav", WAV), "anthropic", None, "type-not-accepted", "audio/wav", []),
    ({"document": {"format": "pdf", "name": "a_b.pdf", "source": {"bytes": PDF}}}, "bedrock", None, "document-name",
     "a_b.pdf", r"[A-Za-z0-9\-()\[\]]+(?: [A-Za-z0-9\-()\[\]]+)*"),
    ({"document": {"format": "pdf", "name": "a" * 201, "source": {"bytes": PDF}}}, "bedrock", None, "document-name",
     201, 200),
    ({"type": "file", "file": {"file_data": _wires.url("application/pdf", PDF)}}, "openai", None, "document-name", "",
     ".+"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("x", "provider", "model", "rule", "actual", "limit"),
    FEW,
    ids=[f"{number}-{row[3]}" for number, row in enumerate(FEW)],
)
def test_a_rule_tells_what_is_and_what_may_be(
    x: Any, provider: str, model: str | None, rule: str, actual: Any, limit: Any
) -> None:
    found = only(x, provider, rule, model)
    assert (found["actual"], found["limit"]) == (actual, limit)
    assert found["fix"]
    assert "severity" not in found


def test_bytes_are_counted_as_the_row_counts_them() -> None:
    long = b"word " * 1_000_000
    x = [{"document": {"format": "txt", "name": "a", "source": {"bytes": long}}}]
    found = only(x, "bedrock", "too-many-bytes")
    assert (found["actual"], found["limit"]) == (5_000_000, 4_500_000)
    padded = png(8, 8) + b"\0" * 4_000_000
    found = only(_wires.part("image/png", padded), "anthropic-bedrock", "too-many-bytes")
    assert (found["actual"], found["limit"]) == (len(_wires.b64(padded)), 5_242_880)


def _shots(count: int, size: int = 2500) -> list[dict[str, Any]]:
    picture = _wires.block("anthropic", "image/png", png(size, 8))
    return [
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": f"c{at}", "content": [picture]}]}
        for at in range(count)
    ]


def test_many_images_count_in_all_turns_and_results_copies_too() -> None:
    assert rules(_shots(20), "anthropic") == []
    found = [found for found in check(_shots(21), "anthropic") if found["rule"] == "many-image-side"]
    assert [one["path"][0] for one in found] == list(range(21))
    assert (found[0]["actual"], found[0]["limit"]) == (2500, 1999)
    copies = [found for found in check(_shots(21), "anthropic") if found["rule"] == "duplicate"]
    assert len(copies) == 20
    assert copies[0]["actual"] == [0, "content", 0, "content", 0, "source", "data"]


def test_documents_count_as_images_where_the_row_says_so() -> None:
    document = {"role": "user", "content": [_wires.block("anthropic", "application/pdf", PDF)]}
    assert rules([*_shots(20), document], "anthropic") == []
    assert set(rules([*_shots(20), document], "anthropic-bedrock")) == {"many-image-side"}


TOTALS = [
    (_shots(101, 8), "anthropic", "image-count", 101, 100),
    ([_wires.part("image/png", PNG)] * 9, "mistral", "image-count", 9, 8),
    ([_wires.block("bedrock", "application/pdf", PDF)] * 6, "bedrock", "document-count", 6, 5),
    ([_wires.part("application/pdf", flat(60))] * 2, "anthropic", "request-pages", 120, 100),
]  # fmt: skip


@pytest.mark.parametrize(("x", "provider", "rule", "actual", "limit"), TOTALS, ids=[row[2] for row in TOTALS])
def test_what_is_too_much_for_a_request_is_told_of_the_request(
    x: Any, provider: str, rule: str, actual: int, limit: int
) -> None:
    found = check(x, provider)[0]
    assert (found["path"], found["rule"], found["actual"], found["limit"]) == ([], rule, actual, limit)


def test_a_message_may_hold_so_many_images() -> None:
    crowd = {"role": "user", "content": [_wires.block("bedrock", "image/png", PNG)] * 21}
    found = only([{"role": "user", "content": [{"text": "hi"}]}, crowd], "bedrock", "message-image-count")
    assert (found["path"], found["actual"], found["limit"]) == ([1], 21, 20)
    spread = [{"role": "user", "content": crowd["content"][:11]}] * 2
    assert rules(spread, "bedrock") == []


def test_a_request_is_weighed_with_its_payloads_as_base64() -> None:
    heavy = [_wires.part("text/plain", b"word " * 1_600_000)] * 2
    found = only(heavy, "gemini", "request-bytes")
    assert found["limit"] == 20_000_000
    assert found["actual"] == pytest.approx(len(json.dumps(heavy)), rel=0.001)


@pytest.mark.parametrize("x", [{"a": ["ü", None, True, 1.5, {}]}, ["x" * 300] * 3, {"role": "user", "content": "hi"}])
def test_a_structure_is_weighed_a_little_above_its_json(x: Any) -> None:
    exact = len(json.dumps(x, ensure_ascii=False, separators=(",", ":")).encode())
    assert exact <= weight(x) <= exact + 8


def test_what_is_taken_all_the_same_is_told_as_info() -> None:
    x = [{"role": "user", "content": f"look: {_wires.url('image/png', PNG)}"}, _wires.part("image/png", png(3000, 20))]
    assert [(found["rule"], found.get("severity")) for found in check(x, "anthropic")] == [
        ("payload-in-text", "info"),
        ("oversize", "info"),
    ]


def test_findings_are_in_document_order() -> None:
    x = _wires.user("anthropic", ("image/png", CUT), ("image/jpeg", PNG), ("image/bmp", BMP))
    assert [found["path"][2] for found in check(x, "anthropic")] == [1, 2, 3]


@pytest.mark.parametrize(
    "x",
    [
        [],
        {},
        None,
        "text",
        [{"role": "user", "content": "hi"}],
        [{"role": "assistant", "content": "", "tool_calls": [{"name": "f", "args": {"type": "image", "data": ""}}]}],
        {"role": "assistant", "content": [{"type": "tool_use", "name": "f", "input": {"raw": "x", "filename": "y"}}]},
        {"type": "image", "source": {"type": "file", "file_id": "file_1"}},
        {"role": [], "type": ["x"], "kind": {}, "source": 5, "url": None},
        {"fileData": {"fileUri": "https://generativelanguage.googleapis.com/v1beta/files/a", "mimeType": "image/png"}},
        {"output": "x", "isError": False, "metadata": {"a": {"type": "image", "mimeType": "image/png", "data": "?"}}},
    ],
    ids=range(11),
)  # fmt: skip
def test_what_is_no_media_for_the_model_is_left_alone(x: Any) -> None:
    assert check(x, "gemini") == []


def test_a_resource_link_of_mcp_is_a_name_that_its_server_knows() -> None:
    link = {"type": "resource_link", "uri": "slack-file://F0", "name": "a", "mimeType": "image/png"}
    assert check({"content": [link], "isError": False}, "mcp") == []
    assert rules({"content": [link], "isError": False}, "openai") == ["url-not-taken"]


def test_another_wires_block_is_judged_by_its_media_alone() -> None:
    """A picture in Anthropic's tool result is put elsewhere when it is written for OpenAI."""
    assert check(_wires.result("anthropic", "image/png", PNG), "openai") == []
    assert check(_wires.result("canonical", "image/png", PNG), "openai") == []


def test_a_structure_that_holds_itself_or_is_very_deep_comes_to_an_end() -> None:
    loop: list[Any] = [_wires.part("image/png", CUT)]
    loop.append(loop)
    assert rules(loop, "openai") == ["undecodable"]
    deep: Any = {"role": "user"}
    for _ in range(3000):
        deep = [deep]
    assert check(deep, "openai") == []


def test_an_unknown_provider_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="the providers are"):
        check([], "nobody")


def test_checking_changes_nothing() -> None:
    x = _wires.user("anthropic", ("image/png", CUT), ("image/bmp", BMP))
    before = copy.deepcopy(x)
    check(x, "anthropic")
    assert x == before


def test_every_rule_is_named_in_the_modules_docstring() -> None:
    tested = {row[3] for row in FEW} | {row[2] for row in TOTALS}
    assert all(rule in (check_module.__doc__ or "") for rule in tested)


def test_an_animation_of_a_type_that_is_not_taken_as_one_is_found() -> None:
    part = attach("fixtures/media/animated.webp")
    assert [found["rule"] for found in check(part, "anthropic") if found.get("severity") != "info"] == ["animated"]
