"""What a part is, and what is none."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests._make import PAYLOAD, PDF, PNG, check, image_part, leaks
from toolnexus_media import content
from toolnexus_media.errors import LimitError, MediaError, PartError, SourceError

URL = "https://example.org/a.png"
BAD: list[tuple[Any, str]] = [
    (None, "not-a-part"),
    ("image", "not-a-part"),
    (b"png", "not-a-part"),
    ([], "not-a-part"),
    ({}, "not-a-part"),
    ({"type": "video", "mimeType": "video/mp4", "data": PAYLOAD}, "not-a-part"),
    ({"type": ["image"], "mimeType": "image/png", "data": PAYLOAD}, "not-a-part"),
    ({"type": "text"}, "bad-data"),
    ({"type": "text", "text": 3}, "bad-data"),
    (image_part(url=URL), "source-conflict"),
    ({"type": "image", "mimeType": "image/png"}, "source-missing"),
    ({"type": "image", "mimeType": "image/png", "path": "/tmp/a.png"}, "source-missing"),
    ({"type": "image", "mimeType": "image/png", "data": None}, "source-missing"),
    (image_part(data=""), "bad-data"),
    (image_part(data=PNG), "bad-data"),
    (image_part(data=3), "bad-data"),
    (image_part(data="!!!!"), "bad-data"),
    (image_part(data=PAYLOAD.rstrip("=")), "bad-data"),
    (image_part(data=PAYLOAD[:40] + "\n" + PAYLOAD[40:]), "bad-data"),
    (image_part(data=f"data:image/png;base64,{PAYLOAD}"), "bad-data"),
    (image_part(mimeType="png"), "bad-type"),
    (image_part(mimeType=None), "bad-type"),
    (image_part(mimeType=3), "bad-type"),
    (image_part(mimeType="image/png\nX: y"), "bad-type"),
    (image_part(mimeType="application/pdf"), "bad-type"),
    (image_part(type="file"), "bad-type"),
    (image_part(type="audio"), "bad-type"),
    ({"type": "image", "mimeType": "image/png", "url": ""}, "bad-data"),
    ({"type": "image", "mimeType": "image/png", "url": "/tmp/a.png"}, "bad-data"),
    ({"type": "image", "mimeType": "image/png", "url": "file:///tmp/a.png"}, "bad-data"),
    ({"type": "image", "mimeType": "image/png", "url": "javascript:alert(1)"}, "bad-data"),
    ({"type": "image", "mimeType": "image/png", "url": f"data:image/png;base64,{PAYLOAD}"}, "bad-data"),
    ({"type": "image", "mimeType": "image/png", "url": "https://example.org/a b.png"}, "bad-data"),
    ({"type": "image", "mimeType": "image/png", "url": "https://example.org/a\u2028b.png"}, "bad-data"),
    ({"type": "image", "mimeType": "image/png", "url": "https://example.org/\udcff.png"}, "bad-data"),
    ({"type": "image", "mimeType": "image/png", "url": 3}, "bad-data"),
    ({"type": "file", "mimeType": "application/pdf", "data": PAYLOAD, "name": 3}, "bad-data"),
]


@pytest.mark.parametrize(("offered", "code"), BAD)
def test_what_is_no_part_is_refused_with_its_code_and_no_payload(offered: Any, code: str) -> None:
    with pytest.raises(PartError) as caught:
        content.validate_part(offered)
    assert caught.value.code == code
    assert not leaks(caught.value)
    assert len(str(caught.value).splitlines()) == 1
    assert content.is_part(offered) is False


@pytest.mark.parametrize(
    "good",
    [
        {"type": "text", "text": ""},
        image_part(),
        {"type": "image", "mimeType": "image/png", "url": URL},
        {"type": "file", "mimeType": "text/csv", "url": "s3://bucket/key.csv", "name": "key.csv"},
        {"type": "audio", "mimeType": "audio/wav", "url": "gs://bucket/a.wav"},
        {"type": "file", "mimeType": "video/mp4", "data": PAYLOAD},
        image_part(extra={"kept": True}),
    ],
)
def test_a_good_part_passes_equal_to_what_was_given(good: Any) -> None:
    assert content.is_part(good)
    assert content.validate_part(good) == good


def test_a_validated_part_comes_back_as_the_same_object() -> None:
    part = content.validate_part(image_part())
    assert content.validate_part(part) is part
    assert content.attach(part) is part


def test_a_hand_made_dict_is_not_changed() -> None:
    hand = image_part(mimeType="image/jpg", extra=None)
    content.validate_part(hand)
    assert hand == image_part(mimeType="image/jpg", extra=None)


@pytest.mark.parametrize("wrap", [dict, content.validate_part])
def test_absent_means_absent(wrap: Any) -> None:
    part = wrap(image_part())
    part["url"] = None
    part["name"] = None
    assert content.validate_part(part) == image_part()


def test_types_get_their_normal_name() -> None:
    assert content.validate_part(image_part(mimeType="image/jpg"))["mimeType"] == "image/jpeg"  # type: ignore[typeddict-item]  # an image
    assert content.validate_part(image_part(mimeType=" IMAGE/PNG "))["mimeType"] == "image/png"  # type: ignore[typeddict-item]  # an image


def test_a_file_parts_name_becomes_a_base_name_and_extras_stay() -> None:
    hand = {"type": "file", "mimeType": "application/pdf", "data": PAYLOAD, "name": "C:\\a\\b.pdf", "extra": "", "n": 0}
    assert content.validate_part(hand) == {**hand, "name": "b.pdf"}


@pytest.mark.parametrize("name", ["", "\x00", ".."])
def test_a_name_of_nothing_is_left_out(name: str) -> None:
    hand = {"type": "file", "mimeType": "application/pdf", "data": PAYLOAD, "name": name, "extra": ""}
    assert content.validate_part(hand) == {key: value for key, value in hand.items() if key != "name"}


def test_lone_surrogates_leave_text_parts() -> None:
    assert content.text_part("a\udcff") == {"type": "text", "text": "a\ufffd"}
    assert content.validate_part({"type": "text", "text": "a\udcff"}) == {"type": "text", "text": "a\ufffd"}


@pytest.mark.parametrize("text", [None, 3, b"bytes"])
def test_a_text_part_is_made_of_text(text: Any) -> None:
    with pytest.raises(PartError):
        content.text_part(text)


def test_max_bytes_counts_decoded_bytes() -> None:
    assert content.validate_part(image_part(), max_bytes=82)
    with pytest.raises(LimitError) as caught:
        content.validate_part(image_part(), max_bytes=81)
    assert (caught.value.code, caught.value.limit, caught.value.actual) == ("too-large", 81, 82)


JUNK: Any = st.recursive(
    st.none() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
)


@settings(max_examples=60)
@given(
    st.dictionaries(
        st.sampled_from(["type", "mimeType", "data", "url", "text", "name"]),
        JUNK | st.sampled_from(["image", "text", "file"]),
    )
    | JUNK
)
def test_nothing_but_a_media_error_leaves_on_junk(junk: Any) -> None:
    for function in (
        content.validate_part,
        content.attach,
        content.summarize_part,
        content.describe_part,
        content.placeholder,
        content.estimate_tokens,
        content.part_data,
        content.part_bytes,
        content.excerpt,
    ):
        try:
            function(junk)
        except MediaError as error:
            check(error)


@given(st.binary(min_size=1, max_size=300))
def test_bytes_and_size_round_trip(raw: bytes) -> None:
    part = content.attach(raw, verify="none")
    if part["type"] != "text" and part["mimeType"] != "application/pdf":
        assert content.part_data(part) == raw
        assert content.part_bytes(part) == len(raw)
    assert content.is_part(dict(part))


def test_a_text_parts_bytes_are_its_utf8() -> None:
    assert content.part_data({"type": "text", "text": "é"}) == "é".encode()
    assert content.part_bytes({"type": "text", "text": "é"}) == 2


def test_a_url_part_has_no_bytes_here() -> None:
    part = content.from_url(URL)
    assert content.part_bytes(part) == 0
    with pytest.raises(PartError) as caught:
        content.part_data(part)
    assert caught.value.code == "source-missing"
    assert "source.fetch" in str(caught.value)


def test_saving_writes_the_bytes_and_replaces_what_was_there(tmp_path: Path) -> None:
    target = tmp_path / "a.pdf"
    target.write_bytes(b"old")
    content.save_part(content.from_bytes(PDF, verify="none"), str(target))
    assert target.read_bytes() == PDF
    assert os.listdir(tmp_path) == ["a.pdf"]


def test_saving_takes_a_path_object(tmp_path: Path) -> None:
    content.save_part(content.text_part("hi"), tmp_path / "a.txt")
    assert (tmp_path / "a.txt").read_text() == "hi"


def test_a_save_that_fails_leaves_the_old_file_and_no_scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "a.txt"
    target.write_text("old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(SourceError):
        content.save_part(content.text_part("new"), str(target))
    assert target.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.txt"]


@pytest.mark.parametrize(("where", "code"), [("no/such/a.txt", "not-found"), (".", "not-a-file"), ("a\x00b", None)])
def test_a_place_that_cannot_be_written_is_a_source_error(where: str, code: str | None, tmp_path: Path) -> None:
    with pytest.raises(SourceError) as caught:
        content.save_part(content.text_part("hi"), str(tmp_path / where))
    assert code in {None, caught.value.code}
    assert os.listdir(tmp_path) == []


def test_a_link_is_replaced_by_the_file_not_followed_into_half_a_write(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    content.save_part(content.text_part("new"), str(tmp_path / "link"))
    assert (tmp_path / "link").read_text() == "new"
