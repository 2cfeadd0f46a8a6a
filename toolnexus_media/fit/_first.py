"""A first look at a part: can it be sent as it is? What it does not say yes to is looked at closely by its kind.

Most parts of most calls fit already, so this takes about as long as reading their headers.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolnexus_media.fit._job import Job
    from toolnexus_media.types import ContentPart

    Look = Callable[[ContentPart, Job], bool]

LOOKS = {"image": "image", "audio": "audio", "file": "text"}
"""Which module's ``stays`` looks at parts of a type."""


def stays(part: ContentPart, job: Job) -> bool:
    """Is this part surely acceptable as it is?

    >>> from toolnexus_media import limits
    >>> from toolnexus_media.fit._job import Job
    >>> stays({"type": "text", "text": "hi"}, Job(limits.row("anthropic")))
    True
    """
    kind = part["type"]
    return kind == "text" or ("data" in part and _look(kind)(part, job))


@cache
def _look(kind: str) -> Look:
    look: Look = import_module(f"toolnexus_media.fit.{LOOKS[kind]}").stays
    return look
