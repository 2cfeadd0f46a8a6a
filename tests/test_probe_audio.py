"""WAV, AIFF, AU, FLAC and the chooser: lengths are those of the bytes, and broken headers are said to be broken."""

from __future__ import annotations

import contextlib
import io
import mmap
import struct
import wave
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus_media.errors import CorruptMediaError
from toolnexus_media.probe import audio

if TYPE_CHECKING:
    from pathlib import Path

    from toolnexus_media._b64 import Buffer


def facts(data: Buffer, mime: str) -> dict[str, Any]:
    """The facts as a plain dict, so that a missing one is a failed test."""
    return dict(audio.facts(data, mime))


STREAMED = 0xFFFFFFFF


def chunk(name: bytes, body: bytes, size: int | None = None, order: str = "<") -> bytes:
    return name + struct.pack(order + "I", len(body) if size is None else size) + body + b"\0" * (len(body) & 1)


def form(
    tag: int = 1, channels: int = 1, rate: int = 8000, bits: int = 16, more: bytes = b"", order: str = "<"
) -> bytes:
    block = channels * bits // 8
    return struct.pack(order + "HHIIHH", tag, channels, rate, rate * block, block, bits) + more


def wav(*chunks: bytes, magic: bytes = b"RIFF", order: str = "<") -> bytes:
    body = b"WAVE" + b"".join(chunks)
    return magic + struct.pack(order + "I", len(body)) + body


def plain_wav(seconds: float = 1.0, size: int | None = None) -> bytes:
    return wav(chunk(b"fmt ", form()), chunk(b"data", b"\1\x80" * int(8000 * seconds), size))


def flac(samples: int = 44100, rate: int = 44100, channels: int = 2, title: bytes = b"") -> bytes:
    packed = rate << 44 | channels - 1 << 41 | 15 << 36 | samples
    info = struct.pack(">HH", 4096, 4096) + bytes(6) + packed.to_bytes(8, "big") + bytes(16)
    comment = struct.pack("<II", 0, 1) + struct.pack("<I", len(title) + 6) + b"title=" + title
    return b"fLaC\0\0\0\x22" + info + b"\x84" + len(comment).to_bytes(3, "big") + comment + bytes(4000)


def aiff(
    frames: int, held: int, kind: bytes = b"", rate: bytes = b"\x40\x0b\xfa\0\0\0\0\0\0\0", channels: int = 1
) -> bytes:
    common = struct.pack(">HIH", channels, frames, 16) + rate + (kind + b"\0\0" if kind else b"")
    body = chunk(b"COMM", common, order=">") + chunk(b"NAME", b"Song", order=">")
    body += chunk(b"SSND", bytes(8 + held), order=">")
    magic = b"AIFC" if kind else b"AIFF"
    return b"FORM" + struct.pack(">I", len(body) + 4) + magic + body


def au(size: int, encoding: int = 3, rate: int = 8000) -> bytes:
    return b".snd" + struct.pack(">IIIII", 24, size, encoding, rate, 1) + bytes(16000)


def test_a_file_of_the_standard_library_has_its_length() -> None:
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setnchannels(2)
        writer.setsampwidth(2)
        writer.setframerate(22050)
        writer.writeframes(bytes(4 * 22050))
    found = facts(file.getvalue(), "audio/wav")
    assert found == {"duration": 1.0, "sample_rate": 22050, "channels": 2, "codec": "pcm", "bitrate": 705600}


@pytest.mark.parametrize("size", [STREAMED, 0, 32000, 1 << 30, 0x7FFFFFFF])
def test_a_wav_is_as_long_as_the_bytes_that_are_there(size: int) -> None:
    assert facts(plain_wav(1.0, size), "audio/wav")["duration"] == 1.0


def test_a_wav_whose_size_is_far_too_small_counts_the_sound_behind_it() -> None:
    assert facts(plain_wav(1.0, 100), "audio/wav")["duration"] == 1.0


def test_an_empty_sound_before_another_chunk_is_empty() -> None:
    data = wav(chunk(b"fmt ", form()), chunk(b"data", b""), chunk(b"LIST", b"INFOINAM\5\0\0\0Title\0"))
    found = facts(data, "audio/wav")
    assert (found["duration"], found["title"]) == (0.0, "Title")


@pytest.mark.parametrize("size", [0, 16000, STREAMED])
def test_a_header_without_sound_is_zero_seconds_long_and_passes(size: int) -> None:
    data = wav(chunk(b"fmt ", form()), chunk(b"data", b"", size))
    assert facts(data, "audio/wav")["duration"] == 0.0
    audio.verify(data, "audio/wav", level="full", max_pixels=1)


@pytest.mark.parametrize(
    ("fields", "codec", "seconds"),
    [
        (form(3, bits=32), "pcm_float", 0.5),
        (form(7, bits=8), "pcm_mulaw", 2.0),
        (form(0xFFFE, bits=16, more=struct.pack("<HHI", 22, 16, 4) + b"\1\0" + bytes(14)), "pcm", 1.0),
        (form(0xFFFE, bits=32, more=struct.pack("<HHI", 22, 32, 4) + b"\3\0" + bytes(14)), "pcm_float", 0.5),
        (form(1, channels=6, bits=24), "pcm", 888 / 8000),
    ],
)
def test_every_kind_of_wav_of_whole_frames(fields: bytes, codec: str, seconds: float) -> None:
    found = facts(wav(chunk(b"fmt ", fields), chunk(b"data", b"\1" * 16000)), "audio/wav")
    assert (found["codec"], found["duration"]) == (codec, pytest.approx(seconds))


@pytest.mark.parametrize(("declared", "seconds"), [(500, 500 / 8000), (10**9, 1010 / 8000), (0, 1010 / 8000)])
def test_the_fact_chunk_may_shorten_compressed_sound_and_never_lengthen_it(declared: int, seconds: float) -> None:
    fields = struct.pack("<HHIIHHHH", 0x11, 1, 8000, 4055, 256, 4, 2, 505)
    data = wav(chunk(b"fmt ", fields), chunk(b"fact", struct.pack("<I", declared)), chunk(b"data", bytes(512)))
    assert facts(data, "audio/wav")["duration"] == pytest.approx(seconds)


def test_a_big_endian_wav_is_read() -> None:
    parts = chunk(b"fmt ", form(order=">"), order=">"), chunk(b"data", bytes(16000), order=">")
    assert facts(wav(*parts, magic=b"RIFX", order=">"), "audio/wav")["duration"] == 1.0


@pytest.mark.parametrize("magic", [b"RF64", b"BW64"])
def test_a_64_bit_wav_takes_its_size_from_ds64(magic: bytes) -> None:
    sizes = chunk(b"ds64", struct.pack("<QQQI", 0, 8000, 0, 0))
    data = wav(
        sizes, chunk(b"fmt ", form()), chunk(b"data", bytes(8000), STREAMED), chunk(b"LIST", bytes(400)), magic=magic
    )
    assert facts(data, "audio/wav")["duration"] == 0.5


@pytest.mark.parametrize(
    ("data", "mime", "code", "reason"),
    [
        (wav(chunk(b"fmt ", form(rate=0))), "audio/wav", "corrupt", "no sample rate"),
        (wav(chunk(b"junk", b"\xa7" * 90)), "audio/wav", "corrupt", "no format chunk"),
        (b"RIFF\0\0\0\0WAVEfmt ", "audio/wav", "truncated", "no format chunk"),
        (b"fLaC", "audio/flac", "truncated", "cut short"),
        (b"fLaC" + b"\xaa" * 99, "audio/flac", "corrupt", "stream information"),
        (flac(rate=0), "audio/flac", "corrupt", "no sample rate"),
        (b"FORM\0\0\0\4AIFF" + b"\xbb" * 99, "audio/aiff", "corrupt", "no common chunk"),
        (aiff(10, 20, rate=bytes(10)), "audio/aiff", "corrupt", "no sample rate"),
        (au(0)[:20], "audio/basic", "truncated", "cut short"),
        (au(0, rate=0), "audio/basic", "corrupt", "no sample rate"),
    ],
)
def test_a_header_that_cannot_be_read_is_refused_with_the_reason(
    data: bytes, mime: str, code: str, reason: str
) -> None:
    with pytest.raises(CorruptMediaError, match=f"this {mime} cannot be read: .*{reason}.*verify='none'") as caught:
        audio.verify(data, mime, level="header", max_pixels=1)
    assert caught.value.code == code
    assert facts(data, mime) == {}


def test_a_sound_type_without_a_reader_passes_and_has_no_facts() -> None:
    audio.verify(b"??", "audio/midi", level="full", max_pixels=1)
    assert facts(b"??", "audio/midi") == {}


def test_flac_tells_all_but_the_length_when_its_writer_did_not_know_it() -> None:
    found = facts(flac(44100, title="Grüße".encode()), "audio/flac")
    assert (found["duration"], found["sample_rate"], found["channels"], found["title"]) == (1.0, 44100, 2, "Grüße")
    assert "duration" not in facts(flac(0), "audio/flac")


def test_a_flac_of_metadata_alone_is_zero_seconds_long() -> None:
    assert facts(flac()[:-4000], "audio/flac")["duration"] == 0.0


def test_a_flac_length_that_its_bytes_cannot_hold_is_unknown() -> None:
    assert "duration" not in facts(flac((1 << 36) - 1), "audio/flac")


@pytest.mark.parametrize(
    ("frames", "held", "seconds"), [(8000, 16000, 1.0), (8000, 8000, 0.5), (4000, 16000, 0.5), (0, 0, 0.0)]
)
def test_an_aiff_is_as_long_as_declared_and_held(frames: int, held: int, seconds: float) -> None:
    found = facts(aiff(frames, held), "audio/aiff")
    assert (found["duration"], found["sample_rate"], found["title"]) == (seconds, 8000, "Song")


def test_compressed_aiff_counts_its_packets_and_an_unknown_codec_has_no_length() -> None:
    assert facts(aiff(125, 125 * 34, b"ima4"), "audio/aiff")["duration"] == 1.0
    assert "duration" not in facts(aiff(8000, 99, b"QDM2"), "audio/aiff")


@pytest.mark.parametrize("size", [16000, STREAMED])
def test_an_au_is_as_long_as_the_bytes_that_are_there(size: int) -> None:
    assert facts(au(size), "audio/basic")["duration"] == 1.0


def test_facts_are_the_same_from_every_kind_of_buffer(tmp_path: Path) -> None:
    data = plain_wav()
    path = tmp_path / "a.wav"
    path.write_bytes(data)
    expected = facts(data, "audio/wav")
    assert facts(bytearray(data), "audio/wav") == expected
    assert facts(memoryview(data).cast("H"), "audio/wav") == expected
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        assert facts(mapped, "audio/wav") == expected


def test_a_title_is_one_clean_line() -> None:
    found = facts(flac(title=b"a\n\x1b[31mb\xe2\x80\xae" + b"x" * 999), "audio/flac")
    assert found["title"].startswith("a [31mbxxx")
    assert len(found["title"]) == 200


SEEDS = [
    (plain_wav(0.05), "audio/wav"),
    (flac(title=b"t"), "audio/flac"),
    (aiff(100, 200), "audio/aiff"),
    (au(99), "audio/basic"),
    (b"#!AMR\n" + b"\x3c" * 99, "audio/amr"),
    (b"\x0b\x77" + bytes([0, 0, 0x14, 0x40, 0x40, 0]) + bytes(600), "audio/ac3"),
    (b"wvpk" + struct.pack("<IHBBIIII", 600, 0x410, 0, 0, 999, 0, 999, 0x04801804) + bytes(600), "audio/x-wavpack"),
    (b"TTA1" + struct.pack("<HHHII", 1, 2, 16, 44100, 4410) + bytes(600), "audio/x-tta"),
]


@pytest.mark.parametrize(("data", "mime"), SEEDS)
def test_no_prefix_is_longer_than_the_whole_or_raises(data: bytes, mime: str) -> None:
    whole = facts(data, mime)["duration"]
    for cut in range(0, len(data), 7):
        assert facts(data[:cut], mime).get("duration", 0.0) <= whole


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(SEEDS), st.lists(st.tuples(st.integers(0, 127), st.integers(0, 255)), max_size=6), st.data())
def test_flipped_bytes_give_facts_or_a_typed_error(
    seed: tuple[bytes, str], flips: list[tuple[int, int]], pick: st.DataObject
) -> None:
    data = bytearray(seed[0])
    for place, value in flips:
        data[place % len(data)] = value
    mime = pick.draw(st.sampled_from([seed[1], *audio.READERS]))
    found = facts(data, mime)
    assert found.get("duration", 0.0) >= 0
    with contextlib.suppress(CorruptMediaError):
        audio.verify(data, mime, level="full", max_pixels=1)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=400), st.sampled_from(sorted(audio.READERS)))
def test_random_bytes_never_raise_from_facts(data: bytes, mime: str) -> None:
    assert set(facts(data, mime)) <= {
        "duration",
        "sample_rate",
        "channels",
        "codec",
        "bitrate",
        "title",
        "width",
        "height",
    }
