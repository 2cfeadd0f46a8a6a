"""From results to a provider's messages in one call: fit, then emit."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from toolnexus_media.emit import tool_messages
from toolnexus_media.emit._carry import policy_of
from toolnexus_media.emit._turns import calls_of
from toolnexus_media.fit import fit
from toolnexus_media.fit._results import fitted_results

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from toolnexus_media.emit._carry import OnUnsupported, Provenance
    from toolnexus_media.emit._wire import Message
    from toolnexus_media.types import Change


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
    given = calls_of(calls)
    spare = not policy_of(provenance, on_unsupported).refuses
    options = {"position": "tool", "model": model, "images_before": images_before, **fit_options}
    fitted = fitted_results([call["result"] for call in given], partial(fit, provider=provider, **options), spare=spare)
    sent = [{**call, "result": result} for call, (result, _) in zip(given, fitted, strict=True)]
    changes: list[Change] = [
        {**change, "call": call["id"]} for call, (_, told) in zip(given, fitted, strict=True) for change in told
    ]
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
