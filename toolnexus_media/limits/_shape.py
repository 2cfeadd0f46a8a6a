"""What a row of limits is made of: frozen classes, no provider named.

``None`` and an empty tuple mean that no such limit is documented, or that nothing of the kind is taken.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, is_dataclass
from functools import lru_cache

from toolnexus_media.limits._resize import Resize
from toolnexus_media.sniff import normalise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal

    Position = Literal["user", "tool"]
    Counted = Literal["encoded", "raw"]
    ToolMedia = Literal["native", "relocated"]
    TokenFamily = Literal["patches", "tiles", "rows", "large-tiles", "levels"]

KINDS = ("image", "document", "audio", "video", "text")
"""The kinds a row speaks of; ``text`` is a text-like file sent as a file, ``document`` a PDF or an office file."""


@dataclass(frozen=True, kw_only=True)
class Source:
    """Where a value was read and when; ``note`` names the other value where sources disagree."""

    where: str
    date: str
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class Many:
    """With more than ``over`` images in the request no image's side may pass ``side``."""

    over: int
    side: int
    counts_documents: bool = False


@dataclass(frozen=True, kw_only=True)
class Details:
    """The provider's own resize rule, one for each ``detail`` it can be asked for; ``auto`` is what it does unasked."""

    auto: Resize
    low: Resize | None = None
    high: Resize | None = None
    original: Resize | None = None


@dataclass(frozen=True, kw_only=True)
class NameRule:
    """What a document's name must be; ``pattern`` is a regular expression for the whole name."""

    max_chars: int
    required: bool = False
    pattern: str = ".+"


@lru_cache(maxsize=4096)
def _is_among(mimes: tuple[str, ...], mime: str) -> bool:
    """Does a list hold the type, by a name of it or as one of a family?"""
    return f"{mime.partition('/')[0]}/*" in mimes or "*/*" in mimes or mime in map(normalise, mimes)


@dataclass(frozen=True, kw_only=True)
class Accept:
    """What is taken of one kind in one position.

    ``mimes`` are exact wire names, of several for one type the first being the one to write, or ``image/*`` where the
    protocol leaves the type free; ``advised`` are then the types its readers are known to decode, ``animated`` those
    that may have several frames. ``max_bytes`` counts base64
    characters when ``counted`` is ``"encoded"``. ``max_side`` and ``many.side`` are the largest values that pass.
    ``max_patches`` squares of ``patch`` pixels are taken at most after the provider's resizing: more is refused, not
    scaled.
    """

    mimes: tuple[str, ...]
    advised: tuple[str, ...] = ()
    max_bytes: int | None = None
    counted: Counted = "encoded"
    urls: tuple[str, ...] = ()
    animated: tuple[str, ...] = ()
    max_side: int | None = None
    many: Many | None = None
    native: Details | None = None
    max_patches: int | None = None
    patch: int = 32
    max_pages: int | None = None
    max_seconds: int | None = None
    name: NameRule | None = None

    def lists(self, name: str) -> bool:
        """Is this very name on the list?"""
        return name in self.mimes or f"{name.partition('/')[0]}/*" in self.mimes or "*/*" in self.mimes

    def takes(self, mime: str) -> bool:
        """Is the type on the list, by its own name or by another name of the same thing?

        >>> Accept(mimes=("video/avi",)).takes("video/x-msvideo")
        True
        """
        return mime in self.mimes or _is_among(tuple(self.mimes), mime)

    def wire_name(self, mime: str) -> str:
        """The name of a type that this provider knows it by; the given name where the list has none of its own.

        >>> Accept(mimes=("video/avi", "audio/*")).wire_name("video/x-msvideo")
        'video/avi'
        """
        own = normalise(mime)
        return next((name for name in self.mimes if normalise(name) == own), mime)

    def prefers(self, mime: str) -> bool:
        """Is the type taken, and one that readers are known to decode?"""
        return self.takes(mime) and (not self.advised or mime in self.advised)

    def takes_animated(self, mime: str) -> bool:
        """May a picture of this type have several frames?"""
        return mime in self.animated or f"{mime.partition('/')[0]}/*" in self.animated

    def takes_url(self, url: str) -> bool:
        """Is a link of this scheme followed?"""
        return url.partition(":")[0].lower() in self.urls

    @property
    def raw_bytes(self) -> int | None:
        """The byte cap in decoded bytes, whichever way the provider counts."""
        if self.max_bytes is None or self.counted == "raw":
            return self.max_bytes
        return self.max_bytes // 4 * 3

    def side(self, images: int = 1, documents: int = 0) -> int | None:
        """The longest side that passes in a request of so many images and documents.

        >>> Accept(mimes=("image/png",), max_side=8000, many=Many(over=20, side=1999)).side(21)
        1999
        """
        many = self.many
        if many is None or images + (documents if many.counts_documents else 0) <= many.over:
            return self.max_side
        return many.side if self.max_side is None else min(many.side, self.max_side)


@dataclass(frozen=True, kw_only=True)
class Kinds:
    """What is taken in one position, by kind; ``None`` where the kind is not taken at all."""

    image: Accept | None = None
    document: Accept | None = None
    audio: Accept | None = None
    video: Accept | None = None
    text: Accept | None = None

    def accepts(self, mime: str) -> Accept | None:
        """The entry whose list holds the type."""
        for entry in (self.image, self.document, self.audio, self.video, self.text):
            if entry is not None and entry.takes(mime):
                return entry
        return None


@dataclass(frozen=True, kw_only=True)
class Totals:
    """What a whole request, or one message of it, may hold; ``bytes`` counts the body, so encoded payloads."""

    bytes: int | None = None
    images: int | None = None
    message_images: int | None = None
    documents: int | None = None
    document_bytes: int | None = None
    pages: int | None = None


@dataclass(frozen=True, kw_only=True)
class Tokens:
    """The published token formula, as a family and its numbers; ``percent`` is the multiplier in hundredths.

    ``levels`` and ``page_levels`` are flat prices by detail, the first one being the price unasked.
    """

    image: TokenFamily | None = None
    unit: int = 1
    percent: int = 100
    base: int = 0
    each: int = 0
    levels: tuple[tuple[str, int], ...] = ()
    page_levels: tuple[tuple[str, int], ...] = ()
    audio_per_second: int | None = None


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Everything known about one provider and model tier.

    ``models`` are regular expressions a model's name is searched for; ``wire`` is the shape ``emit`` writes, ``None``
    for a row that is no one provider. Where ``tool_media`` is ``"relocated"`` a tool result holds text only, its media
    travel in a user message and the ``tool`` position equals ``user``. ``error_flag``: the wire can mark a result as
    failed; ``error_media``: a failed result may hold media.
    """

    provider: str
    tier: str = "default"
    wire: str | None
    models: tuple[str, ...] = ()
    tool_media: ToolMedia = "native"
    error_flag: bool = True
    error_media: bool = True
    user: Kinds
    tool: Kinds
    totals: Totals = field(default_factory=Totals)
    tokens: Tokens = field(default_factory=Tokens)
    sources: tuple[tuple[str, Source], ...] = ()

    @property
    def name(self) -> str:
        """The row in words.

        >>> from toolnexus_media.limits import row
        >>> row("gemini", "gemini-2.5-pro").name
        'gemini/2.5'
        """
        return self.provider if self.tier == "default" else f"{self.provider}/{self.tier}"

    def at(self, position: Position) -> Kinds:
        """What is taken in a user turn or in a tool result."""
        if position not in {"user", "tool"}:
            raise ValueError(f"position is 'user' or 'tool', not {position!r}")
        return self.tool if position == "tool" else self.user

    def accepts(self, mime: str, position: Position = "user") -> Accept | None:
        """The entry for a type, or ``None`` where it is not taken.

        >>> from toolnexus_media.limits import row
        >>> row("anthropic").accepts("audio/wav") is None
        True
        """
        return self.at(position).accepts(mime)

    def source(self, path: str) -> Source | None:
        """Where a value comes from, by its path: ``"user.image.max_bytes"``; the most particular entry answers.

        An entry for ``image.max_bytes`` speaks for both positions, and yields to one for ``user.image.max_bytes``.
        """
        known = dict(self.sources)
        words = path.split(".")
        free = words[1:] if words[0] in {"user", "tool"} else []
        for end in range(len(words), 0, -1):
            for key in (".".join(words[:end]), ".".join(free[: end - 1])):
                if key in known:
                    return known[key]
        return None

    def facts(self) -> Iterator[tuple[str, object, Source | None]]:
        """Every value that is set, with its path and source; a kind not taken is ``None``.

        Of the tool position only what differs from a user turn is told.
        """
        told: dict[str, object] = {}
        for path in ("tool_media", "error_flag", "error_media"):
            told[path] = getattr(self, path)
        for kind in KINDS:
            told.update(_leaves(f"user.{kind}", getattr(self.user, kind)))
        for kind in KINDS:
            for path, value in _leaves(f"tool.{kind}", getattr(self.tool, kind)):
                if told.get(f"user.{path[5:]}", ...) != value:
                    told[path] = value
        told.update(_leaves("totals", self.totals))
        told.update(_leaves("tokens", self.tokens))
        for path, value in told.items():
            yield path, value, self.source(path.replace(".counted", ".max_bytes"))


def _leaves(path: str, value: object) -> Iterator[tuple[str, object]]:
    """The set fields of an entry: ``urls`` always, ``counted`` only where there is a byte cap."""
    if value is None:
        yield path, None
        return
    assert is_dataclass(value)
    capped = getattr(value, "max_bytes", None) is not None
    for part in fields(value):
        inner = getattr(value, part.name)
        is_set = inner is not None and inner != part.default
        if capped if part.name == "counted" else is_set or part.name == "urls":
            yield f"{path}.{part.name}", inner
