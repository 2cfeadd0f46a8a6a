"""A first look at a part: can it be sent as it is? What it does not say yes to is looked at closely by its kind.

Most parts of most calls fit already, so this takes about as long as reading their headers.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from toolnexus_media import _b64
from toolnexus_media.fit._target import mime_of, payload_of
from toolnexus_media.sniff import sniff

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolnexus_media.fit._job import Job
    from toolnexus_media.types import ContentPart

    Look = Callable[[ContentPart, Job], bool]

LOOKS = {"image": "image", "audio": "audio", "file": "text"}
"""Which module's ``stays`` looks at parts of a type."""

_BEGINNING = 384
_HEAD = _BEGINNING // 3 * 4  # characters of base64


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


def is_labelled(part: ContentPart) -> bool:
    """Does the beginning of a part's bytes say the type that the part says?"""
    return begins_as(_b64.decode(payload_of(part)[:_HEAD]), part)


def begins_as(head: bytes, part: ContentPart) -> bool:
    """The same for bytes that were decoded; a name only tells kinds of text apart."""
    mime = mime_of(part)
    name = part.get("name") if mime != "text/plain" else None
    return sniff(head[:_BEGINNING], name if isinstance(name, str) else None) == mime
