"""The command line: what is printed where, and the exit status, over every kind of input and failure."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests._make import PNG
from toolnexus_media.cli.__main__ import VERBS, main

CAPTION = "image (image/png, 82 bytes), 8x8"

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a picture, a text in a folder of its own, and a folder of nothing."""
    (tmp_path / "a.png").write_bytes(PNG)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "b.txt").write_text("one\ntwo\n")
    (tmp_path / "sub" / ".hidden").write_text("x")
    (tmp_path / "none").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def feed(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def test_one_file_is_its_caption(folder: Path, capsys: Capture) -> None:
    assert main(["describe", "a.png"]) == 0
    assert capsys.readouterr() == (f"{CAPTION}\n", "")


@pytest.mark.parametrize("inputs", [["a.png", "sub"], ["a.png", "sub/b.txt"], ["a.png", "s*"], ["**/*.*"], ["**"]])
def test_several_are_named_and_each_is_told_once(folder: Path, capsys: Capture, inputs: list[str]) -> None:
    main(["describe", *inputs])
    text = "file (text/plain, 8 bytes)"
    assert capsys.readouterr().out == f"a.png: {CAPTION}\n{os.path.join('sub', 'b.txt')}: {text}\n"


def test_standard_input_is_a_dash(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    feed(monkeypatch, PNG)
    assert main(["describe", "-"]) == 0
    assert capsys.readouterr().out == f"{CAPTION}\n"


@pytest.mark.parametrize(
    ("item", "said"),
    [
        ("gone.png", "gone.png: no such file; check the path [not-found]"),
        ("*.gif", "*.gif: no such file; check the path [not-found]"),
        ("https://example.org/a.png", "https://example.org/a.png: no such file; check the path [not-found]"),
        ("none", "none: the folder holds no files; pass another [empty]"),
        (os.devnull, f"{os.devnull}: is a device; read it yourself and pass the bytes [not-a-file]"),
    ],
)
def test_what_fails_is_named_on_standard_error_and_the_rest_goes_on(
    folder: Path, capsys: Capture, item: str, said: str
) -> None:
    assert main(["describe", item, "a.png"]) == 1
    assert capsys.readouterr() == (f"a.png: {CAPTION}\n", f"toolnexus-media: {said}\n")


def test_json_holds_failures_too_and_paths_as_they_are(folder: Path, capsys: Capture) -> None:
    (folder / "two\nlines.txt").write_text("hello")
    assert main(["describe", "--json", "a.png", "gone.png", "two\nlines.txt"]) == 1
    good, bad, odd = json.loads(capsys.readouterr().out)
    assert good == {"path": "a.png", "type": "image", "mimeType": "image/png", "bytes": 82, "caption": CAPTION}
    assert (bad["path"], bad["error"]["code"]) == ("gone.png", "not-found")
    assert odd["path"] == "two\nlines.txt"


def test_a_file_name_cannot_break_the_line(folder: Path, capsys: Capture) -> None:
    (folder / "two\n\x1b[31mlines.txt").write_text("hello")
    main(["describe", "two\n\x1b[31mlines.txt", "a.png"])
    assert capsys.readouterr().out.splitlines()[0] == "two [31mlines.txt: file (text/plain, 5 bytes)"


def test_jsonl_is_one_object_a_line_in_order_whatever_the_jobs(folder: Path, capsys: Capture) -> None:
    assert main(["probe", "--jsonl", "--jobs", "3", "sub/b.txt", "a.png", "sub/b.txt"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["path"] for row in rows] == ["sub/b.txt", "a.png", "sub/b.txt"]
    assert rows[0] == {"path": "sub/b.txt", "mimeType": "text/plain", "encoding": "utf-8", "lines": 2}


def test_attach_prints_the_part_in_wire_form(folder: Path, capsys: Capture) -> None:
    assert main(["attach", "a.png"]) == 0
    part = json.loads(capsys.readouterr().out)
    assert sorted(part) == ["data", "mimeType", "type"]
    assert main(["attach", "--result", "a.png"]) == 0
    assert json.loads(capsys.readouterr().out) == {"output": CAPTION[:27], "isError": False, "parts": [part]}


def test_attach_on_a_terminal_shows_a_size_for_the_payload(
    folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert main(["attach", "a.png"]) == 0
    assert capsys.readouterr().out == "{'type': 'image', 'mimeType': 'image/png', 'data': <82 bytes>}\n"


def test_a_wrong_label_is_one_line_for_each_file_and_refused_when_strict(folder: Path, capsys: Capture) -> None:
    assert main(["attach", "--mime-type", "image/jpeg", "a.png", "a.png"]) == 0
    line = "toolnexus-media: declared as image/jpeg, and the bytes are image/png; the bytes decide\n"
    assert capsys.readouterr().err == 2 * line
    assert main(["attach", "--mime-type", "image/jpeg", "--strict", "a.png"]) == 1
    assert "[mime-mismatch]" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [[], ["nope"], ["describe"], ["describe", "a.png", "--jobs", "0"], ["attach", "a.png", "--max-bytes", "many"]],
)
def test_wrong_usage_is_exit_status_2(capsys: Capture, words: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(words)
    assert caught.value.code == 2
    assert "_positive" not in capsys.readouterr().err


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_explains_itself(capsys: Capture, verb: str) -> None:
    with pytest.raises(SystemExit) as caught:
        main([verb, "--help"])
    assert caught.value.code == 0
    assert VERBS[verb][1:] in " ".join(capsys.readouterr().out.split())


def test_doctor_tells_what_is_missing_and_how_to_get_it(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "av", None)
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    assert "missing av: pip install 'toolnexus-media[audio]'" in out
    assert out.endswith("the line runs\n")
    monkeypatch.setitem(sys.modules, "pybase64", None)
    assert main(["doctor", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["core"]["pybase64"], found["works"]) == (None, False)


def test_a_failure_clears_the_bar_it_would_stand_behind(
    folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr("toolnexus_media.cli._inputs._PATIENCE", -1.0)
    assert main(["describe", "a.png", "gone.png", "a.png"]) == 1
    bar, failure, *_ = capsys.readouterr().err.split("\r\x1b[K")
    assert bar.endswith(" 1/3")
    assert failure.startswith("toolnexus-media: gone.png: no such file")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")
def test_output_that_cannot_be_written_is_said_in_a_line(folder: Path) -> None:
    with open("/dev/full", "wb") as full:
        done = run(["describe", "a.png"], stdout=full.fileno())
    assert (done.returncode, done.stderr.count(b"\n")) == (1, 1)
    assert done.stderr.startswith(b"toolnexus-media: cannot write the output")


def test_a_reader_that_went_away_is_no_error(folder: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    done = run(["describe", "a.png"], stdout=write)
    os.close(write)
    assert (done.returncode, done.stderr) == (0, b"")


def run(words: list[str], stdout: int) -> subprocess.CompletedProcess[bytes]:
    root = Path(__file__).parents[1]
    return subprocess.run(
        [sys.executable, "-m", "toolnexus_media.cli.__main__", *words],
        stdout=stdout,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(root)},
        check=False,
    )
