"""What the documentation shows, runs: every Python block of every page, and every example."""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.frameworks._shared import need

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
LANGUAGES = {"python", "pycon", "sh", "console", "text", "json", "toml", "html"}
FENCE = "```"


class Block(NamedTuple):
    """A fenced block: the first word after its fence, its text, and the line its text starts on."""

    language: str
    text: str
    line: int


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page, in order; one that is never closed is a mistake in the page."""
    found: list[Block] = []
    opened: tuple[str, int] | None = None
    lines = page.read_text("utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        if not line.lstrip().startswith(FENCE):
            continue
        if opened is None:
            words = line.strip().removeprefix(FENCE).split()
            opened = (words[0] if words else "", number)
        else:
            language, start = opened
            found.append(Block(language, "\n".join(lines[start : number - 1]) + "\n", start + 1))
            opened = None
    assert opened is None, f"{page.name}:{opened}: a block is opened and never closed"
    return found


def run(page: Path, block: Block, names: dict[str, Any]) -> None:
    """A block with prompts must print what it shows; a script must run. Lines are counted as the page counts them."""
    if ">>> " in block.text:
        test = doctest.DocTestParser().get_doctest(block.text, names, page.name, str(page), block.line - 1)
        report: list[str] = []
        failed, _ = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=report.append, clear_globs=False)
        names.update(test.globs)
        assert not failed, "".join(report)
    else:
        exec(compile("\n" * (block.line - 1) + block.text, str(page), "exec"), names)


@pytest.fixture
def copy_of_root(tmp_path: Path) -> Path:
    """A folder that looks like the project's root to a page or an example, and may be written to."""
    for name in ("fixtures", "examples"):
        if (ROOT / name).exists():
            shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_every_python_block_of_a_page_runs(page: Path, copy_of_root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(copy_of_root)
    names: dict[str, Any] = {"__name__": "__main__"}
    for block in blocks(page):
        assert block.language in LANGUAGES, (
            f"{page.name}:{block.line - 1}: say which language, one of {sorted(LANGUAGES)}"
        )
        assert block.language in {"python", "pycon"} or ">>> " not in block.text, f"{page.name}:{block.line}"
        if block.language in {"python", "pycon"}:
            run(page, block, names)


def framework_of(example: Path) -> str | None:
    """The framework that an example from 20 on shows, which may not be installed: it imports its adapter."""
    found = re.search(r"from toolnexus_media\.adapters import (?:to_)?(\w+)", example.read_text("utf-8"))
    return found[1] if found else None


@pytest.mark.parametrize("example", EXAMPLES, ids=[example.name for example in EXAMPLES])
def test_an_example_runs_from_the_projects_root(example: Path, copy_of_root: Path) -> None:
    if framework := framework_of(example):
        need(framework)
    done = subprocess.run(
        [sys.executable, "-W", "error", f"examples/{example.name}"],
        cwd=copy_of_root,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
