"""Results become messages in one call: fitted as one request, and nothing lost on the way."""

from __future__ import annotations

import base64
import copy
import logging
from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from toolnexus_media import attach, deliver, failure, media, success, with_parts
from toolnexus_media.content import text_part
from toolnexus_media.errors import CorruptMediaError, LimitError, PartError, UnsupportedPartError
from toolnexus_media.limits import PROVIDERS, rows
from toolnexus_media.types import ContentPart

from ._pdfs import encrypted, words

LARGE = attach(Image.new("RGB", (4000, 3000), "white"))
PNG = attach("fixtures/media/fixture.png")
WAV = attach("fixtures/media/tone.wav")


def locked() -> ContentPart:
    """A part whose lock nobody looked at."""
    return attach(encrypted(words("secret"), "RC4-128", user="open sesame"), verify="none")


def call(result: Any, call_id: str = "c1") -> dict[str, Any]:
    return {"id": call_id, "name": "shot", "result": result}


def test_a_picture_is_fitted_and_the_model_reads_its_scale() -> None:
    messages, changes = deliver([call(media(LARGE))], "anthropic")
    said, image = messages[0]["content"][0]["content"]
    assert said["text"].endswith("4000x3000 shown at 1270x952 (scale 3.150)")
    assert Image.open(BytesIO(base64.b64decode(image["source"]["data"]))).size == (1270, 952)
    assert changes[0].get("call") == "c1"


def test_what_fits_is_sent_byte_for_byte_and_nothing_is_told() -> None:
    messages, changes = deliver([call(media(PNG))], "anthropic")
    assert messages[0]["content"][0]["content"][1]["source"]["data"] == PNG.get("data")
    assert changes == []


def test_results_are_not_changed() -> None:
    calls = [call(media(LARGE, PNG)), call(failure("no"), "c2")]
    before = copy.deepcopy(calls)
    deliver(calls, "openai")
    assert calls == before


def test_changes_count_within_their_own_call() -> None:
    calls = [call(media(PNG, PNG)), call(with_parts(success("two"), [PNG, LARGE]), "c2")]
    _, changes = deliver(calls, "anthropic")
    assert [(change.get("call"), change["index"], change["source"]) for change in changes] == [("c2", 1, 1)]


def test_many_images_of_several_calls_share_the_side_that_many_may_have() -> None:
    tall = attach(Image.new("RGB", (100, 4000), "white"))
    calls = [call(media(*[tall] * 11), f"c{at}") for at in range(2)]
    sizes = {"image": {"native": None}}
    assert deliver(calls[:1], "anthropic-bedrock", limits=sizes)[1] == []
    assert [change["after"]["height"] for change in deliver(calls, "anthropic-bedrock", limits=sizes)[1]] == [1999] * 22


def test_images_of_earlier_turns_count() -> None:
    with pytest.raises(LimitError):
        deliver([call(media(PNG, PNG))], "mistral", images_before=7, on_unsupported="error")
    messages, changes = deliver([call(media(PNG, PNG))], "mistral", images_before=7)
    assert "mistral takes 8 images a request" in messages[0]["content"]
    assert [change["index"] for change in changes] == [1]


def test_what_is_too_many_is_of_one_kind_and_the_rest_still_goes() -> None:
    pdf = attach("fixtures/media/text.pdf")
    messages, _ = deliver([call(with_parts(success("x"), [*[PNG] * 9, pdf]))], "mistral")
    sent = [block["type"] for block in messages[-1]["content"] if "Output" not in block.get("text", "")]
    assert sent == [*["image_url"] * 8, "text", "document_url"]


@pytest.mark.parametrize("option", [{"provenance": "attached"}, {"on_unsupported": "error"}])
def test_a_part_that_has_no_place_is_an_error_when_that_is_asked_for(option: dict[str, Any]) -> None:
    with pytest.raises(UnsupportedPartError, match=r"audio/wav.*;") as caught:
        deliver([call(media(PNG, WAV))], "anthropic", **option)
    assert (caught.value.part_type, caught.value.provider) == ("audio", "anthropic")


def test_a_part_that_has_no_place_is_a_placeholder_with_its_reason_and_a_warning(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING):
        messages, _ = deliver([call(media(WAV, WAV))], "anthropic")
    said = [block["text"] for block in messages[0]["content"][0]["content"]]
    assert "takes no audio/wav" in said[0]
    assert said[1:] == ["[unsupported audio part (audio/wav, 16044 bytes)]"] * 2
    assert [record.__dict__["kind"] for record in caplog.records] == ["audio"]


def test_a_file_that_nobody_can_open_is_a_sentence_not_an_exception() -> None:
    messages, changes = deliver([call(media(locked(), PNG))], "anthropic")
    said, stand_in, image = messages[0]["content"][0]["content"]
    assert "password" in said["text"]
    assert "password" in changes[0]["what"]
    assert stand_in["text"].startswith("[unsupported file part (application/pdf")
    assert image["type"] == "image"
    with pytest.raises(CorruptMediaError):
        deliver([call(media(locked()))], "anthropic", on_unsupported="error")


def test_options_of_fit_are_passed_on() -> None:
    messages, _ = deliver([call(media(LARGE))], "anthropic", region=(0, 0, 100, 50))
    data = messages[0]["content"][0]["content"][1]["source"]["data"]
    assert Image.open(BytesIO(base64.b64decode(data))).size == (100, 50)


def test_texts_and_results_without_parts_go_through() -> None:
    messages, changes = deliver([call(success("3")), call(with_parts(success("a"), [text_part("b")]), "c2")], "openai")
    assert [message["content"] for message in messages] == ["3", "a\nb"]
    assert changes == []


def test_no_calls_are_no_messages_where_a_message_would_be_empty() -> None:
    assert all(deliver([], provider) == ([], []) for provider in ("openai", "anthropic", "gemini", "mcp"))


@pytest.mark.parametrize("provider", [name for name in PROVIDERS if rows(name)[0].wire])
def test_every_provider_is_delivered_to(provider: str) -> None:
    messages, _ = deliver([call(media(LARGE, PNG, WAV, "fixtures/media/text.pdf"))], provider)
    assert messages


def test_a_call_without_a_result_is_a_part_error() -> None:
    with pytest.raises(PartError, match="ToolResult"):
        deliver([{"id": "c1", "name": "x"}], "openai")
