"""What fitting sends, every provider takes: judged by rules written down apart from the package's own.

``TOOLNEXUS_MEDIA_CORPUS`` names a folder of real files, of which a sample is fitted too.
"""

from __future__ import annotations

import base64
import io
import os
import wave
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pypdf
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image, PngImagePlugin

from tests import _pdfs
from tests.validator.judge import complaints
from tests.validator.rules import ROWS, rules_for
from tests.validator.sweep import Verdict, rows_for, verdict
from toolnexus_media import attach
from toolnexus_media.errors import MediaError
from toolnexus_media.fit import fit

pytestmark = pytest.mark.filterwarnings("ignore::toolnexus_media.errors.MimeMismatchWarning")

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"
FILES = sorted([*(FIXTURES / "media").iterdir(), *(FIXTURES / "cases" / "files").iterdir()])
CORPUS = os.environ.get("TOOLNEXUS_MEDIA_CORPUS")
EACH = 2  # files of the corpus with one ending
ROWS_EACH = 3  # rows each of them is fitted for, in turn; benchmarks/validate.py fits every file for every row
FIXTURE_ROWS = 6


def _part(data: bytes, mime: str, kind: str = "image", **more: Any) -> dict[str, Any]:
    return {"type": kind, "mimeType": mime, "data": base64.b64encode(data).decode(), **more}


def _picture(kind: str = "PNG", size: tuple[int, int] = (40, 20), mode: str = "RGB", **save: Any) -> bytes:
    out = io.BytesIO()
    Image.new(mode, size).save(out, kind, **save)
    return out.getvalue()


def _moving(kind: str) -> bytes:
    frames = [Image.new("RGB", (8, 8), colour) for colour in ("red", "blue")]
    out = io.BytesIO()
    frames[0].save(out, kind, save_all=True, append_images=frames[1:])
    return out.getvalue()


def _exif(**tags: int) -> Image.Exif:
    exif = Image.Exif()
    exif.update({0x0110: "a camera", **{int(tag[1:]): value for tag, value in tags.items()}})
    return exif


def _text_chunk() -> PngImagePlugin.PngInfo:
    words = PngImagePlugin.PngInfo()
    words.add_text("Comment", "hello")
    return words


def _pdf(pages: int = 1, password: str | None = None) -> bytes:
    writer = pypdf.PdfWriter()
    for _ in range(pages):
        writer.add_blank_page(100, 100)
    if password is not None:
        writer.encrypt(password, algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def _sound() -> bytes:
    out = io.BytesIO()
    with wave.open(out, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8000)
        sound.writeframes(bytes(1600))
    return out.getvalue()


JPEG, PNG, PDF = "image/jpeg", "image/png", "application/pdf"
WRONG: dict[str, tuple[str, dict[str, Any]]] = {
    "label": ("anthropic", _part(_picture("JPEG"), PNG)),
    "type": ("xai", _part(_picture("WEBP"), "image/webp")),
    "type: audio": ("anthropic", _part(_sound(), "audio/wav", "audio")),
    "type: image/bmp": ("mistral", _part(_picture("BMP"), "image/bmp")),
    "side: 8001": ("bedrock", _part(_picture(size=(8001, 1)), PNG)),
    "grid": ("anthropic", _part(_picture(size=(1569, 100)), PNG)),
    "grid: 1500x1500": ("anthropic", _part(_picture(size=(1500, 1500)), PNG)),
    "grid: 6000x6000": ("openai", _part(_picture(size=(6000, 6000)), PNG)),
    "bytes": ("bedrock", _part(_picture() + bytes(4_000_000), PNG)),
    "metadata: segment E1": ("openai", _part(_picture("JPEG", exif=_exif()), JPEG)),
    "metadata: segment FE": ("openai", _part(_picture("JPEG", comment=b"words"), JPEG)),
    "metadata: chunk b'tEXt'": ("openai", _part(_picture(pnginfo=_text_chunk()), PNG)),
    "metadata: chunk b'eXIf'": ("openai", _part(_picture(exif=_exif()), PNG)),
    "metadata: chunk b'EXIF'": ("openai", _part(_picture("WEBP", exif=_exif()), "image/webp")),
    "metadata: chunk b'XMP '": ("openai", _part(_picture("WEBP", xmp=b"<x/>"), "image/webp")),
    "metadata: 5 bytes after": ("openai", _part(_picture("JPEG") + b"extra", JPEG)),
    "orientation": ("openai", _part(_picture("JPEG", exif=_exif(_274=6)), JPEG)),
    "mode: CMYK": ("openai", _part(_picture("JPEG", mode="CMYK"), JPEG)),
    "mode: 16 bits": ("openai", _part(_picture(mode="I;16"), PNG)),
    "profile": ("openai", _part(_picture(icc_profile=b"no profile"), PNG)),
    "frames": ("openai", _part(_moving("GIF"), "image/gif")),
    "frames: 2": ("anthropic", _part(_moving("WEBP"), "image/webp")),
    "decode": ("anthropic", _part(_picture()[:-30], PNG)),
    "decode: OSError": ("anthropic", _part(_picture("JPEG")[:-4], JPEG)),
    "pdf: encrypted": ("anthropic", _part(_pdf(password=""), PDF, "file")),
    "pdf: Failed": ("anthropic", _part(_pdf(password="locked"), PDF, "file")),
    "count: pages": ("anthropic", _part(_pdfs.flat(1, 99), PDF, "file")),
    "count: pages {'/Count': 1": ("openai", _part(_pdfs.flat(3, 1), PDF, "file")),
    "pages: 101": ("anthropic", _part(_pdf(101), PDF, "file")),
    "type: application/pdf": ("ollama", _part(_pdf(), PDF, "file")),
    "sound": ("openai", _part(b"RIFF\x24\0\0\0WAVE", "audio/wav", "audio")),
    "text: no UTF-8": ("gemini", _part("é".encode("latin-1"), "text/plain", "file")),
    "text": ("openai", {"type": "text", "text": "\ud800"}),
    "data": ("openai", {"type": "image", "mimeType": PNG, "data": "a b"}),
    "url: http": ("anthropic", {"type": "image", "mimeType": PNG, "url": "http://example.org/a.png"}),
    "url: https": ("ollama", {"type": "image", "mimeType": PNG, "url": "https://example.org/a.png"}),
}


@pytest.mark.parametrize("fault", WRONG)
def test_the_judge_refuses_what_is_wrong(fault: str) -> None:
    provider, part = WRONG[fault]
    found = complaints([part], rules_for(provider, None, "user"))
    assert any(line.startswith(f"0: {fault}") for line in found), found


@pytest.mark.parametrize(
    "part",
    [
        _part(_picture(), PNG),
        _part(_picture("JPEG"), JPEG),
        _part(_picture("WEBP"), "image/webp"),
        _part(_pdf(3), PDF, "file"),
        {"type": "text", "text": "words"},
    ],
    ids=lambda part: str(part.get("mimeType", "text")),
)
@pytest.mark.parametrize("provider", ["anthropic", "openai", "openai-responses", "bedrock"])
def test_the_judge_lets_pass_what_is_right(part: dict[str, Any], provider: str) -> None:
    assert complaints([part], rules_for(provider, None, "user")) == []


def test_the_judge_counts_the_pictures_of_earlier_turns() -> None:
    part = _part(_picture(size=(2001, 1)), PNG)
    rules = rules_for("anthropic", "claude-opus-4-7", "user")
    assert complaints([part], rules, 19) == []
    assert complaints([part], rules, 20) == ["0: side: 2001x1 over 2000"]


def test_the_sweep_takes_a_needless_placeholder_for_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "tests.validator.sweep.fit",
        lambda *_, **__: ([{"type": "text", "text": "[unsupported image part (image/png, 82 bytes)]"}], [{"index": 0}]),
    )
    found = verdict(_part(_picture(), PNG), "openai", None, "user")
    assert found == Verdict("placeholder", ["worth: a placeholder for image/png"])


def _attached(path: Path) -> Any:
    try:
        return attach(path)
    except MediaError as error:
        pytest.skip(f"no part: {error.code}")


def _rows(part: Any, number: int, each: int) -> list[tuple[str, str | None, str]]:
    """So many of the rows that differ for the part, others for each number."""
    rows = rows_for(part)
    return [rows[(number + step * len(rows) // each) % len(rows)] for step in range(min(each, len(rows)))]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_rows_take_what_a_fixture_becomes(path: Path) -> None:
    part = _attached(path)
    given = dict(part)
    found = {row: verdict(part, *row).wrong for row in _rows(part, FILES.index(path), FIXTURE_ROWS)}
    assert {row: wrong for row, wrong in found.items() if wrong} == {}
    assert dict(part) == given


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_what_was_fitted_is_left_as_it_is(path: Path) -> None:
    part = _attached(path)
    for provider, model in (("anthropic", None), ("openai", "gpt-4o"), ("mcp", None)):
        try:
            sent, _ = fit([part], provider, model=model)
        except MediaError:
            continue
        again, changes = fit(sent, provider, model=model)
        assert changes == []
        assert all(one is other for one, other in zip(again, sent, strict=True))


PICTURES = [
    "alpha.png",
    "animated.gif",
    "cmyk.jpg",
    "gray16.png",
    "orientation6.jpg",
    "pages.tiff",
    "photo.jpg",
    "palette.png",
]
OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "region": st.sampled_from([(1, 1, 9, 9), (0, 0, 5, 3), (2, 3, 2000, 2000)]),
        "tall": st.sampled_from(["fit", "slice"]),
        "animation": st.sampled_from(["first", "sheet"]),
        "background": st.sampled_from(["white", "black", "#123456"]),
        "images_before": st.sampled_from([0, 5, 19, 30]),
    },
)
SEEN = [
    (provider, model, position) for provider, model, *_ in ROWS for position in ("user", "tool") if model != "gpt-audio"
]


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(name=st.sampled_from(PICTURES), row=st.sampled_from(SEEN), options=OPTIONS)
def test_pictures_fit_under_any_options(name: str, row: tuple[str, str | None, str], options: dict[str, Any]) -> None:
    part: Any = attach(FIXTURES / "media" / name)
    assert verdict(part, *row, **options).wrong == []


@settings(max_examples=6, suppress_health_check=[HealthCheck.too_slow])
@given(
    name=st.sampled_from(["text.pdf", "scanned.pdf", "form.pdf"]),
    row=st.sampled_from([("anthropic", None, "tool"), ("bedrock", None, "user"), ("ollama", None, "user")]),
    pages=st.sampled_from([1, [1], [1, 9]]),
)
def test_chosen_pages_fit(name: str, row: tuple[str, str | None, str], pages: Any) -> None:
    part: Any = attach(FIXTURES / "media" / name)
    assert verdict(part, *row, pages=pages).wrong == []


@pytest.mark.parametrize("row", [("openai", None, "user"), ("gemini", None, "user")])
@pytest.mark.parametrize("name", ["tone.wav", "tone.mp3", "tone.flac"])
def test_cut_sounds_fit(name: str, row: tuple[str, str | None, str]) -> None:
    part: Any = attach(FIXTURES / "media" / name)
    assert verdict(part, *row, max_seconds=0.3).wrong == []


def _sample(folder: Path) -> Iterator[Path]:
    seen: Counter[tuple[str, str]] = Counter()
    for path in sorted(folder.rglob("*")):
        key = (path.parent.name, path.suffix.lower())
        if path.is_file() and seen[key] < EACH:
            seen[key] += 1
            yield path


@pytest.mark.skipif(CORPUS is None, reason="TOOLNEXUS_MEDIA_CORPUS names no folder of real files")
def test_rows_take_what_real_files_become() -> None:
    assert CORPUS is not None
    wrong = []
    for number, path in enumerate(_sample(Path(CORPUS))):
        try:
            part = attach(path)
        except MediaError:
            continue
        for row in _rows(part, number, ROWS_EACH):
            if faults := verdict(part, *row).wrong:
                wrong.append((path.name, row, faults))
    assert wrong == []
