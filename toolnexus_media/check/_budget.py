"""The limits of a whole request: the oldest media give way to the newest, first by size, then for a line of text."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from toolnexus_media.check._plan import as_text, fitted, is_fixed, own_part
from toolnexus_media.check._totals import is_document, pages_of
from toolnexus_media.limits import Totals, custom

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolnexus_media.check._plan import Plan
    from toolnexus_media.check._sites import Path
    from toolnexus_media.limits import Limits

LEAST = 65_536  # characters: smaller pictures are not worth making smaller
_MARGIN = 512  # bytes of what replaces a block, around its payload


def within(plans: list[Plan], limits: Limits, loose: Limits, body: int) -> list[Plan]:
    """The plans under every total of the row, as far as media are to blame."""
    totals, name = limits.totals, limits.name
    plans = _fewer_a_message(plans, totals.message_images, f"{name} takes {totals.message_images} images a message")
    plans = _fewer(plans, lambda plan: plan.images, totals.images, f"{name} takes {totals.images} images a request")
    documents = f"{name} takes {totals.documents} documents a request"
    plans = _fewer(plans, lambda plan: int(_is_document(plan, limits)), totals.documents, documents)
    most = totals.document_bytes
    reason = f"{name} takes {most} bytes of documents a request"
    plans = _fewer(plans, lambda plan: plan.weight if _is_document(plan, limits) else 0, most, reason)
    reason = f"{name} takes {totals.pages} pages a request"
    plans = _fewer(plans, lambda plan: pages_of(plan.case) if _is_document(plan, limits) else 0, totals.pages, reason)
    return _lighter(plans, totals.bytes, loose, body, name)


def without_totals(limits: Limits) -> Limits:
    return replace(limits, totals=Totals())


def _is_document(plan: Plan, limits: Limits) -> bool:
    return not plan.is_text and not plan.images and is_document(plan.case, limits)


def _fewer_a_message(plans: list[Plan], most: int | None, reason: str) -> list[Plan]:
    for turn in dict.fromkeys(plan.case.site.where.turn for plan in plans):
        plans = _fewer(plans, partial(_images_of, turn), most, reason)
    return plans


def _images_of(turn: Path, plan: Plan) -> int:
    return plan.images if plan.case.site.where.turn == turn else 0


def _fewer(plans: list[Plan], count: Callable[[Plan], int], most: int | None, reason: str) -> list[Plan]:
    """The oldest of what is counted become text until no more than the most is left."""
    if most is None:
        return plans
    left = sum(map(count, plans))
    done: list[Plan] = []
    for plan in plans:
        own = count(plan)
        if left > most and own and not is_fixed(plan.case):
            left -= own
            plan = as_text(plan, reason)
        done.append(plan)
    return done


def _lighter(plans: list[Plan], most: int | None, loose: Limits, body: int, name: str) -> list[Plan]:
    """Under the bytes of a request: the oldest pictures shrink, as far as they can, then the oldest media go."""
    if most is None:
        return plans
    over = body + sum(plan.weight + _MARGIN * (plan.parts is not None) for plan in plans) - most
    done: list[Plan] = []
    for plan in plans:
        smaller = _smaller(plan, over, loose) if over > 0 else plan
        over -= plan.weight - smaller.weight
        done.append(smaller)
    for at, plan in enumerate(done):
        if over <= 0:
            break
        if not plan.is_text and plan.weight > _MARGIN and not is_fixed(plan.case):
            done[at] = as_text(plan, f"{name} takes {most} bytes a request")
            over -= plan.weight - done[at].weight - _MARGIN
    return done


def _smaller(plan: Plan, over: int, loose: Limits) -> Plan:
    """One picture made smaller by what is too much, and not below the least."""
    cap = max(plan.weight - over - _MARGIN, LEAST)
    if plan.images != 1 or plan.is_text or plan.case.site.is_link or plan.weight <= cap or is_fixed(plan.case):
        return plan
    part = own_part(plan.case) if plan.parts is None else next(part for part in plan.parts if part["type"] == "image")
    tight = custom(loose, image={"max_bytes": cap, "counted": "encoded"})
    made = fitted(plan, part, tight)
    return plan if made.is_text or made.weight >= plan.weight else made
