"""The fixtures are what the manifest says, and the deterministic ones can be made again bit for bit."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

FIXTURES = Path(__file__).parent.parent / "fixtures"
MANIFEST: dict[str, list[dict[str, Any]]] = json.loads((FIXTURES / "manifest.json").read_text("utf-8"))
ROWS = [*MANIFEST["media"], *MANIFEST["cases"]]
QUADRANTS = [(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)]


@pytest.mark.parametrize("row", ROWS, ids=[row["file"] for row in ROWS])
def test_a_file_is_the_one_the_manifest_describes(row: dict[str, Any]) -> None:
    assert hashlib.sha256((FIXTURES / row["file"]).read_bytes()).hexdigest() == row["sha256"]
    assert row["licence"] == "MIT"


@pytest.mark.parametrize("folder", ["media", "cases/files"])
def test_every_file_has_a_row(folder: str) -> None:
    listed = {row["file"] for row in ROWS}
    assert {f"{folder}/{path.name}" for path in (FIXTURES / folder).iterdir()} <= listed


def test_good_files_are_small() -> None:
    assert all((FIXTURES / row["file"]).stat().st_size < 20_000 for row in MANIFEST["media"])


def test_a_caption_starts_with_kind_type_and_size() -> None:
    for row in MANIFEST["media"]:
        size = (FIXTURES / row["file"]).stat().st_size
        assert row.get("caption", "").startswith(f"{row['kind']} ({row['mime']}, {size} bytes)") or "caption" not in row


def test_build_makes_the_deterministic_files_again() -> None:
    done = subprocess.run(
        [sys.executable, FIXTURES / "build.py", "--check"], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert "0 differ" in done.stdout


def test_the_fixture_picture_is_four_quadrants_in_82_bytes() -> None:
    from PIL import Image

    path = FIXTURES / "media" / "fixture.png"
    assert len(path.read_bytes()) == 82
    with Image.open(path) as image:
        rgb = image.convert("RGB")
    assert rgb.size == (8, 8)
    assert [[rgb.getpixel((x, y)) for x in range(8)] for y in range(8)] == [
        [QUADRANTS[y // 4 * 2 + x // 4] for x in range(8)] for y in range(8)
    ]
