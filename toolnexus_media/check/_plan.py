"""What one payload becomes, so that no rule speaks against it: the least that does it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from toolnexus_media.check._look import payload_of
from toolnexus_media.check._rules import problems
from toolnexus_media.check._shapes import held
from toolnexus_media.check._sites import TOOL_ROLES
from toolnexus_media.errors import MediaError
from toolnexus_media.part import make_part, part_bytes, text_part
from toolnexus_media.sniff import kind_of

if TYPE_CHECKING:
    from toolnexus_media.check._rules import Case
    from toolnexus_media.limits import Limits
    from toolnexus_media.types import Change, ContentPart

FITTED = frozenset(
    {"type-not-accepted", "too-many-bytes", "side", "many-image-side", "too-many-patches", "animated", "encrypted-pdf"}
    | {"page-count", "too-long"}
)
_WORDS = {
    "undecodable": "it could not be decoded",
    "empty-payload": "its payload is empty",
    "url-not-taken": "the provider follows no such link",
    "media-in-text-role": "messages of this role hold text only",
    "bad-base64": "its payload is no base64",
}
_AWAY = frozenset({"media-in-tool-result", "media-in-failed-result"})


class Plan(NamedTuple):
    """What becomes of one payload: ``parts`` stand in its place, ``None`` where it is left alone.

    ``away`` parts are sent in a message of the user's; ``name`` is the block's new name.
    """

    case: Case
    parts: tuple[ContentPart, ...] | None = None
    what: tuple[str, ...] = ()
    name: str | None = None
    away: bool = False
    change: Change | None = None

    @property
    def images(self) -> int:
        if self.parts is None:
            return int(self.case.is_image)
        return sum(part["type"] == "image" for part in self.parts)

    @property
    def weight(self) -> int:
        """How many bytes of the request it takes."""
        if self.parts is None:
            return old_weight(self.case)
        return sum(part_bytes(part) if part["type"] == "text" else len(part.get("data", "")) for part in self.parts)

    @property
    def is_text(self) -> bool:
        return self.parts is not None and all(part["type"] == "text" for part in self.parts)


def old_weight(case: Case) -> int:
    value = case.site.value
    return len(value) if isinstance(value, str) else case.look.encoded


def planned(case: Case, limits: Limits) -> Plan:
    """The plan for one payload; ``limits`` have no totals, which are seen to afterwards."""
    rules = {found["rule"]: found for found in problems(case) if "severity" not in found}
    if not rules or is_fixed(case):
        return Plan(case)
    if case.site.is_link and "type-not-accepted" in rules:
        return as_text(Plan(case), f"{limits.name} takes no such file")
    for rule in ("undecodable", "empty-payload", "url-not-taken", "media-in-text-role", "bad-base64"):
        if rule in rules and (rule != "bad-base64" or not case.look.size):
            return as_text(Plan(case), _WORDS[rule])
    plan = Plan(case, away=bool(_AWAY & rules.keys()))
    if plan.away and not (is_in_run(case) or is_in_result(case)):
        return as_text(plan, "a tool's result holds text only here")
    if case.site.is_link:
        return plan._replace(parts=(_link(case),), what=("sent after the tool's result",))
    part = own_part(case)
    plan = fitted(plan, part, limits) if FITTED & rules.keys() else plan._replace(parts=(part,))
    return _told(plan, rules)


def is_fixed(case: Case) -> bool:
    """Is this a block that may be nothing else, so that nothing can be done? A screenshot answers a call of its own."""
    block = case.site.block
    return isinstance(block, dict) and block.get("type") == "computer_screenshot"


def is_in_run(case: Case) -> bool:
    """Is it in a tool's message among other messages, so that one of the user's can follow?"""
    where = case.site.where
    return where.role in TOOL_ROLES and isinstance(where.turn[-1] if where.turn else None, int)


def is_in_result(case: Case) -> bool:
    """Is it in a result that is one of several blocks, so that others can follow?"""
    result = case.site.where.result
    return bool(result) and isinstance(result[-1], int)


def own_part(case: Case) -> ContentPart:
    """The payload as a part under its true type."""
    data, _, _ = payload_of(case.site)
    name = held(case.site.block, case.site.shape.name) if case.site.shape.name else None
    return make_part(data or b"", case.look.mime, name if isinstance(name, str) else None)


def _link(case: Case) -> ContentPart:
    mime = case.look.mime or "application/octet-stream"
    return cast("ContentPart", {"type": kind_of(mime), "mimeType": mime, "url": case.site.value})


def fitted(plan: Plan, part: ContentPart, limits: Limits) -> Plan:
    """The plan with the part fitted to the limits; with a line of text where it cannot be."""
    from toolnexus_media.fit import fit

    request = plan.case.request
    before = max(request.images - 1, 0)
    accept = limits.at(plan.case.site.where.position).image
    if accept is not None and accept.many is not None and accept.many.counts_documents:
        before += request.documents
    position: Any = plan.case.site.where.position
    try:
        parts, changes = fit([part], limits.provider, limits=limits, position=position, images_before=before)
    except MediaError as error:
        return as_text(plan, str(error))
    told = tuple(dict.fromkeys(change["what"] for change in changes))
    return plan._replace(parts=tuple(parts), what=(*plan.what, *told), change=changes[0] if len(changes) == 1 else None)


def as_text(plan: Plan, reason: str) -> Plan:
    """A line in the place of the payload: what was there and why it is not."""
    mime, size = plan.case.look.mime or "application/octet-stream", plan.case.look.size
    text = text_part(f"[unsupported {kind_of(mime)} part ({mime}, {size} bytes)]: {reason}")
    return plan._replace(parts=(text,), what=(*plan.what, f"replaced by text: {reason}"), away=False, change=None)


def _told(plan: Plan, rules: dict[str, Any]) -> Plan:
    """The plan with its smaller changes: the label, the spelling, the name, the place."""
    if plan.is_text and not plan.away:
        return plan
    what = list(plan.what)
    if "mislabelled" in rules:
        what.append(f"labelled {rules['mislabelled']['actual']:.80}, and it is {rules['mislabelled']['limit']}")
    if "wrong-block" in rules:
        what.append(f"put in a block for a {rules['wrong-block']['actual']}")
    if spelling := plan.case.look.spelling:
        what.append(f"written anew, it was {spelling}")
    elif "payload-form" in rules:
        what.append("written as plain text")
    name = None
    if "document-name" in rules:
        name = fit_name(plan.case)
        what.append(f"named {name}")
    if plan.away:
        what.append("sent after the tool's result")
    return plan._replace(what=tuple(what), name=name)


def fit_name(case: Case) -> str:
    """A name that the row's rule takes, as near to the old one as can be; ``document`` where nothing is left of it."""
    accept, fallback = case.accept, "document"
    assert accept is not None
    assert accept.name is not None
    old = held(case.site.block, case.site.shape.name)
    if accept.name.pattern == ".+":
        fallback = "document.pdf"
        tried = old[: accept.name.max_chars] if isinstance(old, str) else ""
    else:
        words = re.sub(r"[^A-Za-z0-9()\[\]-]+", " ", old) if isinstance(old, str) else ""
        tried = words[: accept.name.max_chars].strip()
    return tried if tried and re.fullmatch(accept.name.pattern, tried, re.DOTALL) else fallback
