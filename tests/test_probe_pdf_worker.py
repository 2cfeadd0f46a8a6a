"""The readers that work in the child, run here on files of this project's own making."""

from __future__ import annotations

import mmap
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import pytest

from tests._pdfs import CATALOG, PAGE, build, encrypted, flat, tree, words
from toolnexus_media.probe import _child, _pdf_worker

if TYPE_CHECKING:
    from toolnexus_media.probe._pdf_worker import Reader

LONG = "Twenty letters and more than that"
ENGINES = [("_pdf_pypdf", "Pypdf")] + ([("_pdf_pdfium", "Pdfium")] if find_spec("pypdfium2") else [])


def mapped(data: bytes) -> mmap.mmap:
    memory = mmap.mmap(-1, len(data))
    memory[:] = data
    return memory


def engine(names: tuple[str, str]) -> Any:
    return getattr(import_module(f"toolnexus_media.probe.{names[0]}"), names[1])


@pytest.fixture(params=ENGINES, ids=lambda names: str(names[1]))
def opener(request: pytest.FixtureRequest) -> Any:
    return engine(request.param)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run the worker here, unlimited, and keep what it says."""

    def call(data: bytes, names: tuple[str, str] = ENGINES[0], **request: Any) -> list[dict[str, Any]]:
        said: list[dict[str, Any]] = []
        monkeypatch.setattr(_child, "limit", lambda *_: None)
        monkeypatch.setattr(_child, "work", lambda: None)
        monkeypatch.setattr(_child, "load", lambda: None)
        monkeypatch.setattr(_child, "say", lambda **line: said.append(line))
        monkeypatch.setattr(_pdf_worker, "_data", lambda: mapped(data))
        monkeypatch.setattr(_pdf_worker, "_library", lambda: engine(names))
        _pdf_worker.main({"memory": 0, "cpu": 0, "repair": False, "pages": 0, **request})
        return said

    return call


def test_a_reader_tells_what_it_finds(opener: Any) -> None:
    reader: Reader = opener(mapped(words(LONG)))
    told = reader.facts()
    assert not reader.locked
    assert (told["pages"], tuple(told["page_size"]), told["encrypted"]) == (1, (612.0, 792.0), False)
    assert (told["title"], told["author"]) == ("A title", "Somebody")
    assert reader.page_text(0, 99).strip() == LONG


def test_a_turned_page_is_measured_as_shown(opener: Any) -> None:
    page = PAGE.replace(b"]>>", b"]/Rotate 270>>")
    assert tuple(opener(mapped(build({1: CATALOG, 2: tree(b"3 0 R", 1), 3: page}))).facts()["page_size"]) == (
        100.0,
        200.0,
    )


def test_a_reader_knows_a_locked_file(opener: Any) -> None:
    data = words(LONG)
    assert opener(mapped(encrypted(data, "RC4-128", "user"))).locked
    reader = opener(mapped(encrypted(data, "RC4-128")))
    assert not reader.locked
    assert reader.facts()["encrypted"] is True


def test_another_lock_than_a_password_is_locked(opener: Any) -> None:
    data = build({1: CATALOG, 2: tree(b"3 0 R", 1), 3: PAGE}, b"/Encrypt<</Filter/Other/V 1>>/ID[<00><00>]")
    assert opener(mapped(data)).locked


def test_pages_past_the_end_are_an_index_error(opener: Any) -> None:
    with pytest.raises(IndexError):
        opener(mapped(flat(1))).page_text(1, 9)


def test_what_a_field_holds_is_told_once_and_hidden_fields_not(opener: Any) -> None:
    shared = b"/Type/Annot/Subtype/Widget/Rect[0 0 90 20]"
    objects = {
        1: b"<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R 6 0 R 7 0 R]>>>>",
        2: tree(b"3 0 R", 1),
        3: b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Annots[5 0 R 6 0 R 7 0 R null]>>",
        4: b"<</FT/Tx/T(parent)/V(inherited words)/Kids[5 0 R]>>",
        5: b"<<%s/Parent 4 0 R/F 4>>" % shared,
        6: b"<<%s/FT/Btn/T(tick)/V/Yes/AS/Yes/AP<</N<</Off null>>>>/F 4>>" % shared,
        7: b"<<%s/FT/Tx/T(hidden)/V(secret)/F 2>>" % shared,
    }
    assert opener(mapped(build(objects))).page_text(0, 99).split() == ["inherited", "words"]


@pytest.mark.parametrize("names", ENGINES, ids=lambda names: str(names[1]))
def test_the_worker_counts_and_tells_text(run: Any, names: tuple[str, str]) -> None:
    data = words(LONG, "short")
    opened, counted = run(data, names, pages=2, text_pages=True)
    assert opened["locked"] is False
    assert counted == {"text_pages": 1}
    told = run(data, names, pages=2, text=[list(range(9)), 36])[1:]
    assert [line["text"].strip() for line in told] == [LONG, "sho"]
    assert [line["text"].strip() for line in run(data, names, pages=2, text=[[0], 99])[1:]] == [LONG]


def test_the_worker_says_a_file_is_locked_and_no_more(run: Any) -> None:
    data = encrypted(words(LONG), "RC4-128", "user")
    assert run(data, pages=1, text_pages=True) == [{"locked": True, "facts": {}}]


def test_the_worker_stops_where_no_object_is(run: Any) -> None:
    assert run(b"%PDF-1.7", repair=True) == []


def test_the_worker_needs_no_library_for_a_repaired_count(run: Any) -> None:
    data = words(LONG).replace(b"startxref", b"starts")
    (line,) = run(data, repair=True, only_pages=True)
    assert line["facts"]["pages"] == 1


def test_a_refusal_is_named(run: Any) -> None:
    assert run(b"%PDF-1.7 1 0 obj null endobj", repair=True)[-1].keys() == {"refused"}


@pytest.mark.parametrize("fault", [ValueError, RecursionError, MemoryError, AssertionError])
def test_a_page_that_cannot_be_read_leaves_the_count_unknown(fault: type[Exception], run: Any) -> None:
    class Faulty:
        locked = False

        def facts(self) -> dict[str, Any]:
            raise fault

        def page_text(self, index: int, chars: int) -> str:
            if index:
                raise fault
            return LONG

    said: list[dict[str, Any]] = []
    run(flat(1))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_child, "say", lambda **line: said.append(line))
        _pdf_worker._count_text(Faulty(), 2)
        _pdf_worker._tell_text(Faulty(), [0, 1, 2], 99)
    assert _pdf_worker._guarded(Faulty().facts) is None
    assert said == [{"text": LONG, "page": 0}]


def test_without_the_extra_pypdf_is_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "pypdfium2_raw", None)
    monkeypatch.delitem(sys.modules, "toolnexus_media.probe._pdf_pdfium", raising=False)
    assert _pdf_worker._library().__name__ == "Pypdf"
