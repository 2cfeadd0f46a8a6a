"""The caption of every real file is one clean line, where a folder of real files is given."""

from __future__ import annotations

import json
import os
import unicodedata
from concurrent.futures import ThreadPoolExecutor

import pytest

from benchmarks._corpus import VARIABLE, Sample, samples
from toolnexus_media import attach, caption, summarize_part


def faults(sample: Sample) -> str:
    """What is wrong with the caption of a file; nothing where all is well."""
    part = attach(str(sample.path), verify="none")
    line = caption(part)
    if len(line) > 300 or not line.startswith(summarize_part(part)):
        return f"{sample.name}: {line!r}"
    # Cc control, Cf format (bidi marks among them), Cs surrogate, Zl and Zp line ends
    if {"Cc", "Cf", "Cs", "Zl", "Zp"} & {unicodedata.category(char) for char in line}:
        return f"{sample.name}: {line!a}"
    json.dumps(line, ensure_ascii=False).encode("utf-8")
    json.dumps(line).encode("utf-8")
    return ""


def test_the_caption_of_every_real_file_is_one_clean_line() -> None:
    folder = os.environ.get(VARIABLE)
    if not folder:
        pytest.skip(f"set {VARIABLE} to the folder of real files to run this")
    with ThreadPoolExecutor(2) as pool:
        found = pool.map(faults, [sample for sample in samples(folder) if sample.row["bytes"] != "0"])
    assert [fault for fault in found if fault] == []
