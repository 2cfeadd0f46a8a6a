"""Sounds: left alone, else encoded anew in a type the target takes, smaller only where a byte cap asks for it.

FFmpeg (the ``audio`` extra) does the work in a child process: its decoders are native code and the bytes are hostile.
"""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

from toolnexus_media import _b64
from toolnexus_media.errors import CorruptMediaError, LimitError, MediaTypeError
from toolnexus_media.fit._first import begins_as, is_labelled
from toolnexus_media.fit._job import Outcome, Step
from toolnexus_media.fit._row import cap_of, instead, unconverted, within
from toolnexus_media.fit._target import mime_of, payload_of
from toolnexus_media.part import make_part, part_data
from toolnexus_media.probe.audio import facts as sound_facts

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from toolnexus_media.errors import MediaError
    from toolnexus_media.fit._job import Job
    from toolnexus_media.limits import Accept
    from toolnexus_media.probe._child import Outcome as Ended
    from toolnexus_media.types import ContentPart, Facts

LOSSY = ("audio/mpeg", "audio/ogg", "audio/aac", "audio/mp4")
MADE = ("audio/mpeg", "audio/wav", "audio/flac", "audio/ogg", "audio/aac", "audio/mp4")
"""The types that are written, the one to prefer first."""

LEVELS = ((48_000, 2, 64_000), (48_000, 1, 64_000), (24_000, 1, 40_000), (16_000, 1, 24_000), (16_000, 1, 16_000))
"""Rate and channels at most, and bits a second and channel of the lossy types: from good to plain speech."""

MEMORY = 512 << 20
LEAST_SECONDS, MOST_SECONDS, SPEED = 20.0, 300.0, 10.0  # of work on one sound; seconds of sound encoded in one


def stays(part: ContentPart, job: Job) -> bool:
    """Is the sound sent as it is, under the name that the row has for its type?"""
    mime = mime_of(part)
    accept = job.limits.at(job.position).accepts(mime)
    if accept is None or not within(part, accept):
        return False
    if accept.max_seconds is None and job.max_seconds is None:
        return is_labelled(part)
    data = _b64.decode(payload_of(part))
    return begins_as(data, part) and _seconds(sound_facts(data, mime), accept, job) is None


def fit_audio(part: ContentPart, job: Job) -> list[Outcome]:
    """The sound itself where the target takes it, else encoded anew; the placeholder where it hears nothing.

    ``LimitError`` where it lasts too long and ``max_seconds=`` does not cut it, or where no type and rate is under the
    cap; ``MissingExtraError`` where it must be encoded anew and PyAV is not installed; ``CorruptMediaError``.
    """
    assert part["type"] != "text"
    mime = part["mimeType"]
    accept = job.limits.accepts(mime, job.position) or job.limits.at(job.position).audio
    if accept is None:
        return instead(part, job)
    taken = job.limits.accepts(mime, job.position) is not None
    data = part_data(part)
    facts = sound_facts(data, mime)
    seconds = _seconds(facts, accept, job)
    if taken and seconds is None and within(part, accept):
        return [Outcome(part)]
    made, about = _encoded(data, mime, accept, facts, seconds, given=taken and within(part, accept))
    what = f"{mime} made {about['mime']}" if about["mime"] != mime else f"{mime} encoded anew"
    sound = f"{about['rate']} Hz, {'mono' if about['channels'] == 1 else 'stereo'}"
    if seconds is not None:
        whole = f" of {facts['duration']:.1f} s" if "duration" in facts else ""
        what = f"cut to the first {about['seconds']:.1f} s{whole}; {what}"
    return [Outcome(make_part(made, about["mime"]), Step(f"{what}, {sound}"))]


def _seconds(facts: Facts, accept: Accept, job: Job) -> float | None:
    """Where to cut, None where it is short enough; ``LimitError`` where it is too long and no cut was asked for."""
    lasts, most = facts.get("duration"), accept.max_seconds
    if job.max_seconds is not None:
        cut = job.max_seconds if most is None else min(job.max_seconds, most)
        return None if lasts is not None and lasts <= cut else cut
    if most is not None and lasts is not None and lasts > most:
        raise LimitError(
            f"the sound lasts {lasts:.0f} s and {most} s are taken; pass max_seconds= to cut it",
            code="cannot-fit",
            limit=most,
            actual=round(lasts),
        )
    return None


def _encoded(
    data: bytes, mime: str, accept: Accept, facts: Facts, seconds: float | None, *, given: bool
) -> tuple[bytes, dict[str, Any]]:
    from toolnexus_media._extras import installed, missing
    from toolnexus_media.probe import _child, _task

    if not installed("av"):
        raise missing("audio", f"encoding {mime} for this target")
    cap = cap_of(accept)
    lasts = min((value for value in (facts.get("duration"), seconds) if value is not None), default=None)
    every = list(plans(mime, accept, facts, given=given))
    hopeful = [plan for plan in every if lasts is None or _size(plan, facts, lasts) <= cap]
    if not hopeful:
        least = min((_size(plan, facts, lasts or 0.0) for plan in every), default=0)
        raise _too_large(cap, int(least))
    time = min(LEAST_SECONDS + (len(data) / 16_000 if lasts is None else lasts) / SPEED, MOST_SECONDS)
    request = {"mime": mime, "plans": hopeful, "cap": cap, "cut": seconds}
    room = _child.expected(cap)
    lines, outcome = _task.ask(
        "toolnexus_media.fit._av_sound", data, request, until=monotonic() + time, answer=room, memory=MEMORY + 3 * cap
    )
    for made, about in _child.received(lines):
        return made, {**about, "mime": hopeful[about["plan"]]["mime"]}
    raise _failure(mime, lines, cap, outcome)


def plans(mime: str, accept: Accept, facts: Facts, *, given: bool) -> Iterator[dict[str, Any]]:
    """The ways to encode, the best first: the type as given where that was in order, the small types before the large.

    >>> from toolnexus_media.limits import row
    >>> accept = row("openai").user.audio
    >>> [plan["mime"] for plan in plans("audio/flac", accept, {}, given=False)][:3]
    ['audio/mpeg', 'audio/wav', 'audio/mpeg']
    """
    types = [made for made in MADE if accept.takes(made)]
    if given and mime in types:
        types = [mime, *(made for made in types if made != mime)]
    elif not given and accept.takes(mime):  # too large as it is: the types without loss come last
        types.sort(key=lambda made: made not in LOSSY)
    own = min(facts.get("channels", 2), 2)
    for rate, channels, bits in LEVELS:
        for made in types:
            total = bits * min(channels, own) if made in LOSSY else 0
            yield {"mime": made, "rate": rate, "channels": channels, "bits": total}


def _size(plan: dict[str, Any], facts: Facts, seconds: float) -> float:
    """About how many bytes a plan makes: exact for WAV, some more than that for the rest; FLAC at its best."""
    if plan["bits"]:
        return float(plan["bits"]) / 8 * seconds
    rate = min(facts.get("sample_rate", plan["rate"]), plan["rate"])
    raw = float(2 * rate * min(facts.get("channels", 1), plan["channels"]) * seconds)
    return raw / 3 if plan["mime"] == "audio/flac" else raw


def _too_large(cap: int, least: int) -> LimitError:
    return LimitError(
        f"the sound is {least} bytes at its smallest and {cap} are allowed; pass max_seconds= to cut it",
        code="cannot-fit",
        limit=cap,
        actual=least,
    )


def _failure(mime: str, lines: list[dict[str, Any]], cap: int, outcome: Ended) -> MediaError:
    if outcome == "none":
        return unconverted(mime)
    if outcome == "late":
        return CorruptMediaError(
            f"the {mime} was not converted within the time limit; attach a shorter sound, or one in MP3 or WAV",
            code="timeout",
        )
    if any("over" in line for line in lines) and not any("refused" in line for line in lines):
        return _too_large(cap, cap + 1)
    if any(line.get("refused") == "KeyError" for line in lines):  # of the table of demuxers
        return MediaTypeError(f"nothing here decodes {mime}; convert it to WAV or MP3 beforehand", code="no-decoder")
    return CorruptMediaError(
        f"the {mime} cannot be decoded; get a whole copy of the file, or convert it beforehand", code="corrupt"
    )
