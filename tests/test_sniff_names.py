"""Names of types, kinds of part, and what a file name's ending says."""

from __future__ import annotations

import pytest

from toolnexus_media.sniff import by_name, is_text, kind_of, normalise
from toolnexus_media.sniff._names import ALIASES


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("image/jpg", "image/jpeg"), ("image/mpo", "image/jpeg"), ("image/x-png", "image/png"),
        ("image/apng", "image/png"),
        ("image/x-icon", "image/vnd.microsoft.icon"), ("image/x-ms-bmp", "image/bmp"), ("audio/x-wav", "audio/wav"),
        ("audio/wave", "audio/wav"), ("audio/vnd.wave", "audio/wav"), ("audio/mp3", "audio/mpeg"),
        ("audio/x-flac", "audio/flac"),
        ("audio/x-m4a", "audio/mp4"), ("audio/m4a", "audio/mp4"), ("audio/x-aiff", "audio/aiff"),
        ("text/xml", "application/xml"),
        ("IMAGE/PNG", "image/png"), ("image/PNG; charset=x", "image/png"), (" audio/X-WAV ;a=b", "audio/wav"),
        ("audio/webm;codecs=opus", "audio/webm"), ("Application/X-Unheard", "application/x-unheard"), ("", ""),
    ],
)  # fmt: skip
def test_an_alias_gets_the_name_used_here(alias: str, name: str) -> None:
    assert normalise(alias) == name


def test_no_alias_stands_for_two_types_and_no_name_is_an_alias() -> None:
    aliases = [alias for names in ALIASES.values() for alias in names]
    assert len(aliases) == len(set(aliases))
    assert not set(aliases) & set(ALIASES)
    assert all(normalise(name) == name for name in ALIASES)


@pytest.mark.parametrize(
    ("mime", "kind"),
    [("image/svg+xml", "image"), ("AUDIO/MPEG", "audio"), ("video/mp4", "file"), ("text/plain", "file"), ("", "file")],
)
def test_the_kind_of_part_follows_from_the_type(mime: str, kind: str) -> None:
    assert kind_of(mime) == kind


@pytest.mark.parametrize(
    ("mime", "readable"),
    [
        ("text/plain", True), ("text/html; charset=utf-8", True), ("application/json", True),
        ("application/ld+json", True),
        ("text/xml", True), ("application/rss+xml", True), ("message/rfc822", True), ("application/yaml", True),
        ("image/svg+xml", False), ("text/rtf", False), ("application/rtf", False), ("application/pdf", False),
        ("application/zip", False), ("model/x+xml", False),
    ],
)  # fmt: skip
def test_a_model_reads_these_as_they_are(mime: str, readable: bool) -> None:
    assert is_text(mime) is readable


@pytest.mark.parametrize(
    ("name", "mime"),
    [
        ("a.jpg", "image/jpeg"), ("A.JPEG", "image/jpeg"), ("a.b.tar.gz", "application/gzip"),
        (".pdf", "application/pdf"),
        ("C:\\x\\a.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
        ("invoice #1.pdf", "application/pdf"),
        ("app.ts", "text/plain"), ("main.py", "text/plain"), ("style.css", "text/css"), ("README", "text/plain"),
        ("x.md", "text/markdown"),
        ("song.m4a", "audio/mp4"), ("https://example.org/a/b.png?v=1.pdf#c.gif", "image/png"),
        ("photo.webp?size=2", "image/webp"),
        ("https://example.py", None), ("https://example.org/", None), ("png", None), ("a.qqq", None), ("", None),
        ("a.", None),
        ("dir.pdf/", None),
    ],
)  # fmt: skip
def test_an_ending_stands_for_a_type(name: str, mime: str | None) -> None:
    assert by_name(name) == mime


def test_every_ending_stands_for_one_type_with_a_normal_name() -> None:
    from toolnexus_media.sniff._endings import _ENDINGS

    endings = [ending for group in _ENDINGS.values() for ending in group.split()]
    assert sorted({e for e in endings if endings.count(e) > 1}) == []
    assert [mime for mime in _ENDINGS if normalise(mime) != mime] == []


def test_every_type_the_table_gives_has_a_normal_name() -> None:
    from toolnexus_media.sniff._signatures import BINARY, INSIDE, TEXTUAL

    given = {*BINARY.values(), *TEXTUAL.values(), *(mime for _, _, mime in INSIDE)}
    assert sorted(mime for mime in given if normalise(mime) != mime) == []


def test_the_reference_page_names_every_type_the_table_gives() -> None:
    from pathlib import Path

    from toolnexus_media.sniff._signatures import BINARY, INSIDE, TEXTUAL

    page = Path(__file__).parent.parent.joinpath("docs", "reference", "sniffing.md").read_text("utf-8")
    given = {*BINARY.values(), *TEXTUAL.values(), *(mime for _, _, mime in INSIDE)}
    assert sorted(mime for mime in given if mime not in page) == []
