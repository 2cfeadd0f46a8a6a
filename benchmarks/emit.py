"""A part of 312 KB as each provider's block, against `json.dumps` of the part, which every request pays anyway.

python benchmarks/emit.py [--unpinned]
"""

from __future__ import annotations

import json
import os
import sys
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from PIL import Image  # noqa: E402  # runs as a script

from benchmarks._measure import pin_heap, ratio, rounds, shown, verdict  # noqa: E402  # runs as a script
from toolnexus_media import attach, emit, success, with_parts  # noqa: E402  # runs as a script

WIRES = ("openai", "openai-responses", "anthropic", "gemini", "bedrock", "mcp", "ollama", "mistral", "a2a")


def main() -> int:
    part = attach(Image.frombytes("RGB", (400, 260), os.urandom(400 * 260 * 3)))
    result = with_parts(success("a picture of noise"), [part])
    calls = [{"id": "call_1", "name": "shot", "result": result}]
    sides = {wire: partial(emit.tool_messages, calls, wire) for wire in WIRES}
    times = rounds({"json.dumps": partial(json.dumps, part), **sides}, count=9)
    print(", ".join(f"{name} {shown(min(values))}" for name, values in times.items()))
    kept = [verdict(f"{wire}, messages / json.dumps", ratio(times, wire, "json.dumps"), 0.15) for wire in WIRES]
    return 0 if all(kept) else 1


if __name__ == "__main__":
    pin_heap()
    sys.exit(main())
