"""The long-lived child of robustness.py: makes one damaged copy after another, uses it, and says what went wrong.

    python benchmarks/_survivor.py FOLDER SEED LOG

A number on standard input is answered by a line of JSON on standard output. Numbers below zero are the files as they
are: -1 is the first one. A crash leaves its traceback in the log.
"""

from __future__ import annotations

import faulthandler
import json
import os
import sys
import warnings
from functools import lru_cache
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks._corpus import Sample, samples  # noqa: E402  # runs as a script
from benchmarks._mutants import mutant  # noqa: E402

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Finding = dict[str, Any]

SECONDS = 2.0
BYTES = 4 * 100_000_000 + 150_000_000
FORBIDDEN = frozenset([*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029, 0x061C, 0x200E, 0x200F])
BIDI = frozenset([*range(0x202A, 0x202F), *range(0x2066, 0x206A)])


def sound(line: str, start: str) -> str | None:
    """What is wrong with a caption that has to begin with a summary; None when nothing is."""
    if len(line) > 300:
        return f"{len(line)} characters"
    codes = set(map(ord, line))
    if codes & (FORBIDDEN | BIDI) or any(0xD800 <= code < 0xE000 for code in codes):
        return "a control, bidi or surrogate character"
    if not line.startswith(start):
        return "does not start with the summary"
    json.dumps(line, ensure_ascii=False).encode()
    return None


class Survivor:
    """Calls everything on one content after the other and keeps what is not as promised."""

    def __init__(self, table: list[Sample], seed: int) -> None:
        self.table, self.seed = table, seed
        by_kind: dict[str, list[int]] = {}
        for place, sample in enumerate(table):
            by_kind.setdefault(sample.row["mime"] or sample.kind, []).append(place)
        self.peers = [by_kind[sample.row["mime"] or sample.kind] for sample in table]
        self.read = lru_cache(16)(lambda place: table[place].read())
        self.warned: list[str] = []
        warnings.simplefilter("always")
        warnings.showwarning = lambda message, category, *_: self.warned.append(f"{category.__name__}: {message}"[:200])

    def run(self, number: int) -> dict[str, Any]:
        if number < 0:
            way, place = "whole", -1 - number
            data = self.read(place)
        else:
            way, place, data = mutant(self.seed, number, self.read, self.peers)
        answer: dict[str, Any] = {
            "number": number,
            "way": way,
            "file": str(self.table[place].row["file"]),
            "findings": [],
        }
        reset_peak()
        self._use(data, self.table[place].name, answer)
        answer["peak"] = peak()
        if answer["peak"] > BYTES:
            answer["findings"].append({"what": "memory", "detail": f"{answer['peak'] >> 20} MB"})
        if self.warned:
            answer["findings"].append({"what": "warning", "detail": self.warned[0]})
            self.warned.clear()
        return answer

    def _use(self, data: bytes, name: str, answer: dict[str, Any]) -> None:
        from toolnexus_media.content import attach, caption, summarize_part
        from toolnexus_media.probe import probe
        from toolnexus_media.sniff import sniff

        answer["mime"] = self._call("sniff", lambda: sniff(data, name), answer) or ""
        self._call("attach", lambda: attach(data, name=name), answer)
        part = self._call("attach none", lambda: attach(data, name=name, verify="none"), answer)
        if part is None:
            return
        facts = self._call("probe", lambda: probe(part), answer)
        line = self._call("caption", lambda: caption(part, facts), answer)
        wrong = sound(line, summarize_part(part)) if line is not None else None
        if wrong:
            answer["findings"].append({"what": "caption", "detail": wrong})

    def _call(self, what: str, call: Callable[[], Any], answer: dict[str, Any]) -> Any:
        from toolnexus_media.errors import MediaError

        result: Any = None
        start = perf_counter() - waited()
        try:
            result = call()
            answer.setdefault("outcomes", []).append(f"{what} ok")
        except MediaError as error:
            answer.setdefault("outcomes", []).append(f"{what} {error.code}")
            if what in ("probe", "caption"):  # of a part that was just built
                answer["findings"].append({"what": "refused", "call": what, "detail": str(error)[:200]})
        except BaseException as error:  # noqa: BLE001 - that is what is looked for
            detail = f"{type(error).__name__}: {error}"[:200]
            answer["findings"].append({"what": "exception", "call": what, "detail": detail})
        took = perf_counter() - waited() - start
        answer["slowest"] = max(answer.get("slowest", 0.0), took)
        if took > SECONDS:
            answer["findings"].append({"what": "slow", "call": what, "detail": f"{took:.2f} s"})
        return result


def waited() -> float:
    """Seconds that this process was ready and another one ran: a busy machine is not a slow answer."""
    try:
        with open("/proc/self/schedstat") as times:
            return int(times.read().split()[1]) / 1e9
    except OSError:
        return 0.0


def reset_peak() -> None:
    if os.path.exists("/proc/self/clear_refs"):
        with open("/proc/self/clear_refs", "w") as control:
            control.write("5")


def peak() -> int:
    """Bytes of resident memory at most since the last reset; 0 where the system does not tell."""
    if not os.path.exists("/proc/self/status"):
        return 0
    with open("/proc/self/status") as status:
        return next((int(line.split()[1]) << 10 for line in status if line.startswith("VmHWM")), 0)


def main() -> None:
    folder, seed, log = sys.argv[1:4]
    with open(log, "w") as crashes:
        faulthandler.enable(crashes)
        survivor = Survivor(samples(folder), int(seed))
        for line in sys.stdin:
            print(json.dumps(survivor.run(int(line))), flush=True)


if __name__ == "__main__":
    main()
