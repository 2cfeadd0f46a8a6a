"""How the benchmarks measure: rounds with a rotating order, medians of per-round ratios, a pinned heap.

Between 64 KB and 32 MB the page faults of the allocator decide a timing, so a benchmark starts itself again with a
heap that never shrinks, for every side of a comparison alike.
"""

from __future__ import annotations

import os
import sys
from statistics import median
from time import perf_counter_ns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

PINNED = {
    "MALLOC_MMAP_THRESHOLD_": "1073741824",
    "MALLOC_TRIM_THRESHOLD_": "4294967296",
    "MALLOC_TOP_PAD_": "268435456",
}


def pin_heap() -> None:
    """Start this script again with a pinned heap, unless it runs with one."""
    if all(os.environ.get(key) == value for key, value in PINNED.items()) or "--unpinned" in sys.argv:
        return
    os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **PINNED})


def rounds(
    sides: Mapping[str, Callable[[], object]], *, count: int = 11, budget: float = 0.05
) -> dict[str, list[float]]:
    """Seconds a call of each side in each round; the order rotates, a slow call runs once a round."""
    names = list(sides)
    loops = {name: _loops(sides[name], budget) for name in names}
    times: dict[str, list[float]] = {name: [] for name in names}
    for number in range(count):
        for name in names[number % len(names) :] + names[: number % len(names)]:
            times[name].append(_time(sides[name], loops[name]))
    return times


def _loops(call: Callable[[], object], budget: float) -> int:
    call()
    once = _time(call, 1)
    return max(1, int(budget / max(once, 1e-7)))


def _time(call: Callable[[], object], loops: int) -> float:
    start = perf_counter_ns()
    for _ in range(loops):
        call()
    return (perf_counter_ns() - start) / loops / 1e9


def ratio(times: Mapping[str, list[float]], side: str, floor: str) -> float:
    """The median of the per-round ratios of one side to the floor."""
    return median(a / b for a, b in zip(times[side], times[floor], strict=True))


def shown(seconds: float) -> str:
    """A time in the unit that reads best.

    >>> shown(0.0000012)
    '1.20 us'
    """
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.2f} {unit}"
    return f"{seconds / 1e-9:.0f} ns"


def verdict(label: str, value: float, limit: float) -> bool:
    """Print a ratio beside its limit; is it kept?"""
    kept = value <= limit
    print(f"  {'ok ' if kept else 'OVER'} {label}: {value:.3f} (at most {limit})")
    return kept
