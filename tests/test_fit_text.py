"""Texts, office files and the rest for a target: left alone, made UTF-8, given as text, or replaced."""

from __future__ import annotations

from typing import Any

import pytest

from tests._fitting import job
from tests._office import DOCX, docx, paragraph
from toolnexus_media.fit import fit
from toolnexus_media.fit._job import Outcome
from toolnexus_media.fit.text import MAX_CHARS, fit_text
from toolnexus_media.part import make_part, part_data
from toolnexus_media.types import ContentPart


def fitted(part: ContentPart, provider: str = "anthropic", limits: dict[str, Any] | None = None) -> Outcome:
    outcomes = fit_text(part, job(provider, limits))
    assert len(outcomes) == 1
    return outcomes[0]


def said(outcome: Outcome) -> str:
    assert outcome.step is not None
    return outcome.step.what


@pytest.mark.parametrize(
    ("provider", "mime"),
    [
        ("anthropic", "text/plain"),
        ("gemini", "text/markdown"),
        ("gemini", "application/json"),
        ("bedrock", "text/csv"),
        ("openai-responses", "text/html"),
        ("openai-responses", DOCX),
        ("bedrock", DOCX),
        ("mcp", "application/zip"),
        ("a2a", "font/woff2"),
    ],
)
def test_a_type_that_is_taken_is_left_alone(provider: str, mime: str) -> None:
    given = make_part(b"some plain words", mime, "name.x")
    assert fitted(given, provider).part is given


def test_a_text_whose_type_is_not_taken_becomes_a_text_part_under_its_name() -> None:
    made = fitted(make_part("# Grüße\n\tone\x1b[31m\n".encode(), "text/markdown", "notes.md"))
    assert made.part == {"type": "text", "text": "notes.md:\n# Grüße\n\tone[31m"}
    assert said(made) == "text/markdown given as text"


def test_without_a_name_the_text_stands_alone() -> None:
    assert fitted(make_part(b"a", "text/markdown")).part == {"type": "text", "text": "a"}


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ("Grüße".encode("utf-16"), "utf-16"),
        ("Grüße".encode("utf-16-le"), "utf-16-le"),
        ("Grüße".encode("cp1252"), "what is likely Windows-1252"),
    ],
    ids=["utf-16", "utf-16-le", "cp1252"],
)
def test_another_encoding_becomes_utf8(data: bytes, told: str) -> None:
    made = fitted(make_part(data, "text/plain", "a.txt"))
    assert part_data(made.part) == "Grüße".encode()
    assert (made.part.get("name"), said(made)) == ("a.txt", f"text made UTF-8 from {told}")
    assert fitted(make_part(data, "text/markdown", "a.md")).part == {"type": "text", "text": "a.md:\nGrüße"}


@pytest.mark.parametrize("head", ["<?xml version='1.0' encoding='utf-16'?>", '<meta charset="utf-16">'])
def test_a_file_that_states_its_encoding_states_the_new_one(head: str) -> None:
    mime = "application/xml" if "xml" in head else "text/html"
    made = fitted(make_part(f"{head}<p>ü charset=utf-16</p>".encode("utf-16"), mime), "openai-responses", texts(mime))
    assert part_data(made.part).decode() == head.replace("utf-16", "utf-8") + "<p>ü charset=utf-16</p>"


def texts(mime: str) -> dict[str, Any]:
    return {"text": {"mimes": (mime,)}}


def test_a_long_text_is_cut_and_says_so() -> None:
    made = fitted(make_part(b"x" * (MAX_CHARS + 1), "text/markdown", "a.md"))
    assert made.part["type"] == "text"
    assert made.part["text"].endswith(f"xxx\n[cut here: the first {MAX_CHARS} characters of a longer text]")
    assert said(made).endswith(f"cut after {MAX_CHARS} characters")
    assert "cut" not in said(fitted(make_part(b"x" * MAX_CHARS, "text/markdown", "a.md")))


def test_a_text_over_the_cap_is_given_as_text() -> None:
    made = fitted(make_part(b"words " * 99, "text/csv", "a.csv"), "bedrock", {"text": {"max_bytes": 99}})
    assert made.part["type"] == "text"
    assert said(made).endswith("the file is over the target's cap")


@pytest.mark.parametrize(
    ("mime", "data", "text"),
    [
        (DOCX, docx(paragraph("Dear Ada,") + paragraph("yours")), "a.x:\nDear Ada,\nyours"),
        ("text/html", b"<h1>Title</h1><script>x</script><p>Words", "a.x:\nTitle\nWords"),
        ("text/rtf", rb"{\rtf1 Words}", "a.x:\nWords"),
    ],
)
def test_office_files_and_pages_become_their_words(mime: str, data: bytes, text: str) -> None:
    made = fitted(make_part(data, mime, "a.x"))
    assert made.part == {"type": "text", "text": text}
    assert said(made) == "its words given as text, without pictures and layout"


@pytest.mark.parametrize(
    ("mime", "reason"),
    [
        ("application/zip", "anthropic/standard takes no application/zip"),
        ("application/msword", "anthropic/standard takes no application/msword"),
        ("application/octet-stream", "anthropic/standard takes no application/octet-stream"),
        (DOCX, f"no text was found in the {DOCX}"),
    ],
)
def test_what_has_no_words_is_a_placeholder(mime: str, reason: str) -> None:
    made = fitted(make_part(b"PK\3\4", mime))
    assert made.part == {"type": "text", "text": f"[unsupported file part ({mime}, 4 bytes)]"}
    assert said(made) == f"replaced by a placeholder: {reason}"


def test_a_file_over_the_cap_is_a_placeholder() -> None:
    made = fitted(make_part(bytes(99), "application/zip"), "mcp", {"document": {"max_bytes": 40}})
    assert said(made) == "replaced by a placeholder: it is over the 30 bytes that mcp takes"


@pytest.mark.parametrize(
    "data", ["hä w\0".encode(), b"h\xe4 w\0", "hä w\0".encode("utf-16")], ids=["utf-8", "cp1252", "utf-16"]
)
def test_zeros_in_a_text_go_once_and_its_letters_stay(data: bytes) -> None:
    made = fitted(make_part(data, "text/plain")).part
    assert part_data(made).decode() == "hä w"
    assert fitted(made).step is None


def test_a_zero_far_inside_a_text_is_seen() -> None:
    part = make_part(b"a" * 9000 + b"\0", "text/plain")
    assert fit(part, "anthropic")[1][0]["what"] == "zeros taken out of the text"


@pytest.mark.parametrize("provider", ["anthropic", "openai", "mcp"])
@pytest.mark.parametrize("data", [b"\0\0", b"\xff\xfe", b" \n"], ids=["zeros", "mark", "white"])
def test_a_text_of_no_characters_is_never_sent_as_an_empty_one(data: bytes, provider: str) -> None:
    outcome = fitted(make_part(data, "text/plain"), provider)
    assert outcome.part["type"] == "text"
    assert outcome.part["text"].startswith("[unsupported file part")
