"""Sounds for a target: left alone, or encoded anew in a type it takes and under its caps."""

from __future__ import annotations

from typing import Any

import pytest

from tests._fitting import facts_of, job, tone, without
from toolnexus_media.errors import CorruptMediaError, LimitError, MediaTypeError, MissingExtraError
from toolnexus_media.fit import _av, _av_sound
from toolnexus_media.fit._job import Outcome
from toolnexus_media.fit.audio import MADE, fit_audio
from toolnexus_media.part import make_part, part_data
from toolnexus_media.probe import _child
from toolnexus_media.sniff import sniff
from toolnexus_media.types import ContentPart

WAV = "audio/wav"
GOOD = {"rate": 48_000, "channels": 2, "bits": 0}


def part(data: bytes, mime: str = WAV) -> ContentPart:
    return make_part(data, mime)


def fitted(data: bytes, mime: str = WAV, limits: dict[str, Any] | None = None, **options: Any) -> Outcome:
    outcomes = fit_audio(part(data, mime), job("openai", {"audio": limits} if limits else None, **options))
    assert len(outcomes) == 1
    return outcomes[0]


def said(outcome: Outcome) -> str:
    assert outcome.step is not None
    return outcome.step.what


@pytest.fixture(scope="module")
def flac() -> bytes:
    return _av_sound.encode(tone(), WAV, {**GOOD, "mime": "audio/flac"}, cap=1 << 20).data


@pytest.mark.parametrize("provider", ["openai", "gemini", "bedrock", "openrouter", "mcp"])
def test_a_sound_that_is_taken_is_left_alone(provider: str) -> None:
    given = part(tone())
    assert fit_audio(given, job(provider))[0].part is given


@pytest.mark.parametrize("provider", ["anthropic", "ollama", "safe"])
def test_a_target_that_hears_nothing_gets_the_placeholder(provider: str) -> None:
    (made,) = fit_audio(part(tone()), job(provider))
    assert made.part == {"type": "text", "text": "[unsupported audio part (audio/wav, 32044 bytes)]"}
    assert said(made).startswith("replaced by a placeholder: ")


def test_a_type_that_is_not_taken_becomes_mp3(flac: bytes) -> None:
    made = fitted(flac, "audio/flac")
    facts = facts_of(made.part)
    assert sniff(part_data(made.part)) == "audio/mpeg"
    assert (facts["sample_rate"], facts["channels"]) == (16_000, 1)
    assert facts["duration"] == pytest.approx(1.0, abs=0.15)
    assert said(made) == "audio/flac made audio/mpeg, 16000 Hz, mono"


@pytest.mark.parametrize("mime", MADE)
def test_each_type_that_is_written_is_what_it_says(mime: str) -> None:
    source = "audio/aiff" if mime == WAV else WAV
    data = tone(channels=2) if source == WAV else aiff()
    made = fitted(data, source, {"mimes": (mime,)}) if mime != source else None
    assert made is not None
    assert sniff(part_data(made.part), "x.m4a") == mime
    assert facts_of(made.part)["duration"] == pytest.approx(1.0, abs=0.15)


def aiff() -> bytes:
    """Half the samples of a tone, big-endian, in AIFF: 8000 of them at 8000 Hz."""
    from array import array

    samples = array("h", tone()[44:][: 2 * 8000])
    samples.byteswap()
    body = samples.tobytes()
    common = b"\0\1" + (8000).to_bytes(4, "big") + b"\0\x10" + b"\x40\x0b\xfa\0\0\0\0\0\0\0"
    chunks = b"COMM" + len(common).to_bytes(4, "big") + common
    chunks += b"SSND" + (len(body) + 8).to_bytes(4, "big") + bytes(8) + body
    return b"FORM" + (len(chunks) + 4).to_bytes(4, "big") + b"AIFF" + chunks


def test_over_the_byte_cap_a_small_type_is_preferred_to_a_lower_rate() -> None:
    made = fitted(tone(2, 44_100, 2), limits={"max_bytes": 60_000})
    facts = facts_of(made.part)
    assert len(part_data(made.part)) <= 45_000
    assert (made.part["type"], facts["sample_rate"], facts["channels"]) == ("audio", 44_100, 2)


def test_where_only_wav_is_taken_channels_go_before_the_rate() -> None:
    data = tone(1, 44_100, 2)
    sizes = []
    for cap in (130_000, 70_000, 45_000):
        made = fitted(data, limits={"mimes": (WAV,), "max_bytes": cap, "counted": "raw"})
        facts = facts_of(made.part)
        sizes.append((facts["sample_rate"], facts["channels"]))
        assert len(part_data(made.part)) <= cap
    assert sizes == [(44_100, 1), (24_000, 1), (16_000, 1)]


def test_what_no_rate_brings_under_the_cap_is_refused() -> None:
    with pytest.raises(LimitError, match="max_seconds=") as caught:
        fitted(tone(), limits={"max_bytes": 900})
    assert (caught.value.code, caught.value.limit) == ("cannot-fit", 675)


@pytest.mark.parametrize("mime", [WAV, "audio/mpeg"])
def test_a_long_sound_is_cut_to_the_sample_where_asked(mime: str) -> None:
    data = tone() if mime == WAV else part_data(fitted(aiff(), "audio/aiff").part)
    made = fitted(data, mime, max_seconds=0.3)
    assert facts_of(made.part)["duration"] == pytest.approx(0.3, abs=0.001 if mime == WAV else 0.25)
    assert said(made).startswith("cut to the first 0.3 s of 1.")


def test_a_sound_over_the_rows_length_is_refused_or_cut() -> None:
    with pytest.raises(LimitError, match="max_seconds=") as caught:
        fitted(tone(3), limits={"max_seconds": 2})
    assert (caught.value.limit, caught.value.actual) == (2, 3)
    assert facts_of(fitted(tone(3), limits={"max_seconds": 2}, max_seconds=9).part)["duration"] == 2.0


def test_a_sound_shorter_than_asked_is_left_alone() -> None:
    assert fitted(tone(), max_seconds=9).step is None


def test_without_the_extra_it_is_named(monkeypatch: pytest.MonkeyPatch, flac: bytes) -> None:
    without(monkeypatch, "av")
    with pytest.raises(MissingExtraError) as caught:
        fitted(flac, "audio/flac")
    assert caught.value.extra == "audio"


@pytest.mark.parametrize("data", [b"fLaC" + bytes(300), b"\xff\xf1", b"OggS" * 50], ids=repr)
def test_what_does_not_decode_is_corrupt(data: bytes) -> None:
    with pytest.raises(CorruptMediaError) as caught:
        fitted(data, "audio/flac")
    assert caught.value.code == "corrupt"


def test_some_damage_is_passed_over(flac: bytes) -> None:
    """What is left of a file cut in two is encoded."""
    made = fitted(flac[: len(flac) * 2 // 3], "audio/flac")
    assert 0.2 < facts_of(made.part)["duration"] < 1.1


def test_a_conversion_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_child, "LEAST", 0.05)
    monkeypatch.setattr("toolnexus_media.fit.audio.LEAST_SECONDS", 0.0)
    monkeypatch.setattr("toolnexus_media.fit.audio.SPEED", 1e9)
    with pytest.raises(CorruptMediaError) as caught:
        fitted(tone(600, 8000), limits={"mimes": ("audio/mpeg",)})
    assert caught.value.code == "timeout"


def test_a_playlist_is_never_followed() -> None:
    """FFmpeg is told the type, so a playlist under the label of a sound does not open what it names."""
    with pytest.raises(CorruptMediaError):
        fitted(b"#EXTM3U\n#EXTINF:1,\nfile:///etc/hostname\n", "audio/aac")
    with pytest.raises(PermissionError):
        _av._refuse("file:///etc/hostname", 1, {})


def test_only_sounds_that_have_a_demuxer_are_opened() -> None:
    with pytest.raises(KeyError):
        _av.opened(tone(), "audio/midi")
    with pytest.raises(MediaTypeError, match="decodes audio/midi"):
        fitted(b"MThd" + bytes(20), "audio/midi")


def test_the_worker_tries_the_plans_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    plans = [{**GOOD, "mime": WAV}, {**GOOD, "mime": "audio/mpeg", "bits": 32_000}]
    lines = run({"mime": WAV, "plans": plans, "cap": 9000, "cut": None}, monkeypatch)
    assert lines[0] == {"over": 0}
    assert (lines[-1]["plan"], lines[-1]["rate"], lines[-1]["channels"]) == (1, 16_000, 1)


@pytest.mark.parametrize("seconds", [None, 0.0])
def test_the_worker_says_what_it_cannot_read(monkeypatch: pytest.MonkeyPatch, seconds: float | None) -> None:
    mime = WAV if seconds is not None else "audio/flac"
    plans = [{**GOOD, "mime": WAV}]
    assert list(run({"mime": mime, "plans": plans, "cap": 9000, "cut": seconds}, monkeypatch)[-1]) == ["refused"]


def run(request: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Run the worker here and keep what it says."""
    lines: list[dict[str, Any]] = []
    monkeypatch.setattr(_child, "given", tone)
    monkeypatch.setattr(_child, "hand_over", lambda data, **about: lines.append(about))
    monkeypatch.setattr(_child, "say", lambda **line: lines.append(line))
    _av_sound.run(request)
    return lines
