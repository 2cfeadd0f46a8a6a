"""The first tier: what is read of a PDF in process, what decides the page count, and what it may cost."""

from __future__ import annotations

import os
import random
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests._pdfs import CATALOG, PAGE, build, flat, packed, stream, tree, words
from toolnexus_media.errors import MediaError
from toolnexus_media.probe import pdf
from toolnexus_media.probe._pdf_file import MAX_STEPS, File
from toolnexus_media.probe._pdf_repair import Scanned
from toolnexus_media.probe._pdf_syntax import Beyond, Ref, parse, text
from toolnexus_media.probe._pdf_tree import GLANCES, describe, page_size


def basics(data: bytes) -> dict[str, Any]:
    return {**pdf.basics(data)}


def described(file: File) -> dict[str, Any]:
    return {**describe(file)}


@pytest.mark.parametrize(
    ("source", "value"),
    [
        (b"null", None),
        (b" % a comment\n true", True),
        (b"-12", -12),
        (b"+.5", 0.5),
        (b"--3.", -3.0),
        (b"/A#42c", "ABc"),
        (b"(a(b)\\)\\101\\\n\r\n\\q)", b"a(b))A\nq"),
        (b"<48 6>", b"H`"),
        (b"[1 2 R 3 0 R]", [Ref(1, 2), Ref(3, 0)]),
        (b"[1 0 0 R]", [1, Ref(0, 0)]),
        (b"<</A<</B[(c)]>>/A 1>>", {"A": 1}),
    ],
)
def test_objects_are_read(source: bytes, value: object) -> None:
    assert parse(source)[0] == value


@pytest.mark.parametrize(
    "source",
    [
        b"",
        b"<<",
        b"<</A>>",
        b"<<1 2>>",
        b"[>>",
        b"]",
        b"(",
        b"<zz>",
        b"endobj",
        b"[" * 99,
        b"[1" + b" 1" * 30_000 + b"]",
    ],
)
def test_what_is_no_object_or_too_large_is_beyond(source: bytes) -> None:
    with pytest.raises(Beyond):
        parse(source)


@pytest.mark.parametrize("source", [b"(" + b"a" * 70_000 + b"(", b"(" * 99_000])
def test_a_string_too_long_is_beyond(source: bytes) -> None:
    with pytest.raises(Beyond, match="too long"):
        parse(source)


@pytest.mark.parametrize(
    ("raw", "read"),
    [
        (b"\xfe\xff\x20\xac", "€"),
        (b"\xff\xfe\xac\x20", "€"),
        (b"\xef\xbb\xbf\xe2\x82\xac", "€"),
        (b"\xa0 \x93\xe9", "€ ﬁé"),
        (7, ""),
    ],
)
def test_text_strings_of_every_encoding(raw: bytes | int, read: str) -> None:
    assert text(raw) == read


@pytest.mark.parametrize("declared", [0, 1, 2, 4, 99_999, -1])
def test_the_tree_decides_where_the_count_lies(declared: int) -> None:
    assert basics(flat(3, declared))["pages"] == 3


@pytest.mark.parametrize("pages", [GLANCES - 1, GLANCES + 1, 1_000])
def test_a_large_flat_tree_is_counted(pages: int) -> None:
    assert basics(flat(pages))["pages"] == pages


@pytest.mark.parametrize("declared", [1, 301, 99_999])
def test_a_lie_about_a_large_flat_tree_is_found(declared: int) -> None:
    assert basics(flat(300, declared))["pages"] == 300


def test_a_node_among_sampled_pages_is_walked() -> None:
    kids = b" ".join(b"%d 0 R" % number for number in range(3, 603))
    objects = {1: CATALOG, 2: tree(kids, 600), **dict.fromkeys(range(3, 602), PAGE)}
    objects[602] = tree(b"3 0 R 4 0 R 5 0 R", 3)
    assert basics(build(objects))["pages"] == 602


def test_an_untold_node_deep_in_a_tree_is_walked() -> None:
    inner = tree(b"5 0 R 6 0 R", 7)
    objects = {1: CATALOG, 2: tree(b"3 0 R 4 0 R", 1), 3: inner, 4: PAGE, 5: PAGE, 6: PAGE}
    assert basics(build(objects))["pages"] == 3


def test_a_tree_too_large_to_walk_is_believed_within_reason() -> None:
    kids = b"3 0 R " * 6_000
    objects = {1: CATALOG, 2: tree(kids, 6_001), 3: PAGE, 9_000: b"null"}
    assert basics(build(objects))["pages"] == 6_001
    assert basics(build({**objects, 2: tree(kids, 99_999)})) == {}
    assert basics(build({**objects, 2: tree(kids, 5)})) == {}


def test_hidden_kids_are_seen() -> None:
    disguised = b"<</#54ype/Page/#4bids[4 0 R 4 0 R]>>"
    objects = {1: CATALOG, 2: tree(b"4 0 R 3 0 R", 2), 3: disguised, 4: PAGE}
    assert basics(build(objects))["pages"] == 3


def test_a_loop_holds_no_further_page() -> None:
    objects = {1: CATALOG, 2: tree(b"3 0 R 4 0 R", 9), 3: PAGE, 4: tree(b"2 0 R 3 0 R", 9)}
    assert basics(build(objects))["pages"] == 2


def test_missing_kids_are_no_pages() -> None:
    assert basics(build({1: CATALOG, 2: tree(b"3 0 R 8 0 R null 7", 4), 3: PAGE}))["pages"] == 1


@pytest.mark.parametrize(
    ("entries", "size"),
    [
        (b"", (200.0, 100.0)),
        (b"/Rotate 90", (100.0, 200.0)),
        (b"/Rotate -90", (100.0, 200.0)),
        (b"/Rotate 180", (200.0, 100.0)),
        (b"/CropBox[10 10 60 40]", (50.0, 30.0)),
        (b"/CropBox[-9 -9 999 50]", (200.0, 50.0)),
        (b"/CropBox[900 900 999 999]", (200.0, 100.0)),
        (b"/UserUnit 2", (400.0, 200.0)),
        (b"/MediaBox[200 100.5 0 0]", (200.0, 100.5)),
    ],
)
def test_page_size_is_the_first_page_as_shown(entries: bytes, size: tuple[float, float]) -> None:
    node = b"<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 200 100]>>"
    assert basics(build({1: CATALOG, 2: node, 3: b"<</Type/Page%s>>" % entries}))["page_size"] == size


@pytest.mark.parametrize("box", [None, [1, 2], [0, 0, "a", 1], [0, 0, 0, 9], [0, 0, 10**9, 9], [Ref(1, 0)] * 4])
def test_an_impossible_page_size_is_absent(box: list[object] | None) -> None:
    assert page_size({"MediaBox": box}) is None  # type: ignore[dict-item] # odd values are the point


@pytest.mark.parametrize("columns", [0, 4])
def test_object_streams_are_read(columns: int) -> None:
    assert basics(packed(12, columns)) == {"encrypted": False, "pages": 12, "page_size": (200.0, 100.0)}


def test_a_hybrid_file_finds_its_hidden_objects() -> None:
    pack = stream(b"3 0 " + PAGE, b"/Type/ObjStm/N 1/First 4")
    first = build({1: CATALOG, 2: tree(b"3 0 R", 1), 5: pack})
    rows = b"\2\0\5\0"
    section = stream(rows, b"/Type/XRef/W[1 2 1]/Index[3 1]/Size 6")
    data = first[: first.rfind(b"xref\n0")] + b"6 0 obj\n" + section + b"\nendobj\n"
    table = first[first.rfind(b"xref\n0") :].split(b"startxref")[0]
    table = table.replace(b"/Root 1 0 R", b"/Root 1 0 R/XRefStm %d" % first.rfind(b"xref\n0"))
    data += table + b"startxref\n%d\n%%%%EOF\n" % len(data)
    assert basics(data)["pages"] == 1


def test_an_update_hides_what_it_replaces() -> None:
    first = flat(2)
    place = len(first)
    update = b"2 0 obj\n%s\nendobj\n" % tree(b"3 0 R", 1)
    table = b"xref\n2 1\n%010d 00000 n \ntrailer<</Size 5/Root 1 0 R/Prev %d>>\n" % (place, first.rfind(b"xref\n0"))
    assert basics(first + update + table + b"startxref\n%d\n%%%%EOF" % (place + len(update)))["pages"] == 1


@pytest.mark.parametrize("line", [b"\n", b"\r", b" \n", b"\r\n"])
def test_table_entries_of_every_line_end_are_read(line: bytes) -> None:
    data = flat(2)
    start = data.rfind(b"xref\n0")
    assert basics(data[:start] + data[start:].replace(b" \n", line))["pages"] == 2


def test_an_encrypted_file_keeps_its_titles_to_itself() -> None:
    data = words("a").replace(b"/Info 4 0 R", b"/Info 4 0 R/Encrypt<</Filter/Standard>>")
    assert basics(data) == {"encrypted": True, "pages": 1, "page_size": (612.0, 792.0)}


def _section(rows: bytes, entries: bytes) -> bytes:
    body = stream(rows, b"/Type/XRef/Root 1 0 R/W[1 2 1]" + entries)
    return b"%PDF-1.7\n9 0 obj\n" + body + b"endobj startxref\n9\n%%EOF"


COSTLY = {
    "nested": build({1: CATALOG, 2: b"<</Kids" + b"[" * 500_000}),
    "tokens": build({1: CATALOG, 2: b"<</Kids[" + b"1 " * 400_000 + b"]>>"}),
    "fat kids": build({1: CATALOG, 2: tree(b"3 0 R " * 90_000, 1), 3: b"[" + b"1 " * 15_000 + b"]"}),
    "parentheses": build({1: CATALOG, 2: tree(b"3 0 R " * 9_000, 1), 3: b"<</A(" + b"\\(" * 30_000 + b")>>"}),
    "graph": build({1: CATALOG, **{n: tree(b"%d 0 R %d 0 R" % (n + 1, n + 1), 2) for n in range(2, 60)}, 60: PAGE}),
    "deep": build({1: CATALOG, **{n: tree(b"%d 0 R" % (n + 1), 1) for n in range(2, 3_000)}, 3_000: PAGE}),
    "previous": build({1: CATALOG, 2: tree(b"2 0 R", 1)}, b"/Prev 0"),
    "ranges": b"%PDF-1.7\nxref\n" + b"0 0\n" * 200_000 + b"startxref\n9\n%%EOF",
    "sections": _section(b"", b"/Size 9/Index[" + b"0 9 " * 4_000 + b"]"),
    "wide": _section(bytes(30_000_000), b"/Size 9000000"),
    "own length": _section(b"\1\0\x09\0", b"/Size 1/Length 9 0 R"),
}


@pytest.mark.parametrize("name", COSTLY)
def test_a_costly_file_is_left_after_a_bounded_number_of_steps(name: str) -> None:
    file = File(COSTLY[name])
    with pytest.raises((Beyond, RecursionError)):
        describe(file.open())
    assert file.steps < 2 * MAX_STEPS
    assert file.inflated < 30_000_000
    assert basics(COSTLY[name]) == {}


def test_the_cost_does_not_grow_with_the_file() -> None:
    small = build({1: CATALOG, 2: tree(b"3 0 R", 1), 3: PAGE})
    large = build({1: CATALOG, 2: tree(b"3 0 R", 1), 3: PAGE, 4: b"<<>>stream\n" + bytes(9_000_000)})
    steps = []
    for data in (small, large):
        file = File(data).open()
        describe(file)
        steps.append(file.steps)
    assert steps[0] == steps[1]


def test_a_scan_finds_what_the_sections_say() -> None:
    for data in (flat(5), packed(9), words("a", "b")):
        assert described(Scanned(data).open()) == described(File(data).open())


def test_a_scan_finds_a_catalogue_without_a_trailer() -> None:
    assert (
        described(Scanned(b"%PDF-1.4 1 0 obj" + CATALOG + b"endobj 2 0 obj<</Kids[<</Type/Page>>]>>").open())["pages"]
        == 1
    )


def _mutants(seeds: list[bytes], count: int, salt: int) -> list[bytes]:
    chance = random.Random(salt)
    pieces = [
        b"/Kids",
        b"/Prev 0",
        b"<<" * 9,
        b"[" * 99,
        b"(",
        b"R",
        b"-1",
        b"99999999999999999999",
        b"/Length 9",
        b"endobj",
    ]
    made = []
    for _ in range(count):
        data = bytearray(chance.choice(seeds))
        for _ in range(chance.choice((1, 1, 2, 5, 20))):
            at = chance.randrange(len(data) + 1)
            piece = chance.choice([chance.randbytes(1), chance.choice(pieces), b""])
            data[at : at + chance.choice((0, len(piece), 40))] = piece
        made.append(bytes(data[: chance.choice((len(data), len(data), chance.randrange(len(data) + 1)))]))
    return made


SEEDS = [flat(3), packed(4), packed(5, 4), words("some text"), flat(2, trailer=b"/Encrypt<</Filter/Standard/V 1>>")]


def test_no_mutant_raises_in_the_first_tier() -> None:
    for data in _mutants(SEEDS, 3_000, 1):
        found = basics(data)
        assert found.get("pages", 1) > 0
        with suppress(Beyond, RecursionError):
            described(Scanned(data).open())


def test_no_mutant_raises_anything_but_a_media_error() -> None:
    for data in _mutants(SEEDS, 12, 2):
        pdf.facts(data)
        with suppress(MediaError):
            pdf.verify(data, level="full", max_pixels=1)


def test_real_files_are_read_as_independent_programs_read_them() -> None:
    """Page counts and encryption of a folder of real files, whose table names what programs agree on."""
    folder = os.environ.get("TOOLNEXUS_MEDIA_CORPUS")
    if not folder:
        pytest.skip("TOOLNEXUS_MEDIA_CORPUS names no folder of real files")
    lines = (Path(folder) / "expected.tsv").read_text("utf-8").splitlines()
    head = lines[0].split("\t")
    rows = [row for line in lines[1:] if (row := dict(zip(head, line.split("\t"), strict=False)))["kind"] == "pdf"]
    wrong = []
    for row in rows:
        found = basics((Path(folder) / row["file"]).read_bytes())
        told = {"pages": str(found.get("pages", "")), "title": found.get("title", "")}
        if "encrypted" in found:
            told["encrypted"] = "yes" if found["encrypted"] else "no"
        wrong += [(row["file"], key) for key, value in told.items() if value and row[key] and value != row[key]]
    assert rows
    assert wrong == []
