"""Texts: the encoding where it is certain, the lines where they can be counted, both with bounded work."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolnexus_media import content
from toolnexus_media.errors import CorruptMediaError
from toolnexus_media.probe import probe, text

if TYPE_CHECKING:
    from toolnexus_media._b64 import Buffer


def facts(data: Buffer, mime: str) -> dict[str, Any]:
    """The facts as a plain dict, so that a missing one is a failed test."""
    return dict(text.facts(data, mime))


@pytest.mark.parametrize(
    ("data", "encoding", "lines"),
    [
        (b"one\ntwo\n", "utf-8", 2),
        (b"one\ntwo", "utf-8", 2),
        (b"one\r\ntwo\r\n", "utf-8", 2),
        (b"one\rtwo\r", "utf-8", 2),
        (b"\n", "utf-8", 1),
        (b"", "utf-8", 0),
        ("größer\n".encode(), "utf-8", 1),
        (codecs.BOM_UTF8 + b"one\n", "utf-8-sig", 1),
        ("a\nb\u0a0a\nc".encode("utf-16"), "utf-16", 3),
        (codecs.BOM_UTF16_BE + "a\nb".encode("utf-16-be"), "utf-16", 2),
        ("plain\ntext".encode("utf-16-le"), "utf-16-le", 2),
        ("plain\ntext".encode("utf-16-be"), "utf-16-be", 2),
        ("a\nb".encode("utf-32"), "utf-32", 2),
        (codecs.BOM_UTF32_BE + "a\nb".encode("utf-32-be"), "utf-32", 2),
        (b"caf\xe9\nbar", None, 2),
        (b"\xff\xfe\x00", None, 1),
    ],
)
def test_encoding_and_lines(data: bytes, encoding: str | None, lines: int) -> None:
    found = facts(data, "text/plain")
    assert (found.get("encoding"), found["lines"]) == (encoding, lines)


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), min_size=1))
def test_a_named_encoding_decodes_what_it_names(given_text: str) -> None:
    found = facts(given_text.encode(), "text/plain")
    assert given_text.encode().decode(found["encoding"]) in (given_text, given_text[1:])
    assert found["lines"] == given_text.count("\n") + (not given_text.endswith("\n"))


@given(st.binary(max_size=300))
def test_random_bytes_are_a_text_of_some_lines(data: bytes) -> None:
    found = facts(memoryview(data), "text/plain")
    if "encoding" in found:
        data.decode(found["encoding"])
    assert found["lines"] >= bool(data)


def test_a_character_across_two_pieces_of_work_is_one_character() -> None:
    data = b"x" * ((1 << 20) - 1) + "€\n".encode() * 3
    assert facts(data, "text/plain") == {"encoding": "utf-8", "lines": 3}


def test_a_fault_behind_the_bytes_that_are_judged_does_not_change_the_encoding() -> None:
    assert facts(b"x\n" * (4 << 20) + b"\xff", "text/plain")["encoding"] == "utf-8"


@pytest.mark.parametrize("data", [b"", bytes(50)])
def test_a_text_without_a_character_is_refused(data: bytes) -> None:
    with pytest.raises(CorruptMediaError, match="verify='none'"):
        text.verify(data, "text/plain", level="full", max_pixels=1)


@pytest.mark.parametrize("data", [b"x", b"caf\xe9", b"\xff\xfea\0"])
def test_any_other_text_passes(data: bytes) -> None:
    text.verify(data, "text/plain", level="full", max_pixels=1)


@given(st.text(st.sampled_from("a\n\r\u2028"), max_size=12))
def test_a_text_part_has_as_many_lines_as_the_same_words_in_a_file(words: str) -> None:
    assert probe(content.text_part(words)).get("lines", 0) == facts(words.encode(), "text/plain")["lines"]
