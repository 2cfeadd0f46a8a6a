"""Repairing: a plan for every payload, the budgets of the whole, then one pass that writes what changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from toolnexus_media.check._budget import within, without_totals
from toolnexus_media.check._cases import examined
from toolnexus_media.check._plan import is_in_result, is_in_run, old_weight, planned
from toolnexus_media.check._shapes import OLLAMA_IMAGE
from toolnexus_media.check._sites import TOOL_ROLES, weight
from toolnexus_media.check._write import Tree, renamed, text_block, written
from toolnexus_media.fit._job import described
from toolnexus_media.part import part_data
from toolnexus_media.sniff import kind_of

if TYPE_CHECKING:
    from toolnexus_media.check._plan import Plan
    from toolnexus_media.check._rules import Case
    from toolnexus_media.check._sites import Path, Site
    from toolnexus_media.limits import Limits
    from toolnexus_media.types import ContentPart, Repair

_ROUNDS = 3
_MEDIA_AWAY = "[{kind} {number}: sent below]"


def repaired(x: Any, limits: Limits) -> tuple[Any, list[Repair]]:
    """The structure as the row takes it, and what was done to each payload."""
    cases = examined(x, limits)
    loose = without_totals(limits)
    plans = _plans(cases, loose)
    body = (weight(x) if limits.totals.bytes else 0) - sum(map(old_weight, cases))
    plans = within(plans, limits, loose, body)
    changed = [plan for plan in plans if plan.parts is not None]
    if not changed:
        return x, []
    return _written(x, changed, limits), [_record(plan) for plan in changed]


def _plans(cases: list[Case], loose: Limits) -> list[Plan]:
    """A plan a case, by the number of images that there will be: pages become pictures, and pictures text."""
    images = cases[0].request.images if cases else 0
    most = 0
    for _ in range(_ROUNDS):
        plans = _planned(cases, loose, images)
        made = sum(plan.images for plan in plans)
        if made == images:
            return plans
        most, images = max(most, made), made
    return _planned(cases, loose, most)


def _planned(cases: list[Case], loose: Limits, images: int) -> list[Plan]:
    return [planned(case._replace(request=case.request._replace(images=images)), loose) for case in cases]


def _record(plan: Plan) -> Repair:
    case, parts = plan.case, plan.parts or ()
    mime = case.look.mime or "application/octet-stream"
    before: dict[str, Any] = {"type": kind_of(mime), "mimeType": mime, "bytes": case.look.size}
    keys = ("width", "height", "frames", "pages", "duration")
    before.update({key: case.look.facts[key] for key in keys if key in case.look.facts})
    after = described(parts[0], part_data(parts[0]) if "data" in parts[0] else None) if parts else {}
    if len(parts) > 1:
        after["parts"] = len(parts)
    record: Repair = {"path": case.site.full_path, "what": ", ".join(plan.what), "before": before, "after": after}
    if plan.change is not None and "scale" in plan.change:
        record["scale"] = plan.change["scale"]
    if plan.change is not None and "transform" in plan.change:
        record["transform"] = plan.change["transform"]
    return record


class _Steps(NamedTuple):
    """What becomes of one place: what stands in it, and what goes elsewhere."""

    here: list[Any]
    after: list[Any]
    """To the end of the list that the tool's result stands in, or of an Ollama message's text."""
    away: list[Any]
    """To a message of the user's after the tool messages."""


def _written(x: Any, plans: list[Plan], limits: Limits) -> Any:
    """The structure with the plans carried out, from its end to its beginning, so that indices hold."""
    tree = Tree(x)
    tails: dict[Path, list[Any]] = {}
    inserts: dict[Path, list[Any]] = {}
    steps = [_steps(plan, limits) for plan in plans]
    for plan, step in zip(plans, steps, strict=True):
        site = plan.case.site
        if step.after:
            tails.setdefault(_tail(site), []).extend([*_response_line(x, plan), *step.after])
        if step.away:
            inserts.setdefault(_last_of_run(x, site.where.turn), []).extend(_labelled(x, site, step.away))
    for plan, step in zip(reversed(plans), reversed(steps), strict=True):
        site = plan.case.site
        if step.away and (blocks := inserts.pop(end := _last_of_run(x, site.where.turn), None)):
            _insert(tree, end, blocks)
        if step.after and (blocks := tails.pop(_tail(site), None)):
            _append(tree, _tail(site), blocks)
        tree.put(site.path, step.here)
    return tree.root


def _tail(site: Site) -> Path:
    return site.where.turn if site.shape is OLLAMA_IMAGE else site.where.result[:-1]


def _steps(plan: Plan, limits: Limits) -> _Steps:
    site = plan.case.site
    blocks = [_block(plan, part, limits) for part in plan.parts or ()]
    in_response = _in_response(site)
    if not plan.away:
        if not site.listed:
            return _Steps(blocks[:1], [], [])
        if site.shape is OLLAMA_IMAGE:
            texts = [block for block in blocks if isinstance(block, dict)]
            return _Steps([block for block in blocks if not isinstance(block, dict)], texts, [])
        if in_response and plan.is_text and is_in_result(plan.case):
            return _Steps([], blocks, [])
        return _Steps(blocks, [], [])
    note = _MEDIA_AWAY.format(kind=plan.case.family, number=_number(site))
    here = [] if in_response or site.shape is OLLAMA_IMAGE else [text_block(site, note)]
    return _Steps(here, [], blocks) if is_in_run(plan.case) else _Steps(here, blocks, [])


def _in_response(site: Site) -> bool:
    """Is it in a function's response, which holds media and no blocks of text?"""
    return "functionResponse" in site.path or "function_response" in site.path


def _number(site: Site) -> int:
    """Which of its list it is, counted from 1."""
    return next((key + 1 for key in reversed(site.path) if isinstance(key, int)), 1)


def _block(plan: Plan, part: ContentPart, limits: Limits) -> Any:
    site = plan.case.site
    if "url" in part:
        return site.block
    if site.shape is OLLAMA_IMAGE and part["type"] == "text":
        return dict(part)
    block = written(site, part, limits)
    if block is None:
        from toolnexus_media.summary import placeholder

        return text_block(site, placeholder(part))
    if plan.name is not None and part["type"] != "text" and site.shape.name:
        return renamed(block, site.shape.name, plan.name)
    return block


def _last_of_run(x: Any, turn: Path) -> Path:
    """The last of the tool messages that this one stands among."""
    messages = x
    for key in turn[:-1]:
        messages = messages[key]
    index = turn[-1]
    assert isinstance(index, int)
    while index + 1 < len(messages) and _role(messages[index + 1]) in TOOL_ROLES:
        index += 1
    return (*turn[:-1], index)


def _role(message: Any) -> Any:
    return message.get("role") if isinstance(message, dict) else None


def _labelled(x: Any, site: Site, blocks: list[Any]) -> list[Any]:
    """The blocks under a line that says whose output they are, so that parallel calls are told apart."""
    messages, turn = x, site.where.turn
    for key in turn[:-1]:
        messages = messages[key]
    message = messages[turn[-1]]
    call = message.get("tool_call_id")
    name = message.get("name") or message.get("tool_name") or _called(messages, call)
    line = "Output of tool" + (f" {name}" if name else "") + (f" ({call})" if call else "") + ":"
    return [{"type": "text", "text": line}, *blocks]


def _response_line(x: Any, plan: Plan) -> list[Any]:
    """Whose output comes after, where a function's response has no place for a line of text."""
    site = plan.case.site
    if not plan.away or not _in_response(site):
        return []
    for key in site.path[: len(site.where.result) + 1]:
        x = x[key]
    name = x.get("name")
    return [text_block(site, f"Output of tool {name}:")] if isinstance(name, str) else []


def _called(messages: list[Any], call: object) -> str:
    """The name of the tool that a call was of."""
    for message in messages:
        calls = message.get("tool_calls") if isinstance(message, dict) else None
        for made in calls if isinstance(calls, list) else ():
            if isinstance(made, dict) and made.get("id") == call and isinstance(made.get("function"), dict):
                return str(made["function"].get("name", ""))
    return ""


def _user_message(blocks: list[Any]) -> dict[str, Any]:
    payloads = [block for block in blocks if not isinstance(block, dict)]
    if payloads:  # Ollama's pictures stand beside the text
        lines = [block["text"] for block in blocks if isinstance(block, dict)]
        return {"role": "user", "content": "\n".join(lines), "images": payloads}
    return {"role": "user", "content": blocks}


def _insert(tree: Tree, last: Path, blocks: list[Any]) -> None:
    index = last[-1]
    assert isinstance(index, int)
    tree.at(last[:-1]).insert(index + 1, _user_message(blocks))


def _append(tree: Tree, path: Path, blocks: list[Any]) -> None:
    """Put blocks at the end of a list, or their texts at the end of an Ollama message's."""
    holder = tree.at(path)
    if isinstance(holder, list):
        holder.extend(blocks)
        return
    content = holder.get("content")
    lines = [content] if isinstance(content, str) and content else []
    holder["content"] = "\n".join([*lines, *(block["text"] for block in blocks)])
