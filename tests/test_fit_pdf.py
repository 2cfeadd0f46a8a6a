"""PDFs for a target: left alone, cut, decrypted, drawn, or read out."""

from __future__ import annotations

import sys
from io import BytesIO
from typing import Any, Literal

import pytest
from pypdf import PdfReader

from tests import _pdfs
from tests._fitting import facts_of, job, pictures, without
from toolnexus_media.errors import CorruptMediaError, LimitError, MissingExtraError
from toolnexus_media.fit import _pdf_cut, fit
from toolnexus_media.fit._job import Outcome
from toolnexus_media.fit.pdf import MAX_DRAWN, fit_pdf, grid
from toolnexus_media.part import make_part, part_data
from toolnexus_media.probe import _child
from toolnexus_media.types import ContentPart

PDF = "application/pdf"
TWELVE = _pdfs.words(*(f"Page {number} has more than twenty letters" for number in range(1, 13)))
NOTHING_SEEN: dict[str, Any] = {"image": None}
BOMB = _pdfs.build(
    {
        1: _pdfs.CATALOG,
        2: _pdfs.tree(b"3 0 R", 1),
        3: b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 600]/Contents 4 0 R/Resources<</XObject<</X 5 0 R>>>>>>",
        4: _pdfs.stream(b"/X Do"),
        **{
            number: _pdfs.stream(
                b"/X Do " * 10,
                b"/Type/XObject/Subtype/Form/BBox[0 0 600 600]/Resources<</XObject<</X %d 0 R>>>>" % (number + 1),
            )
            for number in range(5, 17)
        },
        17: _pdfs.stream(b"0 0 500 500 re f", b"/Type/XObject/Subtype/Form/BBox[0 0 600 600]"),
    }
)
"""A page that draws a square ten to the twelfth times."""


def part(data: bytes, name: str | None = "report.pdf") -> ContentPart:
    return make_part(data, PDF, name)


def only(outcomes: list[Outcome]) -> Outcome:
    assert len(outcomes) == 1
    return outcomes[0]


def said(outcome: Outcome) -> str:
    assert outcome.step is not None
    return outcome.step.what


def page_words(data: bytes) -> list[str]:
    return [page.extract_text().split(" has")[0] for page in PdfReader(BytesIO(data)).pages]


@pytest.mark.parametrize("provider", ["anthropic", "openai", "gemini", "bedrock", "mcp", "a2a", "mistral"])
def test_a_file_within_the_caps_is_left_alone(provider: str) -> None:
    given = part(TWELVE)
    assert fit_pdf(given, job(provider)) == [Outcome(given)]
    assert only(fit_pdf(given, job(provider))).part is given


def test_over_the_page_cap_the_first_pages_are_kept_and_the_rest_is_named() -> None:
    made = only(fit_pdf(part(TWELVE), job(limits={"document": {"max_pages": 3}})))
    assert page_words(part_data(made.part)) == ["Page 1", "Page 2", "Page 3"]
    assert made.part.get("name") == "report.pdf"
    assert said(made) == "pages 1-3 of 12 kept; pages 4-12 left out for the target's cap; pages= chooses others"


def test_pages_are_chosen_by_number() -> None:
    made = only(fit_pdf(part(TWELVE), job(pages=(5, 2, 2, 99))))
    assert page_words(part_data(made.part)) == ["Page 5", "Page 2"]


def test_pages_that_are_not_there_are_refused() -> None:
    with pytest.raises(LimitError, match="choose pages from 1 to 12") as caught:
        fit_pdf(part(TWELVE), job(pages=(13,)))
    assert (caught.value.code, caught.value.limit, caught.value.actual) == ("cannot-fit", 12, 13)


@pytest.mark.parametrize("counted", ["encoded", "raw"])
def test_over_the_byte_cap_fewer_pages_are_kept(counted: str) -> None:
    cap = 3000
    made = only(fit_pdf(part(TWELVE), job(limits={"document": {"max_bytes": cap, "counted": counted}})))
    sent = part_data(made.part)
    assert len(sent) <= (cap if counted == "raw" else cap // 4 * 3)
    assert 1 <= len(page_words(sent)) < 12


def test_a_page_over_the_byte_cap_is_refused() -> None:
    with pytest.raises(LimitError) as caught:
        fit_pdf(part(TWELVE), job(limits={"document": {"max_bytes": 400}}))
    assert (caught.value.code, caught.value.limit) == ("cannot-fit", 300)


def test_a_file_that_opens_without_a_password_is_sent_without_encryption() -> None:
    made = only(fit_pdf(part(_pdfs.encrypted(TWELVE, "RC4-128")), job()))
    assert not PdfReader(BytesIO(part_data(made.part))).is_encrypted
    assert said(made) == "encryption removed"


@pytest.mark.parametrize("provider", ["anthropic", "ollama"])
def test_a_locked_file_is_refused(provider: str) -> None:
    with pytest.raises(CorruptMediaError) as caught:
        fit_pdf(part(_pdfs.encrypted(TWELVE, "RC4-128", user="secret")), job(provider))
    assert caught.value.code == "encrypted"


def test_what_is_no_pdf_is_refused() -> None:
    with pytest.raises(CorruptMediaError):
        fit_pdf(part(b"%PDF-1.7\n" + bytes(500)), job())


def test_where_pictures_are_seen_and_pdfs_are_not_each_page_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = pictures(monkeypatch)
    made = fit_pdf(part(TWELVE), job("ollama", pages=(2, 12)))
    assert [said(outcome) for outcome in made] == [
        "page 2 of 12 of report.pdf drawn as a picture",
        "page 12 of 12 of report.pdf drawn as a picture",
    ]
    assert [given["mimeType"] for given, _ in seen if given["type"] == "image"] == ["image/png"] * 2
    assert [described(given) for given, _ in seen] == [(1275, 1650)] * 2


def described(given: ContentPart) -> tuple[int, int]:
    facts = facts_of(given)
    return facts["width"], facts["height"]


def test_at_most_so_many_pages_are_drawn_and_the_rest_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    pictures(monkeypatch)
    made = fit_pdf(part(_pdfs.flat(MAX_DRAWN + 3)), job("ollama", limits={"image": {"max_side": 64}}))
    assert len(made) == MAX_DRAWN
    assert said(made[-1]).endswith(f"pages {MAX_DRAWN + 1}-{MAX_DRAWN + 3} left out, pages= chooses others")


def test_drawn_pages_stay_under_the_requests_count_of_images(monkeypatch: pytest.MonkeyPatch) -> None:
    pictures(monkeypatch)
    assert len(fit_pdf(part(_pdfs.flat(9)), job("safe", images=5))) == 3


@pytest.mark.parametrize(
    ("provider", "limits", "page", "size"),
    [
        ("ollama", {}, (612, 792), (1275, 1650)),
        ("safe", {}, (612, 792), (1275, 1650)),
        ("ollama", {}, (72, 144), (300, 600)),
        ("ollama", {}, (3370, 2384), (2048, 1449)),
        ("ollama", {"image": {"max_side": 800}}, (612, 792), (618, 800)),
        ("anthropic", {}, (612, 792), (952, 1232)),
        ("openai", {}, (14_400, 14_400), (1600, 1600)),
        ("ollama", {}, (1e9, 1e-9), (2048, 1)),
    ],
)
def test_the_grid_is_what_the_model_sees(
    provider: str, limits: dict[str, Any], page: tuple[float, float], size: tuple[int, int]
) -> None:
    assert grid(*page, job(provider, limits)) == size


def test_drawing_turns_nothing_over_and_keeps_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    from toolnexus_media.content import to_image

    content = _pdfs.stream(b"1 0 0 rg 0 50 100 50 re f 0 0 1 rg 100 0 100 50 re f")
    page = _pdfs.PAGE.replace(b"/MediaBox", b"/Contents 4 0 R/MediaBox")
    seen = pictures(monkeypatch)
    fit_pdf(part(_pdfs.build({1: _pdfs.CATALOG, 2: _pdfs.tree(b"3 0 R", 1), 3: page, 4: content})), job("ollama"))
    image = to_image(seen[0][0]).convert("RGB")
    corners = [image.getpixel((image.width * x // 4, image.height * y // 4)) for x, y in ((1, 1), (3, 3), (1, 3))]
    assert corners == [(255, 0, 0), (0, 0, 255), (255, 255, 255)]


def test_what_stands_in_a_form_field_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    from toolnexus_media.content import from_file, to_image

    seen = pictures(monkeypatch)
    fit_pdf(from_file("fixtures/media/form.pdf"), job("ollama"))
    assert to_image(seen[0][0]).convert("L").histogram()[0:64] != [0] * 64


def test_without_the_extra_the_text_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "pypdfium2", "pypdfium2_raw")
    made = only(fit_pdf(part(TWELVE), job("ollama", pages=(1, 2))))
    assert made.part["type"] == "text"
    assert made.part["text"].startswith("report.pdf: text of pages 1-2 of 12\n\n[page 1]\nPage 1 has")
    assert said(made) == "given as text: text of pages 1-2 of 12"


def test_without_the_extra_and_without_text_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "pypdfium2", "pypdfium2_raw")
    with pytest.raises(MissingExtraError) as caught:
        fit_pdf(part(_pdfs.flat(2)), job("ollama"))
    assert caught.value.extra == "pdf"


def test_where_nothing_is_seen_the_text_is_given_and_empty_pages_are_told() -> None:
    data = _pdfs.words("The first page has some text on it", "", "The third page has text as well")
    made = only(fit_pdf(part(data, None), job("ollama", NOTHING_SEEN)))
    assert made.part["type"] == "text"
    assert made.part["text"].startswith("PDF: text of pages 1-3 of 3\n\n[page 1]\nThe first")
    assert made.part["text"].endswith("[page 3]\nThe third page has text as well\n\n[no text on page 2]")


def test_a_scan_for_a_target_that_sees_nothing_is_a_placeholder() -> None:
    made = only(fit_pdf(part(_pdfs.flat(2)), job("ollama", NOTHING_SEEN)))
    assert made.part["type"] == "text"
    assert made.part["text"].startswith("[unsupported file part (application/pdf, ")


def test_a_page_that_never_ends_does_not_hold_the_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolnexus_media.fit.pdf.DRAW_SECONDS", 0.5)
    monkeypatch.setattr("toolnexus_media.fit.pdf.TEXT_SECONDS", 0.5)
    pictures(monkeypatch)
    with pytest.raises(CorruptMediaError):
        fit_pdf(part(BOMB), job("ollama"))


def test_without_child_processes_it_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_child, "possible", lambda: False)
    with pytest.raises(Exception, match="cannot be converted here") as caught:
        fit_pdf(part(TWELVE), job(pages=(1,)))
    assert getattr(caught.value, "code", "") == "no-decoder"


def test_the_cutter_takes_as_many_pages_as_the_cap_allows() -> None:
    whole, all_taken = _pdf_cut.cut(TWELVE, list(range(12)), 1 << 20)
    less, taken = _pdf_cut.cut(TWELVE, list(range(12)), 3000)
    assert (all_taken, len(page_words(whole))) == (12, 12)
    assert len(less) <= 3000
    assert page_words(less) == [f"Page {number}" for number in range(1, taken + 1)]


@pytest.mark.parametrize("position", ["user", "tool"])
def test_two_files_share_the_room_for_drawn_pages(position: Literal["user", "tool"]) -> None:
    sent, changes = fit([part(TWELVE), part(_pdfs.words("Once")), part(TWELVE)], "safe", position=position)
    assert [one["type"] for one in sent] == ["image"] * 7
    assert [change["source"] for change in changes] == [0, 0, 0, 1, 2, 2, 2]
    assert "pages 4-12 left out" in changes[2]["what"]


def test_files_that_leave_no_room_for_each_are_refused() -> None:
    with pytest.raises(LimitError, match="takes 8 images a request and these are 9"):
        fit([part(_pdfs.words("Once"))] * 9, "safe")


MISCOUNTED = {
    "too many": _pdfs.flat(1, 99),
    "too few": _pdfs.flat(3, 1),
    "none": _pdfs.flat(1).replace(b"/Count 1", b"        "),
    "below the top": _pdfs.build(
        {1: _pdfs.CATALOG, 2: _pdfs.tree(b"3 0 R", 1), 3: _pdfs.tree(b"4 0 R", 7), 4: _pdfs.PAGE}
    ),
}
DAMAGED = {
    "no end": TWELVE[: TWELVE.index(b"xref\n0")],
    "a root that is none": TWELVE.replace(b"/Root 1 0 R", b"/Root 9 9 9"),
    "in an object stream": _pdfs.packed(3).replace(b"startxref", b"startxxxx"),
}


@pytest.mark.parametrize("flaw", [*MISCOUNTED, *DAMAGED])
def test_a_file_whose_pages_readers_do_not_agree_on_is_written_anew(flaw: str) -> None:
    data = {**MISCOUNTED, **DAMAGED}[flaw]
    outcome = only(fit_pdf(part(data), job()))
    assert said(outcome).startswith("written anew, as its structure is damaged")
    made = PdfReader(BytesIO(part_data(outcome.part)))
    top: Any = made.root_object["/Pages"]
    assert facts_of(outcome.part)["pages"] == top["/Count"] == len(made.pages) == facts_of(part(data))["pages"]


@pytest.mark.parametrize("flaw", DAMAGED)
def test_a_damaged_file_is_drawn_and_read(flaw: str) -> None:
    drawn = fit_pdf(part(DAMAGED[flaw]), job("ollama"))
    assert [outcome.part["type"] for outcome in drawn] == ["image"] * facts_of(part(DAMAGED[flaw]))["pages"]


def test_a_page_that_is_cropped_away_is_drawn_whole() -> None:
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/CropBox[900 900 950 950]>>"
    data = _pdfs.build({1: _pdfs.CATALOG, 2: _pdfs.tree(b"3 0 R", 1), 3: page})
    facts = facts_of(only(fit_pdf(part(data), job("ollama"))).part)
    assert facts["width"] / facts["height"] == pytest.approx(1.5, abs=0.01)


def test_what_pypdf_does_not_open_is_written_by_pdfium(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise NotImplementedError

    monkeypatch.setattr(_pdf_cut, "_opened", refuse)
    made, taken = _pdf_cut.cut(TWELVE, [1, 3], 1 << 20)
    assert (taken, page_words(made)) == (2, ["Page 2", "Page 4"])
    assert _pdf_cut.cut(TWELVE, list(range(12)), 3000)[1] < 12


@pytest.mark.parametrize("worker", ["_pdf_cut", "_pdf_draw"])
def test_a_worker_says_what_it_cannot_open(worker: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = run(worker, b"no pdf", monkeypatch, pages=[0], cap=9, sizes=[0])
    assert list(lines[-1]) == ["refused"]


def test_the_drawer_passes_over_pages_that_are_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = run("_pdf_draw", TWELVE, monkeypatch, sizes=[0, 40], draw=[[40, 9, 9], [0, 90, 70]])
    assert lines[:2] == [{"page": 0, "points": [612.0, 792.0]}, {"page": 40, "points": [0.0, 0.0]}]
    assert lines[2] == {"refused": "IndexError"}
    assert (lines[-1]["page"], lines[-1]["mime"]) == (0, "image/png")


def test_the_cutter_hands_the_file_over_or_says_how_large_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("_pdf_cut", TWELVE, monkeypatch, pages=[0, 1], cap=99_999)[-1]["taken"] == 2
    assert run("_pdf_cut", TWELVE, monkeypatch, pages=[0, 1], cap=9)[-1]["too_large"] > 9


def test_a_photograph_is_handed_over_as_jpeg() -> None:
    from PIL import Image

    from toolnexus_media.fit._pdf_draw import encoded

    noise = Image.effect_noise((400, 400), 90)
    assert encoded(Image.merge("RGB", (noise, noise.rotate(90), noise.rotate(180))))[1] == "image/jpeg"
    assert encoded(Image.new("RGB", (400, 400), "red"))[1] == "image/png"


def run(worker: str, data: bytes, monkeypatch: pytest.MonkeyPatch, **request: Any) -> list[dict[str, Any]]:
    """Run a worker here and keep what it says."""
    from importlib import import_module
    from mmap import mmap

    held = mmap(-1, len(data))
    held.write(data)
    lines: list[dict[str, Any]] = []
    with monkeypatch.context() as patch:
        patch.setattr(_child, "_write", lambda line: lines.append(line))
        patch.setattr(_child, "say", lambda **line: lines.append(line))
        patch.setattr(_child, "given", lambda: held)
        import_module(f"toolnexus_media.fit.{worker}").run(request)
    return [line for line in lines if isinstance(line, dict)]


def test_nothing_here_loads_a_reader_into_this_process() -> None:
    """pdfium's C++ sees hostile bytes in the child only; the tests of its reader import it by themselves."""
    import subprocess

    code = "import sys; import toolnexus_media.fit.pdf, toolnexus_media.fit.audio; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"pypdfium2_raw", "av", "resvg_py", "pypdf", "PIL"} & set(loaded)
