"""A path to a part and its summary, against a hand-written floor; full verification against Pillow's own decode.

    python benchmarks/attach.py [--unpinned] [--memory]

The floor opens, reads, looks at eight bytes, encodes with pybase64 and formats a line: what nobody can avoid.
"""

from __future__ import annotations

import os
import sys
import tempfile
from functools import partial
from io import BytesIO
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks._measure import pin_heap, ratio, rounds, shown, verdict  # noqa: E402  # runs as a script

KB, MB = 1024, 1024 * 1024
SIZES = {"82 bytes": (82, 1.25), "200 KB": (200 * KB, 1.15), "5 MB": (5 * MB, 1.1), "50 MB": (50 * MB, 0.8)}
MEMORY_FILE = 500 * MB
MEMORY_LIMIT = 2.4


def floor(path: str) -> str:
    from pybase64 import b64encode_as_string

    with open(path, "rb") as stream:  # the floor is what a careful hand writes
        data = stream.read()
    mime = "image/png" if data[:8] == b"\x89PNG\r\n\x1a\n" else "application/octet-stream"
    part = {"type": "image", "mimeType": mime, "data": b64encode_as_string(data)}
    return f"{part['type']} ({part['mimeType']}, {len(data)} bytes)"


def ours(path: str) -> str:
    from toolnexus_media import attach, summarize_part

    return summarize_part(attach(path, verify="none"))


def write_file(folder: str, size: int) -> str:
    """A PNG of the wanted size: the fixture, and bytes that no decoder is asked to read behind it."""
    fixture = (ROOT / "fixtures" / "media" / "fixture.png").read_bytes()
    path = Path(folder) / f"{size}.png"
    with path.open("wb") as stream:
        stream.write(fixture)
        left = size - len(fixture)
        while left > 0:
            stream.write(os.urandom(min(left, MB)))
            left -= MB
    return str(path)


def against_floor(folder: str) -> bool:
    kept = True
    for label, (size, limit) in SIZES.items():
        path = write_file(folder, size)
        assert ours(path) == floor(path)
        times = rounds({"floor": partial(floor, path), "ours": partial(ours, path)}, count=15)
        print(f"{label}: floor {shown(min(times['floor']))}, ours {shown(min(times['ours']))}")
        kept &= verdict(f"{label}, ours / floor", ratio(times, "ours", "floor"), limit)
    return kept


def against_decode() -> bool:
    """Full verification of a 1920x1080 screenshot-like PNG against Pillow opening and loading the same bytes."""
    from PIL import Image, ImageDraw

    from toolnexus_media import attach

    picture = Image.new("RGB", (1920, 1080), "white")
    draw = ImageDraw.Draw(picture)
    for row in range(0, 1080, 18):
        draw.rectangle((40, row, 300 + row * 7 % 1500, row + 9), fill=(row % 256, 90, 160))
    noise = Image.effect_noise((640, 480), 60).convert("RGB")
    picture.paste(noise, (1200, 500))
    buffer = BytesIO()
    picture.save(buffer, "PNG")
    data = buffer.getvalue()

    def decode() -> None:
        Image.open(BytesIO(data)).load()

    sides = {"decode": decode, "attach": lambda: attach(data)}
    times = rounds(sides, count=15, budget=0.1)
    print(
        f"1920x1080 PNG ({len(data)} bytes): decode {shown(min(times['decode']))}, attach {shown(min(times['attach']))}"
    )
    return verdict("verify='full' / Pillow's decode", ratio(times, "attach", "decode"), 1.1)


def peak_memory(folder: str) -> bool:
    """Peak resident memory of a fresh process that attaches one large file, as a multiple of the file."""
    import subprocess

    path = write_file(folder, MEMORY_FILE)
    program = (
        "from toolnexus_media import attach\n"
        "from toolnexus_media._safe import shown\n"
        "def peak():\n"
        "    return next(int(l.split()[1]) for l in open('/proc/self/status') if l.startswith('VmHWM')) * 1024\n"
        f"attach({str(ROOT / 'fixtures' / 'media' / 'fixture.png')!r}, verify='none')\n"
        "open('/proc/self/clear_refs', 'w').write('5')\n"
        "before = peak()\n"
        f"part = attach({path!r}, verify='none', max_bytes=2**31)\n"
        "print(peak() - before)"
    )
    environment = {key: value for key, value in os.environ.items() if not key.startswith("MALLOC_")}
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**environment, "PYTHONPATH": str(ROOT)},
        check=True,
        capture_output=True,
        text=True,
    )
    return verdict("500 MB, peak memory / file", int(done.stdout) / MEMORY_FILE, MEMORY_LIMIT)


def main() -> int:
    pin_heap()
    print("heap pinned" if "--unpinned" not in sys.argv else "heap as the allocator likes it (not gated)")
    with tempfile.TemporaryDirectory() as folder:
        kept = [against_floor(folder), against_decode()]
        if "--memory" in sys.argv or "--unpinned" not in sys.argv:
            kept.append(peak_memory(folder))
    return int(not all(kept) and "--unpinned" not in sys.argv)


if __name__ == "__main__":
    sys.exit(main())
