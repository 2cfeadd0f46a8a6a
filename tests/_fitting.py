"""What the tests of fitting share: a job, a stand-in for the fitting of pictures, and sounds made by code."""

from __future__ import annotations

import io
import math
import sys
import wave
from array import array
from types import ModuleType
from typing import Any

import pytest

from toolnexus_media.fit._job import Job, Outcome
from toolnexus_media.limits import custom, row
from toolnexus_media.probe import probe
from toolnexus_media.types import ContentPart


def job(provider: str = "anthropic", limits: dict[str, Any] | None = None, **options: Any) -> Job:
    """A job for a provider, some of its limits changed."""
    return Job(custom(provider, **limits) if limits else row(provider), **options)


def pictures(monkeypatch: pytest.MonkeyPatch) -> list[tuple[ContentPart, Job]]:
    """Let every picture through as it is, and keep what came to be fitted."""
    seen: list[tuple[ContentPart, Job]] = []

    def fit_image(part: ContentPart, given: Job) -> list[Outcome]:
        seen.append((part, given))
        return [Outcome(part)]

    module = ModuleType("toolnexus_media.fit.image")
    module.fit_image = fit_image  # type: ignore[attr-defined]  # a module made here
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return seen


def without(monkeypatch: pytest.MonkeyPatch, *modules: str) -> None:
    """Make as if these were not installed."""
    for module in modules:
        monkeypatch.setitem(sys.modules, module, None)


def facts_of(part: ContentPart) -> dict[str, Any]:
    """What the probe finds, as a plain dict."""
    return dict(probe(part))


def tone(seconds: float = 1.0, rate: int = 16_000, channels: int = 1) -> bytes:
    """A WAV of a sine."""
    count = int(seconds * rate)
    period = array("h", (int(9000 * math.sin(math.tau * at / 40)) for at in range(40) for _ in range(channels)))
    samples = (period.tobytes() * (count // 40 + 1))[: 2 * count * channels]
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(samples)
    return out.getvalue()
