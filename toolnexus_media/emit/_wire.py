"""What a provider's wire is made of: one frozen record of small functions, filled in by one file a provider."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from toolnexus_media import _text
from toolnexus_media.limits import PROVIDERS, row, rows

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from toolnexus_media.limits import Limits
    from toolnexus_media.limits._shape import Position
    from toolnexus_media.types import MediaPart, Tool

Block = dict[str, Any]
Message = dict[str, Any]

NOTHING = "(no output)"
"""What is said of a result without a word and without parts: several wires refuse an empty text."""

FAILED = "[error] "
"""What begins the text of a failed result where the wire has no flag for it."""


class Spot(NamedTuple):
    """Where a block goes: whose rules hold there, and what tells it apart from the others of the request."""

    limits: Limits
    position: Position = "user"
    detail: str | None = None
    salt: str = ""


class Call(NamedTuple):
    """A model's call of a tool; ``extra`` is what else the transcript's call holds."""

    id: str
    name: str
    args: Mapping[str, Any]
    extra: Mapping[str, Any]


class Answer(NamedTuple):
    """One tool's result, ready for the wire: its text, the blocks beside it, and those that travel after it."""

    id: str
    name: str
    failed: bool
    text: str
    blocks: Sequence[Block] = ()
    moved: Sequence[Block] = ()

    @property
    def said(self) -> str:
        """The text where the wire must have one."""
        return self.text or NOTHING


@dataclass(frozen=True, kw_only=True)
class Wire:
    """How one provider writes things down.

    ``media`` is a chooser over a part's kind. ``user``, ``assistant`` and ``answers`` make messages; ``system`` makes
    the value of a parameter beside the messages where the provider has one. ``turn_answers`` makes the results of a
    whole conversation where a result that stands alone looks otherwise. ``joins`` is the key under which messages of
    one role that follow each other are made one; ``between`` stands between a tool's message and a user's; ``id_key``
    is where each message needs an id of its own, ``plain`` where a bare string may stand for one text. ``ids`` is what
    a call's id must look like, ``id_chars`` how long it may be.
    """

    text: Callable[[str, Spot], Block]
    media: Callable[[MediaPart, Spot], Block]
    user: Callable[[Sequence[Block]], Message]
    assistant: Callable[[str, Sequence[Call], Limits], list[Message]]
    answers: Callable[[Sequence[Answer], Limits], list[Message]]
    turn_answers: Callable[[Sequence[Answer], Limits], list[Message]] | None = None
    tools: Callable[[Sequence[Tool]], list[Block]] | None = None
    system: Callable[[Sequence[str]], Any] | None = None
    system_role: str = "system"
    details: frozenset[str] = field(default=frozenset())
    joins: str | None = None
    plain: str | None = None
    between: Message | None = None
    id_key: str | None = None
    ids: str = r"[\s\S]+"
    id_chars: int = 64


def wire_of(provider: str, model: str | None) -> tuple[Wire, Limits]:
    """The wire that a provider speaks, and the limits of its model; ``ValueError`` for a row that is no one provider.

    >>> wire_of("xai", None)[0] is wire_of("openai", None)[0]
    True
    """
    limits = row(provider, model)
    if limits.wire is None:
        known = ", ".join(name for name in PROVIDERS if rows(name)[0].wire)
        raise ValueError(f"{provider!r:.80} is no one provider, so it has no wire; emit for one of {known}")
    return _wire(limits.wire), limits


@cache
def _wire(name: str) -> Wire:
    found: Wire = import_module(f"toolnexus_media.emit.{name.replace('-', '_')}").WIRE
    return found


def data_url(part: MediaPart, mime: str) -> str:
    """The part's payload as a data URL, or its own link.

    >>> data_url({"type": "image", "mimeType": "image/gif", "data": "R0lG"}, "image/gif")
    'data:image/gif;base64,R0lG'
    """
    link = part.get("url")
    return link if link is not None else f"data:{mime};base64,{part.get('data', '')}"


def wire_mime(part: MediaPart, spot: Spot) -> str:
    """The type as this provider spells it."""
    accept = spot.limits.accepts(part["mimeType"], spot.position)
    return part["mimeType"] if accept is None else accept.wire_name(part["mimeType"])


def file_name(part: MediaPart) -> str:
    """The part's name, or a neutral one with the usual ending of its type.

    >>> file_name({"type": "file", "mimeType": "application/pdf", "data": "aGk="})
    'file.pdf'
    """
    from toolnexus_media.sniff import ending_of

    return str(part.get("name") or f"file{ending_of(part['mimeType'])}")


def label(call_id: str, name: str) -> str:
    """The text that tells whose output follows.

    >>> label("c1", "shot")
    'Output of tool shot (c1):'
    """
    return f"Output of tool {_text.one_line(name, 128)} ({_text.one_line(call_id, 128)}):"
