"""The verbs that know providers: what fit, check and tokens print and write, and their exit status."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests import _wires
from tests._make import JPEG, PNG, png
from tests._pictures import file_of, halves
from toolnexus_media.check import check
from toolnexus_media.cli.__main__ import main

Capture = pytest.CaptureFixture[str]
GOOD = _wires.user("openai", ("image/jpeg", JPEG))
BAD = _wires.user("openai", ("image/jpeg", PNG), ("image/png", PNG[:60]))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with pictures and transcripts."""
    (tmp_path / "a.bmp").write_bytes(file_of(halves(), "BMP"))
    (tmp_path / "b.jpg").write_bytes(JPEG)
    (tmp_path / "wrong.png").write_bytes(JPEG)
    (tmp_path / "good.json").write_text(json.dumps(GOOD))
    (tmp_path / "bad.json").write_text(json.dumps({"model": "gpt-6", "messages": BAD}, indent=2))
    (tmp_path / "bad.jsonl").write_text("".join(f"{json.dumps(turn)}\n" for turn in [*GOOD, *BAD]))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "out").iterdir())


def test_fit_writes_files_with_the_endings_of_what_they_are(folder: Path, capsys: Capture) -> None:
    assert main(["fit", "a.bmp", "b.jpg", "wrong.png", "--for", "anthropic", "-o", "out"]) == 0
    assert written(folder) == ["a.png", "b.jpg", "wrong.jpg"]
    assert (folder / "out" / "b.jpg").read_bytes() == JPEG
    with Image.open(folder / "out" / "a.png") as shown:
        assert (shown.format, shown.size) == ("PNG", (64, 32))
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "a.bmp: made of image/bmp → out/a.png"
    assert lines[1:] == ["b.jpg: fits as it is → out/b.jpg", "wrong.png: fits as it is → out/wrong.jpg"]


def test_fit_without_a_folder_only_tells(folder: Path, capsys: Capture) -> None:
    before = sorted(folder.iterdir())
    assert main(["fit", "a.bmp", "--for", "openai", "--position", "tool"]) == 0
    assert capsys.readouterr().out == "made of image/bmp → image/png\n"
    assert sorted(folder.iterdir()) == before


def test_fit_keeps_files_of_one_name_apart_and_never_writes_over_what_it_read(folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "B.jpg").write_bytes(file_of(halves(), "JPEG"))
    assert main(["fit", "b.jpg", "sub/B.jpg", "--for", "openai", "-o", "out"]) == 0
    assert written(folder) == ["B-2.jpg", "b.jpg"]
    assert main(["fit", "b.jpg", "--for", "openai", "-o", "."]) == 0
    assert (folder / "b-fitted.jpg").read_bytes() == (folder / "b.jpg").read_bytes()


def test_fit_numbers_what_one_file_became_several_of(folder: Path) -> None:
    (folder / "page.png").write_bytes(png(40, 4000))
    assert main(["fit", "page.png", "--for", "anthropic", "--tall", "slice", "-o", "out"]) == 0
    assert {"page-1.png", "page-2.png", "page-3.png"} <= set(written(folder))


def test_fit_writes_a_placeholder_as_text(folder: Path) -> None:
    (folder / "a.zip").write_bytes(b"PK\5\6" + bytes(18))
    assert main(["fit", "a.zip", "--for", "anthropic", "-o", "out"]) == 0
    assert (folder / "out" / "a.txt").read_text() == "[unsupported file part (application/zip, 22 bytes)]"


def test_fit_as_json_holds_the_changes(folder: Path, capsys: Capture) -> None:
    assert main(["fit", "a.bmp", "gone.png", "--json", "--for", "gemini", "-o", "out"]) == 1
    good, bad = json.loads(capsys.readouterr().out)
    assert (good["written"], good["changes"][0]["before"]["mimeType"]) == (["out/a.png"], "image/bmp")
    assert bad["error"]["code"] == "not-found"


def test_a_folder_that_cannot_be_made_is_told(folder: Path, capsys: Capture) -> None:
    assert main(["fit", "b.jpg", "--for", "openai", "-o", "a.bmp/out"]) == 1
    assert "cannot be made" in capsys.readouterr().err


def test_check_prints_a_finding_a_line_and_ends_with_1(folder: Path, capsys: Capture) -> None:
    assert main(["check", "bad.json", "--for", "openai"]) == 1
    out = capsys.readouterr().out
    assert out.startswith("messages.0.content.1.image_url.url: mislabelled: image/jpeg, limit image/png; ")
    assert len(out.splitlines()) == 2


def test_check_names_the_file_on_every_line_when_there_are_several(folder: Path, capsys: Capture) -> None:
    assert main(["check", "good.json", "bad.jsonl", "b.jpg", "--for", "openai"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines] == ["good.json", "bad.jsonl", "bad.jsonl", "b.jpg"]
    assert lines[0] == "good.json: nothing found"
    assert lines[1].startswith("bad.jsonl: 1.content.1.image_url.url: mislabelled")


def test_check_of_what_passes_ends_with_0(folder: Path, capsys: Capture) -> None:
    (folder / "large.png").write_bytes(png(3000, 16))
    assert main(["check", "good.json", "large.png", "--for", "openai", "--model", "gpt-4o"]) == 0
    assert "data: oversize (info): 3000x16, limit 2048x11; " in capsys.readouterr().out


def test_check_takes_media_files(folder: Path, capsys: Capture) -> None:
    (folder / "cut.png").write_bytes(PNG[:60])
    assert main(["check", "cut.png", "--jsonl", "--for", "openai"]) == 1
    row = json.loads(capsys.readouterr().out)
    assert (row["path"], row["findings"][0]["rule"]) == ("cut.png", "undecodable")


@pytest.mark.parametrize("text", ['{"a": ', "[" * 100_000])
def test_check_of_broken_json_is_a_failure_by_name(folder: Path, capsys: Capture, text: str) -> None:
    (folder / "broken.json").write_text(text)
    main(["check", "broken.json", "--for", "openai"])
    said = capsys.readouterr()
    assert "broken.json" in said.err or "type-not-accepted" in said.out


@pytest.mark.parametrize("name", ["bad.json", "bad.jsonl"])
def test_check_writes_a_repaired_copy_in_the_same_form(folder: Path, capsys: Capture, name: str) -> None:
    before = (folder / name).read_bytes()
    assert main(["check", name, "--for", "openai", "--repair", "-o", "fixed"]) == 0
    text = (folder / "fixed").read_text()
    made: Any = [json.loads(line) for line in text.splitlines()] if name == "bad.jsonl" else json.loads(text)
    assert check(made, "openai") == []
    assert (folder / name).read_bytes() == before
    said = capsys.readouterr()
    assert said.out == "nothing found\n"
    assert len(said.err.splitlines()) == 2


@pytest.mark.parametrize(
    "words", [["--repair"], ["-o", "x"], ["good.json", "--repair", "-o", "x"]], ids=["no file", "no repair", "two"]
)
def test_repair_takes_one_transcript_and_a_place_to_write(folder: Path, capsys: Capture, words: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["check", "bad.json", *words, "--for", "openai"])
    assert caught.value.code == 2
    assert "needs -o FILE" in capsys.readouterr().err


def test_repair_of_a_media_file_points_at_fit(folder: Path, capsys: Capture) -> None:
    assert main(["check", "a.bmp", "--for", "openai", "--repair", "-o", "x"]) == 1
    assert "use the verb fit" in capsys.readouterr().err


def test_tokens_are_the_providers(folder: Path, capsys: Capture) -> None:
    (folder / "a.txt").write_text("hello")
    assert main(["tokens", "a.bmp", "a.txt", "--for", "gemini", "--detail", "low"]) == 0
    assert capsys.readouterr().out == "a.bmp: 280 tokens\na.txt: no published formula\n"
    assert main(["tokens", "a.bmp", "--json", "--for", "anthropic"]) == 0
    assert json.loads(capsys.readouterr().out) == [{"path": "a.bmp", "tokens": 6}]


def test_a_detail_that_is_none_is_wrong_usage(folder: Path, capsys: Capture) -> None:
    assert main(["tokens", "a.bmp", "--for", "gemini", "--detail", "huge"]) == 2
    assert "the details are auto" in capsys.readouterr().err


@pytest.mark.parametrize("verb", ["fit", "check", "tokens"])
def test_a_provider_must_be_named_and_known(capsys: Capture, verb: str) -> None:
    for words in ([], ["--for", "nobody"]):
        with pytest.raises(SystemExit) as caught:
            main([verb, "a.png", *words])
        assert caught.value.code == 2
    assert "openai-responses" in capsys.readouterr().err
