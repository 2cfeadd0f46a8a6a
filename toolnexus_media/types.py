"""Every dict that travels, and no functions.

They are plain dicts in wire spelling: ``json.dumps(result)`` is the wire form. Absent means absent, never ``None``.
``typing_extensions`` gives the TypedDicts because pydantic on Python 3.11 needs that one.
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Literal, NotRequired, TypeAlias

from typing_extensions import TypedDict


class TextPart(TypedDict):
    """A run of text between media parts."""

    type: Literal["text"]
    text: str


class ImagePart(TypedDict):
    """A picture: exactly one of ``data`` (standard base64, padded, one line) and ``url``."""

    type: Literal["image"]
    mimeType: str
    data: NotRequired[str]
    url: NotRequired[str]


class FilePart(TypedDict):
    """A PDF, a video, a text, any file: exactly one of ``data`` and ``url``; ``name`` is a base name."""

    type: Literal["file"]
    mimeType: str
    data: NotRequired[str]
    url: NotRequired[str]
    name: NotRequired[str]


class AudioPart(TypedDict):
    """A sound: exactly one of ``data`` and ``url``."""

    type: Literal["audio"]
    mimeType: str
    data: NotRequired[str]
    url: NotRequired[str]


MediaPart: TypeAlias = ImagePart | FilePart | AudioPart
ContentPart: TypeAlias = TextPart | ImagePart | FilePart | AudioPart


class ToolResult(TypedDict):
    """What a tool answers: text for every reader, parts for those that can see them."""

    output: str
    isError: bool
    parts: NotRequired[list[ContentPart]]
    metadata: NotRequired[dict[str, Any]]


class Hints(TypedDict, total=False):
    """Advice for a host's permission gate; never sent to a provider."""

    read_only: bool
    destructive: bool
    open_world: bool


class Context(TypedDict, total=False):
    """What a host passes to ``execute``; other keys may stand beside these."""

    call_id: str
    cancel: Any
    answer: Any


Execute: TypeAlias = Callable[..., ToolResult | Awaitable[ToolResult]]


class Tool(TypedDict):
    """A tool: ``execute`` takes the arguments, and the context too when ``context`` is True."""

    name: str
    description: str
    input_schema: dict[str, Any]
    source: str
    execute: Execute
    hints: NotRequired[Hints]
    context: NotRequired[bool]


class Toolkit(TypedDict):
    """Tools by name, and what became of the sources they came from."""

    tools: dict[str, Tool]
    sources: dict[str, Any]


class Request(TypedDict):
    """What a suspended tool waits for; ``expiresAt`` is in epoch milliseconds."""

    id: str
    kind: str
    prompt: str
    url: NotRequired[str]
    data: NotRequired[Any]
    expiresAt: NotRequired[int]


class ToolCall(TypedDict):
    """A model's call of a tool."""

    id: str
    name: str
    args: Mapping[str, Any]


class SystemOrUserTurn(TypedDict):
    """Instructions or a person's words, with parts where content is a list."""

    role: Literal["system", "user"]
    content: str | list[ContentPart]


class AssistantTurn(TypedDict):
    """The model's words and the calls it made."""

    role: Literal["assistant"]
    content: str
    tool_calls: NotRequired[list[ToolCall]]


class ToolTurn(TypedDict):
    """The result that answers one call."""

    role: Literal["tool"]
    id: str
    name: str
    result: ToolResult


Turn: TypeAlias = SystemOrUserTurn | AssistantTurn | ToolTurn


class Facts(TypedDict, total=False):
    """What a probe found; a key is absent when the fact is unknown.

    ``width`` and ``height`` are pixels as shown (after orientation), ``duration`` seconds, ``page_size`` points,
    ``sample_rate`` hertz, ``bitrate`` bits a second.
    """

    width: int
    height: int
    orientation: int
    mode: str
    frames: int
    duration: float
    pages: int
    encrypted: bool
    title: str
    author: str
    page_size: tuple[float, float]
    text_pages: int
    sample_rate: int
    channels: int
    codec: str
    bitrate: int
    encoding: str
    lines: int


class AttachOptions(TypedDict, total=False):
    """The keyword arguments of ``content.attach``."""

    mime_type: str | None
    name: str | None
    max_bytes: int
    max_pixels: int
    verify: Literal["full", "header", "none"]
    strict: bool
    root: str | os.PathLike[str] | None


class PartDescription(TypedDict):
    """A part in a log or an event: its size and no payload."""

    type: str
    mimeType: NotRequired[str]
    bytes: int


class MediaFinding(TypedDict):
    """A payload found in a structure: ``path`` leads to the string or bytes with it, ``bytes`` is its decoded size."""

    path: list[str | int]
    kind: Literal["image", "audio", "file"]
    mimeType: str
    bytes: int
    shape: str


class Change(TypedDict):
    """What fitting did to get one part: ``index`` in the returned list, ``source`` in the given one.

    ``call`` is the id of the call whose result it was, where several are delivered at once.
    ``scale`` is original pixels per sent pixel; ``transform`` is ``[a, b, c, d, e, f]``, from a sent point ``(u, v)``
    to the original's point as shown, ``(a*u + b*v + c, d*u + e*v + f)``.
    """

    index: int
    source: int
    what: str
    before: dict[str, Any]
    after: dict[str, Any]
    call: NotRequired[str]
    scale: NotRequired[float]
    transform: NotRequired[list[float]]


class Finding(TypedDict):
    """Why a provider would not take a transcript: ``path`` leads to the payload or link, ``[]`` is the whole request.

    ``rule`` is stable; ``actual`` and ``limit`` share one unit; ``severity`` marks what is taken all the same.
    """

    path: list[str | int]
    rule: str
    actual: Any
    limit: Any
    fix: str
    severity: NotRequired[Literal["info"]]


class Repair(TypedDict):
    """What repairing did to the payload at a ``path`` of the given structure; ``before`` and ``after`` tell what it is.

    ``scale`` and ``transform`` are those of a Change.
    """

    path: list[str | int]
    what: str
    before: dict[str, Any]
    after: dict[str, Any]
    scale: NotRequired[float]
    transform: NotRequired[list[float]]
