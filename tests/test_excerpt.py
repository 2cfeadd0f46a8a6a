"""``content.excerpt``: the beginning of a part's text, whatever the part is, cleaned and bounded."""

from __future__ import annotations

import pytest

from tests import _pdfs
from tests._office import DOCX, docx, paragraph
from toolnexus_media import content
from toolnexus_media.part import make_part


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("book.epub", "A little book"),
        ("fruit.csv", "fruit,count\napples,3"),
        ("fruit.html", "Fruit\nApples and pears."),
        ("fruit.xlsx", "[Fruit]\napples\t3\npears\t5"),
        ("letter.docx", "The first page has a text layer"),
        ("letter.odt", "The first page has a text layer"),
        ("letter.rtf", "A short letter in rich text."),
        ("notes.md", "# Notes"),
        ("slides.pptx", "[slide 1]\nThe first page has"),
        ("text.pdf", "The first page has a text layer"),
        ("utf16.txt", "Grüße, 世界."),
    ],
)
def test_a_file_that_has_text_begins_with_it(name: str, begins: str) -> None:
    assert content.excerpt(content.from_file(f"fixtures/media/{name}")).startswith(begins)


@pytest.mark.parametrize("name", ["photo.jpg", "tone.mp3", "film.mp4", "files.zip", "scanned.pdf"])
def test_a_file_without_text_has_none(name: str) -> None:
    assert content.excerpt(content.from_file(f"fixtures/media/{name}")) == ""


@pytest.mark.parametrize("chars", [1, 10, 50])
def test_it_is_as_long_as_asked_for_at_most(chars: int) -> None:
    long = "word " * 100
    for part in (
        make_part(docx(paragraph(long)), DOCX),
        make_part(_pdfs.words(long), "application/pdf"),
        make_part(long.encode(), "text/plain"),
        content.text_part(long),
    ):
        assert 0 < len(content.excerpt(part, chars)) <= chars


def test_it_holds_no_control_and_no_bidi_characters() -> None:
    made = make_part(docx(paragraph("a\u202eb\u200bc\u0085d")), DOCX)
    assert content.excerpt(made) == "abcd"
    assert content.excerpt(make_part(b"<p>a&#x202e;b&#7;c&#xd800;d", "text/html")) == "ab\ufffdc\ufffdd".replace(
        "\ufffd", "", 1
    )


def test_a_link_has_none() -> None:
    assert content.excerpt(content.from_url("https://example.org/a.txt")) == ""
