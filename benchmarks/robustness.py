"""Real files and damaged copies of them: nothing but ``MediaError``, nothing slow, nothing large, no crash.

    python benchmarks/robustness.py FOLDER [--mutants 100000] [--seconds 2700] [--jobs 2] [--pdf only] [--state FILE]

Each file of the folder, then copies that are cut, spliced or changed in some bytes (the number of a copy decides all
about it), go through sniff, attach with full verification, probe and caption, in children that live long. With
``--state`` a run that was stopped goes on where it ended. Exit 1 when something was found.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from select import select
from threading import Lock, Thread
from time import monotonic

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks._corpus import SKIPPED, add_folder, samples  # noqa: E402  # runs as a script

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

BATCH = 50
AGAIN = 3
HANG = 60.0  # seconds after which a child that says nothing is ended


class Child:
    """One long-lived process; started again after a crash or a hang."""

    def __init__(self, folder: str, seed: int) -> None:
        self.log = tempfile.NamedTemporaryFile(mode="r", suffix=".log")  # noqa: SIM115 - lives as long as this object
        self.command = [sys.executable, str(ROOT / "benchmarks" / "_survivor.py"), folder, str(seed), self.log.name]
        self.process: subprocess.Popen[bytes] | None = None

    def ask(self, number: int) -> dict[str, Any]:
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
            )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(b"%d\n" % number)
        line = b""
        while not line.endswith(b"\n"):
            if not select([self.process.stdout], [], [], HANG)[0]:
                return self._lost(number, "hang")
            chunk = self.process.stdout.read(65536)
            if not chunk:
                return self._lost(number, "crash")
            line += chunk
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _lost(self, number: int, what: str) -> dict[str, Any]:
        assert self.process is not None
        self.process.kill()
        code = self.process.wait()
        trace = Path(self.log.name).read_text(errors="replace").splitlines()
        frames = [line.strip() for line in trace if line.lstrip().startswith(("File", "Fatal"))][:4]
        return {"number": number, "findings": [{"what": what, "detail": f"exit {code}: {' | '.join(frames)}"}]}

    def end(self) -> None:
        if self.process is not None and self.process.stdin is not None:
            self.process.stdin.close()
            self.process.wait()


class Tally:
    """What all batches together came to; kept in a file when one is named."""

    def __init__(self, state: str | None, key: str) -> None:
        self.path = Path(state) if state else None
        self.lock = Lock()
        self.done: set[int] = set()
        self.counts: Counter[str] = Counter()
        self.slowest, self.settled, self.peak = 0.0, 0.0, 0
        self.findings: list[dict[str, Any]] = []
        if self.path and self.path.exists():
            for line in self.path.read_text().splitlines():
                batch = json.loads(line)
                if batch["key"] == key:
                    self._add(batch)
        self.key = key

    def keep(self, batch: dict[str, Any]) -> None:
        with self.lock:
            batch["key"] = self.key
            self._add(batch)
            if self.path:
                with self.path.open("a") as file:
                    file.write(json.dumps(batch) + "\n")

    def _add(self, batch: dict[str, Any]) -> None:
        self.done.add(batch["batch"])
        self.counts.update(batch["counts"])
        self.slowest = max(self.slowest, batch["slowest"])
        self.peak = max(self.peak, batch["peak"])
        self.findings += batch["findings"]


def run_batch(child: Child, batch: int, numbers: list[int]) -> dict[str, Any]:
    counts: Counter[str] = Counter()
    slowest, peak, findings = 0.0, 0, []
    for number in numbers:
        answer = child.ask(number)
        counts["contents"] += 1
        counts["mutants"] += number >= 0
        counts.update(answer.get("outcomes", []))
        slowest = max(slowest, answer.get("slowest", 0.0))
        peak = max(peak, answer.get("peak", 0))
        if answer["findings"]:
            findings.append(
                {key: answer[key] for key in ("number", "way", "file", "mime", "findings") if key in answer}
            )
            print(json.dumps(findings[-1]), flush=True)
    return {"batch": batch, "counts": counts, "slowest": slowest, "peak": peak, "findings": findings}


def numbered(folder: str, mutants: int, pdf: str) -> list[int]:
    """The numbers of the files, below zero, and of their copies; with, without or only those of PDFs."""
    table = samples(folder)
    numbers = [*range(-1, -1 - len(table), -1), *range(mutants)]
    places = {number: -1 - number if number < 0 else number % len(table) for number in numbers}
    return [number for number in numbers if pdf == "with" or (table[places[number]].kind == "pdf") == (pdf == "only")]


def run(numbers: list[int], folder: str, seed: int, seconds: float, jobs: int, tally: Tally) -> None:
    count = -(-len(numbers) // BATCH)
    batches = [(batch, numbers[batch::count]) for batch in range(count)]  # each a bit of everything
    todo = iter([batch for batch in batches if batch[0] not in tally.done])
    end = monotonic() + seconds
    lock = Lock()

    def work() -> None:
        child = Child(folder, seed)
        while monotonic() < end:
            with lock:
                batch = next(todo, None)
            if batch is None:
                break
            tally.keep(run_batch(child, *batch))
        child.end()

    threads = [Thread(target=work) for _ in range(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def settle(folder: str, seed: int, tally: Tally) -> int:
    """Ask the slow ones again, alone: a child process of the package shares a busy machine too. How many were quick?"""
    child, quick = Child(folder, seed), 0
    for entry in [entry for entry in tally.findings if {found["what"] for found in entry["findings"]} == {"slow"}]:
        answers = (child.ask(entry["number"]) for _ in range(AGAIN))
        settled = next((answer for answer in answers if not answer["findings"]), None)
        if settled:
            tally.findings.remove(entry)
            quick += 1
            tally.settled = max(tally.settled, settled["slowest"])
    child.end()
    return quick


def report(tally: Tally, took: float, quick: int) -> int:
    print(
        f"{tally.counts['contents']} contents, {tally.counts['mutants']} of them damaged copies; {took:.0f} s this time"
    )
    for outcome, count in sorted(tally.counts.items()):
        print(f"  {outcome}: {count}")
    print(f"highest peak {tally.peak / 1e6:.0f} MB; slowest answer {tally.slowest:.2f} s with others at work")
    print(f"{quick} contents took over 2 s then, and at most {tally.settled:.2f} s when asked again, alone")
    kinds = Counter(finding["what"] for entry in tally.findings for finding in entry["findings"])
    print(f"findings: {dict(kinds) or 'none'}")
    return int(bool(tally.findings))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_folder(parser)
    parser.add_argument("--mutants", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=3600.0, help="no new batch is begun after this")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--pdf", choices=("with", "without", "only"), default="with", help="they take a child each")
    parser.add_argument("--state", help="a file that keeps what is done")
    given = parser.parse_args()
    if not given.folder:
        print(SKIPPED)
        return 0
    start = monotonic()
    tally = Tally(given.state, f"{given.seed}:{given.mutants}:{given.pdf}")
    numbers = numbered(given.folder, given.mutants, given.pdf)
    run(numbers, given.folder, given.seed, given.seconds, given.jobs, tally)
    return report(tally, monotonic() - start, settle(given.folder, given.seed, tally))


if __name__ == "__main__":
    sys.exit(main())
