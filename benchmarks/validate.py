"""Fit every file of a folder for every provider's row and judge what comes out: `validate.py FOLDER [--each N]`.

Prints how many pairs of file and row there are and how many are right, then each wrong one with its reason.
"""

from __future__ import annotations

import argparse
import signal
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

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


class Tally:
    """What was seen so far."""

    def __init__(self) -> None:
        self.words: Counter[str] = Counter()
        self.files = self.attached = self.pairs = self.wrong = 0

    def file(self, path: Path, provider: str | None) -> None:
        """One file for every row that differs for it."""
        self.files += 1
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                part = attach(path)
        except MediaError as error:
            self.words[f"not attached:{error.code}"] += 1
            return
        self.attached += 1
        before = dict(part)
        for row in rows_for(part):
            if provider in (None, row[0]):
                self.pairs += 1
                word, faults = judged(part, row)
                self.words[word] += 1
                self.fault(path, f"{row[0]}\t{row[1]}\t{row[2]}\t{word}", faults)
        self.fault(path, "-", [] if dict(part) == before else ["the given part was changed"])

    def fault(self, path: Path, row: str, faults: list[str]) -> None:
        """Print and count what is wrong, if anything is."""
        if faults:
            self.wrong += 1
            print(f"{path}\t{row}\t{faults}", flush=True)


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
    options = parser.parse_args()
    share, shares = map(int, options.part.split("/"))
    signal.signal(signal.SIGALRM, _late)
    signal.signal(signal.SIGTERM, _stopped)
    tally = Tally()
    began = time.perf_counter()
    try:
        for path in list(files(options.folder, options.each))[share::shares]:
            tally.file(path, options.provider)
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
