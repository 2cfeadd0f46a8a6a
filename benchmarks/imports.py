"""Import time as whole processes: the package, a text-only tool, and one part, against a bare interpreter.

python benchmarks/imports.py [--rounds N]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks._measure import ratio, verdict  # noqa: E402  # runs as a script from any folder

FIXTURE = str(ROOT / "fixtures" / "media" / "fixture.png")
PROGRAMS = {
    "bare": "pass",
    "import": "import toolnexus_media",
    "text tool": (
        "from toolnexus_media import tool\n"
        "tk = tool.toolkit([tool.tool('hi', lambda args: tool.success('hello'))])\n"
        "assert tool.execute(tk, 'hi', {})['output'] == 'hello'"
    ),
    "one part": (
        f"from toolnexus_media import attach\nassert attach({FIXTURE!r}, verify='none')['mimeType'] == 'image/png'"
    ),
}
LIMITS = {"import": 1.6, "text tool": 1.6, "one part": 2.0}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=21)
    args = parser.parse_args()
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    times: dict[str, list[float]] = {name: [] for name in PROGRAMS}
    for number in range(args.rounds + 1):
        for name, program in PROGRAMS.items():
            start = perf_counter()
            subprocess.run([sys.executable, "-c", program], env=environment, check=True)
            if number:  # the first round writes the bytecode
                times[name].append(perf_counter() - start)
    print("whole processes, ratio to a bare interpreter")
    for name in PROGRAMS:
        print(f"  {name:<10} {median(times[name]) * 1000:6.1f} ms")
    kept = [verdict(name, ratio(times, name, "bare"), limit) for name, limit in LIMITS.items()]
    return int(not all(kept))


if __name__ == "__main__":
    sys.exit(main())
