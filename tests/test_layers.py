"""Imports go one way, files and processes have one door each, and nothing heavy is loaded before it is needed."""

from __future__ import annotations

import ast

import pytest

from tests._package import TREES, imports, running, siblings

LAYERS = [  # a module imports what stands before it, here and in its own row
    "types errors _callables _extras _strings _text _b64 _safe",
    "source",
    "sniff part probe summary",
    "content",
    "tool _schema native suspension",
    "limits tokens fit",
    "emit",
    "delivery",
    "transcript store",
    "check",
    "adapters",
    "tools server cli",
]
ORDER = " ".join(LAYERS).split()
OPENERS = {"source", "store", "transcript", "content", "tools", "server", "cli"}
STARTERS = {"probe._child"}
STARTING = {"fork", "forkpty", "popen", "posix_spawn", "posix_spawnp", "spawnv", "startfile", "system"}
TEXT_TOOL = {
    "__init__",
    "errors",
    "_extras",
    "_callables",
    "_strings",
    "_text",
    "_safe",
    "tool",
    "native",
    "suspension",
}
SLOW = {"asyncio", "base64", "dataclasses", "inspect", "json", "pathlib", "re", "typing", "typing_extensions"}
HEAVY = {
    "PIL", "av", "cryptography", "filetype", "fsspec", "matplotlib", "mcp", "numpy", "pi_heif", "playwright",
    "pydantic", "pypdf", "pypdfium2", "resvg_py", "tinytag",
}  # fmt: skip

modules = pytest.mark.parametrize("module", sorted(TREES))


def _roots(names: set[str]) -> set[str]:
    return {name.split(".")[0] for name in names}


def _calls(module: str) -> set[str]:
    calls = (node.func for node in ast.walk(TREES[module]) if isinstance(node, ast.Call))
    return {ast.unparse(called) for called in calls}


@modules
def test_a_module_imports_only_what_stands_before_it(module: str) -> None:
    own = module.split(".")[0]
    if own == "__init__":
        return  # the map of the package: it names every module, lazily
    assert own in ORDER, f"{own} has no place in LAYERS; give it one"
    known = {*ORDER[: ORDER.index(own) + 1], *(["__init__"] if own in LAYERS[-1].split() else [])}  # __version__
    later = _roots(siblings(module, inside_functions=True)) - known
    assert not later, f"{module} imports {sorted(later)}, which it may not know"


@modules
def test_files_are_opened_only_by_source_and_the_writers(module: str) -> None:
    opened = _calls(module) & {"open", "io.open", "os.open", "codecs.open"}
    opened |= {
        call for call in _calls(module) if call.endswith((".read_bytes", ".write_bytes", ".read_text", ".write_text"))
    }
    assert not opened or module.split(".")[0] in OPENERS, (
        f"{module} calls {sorted(opened)}; files are read through source"
    )


@modules
def test_processes_are_started_only_by_the_probe_child(module: str) -> None:
    started = imports(module, inside_functions=True) & {"subprocess", "multiprocessing", "pty"}
    started |= {call for call in _calls(module) if call.startswith("os.") and call[3:] in STARTING}
    assert not started or module in STARTERS, f"{module} uses {sorted(started)}; processes are started by probe._child"


def _speaks_to_a_library(module: str) -> bool:
    """Whether this private module imports a heavy library at its top, as one that is all about that library may."""
    return module not in TEXT_TOOL and module.split(".")[-1].startswith("_") and bool(_heavy(module))


def _heavy(module: str) -> set[str]:
    return _roots(imports(module, inside_functions=False)) & HEAVY


@modules
def test_nothing_heavy_is_imported_with_a_module(module: str) -> None:
    """A private module about one library may import it at its top; the others import that module when they need it."""
    if _speaks_to_a_library(module):
        return
    heavy = _heavy(module) | {name for name in siblings(module, inside_functions=False) if _speaks_to_a_library(name)}
    assert not heavy, f"{module} imports {sorted(heavy)} at its top; import inside the function that needs it"


@pytest.mark.parametrize("module", sorted(TEXT_TOOL & set(TREES)))
def test_a_text_tool_loads_nothing_slow(module: str) -> None:
    slow = _roots(imports(module, inside_functions=False)) & SLOW
    media = siblings(module, inside_functions=False) - TEXT_TOOL
    assert not slow | media, f"{module} imports {sorted(slow | media)} at its top, on a text tool's way"


def test_every_module_is_read_by_these_tests() -> None:
    assert {"__init__", "types", "errors"} <= set(TREES)
    assert any(isinstance(node, ast.ImportFrom) for node in running(TREES["errors"], inside_functions=False))
