"""One file, fitted for one row: what came of it, told in one word, and whether that is right."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from toolnexus_media import limits
from toolnexus_media.errors import MediaError
from toolnexus_media.fit import fit

from .judge import PLACEHOLDER, Part, complaints, has_sound
from .rules import Rules, distinct_rows, rules_for

REFUSALS = {"encrypted", "cannot-fit", "too-large", "too-many-pixels", "missing-extra", "no-decoder", "timeout"}
"""Error codes that a sound part may meet in fitting, each only with its reason."""


FAULTS = {"corrupt", "truncated"}
"""Error codes that only a part that nobody can decode may meet: of sound a header alone is read when it is attached."""


class Verdict(NamedTuple):
    """``word`` is what came out; ``wrong`` says why that is not right, and is empty when it is."""

    word: str
    wrong: list[str]


def verdict(part: Part, provider: str, model: str | None, position: str, **options: Any) -> Verdict:
    """Fit one part for a row and judge what comes of it by the rules written down here."""
    rules = rules_for(provider, model, position)
    try:
        sent, changes = fit([part], provider, model=model, position=position, **options)  # type: ignore[list-item, arg-type]  # the name and shape are the test's own
    except MediaError as error:
        code = str(error.code)
        right = code in REFUSALS or (code in FAULTS and not is_sound(part))
        return Verdict(f"error:{code}", [] if right else [f"error {code}: {error}"])
    if len(sent) == 1 and sent[0] is part and not is_sound(part):
        return Verdict("same, and cannot be decoded", [])
    wrong = complaints(sent, rules, options.get("images_before", 0))
    wrong += _worth(part, sent, rules) + _told(part, sent, changes)
    return Verdict(word(part, sent), wrong)


def is_sound(part: Part) -> bool:
    """Whether plain libraries can decode the part; pictures and documents were decoded when they were attached."""
    return part["type"] != "audio" or has_sound(base64.b64decode(str(part["data"])))


def rows_for(part: Part) -> list[tuple[str, str | None, str]]:
    """The rows that differ in what they say of such a part, here or in the package's own limits."""
    found: dict[str, tuple[str, str | None, str]] = {}
    for provider, model, position, rules in distinct_rows():
        theirs = limits.row(provider, model)
        at = theirs.tool if position == "tool" else theirs.user
        picture = (
            rules.images,
            rules.moving,
            rules.image_cap,
            rules.side,
            rules.many,
            rules.grid,
            rules.image_count,
            at.image,
        )
        files = (rules.files, rules.file_cap, rules.file_count, rules.pages, at.document, at.text)
        mime = str(part["mimeType"])
        kinds: dict[str, tuple[object, ...]] = {
            "image": picture,
            "audio": (rules.audio, at.audio),
            "video": (rules.video, rules.video_cap, at.video, picture),
            "file": files if mime in rules.files or mime.startswith("text/") else (files, picture),
        }
        key = repr((kinds[_kind(part)], rules.free, rules.request, theirs.totals))
        found.setdefault(key, (provider, model, position))
    return list(found.values())


def _kind(part: Part) -> str:
    return "video" if str(part["mimeType"]).startswith("video/") else str(part["type"])


def word(part: Part, sent: Sequence[Part]) -> str:
    """What came out, in one word."""
    if len(sent) == 1 and sent[0] is part:
        return "same"
    if any(_is_placeholder(one) for one in sent):
        return "placeholder"
    return "+".join(sorted({str(one["type"]) for one in sent}))


def _is_placeholder(part: Part) -> bool:
    return part["type"] == "text" and bool(PLACEHOLDER.search(str(part["text"])))


def has_words(part: Part) -> bool:
    """Whether a text says anything once what is markup is taken out."""
    plain = re.sub(rb"<[^>]*>", b"", base64.b64decode(str(part["data"])))
    return bool(plain.strip(b" \t\r\n\0\xef\xbb\xbf"))


def _worth(part: Part, sent: Sequence[Part], rules: Rules) -> list[str]:
    """A placeholder is right only where nothing better could be sent."""
    if not sent:
        return ["worth: nothing came out"]
    mime = str(part["mimeType"])
    placeheld = any(_is_placeholder(one) for one in sent)
    takes = rules.free or mime in rules.images | rules.files | rules.audio | rules.video
    sees = part["type"] == "image" and bool(rules.images)
    hears = part["type"] == "audio" and bool(rules.audio)
    reads = mime.startswith("text/") and has_words(part)
    if placeheld and (takes or sees or hears or reads):
        return [f"worth: a placeholder for {mime}"]
    if sees and not any(one["type"] == "image" for one in sent) and mime != "image/svg+xml":
        return ["worth: no picture for a picture"]
    return []


def _told(part: Part, sent: Sequence[Part], changes: Sequence[Mapping[str, Any]]) -> list[str]:
    """Each part that is not the given one has its change told, and no other has."""
    told = [change["index"] for change in changes]
    changed = [index for index, one in enumerate(sent) if one is not part]
    return [] if told == changed else [f"told: changes of {told}, and {changed} are new"]
