"""Kept copies of emitted messages, ``tests/golden/<provider>/<case>.json``, so that a change of a wire is seen.

After a change that is meant, write them anew and read the difference::

    python -m tests.wires.golden
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[1] / "golden"
HOW = "if the change is meant, run: python -m tests.wires.golden"
BYTES = "$base64"
Cases = Mapping[str, Callable[[], Any]]


def dumps(value: Any) -> str:
    r"""JSON in the order of the keys, one line a value; bytes are an object with the one key ``$base64``.

    >>> dumps({"bytes": b"abc"})
    '{\n "bytes": {\n  "$base64": "YWJj"\n }\n}\n'
    """
    return json.dumps(_written(value), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def loads(text: str) -> Any:
    """What ``dumps`` was given.

    >>> loads(dumps([{"b": b"abc", "a": 1.5}]))
    [{'b': b'abc', 'a': 1.5}]
    """
    return json.loads(text, object_hook=lambda found: b64decode(found[BYTES]) if set(found) == {BYTES} else found)


def _written(value: Any) -> Any:
    if isinstance(value, bytes):
        return {BYTES: b64encode(value).decode()}
    if isinstance(value, dict):
        assert BYTES not in value, f"{BYTES} stands for bytes"
        return {key: _written(found) for key, found in value.items()}
    return [_written(found) for found in value] if isinstance(value, list) else value


def path_of(name: str, folder: Path = FOLDER) -> Path:
    """Where a case is kept, by its name ``<provider>/<case>``."""
    return folder / f"{name}.json"


def store(name: str, value: Any, folder: Path = FOLDER) -> None:
    path = path_of(name, folder)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(dumps(value), "utf-8", newline="\n")


def load(name: str, folder: Path = FOLDER) -> Any:
    return loads(path_of(name, folder).read_text("utf-8"))


def stale(cases: Cases, folder: Path = FOLDER) -> list[str]:
    """The cases whose copy is not what is made now, or is missing, and the copies that belong to no case."""
    kept = {path.relative_to(folder).with_suffix("").as_posix() for path in folder.rglob("*.json")}
    changed = {name for name in kept & set(cases) if path_of(name, folder).read_text("utf-8") != dumps(cases[name]())}
    return sorted(changed | (kept ^ set(cases)))


def write(cases: Cases, folder: Path = FOLDER) -> list[str]:
    """Makes the copies what the cases are now, and tells which were not."""
    names = stale(cases, folder)
    for name in names:
        if name in cases:
            store(name, cases[name](), folder)
        else:
            path_of(name, folder).unlink()
    return names


if __name__ == "__main__":
    from tests.wires.cases import CASES

    print("\n".join(write(CASES)) or "nothing has changed")
