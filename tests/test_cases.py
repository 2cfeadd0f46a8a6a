"""The awkward files of ``fixtures/cases``: each row of ``cases.tsv`` holds for type, part or error, kind and facts."""

from __future__ import annotations

import json
import os
import time
import warnings
from fnmatch import fnmatchcase
from typing import Any

import pytest

from tests._make import CASES, check, is_clean
from toolnexus_media import content
from toolnexus_media.errors import MediaError
from toolnexus_media.probe import probe
from toolnexus_media.sniff import sniff

_, *LINES = (CASES / "cases.tsv").read_text("utf-8").splitlines()
ROWS = [(line.split("\t") + [""] * 6)[:6] for line in LINES if line]
TYPED = [(row[0], row[1]) for row in ROWS if row[1]]
ATTACHED = [(row[0], row[2], row[3]) for row in ROWS if row[2]]
FACTS = [(row[0], json.loads(row[4])) for row in ROWS if row[2] == "ok"]


def path_of(name: str) -> str:
    return str(CASES / "files" / name)


def test_every_file_has_its_row_and_every_row_its_file() -> None:
    assert sorted(row[0] for row in ROWS) == sorted(os.listdir(CASES / "files"))


@pytest.mark.parametrize(("name", "pattern"), TYPED)
def test_the_type_is_sniffed_from_path_and_bytes(name: str, pattern: str) -> None:
    assert fnmatchcase(sniff(path_of(name)), pattern)
    with open(path_of(name), "rb") as stream:
        assert fnmatchcase(sniff(stream.read(), name), pattern)


@pytest.mark.parametrize(("name", "outcome", "kind"), ATTACHED)
def test_it_becomes_a_part_or_the_right_error(name: str, outcome: str, kind: str) -> None:
    started = time.monotonic()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        if outcome == "ok":
            part: Any = content.attach(path_of(name))
            assert part["type"] == kind
            assert part["mimeType"] == sniff(path_of(name))
        else:
            with pytest.raises(MediaError) as caught:
                content.attach(path_of(name))
            assert caught.value.code in outcome.split("|")
            assert is_clean(str(caught.value))
    assert time.monotonic() - started < 10  # far above what any file needs; what hangs goes over it


@pytest.mark.parametrize(("name", "facts"), FACTS)
def test_facts_are_within_two_percent(name: str, facts: dict[str, Any]) -> None:
    for found in (probe(path_of(name)), probe(content.attach(path_of(name)))):
        told: dict[str, Any] = {key: value for key, value in found.items() if key in facts}
        assert told == {
            key: value if isinstance(value, bool) else pytest.approx(value, rel=0.02) for key, value in facts.items()
        }


@pytest.mark.parametrize("name", [name for name, _ in FACTS])
def test_the_caption_is_one_clean_line_that_starts_with_the_summary(name: str) -> None:
    part = content.attach(path_of(name))
    line = content.caption(part)
    assert line.startswith(content.summarize_part(part))
    assert is_clean(line)
    assert len(line) <= 300
    assert name.partition(".")[0] not in line
    json.dumps(line, ensure_ascii=False).encode()


@pytest.mark.parametrize("name", [row[0] for row in ROWS])
def test_probing_raises_nothing_but_ours(name: str) -> None:
    try:
        probe(path_of(name))
    except MediaError as error:
        check(error, "empty")


def test_an_error_page_named_as_a_picture_is_told_to_be_html() -> None:
    with pytest.raises(MediaError, match="HTML") as caught:
        content.image_file(path_of("a05_html_404.png"))
    assert caught.value.code == "wrong-kind"


def test_junk_in_front_of_a_pdf_is_cut_off() -> None:
    assert content.part_data(content.attach(path_of("e03_junk900.pdf"))).startswith(b"%PDF-")
