"""Strings that carry their bytes or point at them: data URLs, base64, remote URLs."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests._make import CASES, PAYLOAD, PNG, check, leaks, refused
from toolnexus_media import content
from toolnexus_media.errors import MediaError, SourceError

STRINGS = json.loads((CASES / "strings.json").read_text("utf-8"))
URLS: dict[str, str] = STRINGS["data_urls"]


@pytest.mark.parametrize("name", ["plain", "charset", "no_type", "space", "nopad"])
def test_data_urls_of_every_spelling_are_pictures(name: str) -> None:
    for function in (content.attach, content.from_data_url, content.image_file):
        assert function(URLS[name])["mimeType"] == "image/png"  # type: ignore[typeddict-item]  # three alike


def test_a_data_url_of_text_is_decoded() -> None:
    part = content.attach(URLS["percent"])
    assert (part["mimeType"], content.part_data(part)) == ("text/plain", b"Hello World")  # type: ignore[typeddict-item]  # a file part


def test_a_data_url_with_a_wrong_label_warns_and_the_bytes_win() -> None:
    with pytest.warns(UserWarning, match="image/png.*image/jpeg"):
        part = content.attach(URLS["wrong_type"])
    assert part["mimeType"] == "image/jpeg"  # type: ignore[typeddict-item]  # an image part


def test_a_bad_data_url_is_an_error_and_a_log_line_is_no_url() -> None:
    refused(URLS["bad"], "bad-data-url")
    refused(URLS["sse"], "not-found")
    for bad in (URLS["sse"], "data:", "https://example.org", "", "image"):
        with pytest.raises(SourceError) as caught:
            content.from_data_url(bad)
        assert caught.value.code == "bad-data-url"


@pytest.mark.parametrize(
    "url",
    [
        f"DATA:IMAGE/PNG;BASE64,{PAYLOAD}",
        f"data:image/png;name=a.png;base64,{PAYLOAD}",
        f"data: image/png ; base64 ,{PAYLOAD}",
        f"  data:image/png;base64,{PAYLOAD}\n",
        f"data:;base64,{PAYLOAD[:40]}\n {PAYLOAD[40:]}",
        f"data:image/png;base64,{PAYLOAD.replace('+', '-').replace('/', '_')}",
        f"data:image/png;base64,{PAYLOAD.replace('+', '%2B').replace('/', '%2F').replace('=', '%3D')}",
        f"data:application/octet-stream;base64,{PAYLOAD}",
    ],
)
def test_parameters_case_white_space_and_alphabets_are_forgiven(url: str) -> None:
    assert content.part_data(content.attach(url)) == PNG


@pytest.mark.parametrize("url", ["data:,", "data:;base64,", "data:image/png;base64,", "data:text/plain,"])
def test_an_empty_data_url_is_empty(url: str) -> None:
    refused(url, "empty")
    with pytest.raises(SourceError):
        content.from_data_url(url)


def test_a_data_url_over_the_limit_is_too_large() -> None:
    assert content.attach(URLS["plain"], max_bytes=200)
    refused(f"data:image/png;base64,{PAYLOAD}", "too-large", max_bytes=81)
    refused("data:," + "x" * 100, "too-large", max_bytes=99)


@given(
    st.sampled_from(
        ["data:image/png;base64,", "data:;base64,", "data:text/plain,", "data:image/png,", "data:a/b;x=y,"]
    ),
    st.text(alphabet=st.characters(), max_size=30),
    st.integers(0, len(PAYLOAD)),
)
def test_a_data_url_is_a_part_or_an_error_that_never_quotes_the_payload(head: str, junk: str, cut: int) -> None:
    try:
        part = content.attach(head + PAYLOAD[:cut] + junk + PAYLOAD[cut:], verify="none")
    except MediaError as caught:
        check(caught)
    except UserWarning:
        pass
    else:
        assert content.is_part(part)
        assert not leaks(part)


@pytest.mark.parametrize("scheme", ["http", "https", "gs", "s3", "HTTPS"])
def test_remote_urls_are_kept_and_never_fetched(scheme: str) -> None:
    url = f"{scheme}://example.invalid/a/b.png?token=x#part"
    assert content.attach(url) == {"type": "image", "mimeType": "image/png", "url": url}


def test_a_urls_type_is_the_given_one_else_its_endings_else_unknown() -> None:
    assert content.attach("https://example.invalid/a", mime_type="image/jpg")["mimeType"] == "image/jpeg"  # type: ignore[typeddict-item]  # an image part
    assert content.attach("https://example.invalid/a.PDF?x=.png")["type"] == "file"
    for unknown in ("https://example.invalid/a", "https://example.png", "https://example.invalid/?a.png"):
        with pytest.raises(MediaError) as caught:
            content.attach(unknown)
        assert caught.value.code == "unknown-type"


@pytest.mark.parametrize(
    "url", ["https://example.invalid/a b.png", "https://example.invalid/a\x7f.png", "http://x/\udcff.png"]
)
def test_a_url_that_would_not_travel_is_refused(url: str) -> None:
    with pytest.raises(MediaError):
        content.attach(url)


@pytest.mark.parametrize("url", ["ftp://example.invalid/a.png", "slack-file://F0", "blob://x", "javascript://x"])
def test_other_schemes_are_unsupported(url: str) -> None:
    refused(url, "unsupported-source")


@pytest.mark.parametrize("name", STRINGS["names"])
def test_an_awkward_name_is_a_path_a_url_or_one_clean_line(name: str) -> None:
    with pytest.raises(SourceError) as caught:
        content.attach(name)
    assert len(str(caught.value).splitlines()) == 1
    str(caught.value).encode()


# --- base64 ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data", [PAYLOAD, PAYLOAD.encode(), PAYLOAD.rstrip("="), f"data:image/png;base64,{PAYLOAD}", f" {PAYLOAD}\n"]
)
def test_from_base64_takes_every_dialect(data: Any) -> None:
    assert content.part_data(content.from_base64(data)) == PNG


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ("!!!!", "bad-base64"),
        (None, "bad-base64"),
        (3, "bad-base64"),
        ("", "empty"),
        ("data:x", "bad-data-url"),
        ("data:image/png;base64,!", "bad-data-url"),
    ],
)
def test_from_base64_refuses_the_rest(data: Any, code: str) -> None:
    with pytest.raises(SourceError) as caught:
        content.from_base64(data)
    assert caught.value.code == code


def test_from_base64_is_bounded_and_hands_options_on() -> None:
    with pytest.raises(SourceError) as caught:
        content.from_base64(PAYLOAD, max_bytes=81)
    assert caught.value.code == "too-large"
    assert content.from_base64("aGk", "text/markdown", name="a.md")["name"] == "a.md"  # type: ignore[typeddict-item]  # a file part
