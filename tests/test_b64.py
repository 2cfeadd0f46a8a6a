"""Base64 in every dialect goes in, the standard one comes out."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolnexus_media import _b64
from toolnexus_media.errors import SourceError


@given(st.binary(max_size=100))
def test_encoding_is_the_standard_alphabet_padded_on_one_line(raw: bytes) -> None:
    assert _b64.encode(raw) == base64.standard_b64encode(raw).decode()


@given(st.binary(max_size=100))
def test_size_needs_no_decoding(raw: bytes) -> None:
    assert _b64.size(_b64.encode(raw)) == len(raw)


@given(st.binary(max_size=100), st.booleans(), st.booleans(), st.sampled_from(["", "\n", "\r\n", " ", "\t"]))
def test_every_dialect_decodes_to_the_same_bytes(raw: bytes, url_safe: bool, padded: bool, glue: str) -> None:
    text = (base64.urlsafe_b64encode if url_safe else base64.standard_b64encode)(raw).decode()
    text = glue.join(text[at : at + 5] for at in range(0, len(text), 5))
    assert _b64.decode_any(text if padded else text.rstrip("=" + glue)) == raw
    assert _b64.decode_any(text.encode()) == raw


@given(st.binary(max_size=60), st.integers(0, 20))
def test_the_head_is_the_beginning(raw: bytes, count: int) -> None:
    assert _b64.head(_b64.encode(raw), count) == raw[:count]


@pytest.mark.parametrize("bad", ["!!!!", "a", "aGk=aGk=", "aG=k", "aGk*", "aGk\u00e9", "aGk\x00", "\ud800AAA"])
def test_what_is_no_base64_is_refused_without_quoting_it(bad: str) -> None:
    with pytest.raises(SourceError) as caught:
        _b64.decode_any(bad)
    assert caught.value.code == "bad-base64"
    assert f"not base64: {len(bad)} characters" in str(caught.value)
    assert len(bad) < 3 or bad not in str(caught.value)


@pytest.mark.parametrize("loose", ["aGk", "aG k=", "aGk=\n", "_-8="])
def test_the_strict_decoder_takes_only_the_standard_form(loose: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        _b64.decode(loose)
