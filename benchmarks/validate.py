"""Fit every file of a folder for every provider's row and judge what comes out: `validate.py FOLDER [--each N]`.

Prints each wrong pair of file and row with its reason, then how many pairs there are and how many are wrong. With
`--log FILE` each file done is noted in it, and a run that was stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.validator.sweep import rows_for, verdict  # noqa: E402 - the path is set above
from toolnexus_media import attach  # noqa: E402
from toolnexus_media.errors import MediaError  # noqa: E402
from toolnexus_media.types import ContentPart  # noqa: E402

SECONDS = 300


class Late(BaseException):
    """A fit took more than `SECONDS`."""


def _late(_number: int, _frame: FrameType | None) -> None:
    raise Late


def _stopped(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def files(folder: Path, each: int | None) -> Iterator[Path]:
    """Every file, or the first few of each kind of ending in each sub-folder."""
    seen: Counter[tuple[Path, str]] = Counter()
    for path in sorted(folder.rglob("*")):
        key = (path.parent, path.suffix.lower())
        if path.is_file() and (each is None or seen[key] < each):
            seen[key] += 1
            yield path


class Found(NamedTuple):
    """What came of one file: a word for each pair, and a line for each wrong one."""

    attached: bool
    words: list[str]
    wrong: list[str]
    seconds: float = 0


def tried(path: Path, provider: str | None) -> Found:
    """One file for every row that differs for it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            part = attach(path)
    except MediaError as error:
        return Found(False, [f"not attached:{error.code}"], [])
    found = Found(True, [], [])
    before = dict(part)
    for row in rows_for(part):
        if provider in (None, row[0]):
            word, faults = judged(part, row)
            found.words.append(word)
            found.wrong.extend([f"{row[0]}\t{row[1]}\t{row[2]}\t{word}\t{faults}"] if faults else [])
    if dict(part) != before:
        found.wrong.append("the given part was changed")
    return found


class Tally:
    """What was seen so far."""

    def __init__(self) -> None:
        self.words: Counter[str] = Counter()
        self.files = self.attached = self.pairs = self.wrong = 0

    def add(self, path: str, found: Found) -> None:
        """Count one file in, and print what is wrong of it."""
        self.files += 1
        self.attached += found.attached
        self.pairs += len(found.words) if found.attached else 0
        self.wrong += len(found.wrong)
        self.words.update(found.words)
        for line in found.wrong:
            print(f"{path}\t{line}", flush=True)


def logged(log: Path | None) -> dict[str, Found]:
    """What a log says of the files done before."""
    lines = log.read_text().splitlines() if log and log.exists() else []
    return {path: Found(*found) for path, found in map(json.loads, lines)}


def run(paths: list[Path], provider: str | None, log: Path | None, tally: Tally) -> None:
    """Every file that the log does not hold yet, each noted in it when it is done."""
    done = logged(log)
    for path in paths:
        found = done.get(str(path))
        if found is None:
            began = time.perf_counter()
            found = tried(path, provider)
            found = found._replace(seconds=round(time.perf_counter() - began, 2))
            if log:
                with log.open("a") as notes:
                    notes.write(json.dumps([str(path), found]) + "\n")
        tally.add(str(path), found)


def judged(part: ContentPart, row: tuple[str, str | None, str]) -> tuple[str, list[str]]:
    """The verdict, and the same for what takes too long or escapes as no `MediaError`."""
    signal.alarm(SECONDS)
    try:
        return verdict(part, *row)
    except Late:
        return "late", [f"over {SECONDS} s"]
    except Exception as error:  # noqa: BLE001 - whatever escapes is what is looked for
        return "escaped", [f"{type(error).__name__}: {error}"]
    finally:
        signal.alarm(0)


def main() -> int:
    """Run the sweep; 1 when something was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--each", type=int, help="only so many files of each ending and sub-folder")
    parser.add_argument("--part", default="0/1", help="I/N: the I-th of N shares of the files")
    parser.add_argument("--provider", help="only this provider's rows")
    parser.add_argument("--log", type=Path, help="a file that notes what is done, to go on from")
    options = parser.parse_args()
    share, shares = map(int, options.part.split("/"))
    signal.signal(signal.SIGALRM, _late)
    signal.signal(signal.SIGTERM, _stopped)
    tally = Tally()
    began = time.perf_counter()
    try:
        run(list(files(options.folder, options.each))[share::shares], options.provider, options.log, tally)
    except KeyboardInterrupt:
        print("stopped")
    print(
        f"{tally.files} files, {tally.attached} attached, {tally.pairs} pairs of file and row, {tally.wrong} wrong, "
        f"{time.perf_counter() - began:.0f} s"
    )
    print(dict(tally.words.most_common()))
    return 1 if tally.wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
