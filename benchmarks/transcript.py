"""Finding media in a transcript, against parsing the same transcript with the standard library.

    python benchmarks/transcript.py [--unpinned]

Parsing is what everybody who holds a transcript has done already; finding should not be felt beside it.
"""

from __future__ import annotations

import json
import os
import random
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks._measure import pin_heap, ratio, rounds, shown, verdict  # noqa: E402  # runs as a script

BLOBS, BLOB_BYTES, MESSAGES, SMALL = 41, 935_000, 400, 20_000
WORDS = ("the", "quick", "brown", "fox", "looks", "at", "data,", "images", "and", "results", "of", "a", "call:", "done")


def sentence(count: int) -> str:
    return " ".join(random.choices(WORDS, k=count))


def blob() -> str:
    from pybase64 import b64encode_as_string

    return b64encode_as_string((ROOT / "fixtures" / "media" / "fixture.png").read_bytes() + os.urandom(BLOB_BYTES))


def block(number: int) -> dict[str, Any]:
    """A picture in one of the common shapes."""
    data = blob()
    shapes: list[dict[str, Any]] = [
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64," + data}},
        {"inlineData": {"mimeType": "image/png", "data": data}},
        {"type": "image", "mimeType": "image/png", "data": data},
        {"type": "input_image", "image_url": "data:image/png;base64," + data},
    ]
    return shapes[number % len(shapes)]


def with_media() -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = [
        {"role": "user", "content": [{"type": "text", "text": sentence(60)}]} for _ in range(MESSAGES)
    ]
    for number in range(BLOBS):
        messages[number * MESSAGES // BLOBS]["content"].append(block(number))
    return messages


def small(number: int) -> dict[str, Any]:
    """A message as agents exchange them: words, a call, an answer, words in a block."""
    call = f"call_{number}"
    function = {"name": "search", "arguments": json.dumps({"query": sentence(3)})}
    kinds: list[dict[str, Any]] = [
        {"role": "user", "content": sentence(24)},
        {"role": "assistant", "content": None, "tool_calls": [{"id": call, "type": "function", "function": function}]},
        {"role": "tool", "tool_call_id": call, "name": "search", "content": sentence(20)},
        {"role": "assistant", "content": [{"type": "text", "text": sentence(22)}]},
    ]
    return kinds[number % 4]


def compare(label: str, transcript: list[dict[str, Any]], limit: float, expected: int) -> bool:
    from toolnexus_media.transcript import find

    text = json.dumps(transcript)
    assert len(find(transcript)) == expected
    times = rounds({"loads": lambda: json.loads(text), "find": lambda: find(transcript)}, count=15, budget=0.1)
    print(
        f"{label} ({len(text) / 1e6:.1f} MB): json.loads {shown(min(times['loads']))}, find {shown(min(times['find']))}"
    )
    return verdict("find / json.loads", ratio(times, "find", "loads"), limit)


def main() -> int:
    pin_heap()
    random.seed(7)
    print("heap pinned" if "--unpinned" not in sys.argv else "heap as the allocator likes it (not gated)")
    kept = [
        compare(f"{MESSAGES} messages, {BLOBS} pictures", with_media(), 0.05, BLOBS),
        compare(f"{SMALL} small messages", [small(number) for number in range(SMALL)], 0.9, 0),
    ]
    return int(not all(kept) and "--unpinned" not in sys.argv)


if __name__ == "__main__":
    sys.exit(main())
