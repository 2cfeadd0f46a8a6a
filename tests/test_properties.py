"""Whatever the bytes: no exception but a ``MediaError`` leaves ``attach``, ``sniff``, ``probe`` and their readers."""

from __future__ import annotations

import json
import os
import warnings

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests._make import CASES, check, is_clean
from toolnexus_media import content
from toolnexus_media.errors import MediaError
from toolnexus_media.probe import probe
from toolnexus_media.sniff import sniff

MEDIA = CASES.parent / "media"
SMALL = 12_000  # bytes; larger fixtures are cut, so that a run stays short
FILES = {
    path.name: path.read_bytes()
    for folder in (CASES / "files", MEDIA)
    if folder.is_dir()
    for path in sorted(folder.iterdir())
    if path.is_file()
}
NAMES = sorted(FILES)
QUICK = settings(derandomize=True, deadline=None, max_examples=120, suppress_health_check=[HealthCheck.too_slow])
MAGIC = [
    b"",
    b"\x89PNG\r\n\x1a\n",
    b"\xff\xd8\xff",
    b"GIF89a",
    b"RIFF\0\0\0\0WEBP",
    b"RIFF\xff\xff\xff\xffWAVEfmt ",
    b"BM",
    b"II*\0",
    b"MM\0*",
    b"%PDF-1.7\n",
    b"PK\x03\x04",
    b"ID3\x04\0\0",
    b"\xff\xfb",
    b"\xff\xf1",
    b"OggS\0\x02",
    b"fLaC",
    b"\0\0\0\x1cftypavif",
    b"\0\0\0\x1cftypM4A ",
    b"\x1aE\xdf\xa3",
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    b"<svg ",
    b"<?xml ",
    b"{",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"FORM\0\0\0\0AIFF",
    b"8BPS",
    b"qoif",
    b"\0\0\x01\0\x01\0",
    b"{\\rtf",
    b"FLV\x01",
    b"0&\xb2u\x8ef\xcf\x11",
]


def survives(raw: bytes, name: str | None = None, verify: str = "full") -> None:
    assert isinstance(sniff(raw, name), str)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            part = content.attach(raw, name=name, verify=verify)  # type: ignore[arg-type]  # one of the three
            line = content.caption(part)
            content.excerpt(part, 200)
        except MediaError as error:
            check(error)
        else:
            assert content.is_part(dict(part))
            assert is_clean(line)
            assert len(line) <= 300
            json.dumps(line, ensure_ascii=False).encode()
        try:
            assert isinstance(probe(raw), dict)
        except MediaError as error:
            check(error, "empty")


@QUICK
@given(st.sampled_from(NAMES), st.floats(0, 1), st.booleans())
def test_a_prefix_of_any_fixture(name: str, share: float, named: bool) -> None:
    raw = FILES[name][:SMALL]
    survives(raw[: round(len(raw) * share)], name if named else None)


@QUICK
@given(st.sampled_from(NAMES), st.integers(0, 80))
def test_a_short_prefix_of_any_fixture(name: str, length: int) -> None:
    survives(FILES[name][:length])


@QUICK
@given(
    st.sampled_from(NAMES),
    st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)), min_size=1, max_size=6),
    st.booleans(),
)
def test_flipped_bytes_of_any_fixture(name: str, flips: list[tuple[float, int]], front: bool) -> None:
    raw = bytearray(FILES[name][:SMALL])
    span = min(len(raw), 120) if front else len(raw)
    for share, value in flips:
        if span:
            raw[int(share * span)] = value
    survives(bytes(raw))


@QUICK
@given(st.sampled_from(NAMES), st.sampled_from(NAMES), st.floats(0, 1))
def test_two_fixtures_spliced(first: str, second: str, share: float) -> None:
    head, tail = FILES[first][:SMALL], FILES[second][:SMALL]
    survives(head[: round(len(head) * share)] + tail[round(len(tail) * share) :])


@QUICK
@given(st.sampled_from(MAGIC), st.binary(max_size=300), st.sampled_from(["full", "header", "none"]))
@example(b"", b"\x00", "full")
def test_random_bytes_behind_any_signature(magic: bytes, rest: bytes, verify: str) -> None:
    survives(magic + rest, verify=verify)


@QUICK
@given(st.sampled_from(NAMES), st.text(alphabet=st.characters(), max_size=40))
def test_any_name(fixture: str, name: str) -> None:
    survives(FILES[fixture][:200], name)


@QUICK
@given(st.text(alphabet=st.characters(), max_size=60))
def test_any_string_is_a_part_or_our_error(text: str) -> None:
    for function in (
        content.attach,
        sniff,
        probe,
        content.from_base64,
        content.from_data_url,
        content.from_url,
        content.from_file,
    ):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                function(text)
        except MediaError as error:
            check(error)


@pytest.mark.skipif(
    "TOOLNEXUS_MEDIA_CORPUS" not in os.environ, reason="TOOLNEXUS_MEDIA_CORPUS names no folder of real files"
)
def test_real_files_survive_too() -> None:
    for folder, _, names in os.walk(os.environ["TOOLNEXUS_MEDIA_CORPUS"]):
        for name in sorted(names)[::40]:
            with open(os.path.join(folder, name), "rb") as stream:
                survives(stream.read(SMALL), name)
