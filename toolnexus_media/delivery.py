"""From results to a provider's messages in one call: fit, then emit."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from toolnexus_media.emit import tool_messages
from toolnexus_media.emit._carry import policy_of, tell_of_placeholders
from toolnexus_media.emit._turns import calls_of
from toolnexus_media.errors import UnsupportedPartError
from toolnexus_media.fit import fit
from toolnexus_media.fit._results import fitted_results
from toolnexus_media.summary import placeholder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from toolnexus_media.emit._carry import OnUnsupported, Provenance
    from toolnexus_media.emit._turns import Answered
    from toolnexus_media.emit._wire import Message
    from toolnexus_media.fit._results import Fit
    from toolnexus_media.types import Change, ContentPart, MediaPart


def deliver(
    calls: Iterable[Mapping[str, Any]],
    provider: str,
    *,
    model: str | None = None,
    images_before: int = 0,
    provenance: Provenance = "derived",
    on_unsupported: OnUnsupported | None = None,
    max_part_bytes: int | None = None,
    detail: str | None = None,
    **fit_options: Any,
) -> tuple[list[Message], list[Change]]:
    """The messages to append for the results that answer one assistant turn, fitted, and what was changed.

    >>> from toolnexus_media import media
    >>> shot = media("fixtures/media/orientation6.jpg")
    >>> messages, changes = deliver([{"id": "c1", "name": "shot", "result": shot}], "anthropic")
    >>> messages[0]["content"][0]["content"][0]["text"]
    'image (image/png, 108 bytes): turned upright'

    ``calls`` are ``{"id", "name", "result"}``. All results are fitted as one request, so that they share its totals;
    ``images_before`` counts the images of earlier turns. Every change has the id of its ``call``, and the model reads
    it in the result's text. A part that a tool derived and that no change makes acceptable becomes its placeholder,
    with the reason in that text; with ``provenance="attached"`` or ``on_unsupported="error"`` it is an error. The other
    options are those of ``fit.fit`` and ``emit.tool_messages``.
    """
    refuses = policy_of(provenance, on_unsupported).refuses
    options = {"position": "tool", "model": model, "images_before": images_before, **fit_options}
    sent, changes = _fitted(calls_of(calls), partial(fit, provider=provider, **options), provider, refuses)
    messages = tool_messages(
        sent,
        provider,
        model=model,
        provenance=provenance,
        on_unsupported=on_unsupported,
        max_part_bytes=max_part_bytes,
        detail=detail,
    )
    return messages, changes


def _fitted(
    given: Sequence[Answered], fit_all: Fit, provider: str, refuses: bool
) -> tuple[list[Answered], list[Change]]:
    """The calls with fitted results, and the changes; placeholders are told of, or raised where they are not wanted."""
    sent: list[Answered] = []
    changes: list[Change] = []
    refused: list[tuple[str, str]] = []
    fitted = fitted_results([call["result"] for call in given], fit_all, spare=not refuses)
    for call, (result, told) in zip(given, fitted, strict=True):
        sent.append({**call, "result": result})
        changes += [_of_call(change, call["id"]) for change in told]
        for part, why in _replaced(call["result"].get("parts", []), result.get("parts", []), told):
            if refuses:
                raise _unwanted(part, why, provider)
            refused.append((part["type"], why))
    tell_of_placeholders(provider, refused)
    return sent, changes


def _of_call(change: Change, call_id: str) -> Change:
    return {**change, "call": call_id}


def _replaced(
    given: Sequence[ContentPart], sent: Sequence[ContentPart], changes: Sequence[Change]
) -> Iterator[tuple[MediaPart, str]]:
    """The media for which fitting has a placeholder, each with its reason."""
    for change in changes:
        part = given[change["source"]]
        if part["type"] != "text" and sent[change["index"]].get("text") == placeholder(part):
            yield part, change["what"]


def _unwanted(part: MediaPart, why: str, provider: str) -> UnsupportedPartError:
    return UnsupportedPartError(
        f"a part cannot be sent ({why}); leave it out, or pass on_unsupported='text'",
        part_type=part["type"],
        mime_type=part["mimeType"],
        provider=provider,
    )
