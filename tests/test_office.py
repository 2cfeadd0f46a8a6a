"""The text of office files: what is read, in which order, and what hostile files cost."""

from __future__ import annotations

from time import monotonic
from zipfile import ZIP_LZMA

import pytest

from tests._office import DOCX, EPUB, ODT, PPTX, XLSX, docx, paragraph, related, xlsx, zipped
from toolnexus_media.probe import _html, _package, _rtf, office


def text(data: bytes, mime: str, chars: int = 1000) -> str:
    return office.text(data, mime, chars)


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (paragraph("one") + paragraph("two &amp; three"), "one\ntwo & three"),
        ("<w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t></w:r></w:p>", "a\tb\nc"),
        ("<w:p><w:pPr><w:tabs><w:tab/></w:tabs></w:pPr><w:r><w:t>a</w:t></w:r></w:p>", "a"),
        (
            f"<w:tbl><w:tr><w:tc>{paragraph('a')}</w:tc><w:tc>{paragraph('b')}</w:tc></w:tr>"
            f"<w:tr><w:tc>{paragraph('c')}</w:tc></w:tr></w:tbl>",
            "a \tb \nc",
        ),
        ("<w:p><w:del><w:r><w:t>old</w:t></w:r></w:del><w:ins><w:r><w:t>new</w:t></w:r></w:ins></w:p>", "new"),
        ("<w:p><w:instrText>PAGE</w:instrText><w:t>3</w:t></w:p>", "3"),
        ("<mc:A><mc:Choice><w:t>a</w:t></mc:Choice><mc:Fallback><w:t>a</w:t></mc:Fallback></mc:A>", "a"),
    ],
)
def test_the_body_of_a_word_document_is_read(body: str, found: str) -> None:
    assert text(docx(body.replace("mc:", "w:")), DOCX) == found


def test_notes_follow_the_body_of_a_word_document() -> None:
    notes = f'<w:footnotes xmlns:w="w">{paragraph("a note")}</w:footnotes>'
    assert text(docx(paragraph("body"), **{"word/footnotes.xml": notes}), DOCX) == "body\na note"


def cell(value: str, **attributes: str) -> str:
    written = "".join(f' {name}="{given}"' for name, given in attributes.items())
    return f"<c{written}><v>{value}</v></c>"


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        (cell("1") + cell("2.5"), "1\t2.5"),
        (cell("1", r="A1") + cell("2", r="D1"), "1\t\t\t2"),
        (cell("1", t="s") + cell("0", t="s"), "pears\tapples and more"),
        (cell("7", t="s") + cell("x", t="s"), "…\t…"),
        (cell("1", t="b") + cell("0", t="b"), "TRUE\tFALSE"),
        ('<c t="inlineStr"><is><t>here</t></is></c>', "here"),
        (cell("#N/A", t="e"), "#N/A"),
        (cell("45292", s="1") + cell("45292", s="0"), "2024-01-01\t45292"),
        (cell("45292.75", s="2") + cell("0.5", s="2") + cell("x", s="2"), "2024-01-01 18:00:00\t12:00:00\tx"),
        (cell("45292", s="3"), "45292"),
    ],
)
def test_the_cells_of_a_sheet_are_read(cells: str, found: str) -> None:
    strings = "<si><r><t>apples</t></r><r><t> and more</t></r><rPh><t>x</t></rPh></si><si><t>pears</t></si>"
    formats = (
        '<numFmts><numFmt numFmtId="170" formatCode="yyyy\\-mm hh:mm"/>'
        '<numFmt numFmtId="171" formatCode="0 &quot;days&quot;"/></numFmts>'
    )
    styles = (
        formats + "<cellXfs>" + "".join(f'<xf numFmtId="{number}"/>' for number in (0, 14, 170, 171)) + "</cellXfs>"
    )
    assert text(xlsx(f"<row>{cells}</row>", strings, styles), XLSX) == f"[One]\n{found}"


def test_a_workbook_may_count_its_days_from_1904() -> None:
    styles = '<cellXfs><xf numFmtId="14"/></cellXfs>'
    data = xlsx(f"<row>{cell('0', s='0')}</row>", "", styles, '<workbookPr date1904="1"/>')
    assert text(data, XLSX) == "[One]\n1904-01-01"


def test_only_as_many_texts_of_a_workbook_are_read_as_are_shown() -> None:
    """The shared texts of a large workbook are megabytes, and an excerpt shows the first of them."""
    data = xlsx(f"<row>{cell('0', t='s')}</row>", "<si><t>first</t></si>" + "<si><t>x</t></si>" * 300_000 + "<broken")
    assert text(data, XLSX, 12) == "[One]\nfirst"


def test_slides_are_read_in_the_order_they_are_shown() -> None:
    slide = '<p:sld xmlns:a="a" xmlns:p="p"><a:p><a:r><a:t>%s</a:t></a:r></a:p></p:sld>'
    ids = '<p:sldId id="9" r:id="r2"/><p:sldId id="8" r:id="r1"/>'
    data = zipped(
        {
            "ppt/presentation.xml": f'<p:presentation xmlns:p="p" xmlns:r="r">{ids}</p:presentation>',
            "ppt/_rels/presentation.xml.rels": related("slides/a.xml", "/ppt/slides/b.xml"),
            "ppt/slides/a.xml": slide % "last",
            "ppt/slides/b.xml": slide % "first",
        }
    )
    assert text(data, PPTX) == "[slide 1]\nfirst\n\n[slide 2]\nlast"


def test_opendocument_is_read() -> None:
    content = (
        '<o:d xmlns:o="o" xmlns:text="t" xmlns:table="b"><text:h>Title</text:h>'
        '<text:p>a<text:tab/>b<text:s text:c="3"/>c<text:line-break/><text:span>d</text:span>'
        "<o:annotation><text:p>no</text:p></o:annotation></text:p>"
        "<table:table><table:table-row><table:table-cell><text:p>1</text:p></table:table-cell>"
        "<table:table-cell><text:p>2</text:p></table:table-cell></table:table-row></table:table></o:d>"
    )
    assert text(zipped({"content.xml": content}), ODT) == "Title\na\tb   c\nd\n1 \t2"


def test_the_chapters_of_a_book_are_read_in_reading_order() -> None:
    package = (
        '<package><manifest><item id="a" href="text/a.xhtml"/><item id="b" href="b.xhtml"/></manifest>'
        '<spine><itemref idref="b"/><itemref idref="a"/><itemref idref="none"/></spine></package>'
    )
    data = zipped(
        {
            "META-INF/container.xml": '<container><rootfile full-path="OPS/book.opf"/></container>',
            "OPS/book.opf": package,
            "OPS/text/a.xhtml": "<!DOCTYPE html><html><p>last&nbsp;words</p></html>",
            "OPS/b.xhtml": "<html><p>first words</p></html>",
        }
    )
    assert text(data, EPUB) == "first words\n\nlast words"


@pytest.mark.parametrize(
    ("page", "found"),
    [
        (b"<p>a</p>b<div>c<br/>d</div>", "a\nb\nc\nd"),
        (b"<table><tr><td>1<td>2</tr><tr><td>3</table>", "1\t2\n3"),
        (b"<!-- a > b --><p title='x > y'>c</p>", "c"),
        (b"<SCRIPT>a<b</Script><style>p{}</style>x", "x"),
        (b"1 < 2 &lt; 3 &eacute;", "1 < 2 < 3 \xc3\xa9".encode("latin-1").decode()),
        (b"a\n  b\t c", "a b c"),
        (b"<script>never closed", ""),
        (b"a<!-- never closed", "a"),
        (b"<p title='never closed>a", ""),
        (b"<meta charset=koi8-r><p>\xd0\xd2\xc9", "\u043f\u0440\u0438"),
        (b"<meta charset=nonsense><p>caf\xe9", "café"),
        ("<p>grüße".encode("utf-16"), "grüße"),
    ],
)
def test_the_words_of_html_are_read(page: bytes, found: str) -> None:
    assert text(page, "text/html") == found


@pytest.mark.parametrize(
    ("inner", "found"),
    [
        (rb"a\par b\tab c\line d", "a\nb\tc\nd"),
        (rb"{\fonttbl{\f0 Arial;}}{\*\generator x;}{\info{\title t}}a", "a"),
        (rb"caf\'e9 \u8364?\{\}\\ \emdash\~x", "café €{}\\ — x"),
        (rb"\uc2 \u1087??\u1088\'3f\'3fx\uc0 \u33y", "\u043f\u0440x!y"),
        (rb"\ansicpg932 \'83\'65", "テ"),
        (rb"{a}}}}b", "ab"),
        (rb"\u55357?", "�"),
        (rb"{\header above}between{\footer below}", "between"),
        (rb"{\header above\par}{\footerf below}", "above\nbelow"),
    ],
)
def test_the_words_of_rtf_are_read(inner: bytes, found: str) -> None:
    assert text(rb"{\rtf1\ansi " + inner + b"}", "text/rtf") == found


def test_no_more_is_read_than_asked_for() -> None:
    body = paragraph("0123456789") * 50
    assert [len(text(docx(body), DOCX, chars)) for chars in (0, 1, 25)] == [0, 1, 25]
    assert len(text(b"<p>0123456789" * 50, "text/html", 25)) == 25
    assert len(text(rb"{\rtf1 " + b"0123456789" * 50, "text/rtf", 25)) == 25


def test_other_types_have_no_text_here() -> None:
    assert office.text(docx(paragraph("a")), "application/msword", 99) == ""


SPACES = " " * (80 << 20)
HOSTILE = {
    "no zip": (b"PK\3\4 and nothing more", DOCX),
    "cut short": (docx(paragraph("a"))[:-30], DOCX),
    "bad xml": (docx("<w:p>"), DOCX),
    "nothing in it": (zipped({}), DOCX),
    "80 MB of spaces": (docx(SPACES), DOCX),
    "an attribute of 80 MB": (docx(f'<w:p a="{SPACES}"/>'), DOCX),
    "two million levels": (docx("<a>" * 2_000_000), DOCX),
    "entities": (zipped({"word/document.xml": '<!DOCTYPE a [<!ENTITY b "x">]><a><t>&b;</t></a>'}), DOCX),
    "another method": (zipped({"word/document.xml": f"<a>{paragraph('x')}</a>".replace("w:", "")}, ZIP_LZMA), DOCX),
    "30,000 entries": (zipped(dict.fromkeys(map(str, range(30_000)), "")), DOCX),
    "tags that do not end": (b"<a " * 500_000, "text/html"),
    "quotes that do not end": (b'<a "' * 500_000, "text/html"),
    "groups that do not end": (b"{\\rtf1 " + b"{" * 500_000, "text/rtf"),
    "a loop of parts": (xlsx("").replace(b"worksheets/one.xml", b"../xl/workbook.xml"), XLSX),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_files_have_no_text_and_raise_nothing(case: str) -> None:
    data, mime = HOSTILE[case]
    assert office.text(data, mime, 2000) in ("", "[One]")


def test_what_was_read_before_the_damage_is_the_answer() -> None:
    assert text(docx(paragraph("before") + "<w:p></w:q>"), DOCX) == "before"


def test_no_more_is_inflated_than_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_package, "MAX_INFLATED", 1 << 20)
    held = _package.Package(docx(" " * (3 << 20) + paragraph("far")), 9)
    chunks = held.chunks("word/document.xml")
    assert sum(len(next(chunks)) for _ in range(16)) == 1 << 20
    with pytest.raises(_package.Full):
        next(chunks)


def test_the_deadline_ends_every_reader() -> None:
    past = monotonic() - 1
    assert list(_package.Package(docx("x"), 9).chunks("not there")) == []
    with pytest.raises(_package.Full):
        list(_package.Package(docx("x"), -1).chunks("word/document.xml"))
    assert _rtf.text(rb"{\rtf1 a \b c", 99, -1) == ""
    assert _html.text(b"<p>a" * 3000, 9999, past - monotonic()) == ""


def test_a_zip64_directory_is_not_followed() -> None:
    data = docx(paragraph("a"))
    at = data.rfind(b"PK\5\6")
    with pytest.raises(_package.Full):
        _package.Package(data[:at] + b"PK\6\7" + bytes(16) + data[at:], 9)
