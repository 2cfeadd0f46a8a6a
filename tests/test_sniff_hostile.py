"""Whatever the bytes, ``sniff`` answers with a type."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from toolnexus_media.sniff import by_name, charset, is_text, kind_of, normalise, pdf_start, sniff
from toolnexus_media.sniff._rules import _JUDGED, _JUDGED_TEXT
from toolnexus_media.sniff._signatures import BINARY, INSIDE, TEXTUAL

MARKS = st.sampled_from(sorted({*BINARY, *TEXTUAL, *_JUDGED, *_JUDGED_TEXT}))
NUMBERS = st.sampled_from(
    [
        b"\x00" * 4,
        b"\xff" * 4,
        b"\x7f\xff\xff\xff",
        b"\x00\x00\x00\x01",
        b"\x01\x00\x00\x00",
        b"\x00\x00\x00\x18",
        b"\x80",
    ]
)
PIECES = st.one_of(
    st.binary(max_size=40),
    MARKS,
    NUMBERS,
    st.sampled_from([mark for _, mark, _ in INSIDE]),
    st.sampled_from([b"ftypisom", b"moov", b"trak", b"mdia", b"hdlr", b"PK\x01\x02", b"PK\x05\x06"]),
    st.sampled_from([b"%PDF-1.4", b" obj", b"<svg", b"<!DOCTYPE", b"[", b"]", b">"]),
    st.integers(0, 600).map(bytes),
)  # fmt: skip


def is_type(mime: str) -> bool:
    main, slash, rest = mime.partition("/")
    return bool(main and slash and rest) and mime == mime.lower() and mime.isascii() and " " not in mime


@given(st.binary(max_size=3000))
@example(b"\xff\xfe\x00")
@example(b"\xff\xff\xff\xff")
def test_any_bytes_get_a_type(data: bytes) -> None:
    assert is_type(sniff(data))


@settings(max_examples=400)
@given(
    st.lists(PIECES, min_size=1, max_size=12).map(b"".join), st.sampled_from([None, "a.m4a", "a.csv", "a.tga", "a.xml"])
)
def test_any_pieces_of_containers_get_a_type_and_so_does_every_prefix(data: bytes, name: str | None) -> None:
    assert is_type(sniff(data, name))
    assert is_type(sniff(data[: len(data) // 2], name))


@settings(max_examples=200)
@given(MARKS, st.binary(max_size=600))
def test_a_signature_before_noise_gets_a_type_that_buffers_agree_on(mark: bytes, noise: bytes) -> None:
    assert sniff(mark + noise) == sniff(memoryview(mark + noise)) == sniff(bytearray(mark + noise))
    assert is_type(sniff(mark + noise))


@given(st.binary(max_size=24))
def test_a_few_bytes_of_text_are_never_media(data: bytes) -> None:
    text = bytes(32 + byte % 95 for byte in data)
    assert kind_of(sniff(text)) == "file" or text.startswith((b"P1", b"P2", b"P3", b"SIMPLE", b"#?R", b"/* X"))


@given(st.binary(max_size=200))
def test_a_charset_decodes_what_it_was_told_from(data: bytes) -> None:
    encoding = charset(data)
    if encoding is not None:
        data.decode(encoding, "ignore")
        assert sniff(data) != "application/octet-stream"


@given(st.binary(max_size=2000), st.integers(0, 1100))
def test_pdf_start_points_at_a_header_or_at_the_start(data: bytes, at: int) -> None:
    whole = data[:at] + b"%PDF-1.4"
    start = pdf_start(whole)
    assert whole[start : start + 5] == b"%PDF-" or (start == 0 and b"%PDF-" not in whole[:1028])


@given(st.text(max_size=60))
def test_any_text_as_a_name_or_a_type_is_answered(text: str) -> None:
    found = by_name(text)
    assert found is None or is_type(found)
    assert normalise(normalise(text)) == normalise(text)
    assert kind_of(text) in ("image", "audio", "file")
    assert is_text(text) in (True, False)
    assert is_type(sniff(b"a,b\n", text))


def corpus() -> list[Path]:
    folder = os.environ.get("TOOLNEXUS_MEDIA_CORPUS")
    if not folder:
        pytest.skip("set TOOLNEXUS_MEDIA_CORPUS to the folder of real files to run this")
    return sorted(path for path in Path(folder, "files").rglob("*") if path.is_file())


def test_every_real_file_cut_anywhere_gets_a_type() -> None:
    for path in corpus():
        head = path.read_bytes()[:100_000]
        for cut in (1, 2, 3, 5, 9, 17, 33, 99, 700, 5000, len(head) // 2, len(head) - 1):
            assert is_type(sniff(head[: max(0, cut)])), path.name
