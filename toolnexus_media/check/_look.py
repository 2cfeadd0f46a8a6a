"""What a payload really is: decoded, sniffed, probed and decoded to the end, once for each that is different."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from toolnexus_media import _b64
from toolnexus_media.check._shapes import IN_TEXT, held
from toolnexus_media.check._sites import raw
from toolnexus_media.errors import CorruptMediaError, MediaError, SourceError
from toolnexus_media.probe import facts_of, verify
from toolnexus_media.sniff import by_name, normalise, settle, sniff
from toolnexus_media.source import MAX_PIXELS, gather, is_media_type
from toolnexus_media.transcript import payloads

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolnexus_media.check._sites import Site

_UNKNOWN = "application/octet-stream"
_PASSING = frozenset({"too-many-pixels", "timeout"})  # what is too much for us may be fine for the provider


class Look(NamedTuple):
    """What one payload is. ``mime`` is the true type; ``label`` the declared one as it stands, ``""`` where none does.

    ``fault`` says why it cannot be decoded and ``spelling`` why it is not written as its place asks.
    """

    mime: str = _UNKNOWN
    label: str = ""
    digest: bytes = b""
    size: int = 0
    facts: Mapping[str, Any] = {}
    fault: str = ""
    fault_code: str = ""
    spelling: str = ""

    @property
    def encoded(self) -> int:
        """The length of its base64."""
        return -(-self.size // 3) * 4

    @property
    def family(self) -> str:
        return family_of(self.mime)


Known = dict[tuple[bytes, str], Look]


def family_of(mime: str) -> str:
    """What a block for this type is for.

    >>> family_of("image/png"), family_of("text/csv")
    ('image', 'document')
    """
    major = mime.partition("/")[0]
    return major if major in {"image", "audio", "video"} else "document"


def look(site: Site, known: Known) -> Look:
    """What is there; a payload that was seen under the same label is not decoded again."""
    if site.shape is IN_TEXT:
        return Look(mime="text/plain", facts={"payload": sum(payload.size for payload in payloads(site.value))})
    label = label_of(site)
    if site.is_link:
        mime = _type_of(label) or by_name(site.value) or ""
        return Look(mime=mime, label=label)
    data, said, spelling = payload_of(site)
    label = said or label
    if data is None:
        return Look(mime=_type_of(label) or _UNKNOWN, label=label, spelling=spelling)
    key = (sha256(data).digest(), label)
    seen = known.get(key)
    if seen is None:
        seen = known[key] = _judged(data, label, key[0])
    return seen._replace(spelling=spelling)


def payload_of(site: Site) -> tuple[bytes | None, str, str]:
    """The bytes, the type that a data URL declares, and what is wrong with the spelling; no bytes when all is wrong."""
    value = site.value
    if not isinstance(value, str):
        data = raw(value)
        return (data, "", "") if data else (None, "", "empty")
    if not value:
        return None, "", "empty"
    if value[:5].lower() == "data:":
        return _of_url(value, site)
    wrong = "bare base64 instead of a data URL" if site.shape.form == "url" else ""
    try:
        return _b64.decode(value), "", wrong
    except ValueError:
        pass
    try:
        return _b64.decode_any(value) or None, "", wrong or "base64 of another dialect"
    except SourceError:
        return None, "", "not base64"


def _of_url(value: str, site: Site) -> tuple[bytes | None, str, str]:
    try:
        blob = gather(value, max_bytes=len(value))
    except SourceError:
        return None, "", "not a data URL"
    wrong = "a data URL instead of bare base64" if site.shape.form == "base64" else ""
    head = value[:1024].partition(",")[0].lower()
    if not wrong and not head.rstrip().endswith(";base64"):
        wrong = "a data URL without base64"
    return bytes(blob.data or b"") or None, blob.declared or "", wrong


def label_of(site: Site) -> str:
    """The declared type as it stands; a format word gives its type."""
    found = held(site.block, site.shape.label) if site.shape.label else None
    if not isinstance(found, str):
        return ""
    if site.shape.label[-1] != "format":
        return found
    from toolnexus_media.emit._formats import of_format

    return of_format(found, site.shape.family) or found


def _type_of(label: str) -> str:
    """The label's type by its usual name, ``""`` when it is none."""
    return normalise(label) if is_media_type(label.partition(";")[0].strip()) else ""


def _judged(data: bytes, label: str, digest: bytes) -> Look:
    wanted = _type_of(label)
    found = sniff(data)
    mime = (settle(found, wanted) or found) if wanted else found
    fault, code = "", ""
    try:
        verify(data, mime, level="full", max_pixels=MAX_PIXELS)
    except CorruptMediaError as error:
        if error.code not in _PASSING:
            fault, code = str(error), error.code
    except MediaError:  # nothing installed decodes it: the provider may
        pass
    facts: Mapping[str, Any] = {} if fault and code != "encrypted" else facts_of(data, mime)
    return Look(mime, label, digest, len(data), facts, fault, code)
