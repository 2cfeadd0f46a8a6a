"""Types and facts of real files against what independent tools agree on, beside the field's other sniffers.

    python benchmarks/corpus.py FOLDER [--peers] [--wrong]

Right, wrong and absent for each format and each fact, then verdicts. ``--peers`` asks filetype, puremagic,
python-magic and magika about the same bytes, those that are installed (the dependency group ``peers``). ``--wrong``
lists every file that is not right. Exit 1 when a verdict fails.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks import _judge  # noqa: E402  # runs as a script
from benchmarks._corpus import SKIPPED, Sample, add_folder, samples  # noqa: E402

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    Table = dict[str, dict[str, Counter[str]]]  # format → who or what → verdicts

VERDICTS = ("right", "wrong", "absent")


def peers() -> dict[str, Callable[[bytes], str]]:
    """The sniffers that are installed, each as a function of bytes; the others are named."""
    found: dict[str, Callable[[bytes], str]] = {}
    for name, make in (
        ("filetype", _filetype),
        ("puremagic", _puremagic),
        ("python-magic", _magic),
        ("magika", _magika),
    ):
        try:
            found[name] = make()
        except ImportError as error:
            print(f"{name} is left out: {error}")
    return found


def _filetype() -> Callable[[bytes], str]:
    import filetype  # type: ignore[import-untyped]  # it ships no types

    return lambda data: filetype.guess_mime(data) or ""


def _puremagic() -> Callable[[bytes], str]:
    puremagic = import_module("puremagic")

    def guess(data: bytes) -> str:
        try:
            return str(puremagic.from_string(data, mime=True))
        except (puremagic.PureError, ValueError):
            return ""

    return guess


def _magic() -> Callable[[bytes], str]:
    magic = import_module("magic")

    return lambda data: str(magic.from_buffer(data, mime=True))


def _magika() -> Callable[[bytes], str]:
    Magika = import_module("magika").Magika  # noqa: N806  # a class

    model = Magika()
    return lambda data: str(model.identify_bytes(data).output.mime_type)


def judge_types(table: list[Sample], asked: Mapping[str, Callable[[bytes], str]]) -> tuple[Table, list[str]]:
    """Verdicts on types by format, and the files that are not right, with the peers that are."""
    from toolnexus_media.sniff import normalise, sniff

    verdicts: Table = defaultdict(lambda: defaultdict(Counter))
    lines = []
    for sample in table:
        data = sample.read()
        found, named = sniff(data), sniff(data, sample.name)
        verdict = _judge.judge_type(sample, found)
        by_name = _judge.judge_type(sample, named, named=True)
        better = []
        for name, guess in asked.items():
            said = _judge.judge_type(sample, normalise(guess(data)) or _judge.UNKNOWN)
            verdicts[_format(sample)][name][said] += 1
            if said == "right":
                better.append(name)
        verdicts[_format(sample)]["bytes"][verdict] += 1
        verdicts[_format(sample)]["name"][by_name] += 1
        if {"wrong", "absent"} & {verdict, by_name}:
            right = f"; right: {', '.join(better)}" if better else ""
            lines.append(f"{sample.row['file']}: {found}, with its name {named}, agreed {sample.type}{right}")
    return verdicts, lines


def judge_all_facts(table: list[Sample]) -> tuple[Table, list[str]]:
    verdicts: Table = defaultdict(lambda: defaultdict(Counter))
    lines = []
    for sample, found in zip(table, _judge.probe_all(table), strict=True):
        for fact, verdict, value in _judge.judge_facts(sample, found):
            verdicts[_format(sample)][fact][verdict] += 1
            if verdict != "right":
                shown = "absent" if value is None else repr(value)
                lines.append(f"{sample.row['file']}: {fact} {shown}, agreed {sample.row[fact]!r}")
    return verdicts, lines


def _format(sample: Sample) -> str:
    return sample.type or f"(disputed {sample.kind})"


def show(verdicts: Table, columns: list[str], title: str) -> None:
    """One line a format: right/wrong/absent under each column."""
    print(f"\n{title}: right/wrong/absent\n")
    print("| format | " + " | ".join(columns) + " |\n|---|" + "---|" * len(columns))
    for name in sorted(verdicts):
        cells = [_cell(verdicts[name].get(column)) for column in columns]
        if any(cells):
            print(f"| {name} | " + " | ".join(cells) + " |")


def _cell(counts: Counter[str] | None) -> str:
    return "/".join(str(counts[verdict]) for verdict in VERDICTS) if counts and any(map(counts.get, VERDICTS)) else ""


def decide_types(table: list[Sample], verdicts: Table, sides: list[str]) -> bool:
    """The share of right types in each group of formats, for the package and for each peer."""
    groups: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    of = {_format(sample): _judge.group_of(sample) for sample in table}
    for name, columns in verdicts.items():
        for side, counts in columns.items():
            groups[of[name]][side] += counts
    kept = True
    print("\nShare of right types")
    for group, least in _judge.GROUPS.items():
        shares = {side: _judge.share(groups[group][side], "right", VERDICTS) for side in sides}
        good = min(shares["bytes"], shares["name"]) >= least
        kept &= good
        total = sum(groups[group]["bytes"][verdict] for verdict in VERDICTS)
        print(f"  {'ok ' if good else 'LOW'} {group} ({total} files, at least {least:.1%}): " + _shares(shares))
    print(
        "      programs, fonts, data: "
        + _shares({s: _judge.share(groups["other"][s], "right", VERDICTS) for s in sides})
    )
    return kept


def _shares(shares: Mapping[str, float]) -> str:
    return ", ".join(f"{side} {value:.2%}" for side, value in shares.items())


def decide_facts(verdicts: Table) -> bool:
    """Each fact over the formats whose facts are promised."""
    kept = True
    print("\nFacts of the listed formats")
    for fact in _judge.FACTS:
        counts: Counter[str] = sum((verdicts[name][fact] for name in verdicts if name in _judge.MEASURED), Counter())
        right = _judge.share(counts, "right", ("right", "wrong"))
        given = 1 - _judge.share(counts, "absent", VERDICTS)
        good = right >= _judge.RIGHT and given >= _judge.GIVEN
        kept &= good
        print(f"  {'ok ' if good else 'LOW'} {fact}: {right:.2%} right of {given:.2%} given, of {counts.total()}")
    return kept


def decide_unexplained(label: str, lines: list[str]) -> bool:
    """Print the files and their reasons; is there one for each?"""
    reasons = _judge.explained()
    kept = True
    print(f"\n{label}")
    for line in lines:
        name = Path(line.partition(":")[0]).name.partition("_")[2]
        kept &= name in reasons
        print(f"  {'ok ' if name in reasons else 'WHY'} {line}" + (f" ({reasons[name]})" if name in reasons else ""))
    if not lines:
        print("  ok  none")
    return kept


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_folder(parser)
    parser.add_argument("--peers", action="store_true", help="ask the field's other sniffers too")
    parser.add_argument("--wrong", action="store_true", help="list every file that is not right")
    given = parser.parse_args()
    if not given.folder:
        print(SKIPPED)
        return 0
    table = samples(given.folder)
    asked: Any = peers() if given.peers else {}
    types, type_lines = judge_types(table, asked)
    facts, fact_lines = judge_all_facts(table)
    sides = ["bytes", "name", *asked]
    show(types, sides, "Types")
    show(facts, list(_judge.FACTS), "Facts")
    if given.wrong:
        print("\nNot right:", *type_lines, *fact_lines, sep="\n  ")
    kept = decide_types(table, types, sides)
    kept &= decide_facts(facts)
    if asked:
        kept &= decide_unexplained("Types that a peer has right", [line for line in type_lines if "; right: " in line])
    kept &= decide_unexplained("Facts that are wrong", [line for line in fact_lines if " absent, agreed" not in line])
    return int(not kept)


if __name__ == "__main__":
    sys.exit(main())
