"""Real files of other projects, where their folder is given: facts are right or absent."""

from __future__ import annotations

import csv
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from toolnexus_media.probe import audio, video

CORPUS = os.environ.get("TOOLNEXUS_MEDIA_CORPUS", "")
FORMATS = {"audio/wav", "audio/mpeg", "audio/aac", "audio/mp4", "audio/flac", "audio/ogg", "audio/aiff", "audio/webm"}
# The table names some types otherwise.
NAMES = {"audio/x-wav": "audio/wav", "audio/x-aiff": "audio/aiff", "audio/x-hx-aac-adts": "audio/aac"}


def rows() -> list[dict[str, str]]:
    if not CORPUS:
        pytest.skip("TOOLNEXUS_MEDIA_CORPUS does not name the folder of real files")
    with (Path(CORPUS) / "expected.tsv").open(encoding="utf-8") as file:
        return [row for row in csv.DictReader(file, delimiter="\t") if row["kind"] in ("audio", "av", "video")]


def judge(found: dict[str, Any], row: dict[str, str]) -> Counter[str]:
    """How many of the agreed facts are right, wrong and absent."""
    verdicts: Counter[str] = Counter()
    for key, column in (("duration", "duration"), ("sample_rate", "rate"), ("channels", "channels")):
        if row[column]:
            agreed = float(row[column])
            slack = max(agreed * 0.02, 0.05) if key == "duration" else 0
            verdicts["absent" if key not in found else "right" if abs(found[key] - agreed) <= slack else "wrong"] += 1
    return verdicts


def test_facts_of_real_sounds_are_right_or_absent() -> None:
    total: Counter[str] = Counter()
    for row in rows():
        mime = NAMES.get(row["mime"], row["mime"])
        if mime in FORMATS:
            total += judge(dict(audio.facts((Path(CORPUS) / row["file"]).read_bytes(), mime)), row)
    given = total["right"] + total["wrong"]
    assert total["right"] >= 0.99 * given
    assert given >= 0.97 * total.total()


def test_sizes_of_real_videos_are_right_or_absent() -> None:
    for row in rows():
        if row["mime"] in video.READERS and row["width"]:
            found = dict(video.facts((Path(CORPUS) / row["file"]).read_bytes(), row["mime"]))
            if "width" in found:
                assert (found["width"], found["height"]) == (int(row["width"]), int(row["height"])), row["file"]
