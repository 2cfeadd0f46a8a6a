"""MP3 and AAC: counted right with and without the headers that encoders may write, and tags are no sound."""

from __future__ import annotations

import io
import random
import struct
from typing import TYPE_CHECKING, Any

import pytest

from toolnexus_media.errors import CorruptMediaError
from toolnexus_media.probe import audio

if TYPE_CHECKING:
    from toolnexus_media._b64 import Buffer


def facts(data: Buffer, mime: str) -> dict[str, Any]:
    """The facts as a plain dict, so that a missing one is a failed test."""
    return dict(audio.facts(data, mime))


KBPS = (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320)
SECONDS_A_FRAME = 1152 / 44100


def frame(index: int = 9, fill: bytes = b"\0", mono: bool = False) -> bytes:
    """A layer III frame of MPEG 1 at 44100 Hz."""
    head = bytes([0xFF, 0xFB, index << 4, 0xC0 if mono else 0])
    return head + fill * (144 * KBPS[index] * 1000 // 44100 - 4)


def counted(mark: bytes, frames: int, size: int, index: int = 9) -> bytes:
    """A first frame that declares how many follow."""
    body = mark + struct.pack(">III", 3, frames, size)
    return frame(index)[:36] + body + frame(index)[36 + len(body) :]


def id3(body: bytes, version: int = 3, flags: int = 0) -> bytes:
    size = len(body)
    return b"ID3" + bytes([version, 0, flags, size >> 21 & 127, size >> 14 & 127, size >> 7 & 127, size & 127]) + body


def adts(count: int, size: int = 200, rate: int = 4, channels: int = 2) -> bytes:
    head = bytes([0xFF, 0xF1, 0x40 | rate << 2 | channels >> 2, (channels & 3) << 6 | size >> 11, size >> 3 & 255])
    return (head + bytes([(size & 7) << 5 | 31, 0xFC]) + bytes(size - 7)) * count


def seconds(data: bytes, mime: str = "audio/mpeg") -> float:
    return float(facts(data, mime)["duration"])


def variable(count: int, seed: int = 1) -> bytes:
    pick = random.Random(seed)
    return b"".join(frame(pick.randrange(1, 15)) for _ in range(count))


def test_a_constant_bitrate_needs_no_header() -> None:
    found = facts(frame() * 300, "audio/mpeg")
    assert found["duration"] == pytest.approx(300 * SECONDS_A_FRAME, rel=0.01)
    assert found["bitrate"] == 128000


def test_a_variable_bitrate_without_a_header_is_counted_frame_by_frame() -> None:
    assert seconds(variable(2000)) == pytest.approx(2000 * SECONDS_A_FRAME)


def test_a_quiet_beginning_does_not_pass_for_a_constant_bitrate() -> None:
    assert seconds(frame(1) * 500 + variable(1500)) == pytest.approx(2000 * SECONDS_A_FRAME)


@pytest.mark.parametrize("mark", [b"Xing", b"Info"])
def test_a_header_with_the_number_of_frames_is_believed(mark: bytes) -> None:
    body = variable(500)
    assert seconds(counted(mark, 500, len(body) + 417) + body) == pytest.approx(500 * SECONDS_A_FRAME)


def test_vbri_is_believed() -> None:
    body = variable(100)
    head = frame()[:36] + b"VBRI" + bytes(6) + struct.pack(">II", len(body) + 417, 100)
    assert seconds(head + frame()[len(head) :] + body) == pytest.approx(100 * SECONDS_A_FRAME)


@pytest.mark.parametrize(("frames", "size"), [(10**9, 0), (10**9, 10**6), (1000, 10**6)])
def test_a_header_that_promises_more_than_is_there_leaves_the_length_unknown(frames: int, size: int) -> None:
    found = facts(counted(b"Xing", frames, size) + variable(50), "audio/mpeg")
    assert "duration" not in found
    assert found["sample_rate"] == 44100


def test_a_header_of_the_first_of_two_joined_files_does_not_stand_for_both() -> None:
    body = variable(500)
    assert seconds(counted(b"Xing", 100, 40_000) + body) == pytest.approx(501 * SECONDS_A_FRAME)


def test_tags_at_both_ends_are_no_sound() -> None:
    ape = b"APETAGEX" + struct.pack("<IIII", 2000, 532, 1, 0xA0000000) + bytes(8)
    tail = ape[:32] + bytes(500) + ape + b"TAG" + b"Old title".ljust(125, b"\0")
    body = id3(bytes(3000)) + frame() * 300
    assert seconds(body + tail) == pytest.approx(seconds(frame() * 300), rel=0.001)
    assert facts(body + tail, "audio/mpeg")["title"] == "Old title"


@pytest.mark.parametrize(
    ("tag", "title"),
    [
        (id3(b"TIT2\0\0\0\6\0\0\0Title"), "Title"),
        (id3(b"TPE1\0\0\0\2\0\0\0xTIT2\0\0\0\7\0\0\1\xff\xfeH\0i\0"), "Hi"),
        (id3(b"TT2\0\0\4\0abc", version=2), "abc"),
        (id3(b"TIT2\0\0\1\0\0\0\3" + "ü".encode() * 63 + b"x", version=4), "ü" * 63 + "x"),
        (id3(bytes(20)), None),
    ],
)
def test_the_title_of_every_version_of_tag(tag: bytes, title: str | None) -> None:
    assert facts(tag + frame() * 9, "audio/mpeg").get("title") == title


def test_junk_before_and_between_frames_is_passed_over() -> None:
    data = b"\xff\xfbjunk" * 50 + variable(100) + bytes(3000) + variable(100)
    assert seconds(data) == pytest.approx(200 * SECONDS_A_FRAME)


@pytest.mark.parametrize(
    ("head", "size", "count", "rate", "codec", "each"),
    [
        (b"\xff\xf3\x84\xc0", 192, 50, 24000, "mp3", 576),  # MPEG 2, 64 kbit/s
        (b"\xff\xe3\x88\xc0", 576, 50, 8000, "mp3", 576),  # MPEG 2.5, 64 kbit/s
        (b"\xff\xfd\x84\x00", 384, 50, 48000, "mp2", 1152),  # layer II, 128 kbit/s
        (b"\xff\xff\x44\x00", 128, 50, 48000, "mp1", 384),  # layer I, 128 kbit/s
        (b"\xff\xfb\x00\x00", 700, 50, 44100, "mp3", 1152),  # free format
    ],
)
def test_the_other_versions_and_layers(head: bytes, size: int, count: int, rate: int, codec: str, each: int) -> None:
    found = facts((head + bytes(size - 4)) * count, "audio/mpeg")
    assert (found["sample_rate"], found["codec"]) == (rate, codec)
    assert found["duration"] == pytest.approx(count * each / rate)


def test_one_frame_alone_is_a_sound() -> None:
    assert seconds(frame()) == pytest.approx(SECONDS_A_FRAME, rel=0.01)


@pytest.mark.parametrize("data", [id3(bytes(99)), b"\xff\xfb" * 99, b"ID3", b"\xff\xfb\x90"])
def test_an_mp3_without_a_frame_is_refused(data: bytes) -> None:
    with pytest.raises(CorruptMediaError, match="no MPEG audio frame"):
        audio.verify(data, "audio/mpeg", level="full", max_pixels=1)


def test_aac_frames_are_counted_behind_a_tag_too() -> None:
    found = facts(id3(bytes(50)) + adts(431), "audio/aac")
    assert found["duration"] == pytest.approx(431 * 1024 / 44100)
    assert (found["sample_rate"], found["channels"], found["codec"]) == (44100, 2, "aac")


def test_a_cut_aac_frame_is_not_counted() -> None:
    assert seconds(adts(100)[:-1], "audio/aac") == pytest.approx(99 * 1024 / 44100)


def test_aac_without_a_frame_is_refused() -> None:
    with pytest.raises(CorruptMediaError, match="no ADTS frame"):
        audio.verify(b"\xff\xf1" * 99, "audio/aac", level="full", max_pixels=1)


@pytest.mark.parametrize(("variable", "length"), [(0, 1.0), (1, None)])
def test_adif_of_a_constant_bitrate_has_the_length_of_its_bytes(variable: int, length: float | None) -> None:
    fields = [(0, 3), (variable, 1), (64000, 23), (0, 4), *([] if variable else [(0, 20)]), (0, 6), (4, 4)]
    bits = "".join(f"{value:0{width}b}" for value, width in fields).ljust(64, "0")
    data = b"ADIF" + int(bits, 2).to_bytes(8, "big") + bytes(8000 - 12)
    found = facts(data, "audio/aac")
    assert (found.get("duration"), found["sample_rate"]) == (length, 44100)


def test_junk_between_all_frames_ends_in_an_unknown_length_and_not_in_a_long_search() -> None:
    assert "duration" not in facts((frame(1) * 3 + b"\0" * 9 + frame(2) * 2 + b"\0" * 9) * 200, "audio/mpeg")
    assert "duration" not in facts((adts(3) + bytes(9)) * 200, "audio/aac")


def test_lengths_agree_with_another_reader() -> None:
    from tinytag import TinyTag

    for data in (frame() * 500, variable(400, 7), counted(b"Xing", 300, 0) + frame(5) * 300):
        other = TinyTag.get(file_obj=io.BytesIO(data), tags=False).duration
        assert other is not None
        assert seconds(data) == pytest.approx(other, rel=0.02)
