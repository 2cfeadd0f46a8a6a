"""In the child: the module that a request names as its task, loaded in a time of its own, and then set to work."""

from __future__ import annotations

from importlib import import_module

from toolnexus_media.probe import _child

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from toolnexus_media._b64 import Buffer
    from toolnexus_media.probe._child import Outcome


def ask(
    task: str, data: Buffer, request: dict[str, Any], *, until: float, answer: int = 0, memory: int = _child.MEMORY
) -> tuple[list[dict[str, Any]], Outcome]:
    """What the task's ``run`` says of the data, as ``_child.ask`` tells it."""
    return _child.ask(__name__, data, {**request, "task": task}, until=until, answer=answer, memory=memory)


def main(request: dict[str, Any]) -> None:
    """Take on the limits, load the task, and do it."""
    _child.begin(request)
    _child.load()
    task = import_module(request["task"])
    _child.work()
    task.run(request)
