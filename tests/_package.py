"""The package's source as syntax trees, for the tests that hold its shape."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

PACKAGE = "toolnexus_media"
ROOT = Path(__file__).parent.parent
FILES = sorted((ROOT / PACKAGE).rglob("*.py"))


def module_of(path: Path) -> str:
    """A file's dotted name below the package: ``probe.image``, ``probe``, and ``__init__`` for the package itself."""
    parts = path.relative_to(ROOT / PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


TREES = {module_of(path): ast.parse(path.read_text("utf-8"), str(path)) for path in FILES}


def is_for_checkers(node: ast.AST) -> bool:
    """Whether this is ``if TYPE_CHECKING:``, which never runs."""
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def running(node: ast.AST, *, inside_functions: bool) -> Iterator[ast.AST]:
    """The nodes that run at import time, and with ``inside_functions`` those that run later too."""
    for child in ast.iter_child_nodes(node):
        if is_for_checkers(child):
            continue
        yield child
        if inside_functions or not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield from running(child, inside_functions=inside_functions)


def imports(module: str, *, inside_functions: bool) -> set[str]:
    """The dotted names a module imports: ``PIL``, ``os.path``, ``toolnexus_media.probe.image``."""
    found: set[str] = set()
    for node in running(TREES[module], inside_functions=inside_functions):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: a relative import; write the whole name, it can be searched for"
            origin = node.module or ""
            inner = {f"{origin}.{alias.name}" for alias in node.names}
            found |= {name if name.removeprefix(f"{PACKAGE}.") in TREES else origin for name in inner}
    return found


def siblings(module: str, *, inside_functions: bool) -> set[str]:
    """The modules of this package that a module imports, as ``module_of`` names them."""
    names = imports(module, inside_functions=inside_functions)
    within = {name for name in names if name.split(".")[0] == PACKAGE}
    return {name.removeprefix(f"{PACKAGE}.") if name != PACKAGE else "__init__" for name in within}
