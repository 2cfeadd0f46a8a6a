"""Real files of public projects, where a folder of them is given: the share that is named rightly."""

from __future__ import annotations

import csv
import os
from collections import Counter
from pathlib import Path

import pytest

from toolnexus_media.sniff import normalise, sniff

FLOORS = {
    "image": 0.99,
    "pdf": 0.995,
    "audio": 0.985,
    "av": 0.99,
    "video": 0.99,
    "office": 0.99,
    "archive": 0.95,
    "text": 0.95,
}
MEDIA = ("image/", "audio/", "video/")


def rows() -> list[tuple[str, set[str], bytes]]:
    folder = os.environ.get("TOOLNEXUS_MEDIA_CORPUS")
    if not folder:
        pytest.skip("set TOOLNEXUS_MEDIA_CORPUS to the folder of real files to run this")
    with Path(folder, "expected.tsv").open(newline="") as table:
        return [
            (row["kind"], accepted(row), Path(folder, row["file"]).read_bytes())
            for row in csv.DictReader(table, delimiter="\t")
        ]


def accepted(row: dict[str, str]) -> set[str]:
    return {normalise(name) for name in (row["mime_accept"] or row["mime"]).split(",")} - {""}


def test_real_files_are_named_rightly() -> None:
    known: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for kind, names, data in rows():
        if names:
            known[kind] += 1
            right[kind] += sniff(data) in names
    assert {kind: right[kind] / known[kind] for kind in FLOORS if right[kind] < FLOORS[kind] * known[kind]} == {}


def test_text_and_archives_and_office_files_are_not_taken_for_sound_or_film() -> None:
    claims = [sniff(data) for kind, _, data in rows() if kind in ("text", "archive")]
    assert [mime for mime in claims if mime.startswith(MEDIA)] == []
