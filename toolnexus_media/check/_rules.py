"""The rules for one payload, each a small function; what a row of ``limits`` leaves open is no rule."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from toolnexus_media.check._look import family_of
from toolnexus_media.check._shapes import IN_TEXT, held
from toolnexus_media.limits import native_size, patches, resize, resize_for
from toolnexus_media.sniff import normalise

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from toolnexus_media.check._look import Look
    from toolnexus_media.check._sites import Site
    from toolnexus_media.limits import Accept, Limits
    from toolnexus_media.types import Finding

TEXT_ROLES = {
    "openai": frozenset({"assistant", "system", "developer"}),
    "openai-responses": frozenset({"assistant"}),
    "bedrock": frozenset({"assistant"}),
}
"""Roles whose messages hold text only, by wire: what the providers' types and refusals say."""

_OWN_FILES = "https://generativelanguage.googleapis.com/"  # a provider's own file ids are not judged


class Request(NamedTuple):
    """What a rule has to know of the rest of the request."""

    limits: Limits
    images: int = 1
    documents: int = 0


class Case(NamedTuple):
    """One payload, what it is, and the entry of the row that speaks of its type."""

    site: Site
    look: Look
    request: Request
    first: Site | None = None
    """The earlier payload that this one repeats."""

    @property
    def accept(self) -> Accept | None:
        return self.request.limits.accepts(self.look.mime, self.site.where.position)

    @property
    def is_own(self) -> bool:
        """Is the block in the provider's own wire?"""
        return self.request.limits.wire in self.site.shape.wires

    @property
    def is_image(self) -> bool:
        return (self.look.family if self.look.size else self.family) == "image"

    @property
    def family(self) -> str:
        """What the block is for, as far as it says; else what its label says."""
        said = self.site.shape.family
        return said or family_of(self.look.mime)

    @property
    def detail(self) -> str | None:
        """The detail that the block asks for."""
        block = self.site.block
        found = held(block, ("image_url", "detail")) or held(block, ("detail",))
        return found if isinstance(found, str) and found != "auto" else None


def problems(case: Case) -> list[Finding]:
    """Everything that is wrong with one payload, and what the provider will do to it."""
    if case.site.shape is IN_TEXT:
        fix = "attach it as a part: in a text it is read letter by letter"
        return [_info(case, "payload-in-text", case.look.facts["payload"], 0, fix)]
    found = [*_placed(case)]
    if case.site.is_link:
        return [*found, *_followed(case)]
    found += _spelled(case)
    if not case.look.size:
        return found
    if case.look.fault:
        return [*found, _unreadable(case)]
    found += _labelled(case)
    if case.accept is None or not case.accept.prefers(case.look.mime):
        return [*found, _refused(case)]
    for rule in RULES:
        found += rule(case, case.accept)
    return found


def _finding(case: Case, rule: str, actual: Any, limit: Any, fix: str) -> Finding:
    return {"path": case.site.full_path, "rule": rule, "actual": actual, "limit": limit, "fix": fix}


def _info(case: Case, rule: str, actual: Any, limit: Any, fix: str) -> Finding:
    return {**_finding(case, rule, actual, limit, fix), "severity": "info"}


def _placed(case: Case) -> Iterator[Finding]:
    """Is there media where this wire takes text only?"""
    where, limits = case.site.where, case.request.limits
    if not case.is_own:
        return  # writing it in the provider's wire puts it in its place
    if where.position == "tool" and limits.tool_media == "relocated":
        fix = "send text here and the media in a user message after the tool messages"
        yield _finding(case, "media-in-tool-result", case.family, "text", fix)
    elif where.failed and not limits.error_media:
        fix = "keep only text in a failed result and send the media after it"
        yield _finding(case, "media-in-failed-result", case.family, "text", fix)
    elif where.role in TEXT_ROLES.get(limits.wire or "", ()) and _in_content(case.site):
        fix = "move it to a user message, or say in words what it showed"
        yield _finding(case, "media-in-text-role", where.role, "user", fix)


def _in_content(site: Site) -> bool:
    start = len(site.where.turn)
    return site.path[start : start + 1] == ("content",)


def _followed(case: Case) -> Iterator[Finding]:
    accept, mime, limits = case.accept, case.look.mime, case.request.limits
    if case.site.value.startswith(_OWN_FILES) and limits.wire == "gemini":
        return
    if limits.wire == "mcp" and case.is_own:
        return  # a resource's link is a name that its server knows
    if not mime or (accept is not None and case.site.shape.family not in ("", family_of(mime))):
        accept = getattr(limits.at(case.site.where.position), case.family, None)
    if accept is None:
        yield _refused(case)
    elif not accept.takes_url(case.site.value):
        scheme = case.site.value.partition(":")[0].lower()
        fix = "send the bytes: fit with fetch=source.fetch, or attach a downloaded copy"
        yield _finding(case, "url-not-taken", scheme, list(accept.urls), fix)


def _spelled(case: Case) -> Iterator[Finding]:
    spelling = case.look.spelling
    if spelling == "empty":
        yield _finding(case, "empty-payload", 0, 1, "leave the block out, or attach the file again")
    elif spelling.startswith(("a data URL", "bare")):
        wanted = "data URL" if case.site.shape.form == "url" else "base64"
        yield _finding(case, "payload-form", spelling, wanted, f"write the payload as a {wanted}")
    elif is_plain_text(case.site, case.look.mime):
        fix = "write it as a source of type text"
        yield _finding(case, "payload-form", "base64 instead of plain text", "text", fix)
    elif spelling:
        fix = "encode the bytes again, in standard base64 on one line with padding"
        yield _finding(case, "bad-base64", spelling, "standard base64", fix)


def is_plain_text(site: Site, mime: str) -> bool:
    """Is it a text in the block that takes a text as it is, and base64 of a PDF only?"""
    return "anthropic" in site.shape.wires and mime == "text/plain"


def _unreadable(case: Case) -> Finding:
    if case.look.fault_code == "encrypted":
        return _locked(case)
    return _finding(case, "undecodable", case.look.fault, "a whole file", "attach a whole copy, or replace it by words")


def _locked(case: Case) -> Finding:
    fix = "attach a copy that opens without a password"
    return _finding(case, "encrypted-pdf", "encrypted", "not encrypted", fix)


def _labelled(case: Case) -> Iterator[Finding]:
    label, mime = case.look.label, case.look.mime
    accept = case.accept
    if label and normalise(label) != mime:
        yield _finding(case, "mislabelled", label[:80], mime, f"label it {mime}, which its bytes are")
    elif label and case.site.shape.wires and accept is not None and _goes_by_another(label, mime, accept):
        wired = accept.wire_name(mime)
        yield _finding(case, "mislabelled", label[:80], wired, f"label it {wired}, the name that is on the list")
    family = case.site.shape.family
    if family and family != case.look.family:
        yield _finding(case, "wrong-block", case.look.family, family, f"send it in a block for a {case.look.family}")


def _goes_by_another(label: str, mime: str, accept: Accept) -> bool:
    """Does the provider know the type by another name than the label? What is not on a wire yet is named there."""
    return ";" not in label and not accept.lists(label) and accept.takes(mime)


def _refused(case: Case) -> Finding:
    limits, family = case.request.limits, family_of(case.look.mime) if case.look.mime else case.family
    accept = getattr(limits.at(case.site.where.position), family)
    taken = [] if accept is None else list(accept.advised or accept.mimes)
    fix = f"convert it with fit.fit(part, {limits.provider!r})" if taken else f"{limits.name} takes no {family} here"
    return _finding(case, "type-not-accepted", case.look.mime or case.family, taken, fix)


def _bytes(case: Case, accept: Accept) -> Iterator[Finding]:
    actual = case.look.encoded if accept.counted == "encoded" else case.look.size
    if accept.max_bytes is not None and actual > accept.max_bytes:
        unit = "base64 characters" if accept.counted == "encoded" else "bytes"
        fix = f"make it smaller: {accept.max_bytes} {unit} pass"
        yield _finding(case, "too-many-bytes", actual, accept.max_bytes, fix)


def _size(case: Case) -> tuple[int, int] | None:
    width, height = case.look.facts.get("width"), case.look.facts.get("height")
    return (width, height) if case.is_image and width and height else None


def _side(case: Case, accept: Accept) -> Iterator[Finding]:
    size = _size(case)
    if size is None:
        return
    longest, among = max(size), accept.side(case.request.images, case.request.documents)
    if accept.max_side is not None and longest > accept.max_side:
        fix = f"scale it down: {accept.max_side} pixels pass"
        yield _finding(case, "side", longest, accept.max_side, fix)
    elif among is not None and longest > among:
        fix = f"scale it down: beside {case.request.images - 1} other images {among} pixels pass"
        yield _finding(case, "many-image-side", longest, among, fix)


def _patches(case: Case, accept: Accept) -> Iterator[Finding]:
    size, most = _size(case), accept.max_patches
    if size is None or most is None:
        return
    try:
        rule = resize_for(accept, case.detail)
    except ValueError:
        rule = resize_for(accept)
    actual = patches(*(size if rule is None else resize(*size, rule)), accept.patch)
    if actual > most:
        fix = f"scale it down: {most} patches of {accept.patch} pixels pass"
        yield _finding(case, "too-many-patches", actual, most, fix)


def _animated(case: Case, accept: Accept) -> Iterator[Finding]:
    frames = case.look.facts.get("frames", 1)
    if case.is_image and frames > 1 and not accept.takes_animated(case.look.mime):
        yield _finding(case, "animated", frames, 1, "send the first frame, or a sheet of frames")


def _pages(case: Case, accept: Accept) -> Iterator[Finding]:
    pages = case.look.facts.get("pages", 0)
    if accept.max_pages is not None and pages > accept.max_pages:
        yield _finding(case, "page-count", pages, accept.max_pages, "send fewer pages: fit with pages=")


def _encrypted(case: Case, _accept: Accept) -> Iterator[Finding]:
    if case.look.facts.get("encrypted"):
        yield _locked(case)


def _seconds(case: Case, accept: Accept) -> Iterator[Finding]:
    duration = case.look.facts.get("duration", 0)
    if accept.max_seconds is not None and case.look.family != "image" and duration > accept.max_seconds:
        yield _finding(case, "too-long", duration, accept.max_seconds, "cut it: fit with max_seconds=")


def _named(case: Case, accept: Accept) -> Iterator[Finding]:
    if not case.is_own or accept.name is None or case.site.shape.family != case.look.family:
        return  # another block will have another name
    name = held(case.site.block, case.site.shape.name)
    if not isinstance(name, str) or not name:
        if accept.name.required:
            yield _finding(case, "document-name", "", accept.name.pattern, "give the document a name")
    elif len(name) > accept.name.max_chars:
        fix = f"shorten the name to {accept.name.max_chars} characters"
        yield _finding(case, "document-name", len(name), accept.name.max_chars, fix)
    elif re.fullmatch(accept.name.pattern, name, re.DOTALL) is None:
        fix = "use letters, digits, single spaces, hyphens, parentheses and square brackets only"
        yield _finding(case, "document-name", name[:80], accept.name.pattern, fix)


def _scaled(case: Case, accept: Accept) -> Iterator[Finding]:
    """The provider will scale it down itself: it is taken, and costs bytes for nothing."""
    size = _size(case)
    if size is None or accept.native is None:
        return
    detail = case.detail if case.detail and getattr(accept.native, case.detail, None) else None
    seen = native_size(*size, case.request.limits, position=case.site.where.position, detail=detail)
    if seen != size:
        fix = "send it at the size the model sees, to know its scale and to save bytes"
        yield _info(case, "oversize", "{}x{}".format(*size), "{}x{}".format(*seen), fix)


def _repeated(case: Case, _accept: Accept) -> Iterator[Finding]:
    if case.first is not None:
        fix = "send it once and refer to it: each copy counts and is paid for"
        yield _info(case, "duplicate", case.first.full_path, 1, fix)


RULES: tuple[Callable[[Case, Accept], Iterator[Finding]], ...] = (
    _bytes,
    _side,
    _patches,
    _animated,
    _encrypted,
    _pages,
    _seconds,
    _named,
    _scaled,
    _repeated,
)
"""What is asked of a payload whose type is taken, in this order."""
