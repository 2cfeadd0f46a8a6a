"""Would a provider take this transcript? What is wrong with it, and a copy in which it is put right.

    check      a transcript, a request, parts → findings: path, rule, actual value, limit, fix
    repair     the same → a copy that passes, and what was changed

Both read a provider's own shape, MCP's and this package's; whatever is no media is left alone.

Rules for one payload: media-in-tool-result, media-in-failed-result, media-in-text-role, type-not-accepted,
url-not-taken, empty-payload, payload-form, bad-base64, undecodable, encrypted-pdf, mislabelled, wrong-block,
too-many-bytes, side, many-image-side, too-many-patches, animated, page-count, too-long, document-name. For a message or
the request: message-image-count, image-count, document-count, document-bytes, request-pages, request-bytes. Of severity
info, which nothing refuses: oversize, duplicate, payload-in-text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from toolnexus_media.check._cases import examined
from toolnexus_media.check._rules import problems
from toolnexus_media.check._sites import weight
from toolnexus_media.check._totals import request_findings, turn_findings
from toolnexus_media.limits import row

if TYPE_CHECKING:
    from toolnexus_media.types import Finding, Repair

__all__ = ["check", "repair"]

_Structure = TypeVar("_Structure")


def check(transcript_or_parts: object, provider: str, model: str | None = None) -> list[Finding]:
    """What the provider's model would refuse, in document order; ``[]`` when it takes everything.

    Takes a part, parts, a result, a transcript of this package's, or messages of any provider's shape. Every image is
    decoded, once for each that is different; links are not followed. Findings with the severity ``info`` are of what is
    taken all the same. The sizes are the row's of ``limits`` that the model's name finds; ``ValueError`` for a provider
    that has none.

    >>> text = {"role": "user", "content": [{"type": "file", "mimeType": "audio/wav", "url": "https://example.org/a"}]}
    >>> [(found["path"], found["rule"]) for found in check([text], "anthropic")]
    [([0, 'content', 0, 'url'], 'type-not-accepted')]
    """
    limits = row(provider, model)
    cases = examined(transcript_or_parts, limits)
    found = request_findings(cases, limits, weight(transcript_or_parts) if limits.totals.bytes else 0)
    turns = turn_findings(cases, limits)
    for case in cases:
        if (told := turns.pop(case.site.where.turn, None)) is not None:
            found.append(told)
        found += problems(case)
    return found


def repair(transcript: _Structure, provider: str, model: str | None = None) -> tuple[_Structure, list[Repair]]:
    """A copy that the provider's model takes, and what was changed; the same object where nothing had to be.

    Ids, order and unknown keys stay, and so does the shape each payload had; the structure given is not touched, and
    messages without a change are shared with it. What cannot be decoded becomes a line of text. When a limit of the
    whole request forces a choice, the newest media are kept and the oldest shrink or become text. Paths are those of
    the structure given.

    >>> repair([{"role": "user", "content": "hi"}], "openai")
    ([{'role': 'user', 'content': 'hi'}], [])
    """
    from toolnexus_media.check._repair import repaired

    return repaired(transcript, row(provider, model))
