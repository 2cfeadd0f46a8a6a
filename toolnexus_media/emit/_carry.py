"""Parts become blocks: one part by a positive allow-list, many by what is to become of those that cannot be carried."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast

from toolnexus_media import _text
from toolnexus_media.emit._formats import of_format
from toolnexus_media.emit._wire import Block, Spot, Wire
from toolnexus_media.errors import LimitError, PartError, UnsupportedPartError
from toolnexus_media.limits import KINDS
from toolnexus_media.part import labelled, part_bytes, validate_part
from toolnexus_media.sniff import is_text
from toolnexus_media.summary import placeholder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolnexus_media.types import ContentPart, MediaPart

    Provenance = Literal["attached", "derived"]
    OnUnsupported = Literal["error", "text"]

_LABELS = ("media_type", "mimeType", "mediaType")
_DEPTH = 4


class Policy(NamedTuple):
    """What becomes of a part that cannot be carried: an error before anything is sent, or its placeholder."""

    refuses: bool
    max_part_bytes: int | None = None


class Carried(NamedTuple):
    """A block, and its text where it is nothing else."""

    block: Block
    text: str | None


def policy_of(
    provenance: Provenance, on_unsupported: OnUnsupported | None, max_part_bytes: int | None = None
) -> Policy:
    """The policy that the words of a call stand for; ``ValueError`` names the words.

    >>> policy_of("attached", None).refuses, policy_of("attached", "text").refuses, policy_of("derived", None).refuses
    (True, False, False)
    """
    if provenance not in ("attached", "derived"):
        raise ValueError(f"provenance is 'attached' or 'derived', not {provenance!r:.80}")
    if on_unsupported not in (None, "error", "text"):
        raise ValueError(f"on_unsupported is 'error', 'text' or None, not {on_unsupported!r:.80}")
    if on_unsupported is not None:
        return Policy(on_unsupported == "error", max_part_bytes)
    return Policy(provenance == "attached", max_part_bytes)


def encoded(given: ContentPart, wire: Wire, spot: Spot) -> Block:
    """The part's block; ``UnsupportedPartError`` when the spot does not take it."""
    part = labelled(validate_part(given))
    if part["type"] == "text":
        return wire.text(part["text"], spot)
    _allow(part, spot)
    block = wire.media(part, spot)
    if not _is_on_list(block, part, spot):
        raise _unsupported(part, spot, "its block came out under another type; attach the part anew")
    return block


def _allow(part: MediaPart, spot: Spot) -> None:
    """``UnsupportedPartError`` unless the row takes this type, and the link if it is one, in this position."""
    limits, mime = spot.limits, part["mimeType"]
    if spot.position == "tool" and limits.tool_media == "relocated":
        raise _unsupported(part, spot, "a tool result holds text only; emit.tool_messages puts media after it")
    accept = limits.accepts(mime, spot.position)
    if accept is None:
        raise _unsupported(part, spot, _instead(mime, spot))
    url = part.get("url")
    if url is not None and not accept.takes_url(url):
        scheme = url.partition(":")[0]
        raise _unsupported(part, spot, f"it follows no {scheme} link; attach the bytes, which source.fetch gets")


def _instead(mime: str, spot: Spot) -> str:
    """What would work in the place of a type that is not taken."""
    kinds = spot.limits.at(spot.position)
    major = mime.partition("/")[0]
    family = "text" if is_text(mime) else major if major in KINDS else "document"
    accept = getattr(kinds, family)
    way = f"fit.fit(parts, {spot.limits.provider!r}) makes of it what can be sent"
    return way if accept is None else f"it takes {', '.join(accept.mimes)}; {way}"


def _unsupported(part: MediaPart, spot: Spot, way: str) -> UnsupportedPartError:
    place = "in a tool result" if spot.position == "tool" else "in a message"
    return UnsupportedPartError(
        f"{spot.limits.name} takes no {part['type']} part of type {part['mimeType']} {place}; {way}",
        part_type=part["type"],
        mime_type=part["mimeType"],
        provider=spot.limits.provider,
    )


def _is_on_list(block: Block, part: MediaPart, spot: Spot) -> bool:
    """Is every type that the encoded block names one that the row takes there, in a block for the part's own?"""
    accept = spot.limits.accepts(part["mimeType"], spot.position)
    assert accept is not None
    return all(
        accept.takes(word) or of_format(word, part["mimeType"].partition("/")[0]) == part["mimeType"]
        for word in _named(block, _DEPTH)
    )


def _named(node: dict[str, Any], depth: int) -> Iterator[str]:
    """The types that a block says it holds: under its labels, as a format word, and before a data URL's payload."""
    for key, value in node.items():
        if isinstance(value, dict) and depth:
            yield from _named(value, depth - 1)
        elif isinstance(value, str):
            if key in _LABELS or key == "format":
                yield value
            elif value[:5] == "data:" and key not in ("text", "data"):
                yield value[5:100].partition(";")[0]


def carried(parts: Iterable[ContentPart], wire: Wire, spot: Spot, policy: Policy) -> list[Carried]:
    """A block for every part, in order; a text without a letter is none, because several wires refuse it.

    A part that cannot be carried is an error or a placeholder, as the policy has it; of placeholders one warning a
    provider, kind and reason tells.
    """
    done: list[Carried] = []
    refused: list[tuple[str, str]] = []
    for at, part in enumerate(_listed(parts)):
        try:
            _within(part, policy.max_part_bytes)
            if part.get("type") != "text" or str(part.get("text")).strip():
                block = encoded(part, wire, spot._replace(salt=f"{spot.salt}\0{at}"))
                done.append(Carried(block, str(part["text"]) if part["type"] == "text" else None))
        except (UnsupportedPartError, LimitError) as error:
            if policy.refuses:
                raise
            refused.append((part["type"], str(error)))
            done.append(Carried(wire.text(placeholder(part), spot), placeholder(part)))
    tell_of_placeholders(spot.limits.provider, refused)
    return done


def _listed(parts: Iterable[ContentPart]) -> list[ContentPart]:
    """The parts as a list; one alone is a list of one."""
    if isinstance(parts, dict):
        return [cast("ContentPart", parts)]
    if isinstance(parts, (str, bytes)) or not hasattr(parts, "__iter__"):
        raise PartError(f"parts are a list, not {_text.a_type(parts)}; pass [part, …]", code="not-a-part")
    return list(parts)


def _within(part: ContentPart, most: int | None) -> None:
    size = 0 if most is None else part_bytes(part)
    if most is not None and size > most:
        raise LimitError(
            f"the part holds {size} bytes and max_part_bytes is {most}; fit.fit makes it smaller, or raise the limit",
            code="too-large",
            limit=most,
            actual=size,
        )


def tell_of_placeholders(provider: str, refused: Iterable[tuple[str, str]]) -> None:
    """One warning for each kind and reason of those given; the record has them under ``kind`` and ``reason``."""
    counts: dict[tuple[str, str], int] = {}
    for key in refused:
        counts[key] = counts.get(key, 0) + 1
    for (kind, reason), count in counts.items():
        import logging

        logging.getLogger("toolnexus_media.emit").warning(
            "%d %s part%s became a placeholder for %s: %s",
            count,
            kind,
            "s" if count > 1 else "",
            provider,
            reason,
            extra={"provider": provider, "kind": kind, "reason": reason},
        )
