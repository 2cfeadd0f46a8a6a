"""A repaired transcript passes, is else what it was, and tells what was done."""

from __future__ import annotations

import copy
import json
from io import BytesIO
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from tests import _wires
from tests._make import JPEG, PNG, WAV, png
from tests._pdfs import flat
from tests._pictures import halves
from tests.test_check import ANIMATED, BMP, CUT, TALL, model_of, rules
from toolnexus_media import _b64
from toolnexus_media.check import check, repair
from toolnexus_media.emit import read_block
from toolnexus_media.part import part_data

PDF = flat(2)
PROVIDERS = ("openai", "openai-responses", "anthropic", "gemini", "bedrock", "mistral", "ollama", "safe")
MEDIA = [
    ("image/png", PNG), ("image/jpeg", PNG), ("image/png", CUT), ("image/png", TALL), ("image/bmp", BMP),
    ("image/gif", ANIMATED), ("image/png", b"<html><p>Not found</p></html>"), ("image/png", b"\0\1\2"),
    ("application/pdf", PDF), ("application/pdf", PDF[:80]), ("image/png", PDF), ("audio/wav", PNG),
]  # fmt: skip


def repaired(x: Any, provider: str, model: str | None = None) -> Any:
    """The repaired structure, which passes, the given one being what it was."""
    before = copy.deepcopy(x)
    made, changes = repair(x, provider, model)
    assert x == before
    assert rules(made, provider, model) == []
    assert bool(changes) == bool(rules(x, provider, model))
    assert all(change["what"] for change in changes)
    return made


@pytest.mark.parametrize("wire", _wires.USER)
def test_what_passes_is_the_same_object(wire: str) -> None:
    x = _wires.user(wire, ("image/png", PNG))
    assert repair(x, _wires.provider_of(wire), model_of(wire)) == (x, [])
    assert repair(x, _wires.provider_of(wire), model_of(wire))[0] is x


@pytest.mark.parametrize("wire", [wire for wire in _wires.USER if wire != "ollama"])
def test_a_wrong_label_is_put_right_and_nothing_else(wire: str) -> None:
    wrong, right = (_wires.user(wire, (mime, PNG)) for mime in ("image/jpeg", "image/png"))
    assert repaired(wrong, _wires.provider_of(wire), model_of(wire)) == right


TEXTS = {
    "openai": {"type": "text"}, "openai-responses": {"type": "input_text"}, "anthropic": {"type": "text"}, "gemini": {},
    "bedrock": {}, "mistral": {"type": "text"}, "a2a": {}, "part": {"type": "text"}, "canonical": {"type": "text"},
}  # fmt: skip
LINE = "[unsupported image part (image/png, 60 bytes)]: it could not be decoded"


@pytest.mark.parametrize("wire", TEXTS)
def test_a_cut_picture_becomes_a_block_of_text_of_the_same_wire(wire: str) -> None:
    x = _wires.user(wire, ("image/png", PNG), ("image/png", CUT))
    made = repaired(x, _wires.provider_of(wire), model_of(wire))
    blocks = made if wire == "part" else (made if wire == "a2a" else made[0]).get("parts") or made[0]["content"]
    assert blocks[-1] == {**TEXTS[wire], "text": LINE}
    assert blocks[-2] == _wires.block(wire, "image/png", PNG)


def test_ollamas_cut_picture_becomes_a_line_of_its_message() -> None:
    x = [{"role": "user", "content": "see", "images": [_wires.b64(CUT), _wires.b64(PNG)]}]
    assert repaired(x, "ollama") == [{"role": "user", "content": f"see\n{LINE}", "images": [_wires.b64(PNG)]}]


@pytest.mark.parametrize("wire", ["openai", "openai-responses", "anthropic", "gemini", "bedrock", "mistral", "part"])
def test_a_picture_of_another_type_is_made_one_that_is_taken_in_the_same_shape(wire: str) -> None:
    x = _wires.user(wire, ("image/bmp", BMP))
    made = repaired(x, _wires.provider_of(wire), model_of(wire))
    old, new = (found if wire == "part" else (found[0].get("parts") or found[0]["content"]) for found in (x, made))
    assert old[-1].keys() == new[-1].keys()
    part = read_block(new[-1])
    assert part is not None
    assert part["type"] == "image"
    assert part["mimeType"] == "image/png"
    assert len(part_data(part)) > 60


def test_ids_order_unknown_keys_and_messages_without_a_change_stay() -> None:
    x = [
        {"role": "user", "content": "hi", "mine": 1},
        {"role": "user", "content": [_wires.block("anthropic", "image/jpeg", PNG), {"type": "new", "x": 2}], "id": "m"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "f", "input": {}}]},
    ]
    made = repaired(x, "anthropic")
    assert made[0] is x[0]
    assert made[2] is x[2]
    assert made[1]["id"] == "m"
    assert made[1]["content"][1] is x[1]["content"][1]  # type: ignore[index]  # a list of blocks
    assert made[1]["content"][0]["id"] == "kept"


def test_openais_tool_pictures_go_to_one_message_after_the_tool_messages() -> None:
    calls = [{"id": f"c{at}", "function": {"name": f"f{at}", "arguments": "{}"}} for at in (1, 2)]
    tools = [
        {"role": "tool", "tool_call_id": f"c{at}", "content": [_wires.block("openai", "image/png", PNG)]}
        for at in (1, 2)
    ]
    x = [{"role": "assistant", "tool_calls": calls}, *tools, {"role": "assistant", "content": "done"}]
    made = repaired(x, "openai")
    assert [turn["role"] for turn in made] == ["assistant", "tool", "tool", "user", "assistant"]
    assert [turn["tool_call_id"] for turn in made[1:3]] == ["c1", "c2"]
    assert made[3]["content"] == [
        {"type": "text", "text": "Output of tool f1 (c1):"},
        tools[0]["content"][0],
        {"type": "text", "text": "Output of tool f2 (c2):"},
        tools[1]["content"][0],
    ]


def test_ollamas_tool_pictures_go_to_a_message_of_the_users() -> None:
    x = [{"role": "tool", "tool_name": "f", "content": "done", "images": [_wires.b64(PNG)]}]
    assert repaired(x, "ollama")[1] == {"role": "user", "content": "Output of tool f:", "images": [_wires.b64(PNG)]}


def test_pictures_of_an_old_geminis_response_stand_beside_it() -> None:
    [turn] = repaired(_wires.result("gemini", "image/png", PNG), "gemini", "gemini-2.5-pro")
    assert turn["parts"][1:] == [{"text": "Output of tool shoot:"}, _wires.block("gemini", "image/png", PNG)]


@pytest.mark.parametrize("wire", ["anthropic", "bedrock"])
def test_pictures_of_a_failed_result_stand_after_it(wire: str) -> None:
    [turn] = repaired(_wires.result(wire, "image/png", PNG, failed=True), wire)
    assert turn["content"][1] == _wires.block(wire, "image/png", PNG)


def test_a_tools_message_alone_has_nowhere_to_send_its_picture() -> None:
    x = {"role": "tool", "tool_call_id": "c", "content": [_wires.block("openai", "image/png", PNG)]}
    [block] = repaired(x, "openai")["content"]
    assert block["text"].endswith("a tool's result holds text only here")


def test_a_pdf_becomes_a_picture_a_page_where_no_pdf_is_taken() -> None:
    made = repaired([_wires.part("application/pdf", flat(2))], "ollama")
    assert [part["type"] for part in made] == ["image", "image"]


def test_many_pictures_are_all_kept_and_all_small_enough() -> None:
    shot = _wires.block("anthropic", "image/png", png(2500, 8))
    x = [{"role": "user", "content": [shot]} for _ in range(21)]
    made = repaired(x, "anthropic")
    assert all(turn["content"][0]["type"] == "image" for turn in made)
    assert [change["after"]["width"] for change in repair(x, "anthropic")[1]] == [1568] * 21


def test_pictures_that_become_text_do_not_count() -> None:
    shot, cut = (_wires.block("anthropic", "image/png", data) for data in (png(2500, 8), CUT))
    x = [{"role": "user", "content": [shot]} for _ in range(20)] + [{"role": "user", "content": [cut]}]
    made = repaired(x, "anthropic")
    assert [new is old for new, old in zip(made, x, strict=True)] == [True] * 20 + [False]


def test_a_plain_text_is_written_as_anthropic_takes_it() -> None:
    x = [{"role": "user", "content": [{**_wires.block("anthropic", "text/plain", b"hello"), "type": "document"}]}]
    [block] = repaired(x, "anthropic")[0]["content"]
    assert block == {
        "type": "document",
        "id": "kept",
        "source": {"type": "text", "media_type": "text/plain", "data": "hello"},
    }


def test_too_many_pictures_leave_the_newest() -> None:
    x = [_wires.part("image/png", PNG)] * 10
    made = repaired(x, "mistral")
    assert [part["type"] for part in made] == ["text"] * 2 + ["image"] * 8
    assert "8 images a request" in made[0]["text"]


def test_a_budget_of_bytes_leaves_the_newest_picture_as_it_is() -> None:
    x = [_wires.part("image/png", png(64, 64) + bytes(5_000_000 + at)) for at in range(4)]
    assert "request-bytes" in rules(x, "gemini")
    made = repaired(x, "gemini")
    assert made[-1] is x[-1]
    assert all(part["type"] == "image" for part in made)
    assert len(made[0]["data"]) < len(x[0]["data"])


def test_a_budget_that_no_shrinking_meets_takes_the_oldest_away() -> None:
    x = [_wires.part("text/plain", b"word " * 1_600_000)] * 2
    made = repaired(x, "gemini")
    assert [part["type"] for part in made] == ["text", "file"]


def test_a_document_gets_a_name_that_is_taken() -> None:
    blocks = [{"document": {"format": "pdf", "name": name, "source": {"bytes": PDF}}} for name in ("Q3_a.pdf", "___")]
    made = repaired([{"role": "user", "content": blocks}], "bedrock")
    assert [block["document"]["name"] for block in made[0]["content"]] == ["Q3 a pdf", "document"]


@pytest.mark.parametrize("spell", [lambda data: data[:40] + "\n" + data[40:], lambda data: data.rstrip("="),
                                   lambda data: f"data:image/png;base64,{data}"])  # fmt: skip
def test_a_payload_in_another_spelling_is_written_as_it_should_be(spell: Any) -> None:
    x = _wires.user("anthropic", ("image/png", PNG))
    x[0]["content"][1]["source"]["data"] = spell(_wires.b64(PNG))
    assert repaired(x, "anthropic") == _wires.user("anthropic", ("image/png", PNG))


def test_a_change_tells_what_was_and_what_is() -> None:
    [change] = repair(_wires.user("anthropic", ("image/png", TALL)), "anthropic")[1]
    assert change["path"] == [0, "content", 1, "source", "data"]
    assert (change["before"]["width"], change["after"]["width"]) == (9000, 1568)
    assert change.get("scale") == pytest.approx(9000 / 1568)


def test_a_screenshot_that_answers_a_computers_call_stays() -> None:
    shot = {"type": "computer_screenshot", "image_url": _wires.url("image/png", CUT)}
    x = [{"type": "computer_call_output", "call_id": "c", "output": shot}]
    assert repair(x, "openai-responses") == (x, [])


# A PDF takes a child process each time it is looked at, so that few wires stand for all.
WHATEVER = [
    (wire, at)
    for wire in dict.fromkeys((*_wires.USER, *_wires.RESULTS))
    for at, (_, data) in enumerate(MEDIA)
    if not data.startswith(b"%PDF") or wire in ("openai", "anthropic", "bedrock")
]


@pytest.mark.parametrize(("wire", "at"), WHATEVER)
def test_whatever_is_in_a_transcript_it_passes_after_repair(wire: str, at: int) -> None:
    mime, data = MEDIA[at]
    if wire == "bedrock" and mime not in _wires.FORMATS:
        pytest.skip("a block of this wire has no word for the type")
    provider, model = _wires.provider_of(wire), model_of(wire)
    if wire in _wires.USER:
        repaired(_wires.user(wire, (mime, data)), provider, model)
    if wire in _wires.RESULTS:
        repaired(_wires.result(wire, mime, data), provider, model)


blocks = st.sampled_from([
    _wires.block(wire, mime, data)
    for wire in ("openai", "openai-responses", "anthropic", "gemini", "bedrock", "a2a", "part")
    for mime, data in MEDIA[:5]
    if wire in _wires.USER
])  # fmt: skip
leaves = st.one_of(st.none(), st.integers(), st.text(max_size=8), blocks, blocks)
structures = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.fixed_dictionaries({"role": st.sampled_from(["user", "tool", "assistant", "system"]), "content": inner}),
        st.fixed_dictionaries({"type": st.just("tool_result"), "content": st.lists(inner, max_size=3)}),
        st.fixed_dictionaries({"functionResponse": st.fixed_dictionaries({"name": st.just("f"), "parts": inner})}),
        st.fixed_dictionaries({"toolResult": st.fixed_dictionaries({"content": st.lists(inner, max_size=3)})}),
        st.fixed_dictionaries({"source": inner, "type": st.just("image")}),
        st.fixed_dictionaries({"role": st.just("user"), "images": st.lists(st.text(max_size=9), max_size=2)}),
    ),
    max_leaves=6,
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None)
@given(structures, st.sampled_from(PROVIDERS))
def test_any_structure_passes_after_repair_and_a_second_one_changes_nothing(x: Any, provider: str) -> None:
    made = repaired(x, provider)
    assert repair(made, provider) == (made, [])


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_mixed_conversation_passes_after_repair(provider: str) -> None:
    media = [(mime, data) for mime, data in MEDIA[:8] if mime.startswith("image")] + [("image/jpeg", JPEG)]
    x = [*_wires.user("canonical", *media), *_wires.result("canonical", "audio/wav", WAV)]
    made = repaired(x, provider)
    assert json.dumps(made)
    assert [turn["role"] for turn in made] == ["user", "tool"]
    assert not [found for found in check(made, provider) if "severity" not in found]


def test_halves_stay_halves() -> None:
    """The pixels of a redrawn picture are those of the old one."""
    [part] = repaired([_wires.part("image/bmp", BMP)], "anthropic")
    with Image.open(BytesIO(part_data(part))) as shown:
        assert shown.convert("RGB").tobytes() == halves().tobytes()


def test_a_type_is_named_as_the_provider_names_it() -> None:
    data = _b64.encode(b'<?xml version="1.0"?><a/>')
    made = repaired(
        [{"role": "user", "parts": [{"inlineData": {"mimeType": "application/xml", "data": data}}]}], "gemini"
    )
    assert made[0]["parts"][0]["inlineData"] == {"mimeType": "text/xml", "data": data}


def test_a_part_on_no_wire_yet_keeps_its_own_name() -> None:
    part = {"type": "file", "mimeType": "application/xml", "data": _b64.encode(b'<?xml version="1.0"?><a/>')}
    assert check([{"role": "user", "content": [part]}], "gemini") == []
