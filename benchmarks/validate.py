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

SECONDS = 60


class Late(BaseException):
    """A fit took more than `SECONDS`."""


def _late(_number: int, _frame: FrameType | None) -> None:
    raise Late


def files(folder: Path, each: int | None) -> Iterator[Path]:
    """Every file, or the first few of each kind of ending in each sub-folder."""
    seen: Counter[tuple[Path, str]] = Counter()
    for path in sorted(folder.rglob("*")):
        key = (path.parent, path.suffix.lower())
        if path.is_file() and (each is None or seen[key] < each):
            seen[key] += 1
            yield path


def main() -> int:
    """Run the sweep; 1 when something was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--each", type=int, help="only so many files of each ending and sub-folder")
    parser.add_argument("--part", default="0/1", help="I/N: the I-th of N shares of the files")
    parser.add_argument("--provider", help="only this provider's rows")
    options = parser.parse_args()
    share, shares = map(int, options.part.split("/"))
    chosen = list(files(options.folder, options.each))[share::shares]
    signal.signal(signal.SIGALRM, _late)
    words: Counter[str] = Counter()
    wrong = pairs = attached = 0
    began = time.perf_counter()
    for path in chosen:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                part = attach(path)
        except MediaError as error:
            words[f"not attached:{error.code}"] += 1
            continue
        attached += 1
        before = dict(part)
        for provider, model, position in rows_for(part):
            if options.provider not in (None, provider):
                continue
            pairs += 1
            signal.alarm(SECONDS)
            try:
                found = verdict(part, provider, model, position)
                signal.alarm(0)
                word, faults = found.word, found.wrong
            except Late:
                word, faults = "late", [f"over {SECONDS} s"]
            except Exception as error:  # noqa: BLE001 - whatever escapes is what is looked for
                signal.alarm(0)
                word, faults = "escaped", [f"{type(error).__name__}: {error}"]
            words[word] += 1
            if faults:
                wrong += 1
                print(
                    f"{path.relative_to(options.folder)}\t{provider}\t{model}\t{position}\t{word}\t{faults}", flush=True
                )
        if dict(part) != before:
            wrong += 1
            print(f"{path}: the given part was changed")
    print(
        f"{len(chosen)} files, {attached} attached, {pairs} pairs, {wrong} wrong, {time.perf_counter() - began:.0f} s"
    )
    print(dict(words.most_common()))
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
