"""Parts are built of what the bytes are, whatever the caller says they are."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import pytest

from tests._make import CASES, JPEG, PDF, PNG, WAV, check, is_clean, png
from toolnexus_media import content
from toolnexus_media.errors import CorruptMediaError, MediaError, MediaTypeError, MimeMismatchWarning

FILES = CASES / "files"
NAMES: list[str] = json.loads((CASES / "strings.json").read_text("utf-8"))["names"]


@pytest.mark.parametrize(
    ("raw", "kind", "mime"),
    [
        (PNG, "image", "image/png"),
        (JPEG, "image", "image/jpeg"),
        (WAV, "audio", "audio/wav"),
        (PDF, "file", "application/pdf"),
        (b"plain words", "file", "text/plain"),
        (b"\x00\x01\x02\x03\xfe\xff\x00\x99", "file", "application/octet-stream"),
    ],
)
def test_the_kind_follows_the_type_and_the_type_the_bytes(raw: bytes, kind: str, mime: str) -> None:
    part: Any = content.attach(raw)
    assert (part["type"], part["mimeType"], content.part_data(part)) == (kind, mime, raw)
    assert set(part) == {"type", "mimeType", "data"}


@pytest.mark.parametrize("name", NAMES)
def test_a_file_parts_name_is_one_clean_base_name(name: str) -> None:
    part: Any = content.attach(PDF, name=name)
    assert part["name"]
    assert is_clean(part["name"])
    assert not set(part["name"]) & set("/\\")
    json.dumps(part, ensure_ascii=False).encode()


def test_a_name_is_kept_on_files_and_not_on_images_and_sounds(tmp_path: Path) -> None:
    for raw, named in ((PDF, True), (PNG, False), (WAV, False)):
        (tmp_path / "a.bin").write_bytes(raw)
        assert ("name" in content.attach(tmp_path / "a.bin")) is named
        assert ("name" in content.attach(raw, name="x.bin")) is named
    assert content.attach(tmp_path / "a.bin", name="other.pdf")["type"] == "audio"


def test_a_given_name_wins_over_the_paths(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(PDF)
    assert content.attach(tmp_path / "a.pdf", name="b.pdf")["name"] == "b.pdf"  # type: ignore[typeddict-item]  # a file part


def test_a_name_may_be_a_path_object() -> None:
    assert content.attach(PDF, name=Path("x/b.pdf"))["name"] == "b.pdf"  # type: ignore[typeddict-item, arg-type]  # common mistake


def test_a_name_only_chooses_among_text_kinds() -> None:
    assert content.attach(b"a,b\n1,2\n", name="x.png")["type"] == "file"
    assert content.attach(b"# Title", name="x.md")["mimeType"] == "text/markdown"  # type: ignore[typeddict-item]  # a file part


# --- declared types --------------------------------------------------------------------------------------------------


def test_a_declared_type_the_bytes_contradict_warns_at_the_callers_line() -> None:
    calls: list[Any] = [content.attach, content.from_bytes, content.image_file]
    for call in calls:
        with pytest.warns(MimeMismatchWarning, match="image/jpeg.*image/png") as caught:
            assert call(PNG, mime_type="image/jpeg")["mimeType"] == "image/png"
        assert [Path(item.filename).name for item in caught] == ["test_content.py"]


def test_strict_raises_instead() -> None:
    with pytest.raises(MediaTypeError) as caught:
        content.attach(PNG, mime_type="image/jpeg", strict=True)
    assert caught.value.code == "mime-mismatch"


@pytest.mark.parametrize(
    ("raw", "declared", "mime"),
    [
        (PNG, "image/png", "image/png"),
        (PNG, "IMAGE/PNG; q=1", "image/png"),
        (PNG, "application/octet-stream", "image/png"),
        (JPEG, "image/jpg", "image/jpeg"),
        (WAV, "audio/x-wav", "audio/wav"),
        (b"\x00\x01\x02\x03\xfe\xff\x00\x99", "application/x-custom", "application/x-custom"),
        (b"words", "text/markdown", "text/markdown"),
        (b"words", "text/csv", "text/csv"),
    ],
)
def test_a_declared_type_is_used_where_the_bytes_say_nothing_and_no_one_is_warned(
    raw: bytes, declared: str, mime: str
) -> None:
    for strict in (False, True):
        assert content.attach(raw, mime_type=declared, strict=strict)["mimeType"] == mime  # type: ignore[typeddict-item]  # no text part


@pytest.mark.parametrize("bad", ["png", "", "image/", "image/png\n", "a b/c", 3])
def test_a_declared_type_that_is_none_is_refused(bad: Any) -> None:
    if bad == "image/png\n":
        assert content.attach(PNG, mime_type=bad)
        return
    for given in (PNG, "https://example.invalid/a"):
        with pytest.raises(MediaTypeError) as caught:
            content.attach(given, mime_type=bad)
        assert caught.value.code == "unknown-type"


def test_a_file_name_never_warns() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert content.attach(JPEG, name="shot.png")["mimeType"] == "image/jpeg"  # type: ignore[typeddict-item]  # an image part
        assert content.attach(FILES / "a01_jpeg_named.png")


# --- verify ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["a07_sig_plus_random.png", "a09_middle_cut.png", "a10_truncated.jpg"])
def test_nothing_undecodable_becomes_a_part_unless_asked(name: str) -> None:
    with pytest.raises(CorruptMediaError):
        content.attach(FILES / name)
    assert content.attach(FILES / name, verify="none")["type"] == "image"


def test_header_reads_headers_only() -> None:
    assert content.attach(FILES / "a10_truncated.jpg", verify="header")
    with pytest.raises(CorruptMediaError):
        content.attach(FILES / "a07_sig_plus_random.png", verify="header")


def test_the_pixel_cap_is_decided_from_the_header() -> None:
    for verify in ("full", "header"):
        with pytest.raises(CorruptMediaError) as caught:
            content.attach(png(40, 20), max_pixels=799, verify=verify)
        assert caught.value.code == "too-many-pixels"
    assert content.attach(png(40, 20), max_pixels=800)


@pytest.mark.parametrize("raw", [b"<svg", b"<svg></svg", b'<svg xmlns="http://www.w3.org/2000/svg"><g></svg>'])
def test_a_broken_svg_is_no_image(raw: bytes) -> None:
    try:
        assert content.attach(raw)["type"] == "file"
    except MediaError as error:
        check(error, "corrupt", "truncated")


def test_a_pdf_part_starts_at_its_signature() -> None:
    part = content.attach(b"junk\n" * 20 + PDF)
    assert content.part_data(part) == PDF


def test_attaching_the_same_file_twice_gives_equal_parts() -> None:
    assert content.attach(FILES / "e15_hostile_title.pdf") == content.attach(FILES / "e15_hostile_title.pdf")


# --- pinned forms ----------------------------------------------------------------------------------------------------

HTML = FILES / "a05_html_404.png"


@pytest.mark.parametrize(
    ("function", "given", "says"),
    [
        (content.image_file, HTML, "HTML"),
        (content.image_file, PDF, "PDF"),
        (content.image_file, WAV, "audio/wav"),
        (content.image_file, b"words", "text/plain"),
        (content.image_file, b"\x00\x01\x02\x03\xfe\xff\x00\x99", "no known type"),
        (content.image_file, content.text_part("x"), "text"),
        (content.pdf_file, PNG, "image/png"),
        (content.pdf_file, FILES / "c01_ms_order.docx", "wordprocessing"),
        (content.audio_file, PDF, "PDF"),
        (content.audio_file, FILES / "d18_isom.mp4", "video/mp4"),
        (content.image_file, "https://example.invalid/a.pdf", "PDF"),
        (content.pdf_file, content.from_url("https://example.invalid/a.png"), "image/png"),
    ],
)
def test_the_pinned_forms_refuse_the_rest_and_say_what_it_is(function: Any, given: Any, says: str) -> None:
    with pytest.raises(MediaTypeError) as caught:
        function(given)
    assert caught.value.code == "wrong-kind"
    assert says in str(caught.value)
    assert is_clean(str(caught.value))


def test_the_pinned_forms_take_their_kind_from_any_source() -> None:
    assert content.image_file(PNG)["type"] == content.image_file(content.attach(PNG))["type"] == "image"
    assert content.audio_file(WAV)["type"] == "audio"
    assert content.pdf_file(PDF)["type"] == "file"
    assert content.pdf_file("https://example.invalid/a.pdf")["type"] == "file"


def test_the_pinned_forms_take_every_option() -> None:
    options: Any = {
        "mime_type": "image/png",
        "name": "a",
        "max_bytes": 82,
        "max_pixels": 64,
        "strict": True,
        "root": "/",
    }
    for verify in ("full", "header", "none"):
        assert content.image_file(PNG, verify=verify, **options)
        assert content.attach(PNG, verify=verify, **options)
    with pytest.raises(MediaError):
        content.image_file(PNG, max_bytes=81)


def test_a_part_passes_through_attach_and_is_measured() -> None:
    part = content.attach(PNG)
    assert content.attach(part, max_bytes=82) is part
    with pytest.raises(MediaError) as caught:
        content.attach(part, max_bytes=81)
    assert caught.value.code == "too-large"


def test_from_url_takes_remote_urls_only() -> None:
    assert content.from_url("https://example.invalid/a", "image/png")["url"] == "https://example.invalid/a"  # type: ignore[typeddict-item]  # a url part
    for bad in ("/tmp/a.png", "data:,x", "file:///a.png", "", "https://example.invalid/a b.png"):
        with pytest.raises(MediaError):
            content.from_url(bad)


# --- reading ---------------------------------------------------------------------------------------------------------


def test_to_image_is_upright_and_decoded() -> None:
    image = content.to_image(content.attach(FILES / "a40_orient6.jpg"))
    assert image.size == (20, 40)
    with pytest.raises(MediaTypeError):
        content.to_image(content.attach(PDF))
    with pytest.raises(MediaError):
        content.to_image(content.from_url("https://example.invalid/a.png"))
    with pytest.raises(CorruptMediaError):
        content.to_image(content.attach(FILES / "a10_truncated.jpg", verify="none"))


def test_an_excerpt_is_a_cleaned_bounded_beginning() -> None:
    part = content.attach(b"\xef\xbb\xbfone\r\n\x1b[31mtwo\x00\n" + b"x" * 5000, name="a.txt", mime_type="text/plain")
    text = content.excerpt(part, chars=20)
    assert text.startswith("one\n[31mtwo")
    assert len(text) <= 20
    assert content.excerpt(content.text_part("a\u202eb")) == "ab"
    assert content.excerpt(content.text_part("ab"), chars=-1) == ""
    assert content.excerpt(content.attach(PNG)) == ""
    assert content.excerpt(content.from_url("https://example.invalid/a.txt")) == ""


def test_a_caption_probes_by_itself() -> None:
    assert content.caption(content.attach(PNG)) == "image (image/png, 82 bytes), 8x8"
    assert content.caption(content.attach(FILES / "a10_truncated.jpg", verify="none")).startswith(
        "image (image/jpeg, 10576 bytes)"
    )
