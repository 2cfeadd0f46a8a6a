"""Real files of public projects, where a folder of them is given: types and facts as independent tools agree."""

from __future__ import annotations

import os
from collections import Counter

import pytest

from benchmarks import _judge
from benchmarks._corpus import VARIABLE, Sample, samples
from toolnexus_media.sniff import sniff

MEDIA = ("image/", "audio/", "video/")
VERDICTS = ("right", "wrong", "absent")


@pytest.fixture(scope="module")
def table() -> list[Sample]:
    folder = os.environ.get(VARIABLE)
    if not folder:
        pytest.skip(f"set {VARIABLE} to the folder of real files to run this")
    return samples(folder)


@pytest.fixture(scope="module")
def fact_verdicts(table: list[Sample]) -> list[tuple[Sample, str, str, object]]:
    found = zip(table, _judge.probe_all(table), strict=True)
    return [(sample, *judged) for sample, facts in found for judged in _judge.judge_facts(sample, facts)]


@pytest.mark.parametrize("named", [False, True], ids=["by bytes", "with the name"])
def test_real_files_are_named_rightly(table: list[Sample], named: bool) -> None:
    counts = {group: Counter[str]() for group in (*_judge.GROUPS, "other", "pdf", "unknown")}
    for sample in table:
        found = sniff(sample.read(), sample.name if named else None)
        counts[_judge.group_of(sample)][_judge.judge_type(sample, found, named=named)] += 1
    shares = {group: _judge.share(counts[group], "right", VERDICTS) for group in _judge.GROUPS}
    assert {group: got for group, got in shares.items() if got < _judge.GROUPS[group]} == {}


def test_every_type_that_is_not_right_is_explained(table: list[Sample]) -> None:
    """The tables of the reference name each file and say why."""
    wrong = [sample for sample in table if _judge.judge_type(sample, sniff(sample.read())) in ("wrong", "absent")]
    assert [sample.name for sample in wrong if sample.name not in _judge.explained()] == []


def test_text_and_archives_are_not_taken_for_media(table: list[Sample]) -> None:
    claims = [sniff(sample.read()) for sample in table if sample.kind in ("text", "archive")]
    assert [mime for mime in claims if mime.startswith(MEDIA)] == []


@pytest.mark.parametrize("fact", _judge.FACTS)
def test_a_fact_of_real_files_is_right_or_absent_and_seldom_absent(
    fact_verdicts: list[tuple[Sample, str, str, object]], fact: str
) -> None:
    counts = Counter(
        verdict for sample, name, verdict, _ in fact_verdicts if name == fact and sample.type in _judge.MEASURED
    )
    assert _judge.share(counts, "right", ("right", "wrong")) >= _judge.RIGHT
    assert _judge.share(counts, "absent", VERDICTS) <= 1 - _judge.GIVEN


def test_every_fact_that_is_wrong_is_explained(fact_verdicts: list[tuple[Sample, str, str, object]]) -> None:
    """The tables of the reference name each file and say why."""
    wrong = [(sample.name, fact, value) for sample, fact, verdict, value in fact_verdicts if verdict == "wrong"]
    assert [entry for entry in wrong if entry[0] not in _judge.explained()] == []
