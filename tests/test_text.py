"""Strangers' text becomes one clean line."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests._make import CASES, is_clean
from toolnexus_media import _text

ANY = st.text(alphabet=st.characters())
NAMES: list[str] = json.loads((CASES / "strings.json").read_text("utf-8"))["names"]


@given(ANY, st.integers(1, 40))
def test_one_line_is_one_clean_line_within_its_limit(text: str, limit: int) -> None:
    line = _text.one_line(text, limit)
    assert is_clean(line)
    assert len(line) <= limit
    assert "  " not in line
    assert line == line.strip()


@given(ANY, st.integers(1, 40))
def test_a_block_keeps_lines_and_tabs_and_nothing_else_unsafe(text: str, limit: int) -> None:
    made = _text.block(text, limit)
    assert len(made) <= limit
    assert all(ch in "\n\t" or is_clean(ch) or ch in "\u2028\u2029" for ch in made)


@given(ANY)
def test_a_base_name_is_one_clean_segment(name: str) -> None:
    base = _text.base_name(name)
    assert is_clean(base)
    assert not set(base) & set("/\\")
    assert len(base) <= 255
    assert base not in {".", ".."}


@pytest.mark.parametrize("name", NAMES)
def test_every_awkward_name_gives_one_clean_line(name: str) -> None:
    base = _text.base_name(name)
    assert base
    assert is_clean(base)
    json.dumps(base, ensure_ascii=False).encode()


@pytest.mark.parametrize(
    ("name", "base"),
    [
        ("C:\\a\\b.pdf", "b.pdf"),
        ("/tmp/x/", "x"),
        ("..", ""),
        ("a/..", ""),
        ("\x00", ""),
        ("\u30c6\u30b9\u30c8\u3000\u8cc7\u6599.xlsx", "\u30c6\u30b9\u30c8 \u8cc7\u6599.xlsx"),
        (".pdf", ".pdf"),
        ("a" * 300, "a" * 254 + "…"),
    ],
)
def test_base_names_of_awkward_paths(name: str, base: str) -> None:
    assert _text.base_name(name) == base


@given(ANY)
def test_utf8_safe_encodes_and_keeps_every_real_character(text: str) -> None:
    safe = _text.utf8_safe(text)
    safe.encode()
    if not any("\ud800" <= ch <= "\udfff" for ch in text):
        assert safe == text


def test_utf8_safe_joins_a_surrogate_pair_and_keeps_a_byte_order_mark() -> None:
    assert _text.utf8_safe("\ufeff\ud83d\ude00\ud83d.") == "\ufeff\U0001f600\ufffd."
