"""Every media block of a structure with what it is, and with what else is in the request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolnexus_media.check._look import look
from toolnexus_media.check._rules import Case, Request
from toolnexus_media.check._sites import sites

if TYPE_CHECKING:
    from toolnexus_media.check._look import Known, Look
    from toolnexus_media.check._sites import Site
    from toolnexus_media.limits import Limits

_PDF = "application/pdf"


def examined(x: object, limits: Limits) -> list[Case]:
    """Every media block with what it is, and what else is in the request."""
    known: Known = {}
    seen = [(site, look(site, known)) for site in sites(x)]
    request = Request(limits)
    first: dict[bytes, Site] = {}
    cases = [Case(site, found, request, _first(site, found, first)) for site, found in seen]
    counted = request._replace(images=sum(case.is_image for case in cases), documents=_pdfs(seen))
    return [case._replace(request=counted) for case in cases]


def _first(site: Site, found: Look, first: dict[bytes, Site]) -> Site | None:
    if not found.digest:
        return None
    earlier = first.setdefault(found.digest, site)
    return None if earlier is site else earlier


def _pdfs(seen: list[tuple[Site, Look]]) -> int:
    return sum(found.mime == _PDF for _, found in seen)
