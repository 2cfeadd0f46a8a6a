"""The code stays small: budgets for functions, files and names, and a ratchet that lets them only fall.

When a figure of ``NOW`` can be lowered, lower it in the same change. It is raised only with a reason in the changelog.
"""

from __future__ import annotations

import ast
import graphlib
from statistics import median, quantiles

import pytest

from tests._package import FILES, TREES, siblings

BUDGET = {
    "longest function": 50,
    "median function": 9,
    "p90 function": 25,
    "longest file": 400,
    "median file": 150,
    "most public names": 25,
}
NOW = {
    "longest function": 44,
    "median function": 8,
    "p90 function": 18,
    "longest file": 383,
    "median file": 119,
    "most public names": 25,
}


def _functions() -> dict[str, int]:
    """Lines of every function, from ``def`` to its last line, its docstring with it."""
    return {
        f"{module}:{node.lineno} {node.name}": (node.end_lineno or node.lineno) - node.lineno + 1
        for module, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }


def _files() -> dict[str, int]:
    return {str(path): path.read_text("utf-8").count("\n") for path in FILES}


def _public_names() -> dict[str, int]:
    """How many names each module defines without an underscore in front; what it imports is not its own."""
    return {module: len({name for node in tree.body for name in _defined(node)}) for module, tree in TREES.items()}


def _defined(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        names = [node.name]
    elif isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        names = [target.id for target in targets if isinstance(target, ast.Name)]
    else:
        names = []
    return [name for name in names if not name.startswith("_") and name != "TYPE_CHECKING"]


def _p90(values: list[int]) -> float:
    return quantiles(values, n=10, method="inclusive")[-1]


def _measured() -> dict[str, float]:
    functions, files = list(_functions().values()), list(_files().values())
    return {
        "longest function": max(functions),
        "median function": median(functions),
        "p90 function": _p90(functions),
        "longest file": max(files),
        "median file": median(files),
        "most public names": max(_public_names().values()),
    }


def _worst(name: str) -> list[tuple[int, str]]:
    tables = {"function": _functions, "file": _files, "names": _public_names}
    return sorted(((size, where) for where, size in tables[name.split()[-1]]().items()), reverse=True)[:5]


@pytest.mark.parametrize("name", BUDGET)
def test_nothing_grows_past_what_it_is_now(name: str) -> None:
    assert _measured()[name] <= NOW[name] <= BUDGET[name], f"{name}; the largest: {_worst(name)}"


def test_no_import_goes_in_a_circle() -> None:
    graph = {module: siblings(module, inside_functions=True) - {module, "__init__"} for module in TREES}
    graphlib.TopologicalSorter(graph).prepare()  # raises CycleError, which names the circle
