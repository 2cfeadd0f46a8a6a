"""Optional dependencies: one table, one way to ask for them, one install hint.

An extra is a group of ``pyproject.toml``; a module belongs to exactly one. Nothing is imported before it is asked for.
"""

from __future__ import annotations

from importlib import import_module

from toolnexus_media.errors import MissingExtraError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

EXTRAS: dict[str, tuple[str, ...]] = {
    "pdf": ("pypdfium2", "cryptography"),
    "svg": ("resvg_py",),
    "heic": ("pi_heif",),
    "audio": ("av",),
    "mcp": ("mcp",),
    "screenshot": ("playwright",),
    "store": ("fsspec",),
    "schema": ("pydantic",),
}
_EXTRA_OF = {module: extra for extra, modules in EXTRAS.items() for module in modules}


def installed(module: str) -> bool:
    """Whether the optional module could be imported; it is not.

    >>> installed("no_such_module_at_all")
    False
    """
    from importlib.util import find_spec

    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def load(module: str) -> ModuleType | None:
    """The optional module, or None where it is not installed.

    >>> load("no_such_module_at_all") is None
    True
    """
    try:
        return import_module(module)
    except ImportError:
        return None


def need(module: str, purpose: str) -> ModuleType:
    """The optional module, or ``MissingExtraError`` that says what to install and what it is for."""
    found = load(module)
    if found is None:
        raise missing(_EXTRA_OF[module], purpose)
    return found


def missing(extra: str, purpose: str) -> MissingExtraError:
    """The error for an extra that is not installed.

    >>> str(missing("heic", "decoding image/heic"))
    "decoding image/heic needs an optional dependency; install it with: pip install 'toolnexus-media[heic]'"
    """
    return MissingExtraError(
        f"{purpose} needs an optional dependency; install it with: pip install 'toolnexus-media[{extra}]'", extra=extra
    )
