"""A provider is one file and one row: the how-to's own two, in a copy of the package."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from tests.test_docs import ROOT, blocks

PAGE = ROOT / "docs" / "howto" / "add-a-provider.md"


def test_the_pages_file_and_row_are_all_that_a_provider_takes(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "toolnexus_media", tmp_path / "toolnexus_media")
    shutil.copytree(ROOT / "fixtures" / "media", tmp_path / "fixtures" / "media")
    file, row, shown = blocks(PAGE)[:3]
    (tmp_path / "toolnexus_media" / "emit" / "acme.py").write_text(file.text, "utf-8")
    others = tmp_path / "toolnexus_media" / "limits" / "_others.py"
    others.write_text(f"{others.read_text('utf-8')}\n{row.text}\nROWS = (*ROWS, _ACME)\n", "utf-8")
    command, _, answer = shown.text.partition("\n")
    script = command.partition('"')[2].rpartition('"')[0]
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout == answer, done.stderr
