"""Parts in words: pinned strings, captions in a pinned order on one clean line."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests._make import PAYLOAD, image_part, is_clean
from toolnexus_media import content
from toolnexus_media.errors import PartError

PNG_PART: Any = image_part()
URL_PART: Any = {"type": "audio", "mimeType": "audio/mpeg", "url": "https://example.org/a.mp3"}
TEXT: Any = {"type": "text", "text": "line one\nline two é"}


def pdf(size: int) -> Any:
    import pybase64

    return {"type": "file", "mimeType": "application/pdf", "data": pybase64.b64encode_as_string(bytes(size))}


def test_the_summary_is_byte_pinned() -> None:
    assert content.summarize_part(PNG_PART) == "image (image/png, 82 bytes)"
    assert content.summarize_part(URL_PART) == "audio (audio/mpeg, 0 bytes)"
    assert content.summarize_part(TEXT) == "line one\nline two é"


def test_the_placeholder_is_byte_pinned() -> None:
    assert content.placeholder(PNG_PART) == "[unsupported image part (image/png, 82 bytes)]"
    assert content.placeholder(URL_PART) == "[unsupported audio part (audio/mpeg, 0 bytes)]"


def test_summaries_are_one_a_line() -> None:
    assert content.summarize_parts(iter([PNG_PART, URL_PART])) == (
        "image (image/png, 82 bytes)\naudio (audio/mpeg, 0 bytes)"
    )
    assert content.summarize_parts([]) == ""


def test_a_description_is_for_logs() -> None:
    assert content.describe_part(PNG_PART) == {"type": "image", "mimeType": "image/png", "bytes": 82}
    assert content.describe_part(URL_PART) == {"type": "audio", "mimeType": "audio/mpeg", "bytes": 0}
    assert content.describe_part(TEXT) == {"type": "text", "bytes": 20}


@pytest.mark.parametrize(
    ("part", "tokens"),
    [
        ({"type": "text", "text": ""}, 0),
        ({"type": "text", "text": "a"}, 1),
        ({"type": "text", "text": "éééé"}, 1),
        ({"type": "text", "text": "aaaaa"}, 2),
        (PNG_PART, 85),
        (URL_PART, 85),
        (pdf(750 * 86 - 1), 85),
        (pdf(750 * 86), 86),
    ],
)
def test_the_token_estimate_is_pinned(part: Any, tokens: int) -> None:
    assert content.estimate_tokens(part) == tokens


@pytest.mark.parametrize(
    "function",
    [content.summarize_part, content.describe_part, content.placeholder, content.estimate_tokens, content.caption],
)
@pytest.mark.parametrize(
    "broken", [{}, {"type": "text"}, {"type": "text", "text": 3}, {"type": "image", "data": PAYLOAD}, None, "text", 3]
)
def test_what_is_no_part_is_a_part_error(function: Any, broken: Any) -> None:
    if function is content.estimate_tokens and isinstance(broken, dict) and "data" in broken:
        pytest.skip("a size is enough for an estimate")
    with pytest.raises(PartError):
        function(broken)


CAPTIONS: list[tuple[Any, dict[str, Any], str]] = [
    (PNG_PART, {"width": 8, "height": 8}, "image (image/png, 82 bytes), 8x8"),
    (PNG_PART, {"width": 320, "height": 200, "frames": 12}, "image (image/png, 82 bytes), 320x200, 12 frames"),
    (PNG_PART, {"width": 320, "height": 200, "frames": 1}, "image (image/png, 82 bytes), 320x200"),
    (PNG_PART, {"width": 8}, "image (image/png, 82 bytes)"),
    (PNG_PART, {}, "image (image/png, 82 bytes)"),
    (
        pdf(5231),
        {"pages": 12, "title": "Annual report"},
        'file (application/pdf, 5231 bytes), 12 pages, "Annual report"',
    ),
    (pdf(5231), {"pages": 1}, "file (application/pdf, 5231 bytes), 1 page"),
    (pdf(9), {"pages": 5, "text_pages": 3}, "file (application/pdf, 9 bytes), 5 pages, no text layer on 2 of 5 pages"),
    (pdf(9), {"pages": 5, "text_pages": 5}, "file (application/pdf, 9 bytes), 5 pages"),
    (pdf(9), {"pages": 3, "encrypted": True}, "file (application/pdf, 9 bytes), 3 pages, encrypted"),
    (pdf(9), {"pages": 3, "encrypted": False, "title": ""}, "file (application/pdf, 9 bytes), 3 pages"),
    (URL_PART, {"duration": 3.16, "channels": 2}, "audio (audio/mpeg, 0 bytes), 3.2 s, stereo"),
    (URL_PART, {"duration": 3.16, "sample_rate": 44100}, "audio (audio/mpeg, 0 bytes), 3.2 s, 44100 Hz"),
    (URL_PART, {"duration": 0.0, "channels": 1}, "audio (audio/mpeg, 0 bytes), 0.0 s, mono"),
    (URL_PART, {"channels": 6}, "audio (audio/mpeg, 0 bytes), 6 channels"),
    (
        pdf(9),
        {
            "channels": 2,
            "sample_rate": 8000,
            "text_pages": 1,
            "encrypted": True,
            "title": "T",
            "pages": 2,
            "duration": 1.0,
            "frames": 2,
            "height": 1,
            "width": 1,
            "author": "A",
            "codec": "c",
            "lines": 3,
        },
        'file (application/pdf, 9 bytes), 1x1, 2 frames, 1.0 s, 2 pages, "T", encrypted, no text layer on 1 of 2 pages'
        ", 8000 Hz, stereo",
    ),
]


@pytest.mark.parametrize(("part", "facts", "line"), CAPTIONS)
def test_captions_say_what_a_reader_wants_in_the_pinned_order(part: Any, facts: Any, line: str) -> None:
    assert content.caption(part, facts) == line


def test_text_pages_are_told_of_the_pages_that_were_looked_at() -> None:
    assert content.caption(pdf(9), {"pages": 101, "text_pages": 20}) == "file (application/pdf, 9 bytes), 101 pages"
    assert content.caption(pdf(9), {"pages": 101, "text_pages": 0}).endswith(
        "no text layer on 20 of the first 20 pages"
    )


@given(st.text(alphabet=st.characters()))
def test_a_caption_is_one_clean_line_whatever_the_metadata_holds(title: str) -> None:
    line = content.caption(pdf(9), {"pages": 3, "title": title})
    assert is_clean(line)
    assert len(line) <= 300
    assert line.startswith("file (application/pdf, 9 bytes), 3 pages")
    json.dumps(line, ensure_ascii=False).encode()


def test_a_long_title_leaves_room_for_what_follows() -> None:
    line = content.caption(pdf(9), {"pages": 3, "title": "x" * 5000, "encrypted": True})
    assert line.endswith("encrypted")


def test_a_title_cannot_close_its_quotes() -> None:
    assert content.caption(pdf(9), {"title": 'a", 99 pages, "b'}).count('"') == 2


def test_a_caption_never_holds_the_file_name() -> None:
    part: Any = {**pdf(9), "name": "secret-name.pdf"}
    assert "secret" not in content.caption(part, {"pages": 1})
    assert "secret" not in content.summarize_part(part)


def test_the_caption_of_a_text_part_is_its_text_on_one_line() -> None:
    assert content.caption(TEXT) == "line one line two é"
    assert len(content.caption({"type": "text", "text": "x" * 999})) == 300


def test_the_caption_of_a_url_part_needs_no_network() -> None:
    assert content.caption(URL_PART) == "audio (audio/mpeg, 0 bytes)"
