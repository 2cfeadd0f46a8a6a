"""Videos: length and shown size from the container alone; checked no further than that something is there."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolnexus_media._extras import load
from toolnexus_media.errors import CorruptMediaError
from toolnexus_media.probe import video

if TYPE_CHECKING:
    from pathlib import Path

    from toolnexus_media._b64 import Buffer


def facts(data: Buffer, mime: str) -> dict[str, Any]:
    """The facts as a plain dict, so that a missing one is a failed test."""
    return dict(video.facts(data, mime))


UPRIGHT = struct.pack(">9i", 1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30)
TURNED = struct.pack(">9i", 0, 1 << 16, 0, -1 << 16, 0, 0, 0, 0, 1 << 30)


def box(name: bytes, *parts: bytes) -> bytes:
    body = b"".join(parts)
    return struct.pack(">I4s", len(body) + 8, name) + body


def track(matrix: bytes = UPRIGHT, scale: int = 1000, ticks: int = 0, samples: int = 0) -> bytes:
    entry = box(b"avc1", bytes(6), b"\0\1", bytes(16), struct.pack(">HH", 640, 360), bytes(50))
    table = box(b"stbl", box(b"stsd", bytes(4), b"\0\0\0\1", entry), box(b"stsz", struct.pack(">III", 0, 0, samples)))
    clock = box(b"mdhd", struct.pack(">IIIII", 0, 0, 0, scale, ticks))
    media = box(b"mdia", clock, box(b"hdlr", bytes(8), b"vide", bytes(12)), box(b"minf", table))
    return box(b"trak", box(b"tkhd", bytes(12), struct.pack(">I", 1), bytes(24), matrix, bytes(8)), media)


def movie(*parts: bytes, seconds: int = 0) -> bytes:
    return box(b"moov", box(b"mvhd", struct.pack(">IIIII", 0, 0, 0, 1000, seconds * 1000), bytes(80)), *parts)


def mp4(*parts: bytes) -> bytes:
    return box(b"ftyp", b"isom\0\0\0\0") + b"".join(parts)


def fragment(start: int, lengths: list[int] | int) -> bytes:
    if isinstance(lengths, int):
        run = box(b"trun", struct.pack(">II", 0, lengths))
    else:
        run = box(
            b"trun",
            struct.pack(f">II{2 * len(lengths)}I", 0x300, len(lengths), *(x for size in lengths for x in (size, 9))),
        )
    return box(
        b"moof", box(b"traf", box(b"tfhd", struct.pack(">II", 0, 1)), box(b"tfdt", struct.pack(">II", 0, start)), run)
    )


def riff(name: bytes, body: bytes) -> bytes:
    return name + struct.pack("<I", len(body)) + body


def avi() -> bytes:
    head = b"vidsH264" + bytes(12) + struct.pack("<IIII", 1, 25, 0, 50) + bytes(20)
    picture = struct.pack("<IiiHH", 40, 320, -240, 1, 24) + b"H264" + bytes(20)
    sound = b"auds" + bytes(16) + struct.pack("<IIII", 1, 8000, 0, 16000) + bytes(20)
    streams = riff(b"LIST", b"strl" + riff(b"strh", head) + riff(b"strf", picture))
    streams += riff(
        b"LIST", b"strl" + riff(b"strh", sound) + riff(b"strf", struct.pack("<HHIIHH", 1, 2, 8000, 16000, 2, 8))
    )
    return riff(b"RIFF", b"AVI " + riff(b"LIST", b"hdrl" + riff(b"avih", bytes(56)) + streams))


def flv() -> bytes:
    def tag(kind: int, stamp: int, body: bytes) -> bytes:
        return (
            bytes([kind])
            + len(body).to_bytes(3, "big")
            + stamp.to_bytes(3, "big")
            + bytes(4)
            + body
            + (len(body) + 11).to_bytes(4, "big")
        )

    about = b"\2\0\nonMetaData\x08\0\0\0\2"
    about += b"".join(
        len(n).to_bytes(2, "big") + n + b"\0" + struct.pack(">d", v) for n, v in [(b"width", 320), (b"height", 240)]
    )
    return (
        b"FLV\1\5\0\0\0\x09\0\0\0\0"
        + tag(18, 0, about)
        + tag(9, 0, b"\x17data")
        + tag(8, 0, b"\x2edata")
        + tag(9, 2000, b"\x27data")
    )


def stamp(ticks: int) -> bytes:
    return bytes(
        [0x21 | ticks >> 29 & 14, ticks >> 22 & 255, ticks >> 14 & 254 | 1, ticks >> 7 & 255, ticks << 1 & 254 | 1]
    )


def packet(ticks: int, body: bytes) -> bytes:
    return b"\0\0\1\xe0\0\0\x80\x80\5" + stamp(ticks) + body


def program() -> bytes:
    pictures = b"\0\0\1\xb3" + bytes([0x14, 0x00, 0xF0, 0x13]) + bytes(30)
    return (
        b"\0\0\1\xba"
        + bytes(10)
        + packet(900_000, pictures)
        + packet(990_000, bytes(40))
        + packet(1_080_000, bytes(40))
    )


def transport() -> bytes:
    return b"".join(
        (b"G\x41\0\x10" + packet(ticks, b"x")).ljust(188, b"\xff") for ticks in (900_000, 990_000, 1_080_000)
    )


CLOSED = mp4(movie(track(ticks=2000, samples=50), seconds=2), box(b"mdat", bytes(500)))


@pytest.mark.parametrize(
    ("data", "mime", "expected"),
    [
        (CLOSED, "video/mp4", {"duration": 2.0, "width": 640, "height": 360, "codec": "h264"}),
        (CLOSED, "video/quicktime", {"duration": 2.0, "width": 640, "height": 360, "codec": "h264"}),
        (
            mp4(movie(track(TURNED), seconds=2)),
            "video/mp4",
            {"duration": 2.0, "width": 360, "height": 640, "codec": "h264"},
        ),
        (
            avi(),
            "video/x-msvideo",
            {"duration": 2.0, "width": 320, "height": 240, "codec": "h264", "sample_rate": 8000, "channels": 2},
        ),
        (
            flv(),
            "video/x-flv",
            {"duration": 2.0, "width": 320, "height": 240, "codec": "h264", "sample_rate": 44100, "channels": 1},
        ),
        (program(), "video/mpeg", {"duration": 2.0, "width": 320, "height": 240, "codec": "mpeg1video"}),
        (transport(), "video/mp2t", {"duration": 2.0}),
    ],
)
def test_each_container_tells_its_length_and_size(data: bytes, mime: str, expected: dict[str, Any]) -> None:
    assert facts(data, mime) == expected


def test_a_fragmented_video_ends_where_its_last_fragment_ends() -> None:
    extends = box(b"mvex", box(b"trex", struct.pack(">IIIII", 0, 1, 1, 40, 0)))
    head = movie(track(), extends)
    assert facts(mp4(head, fragment(0, 25), fragment(1000, 25)), "video/mp4")["duration"] == 2.0
    assert facts(mp4(head, fragment(0, [40] * 25), fragment(1000, [500, 700])), "video/mp4")["duration"] == 2.2
    total = box(b"mehd", struct.pack(">II", 0, 3000))
    assert facts(mp4(movie(track(), box(b"mvex", total))), "video/mp4")["duration"] == 3.0


def test_the_movie_box_is_found_behind_a_64_bit_box() -> None:
    wide = struct.pack(">I4sQ", 1, b"mdat", 516) + bytes(500)
    assert facts(mp4(wide, movie(track(samples=50), seconds=2)), "video/mp4")["duration"] == 2.0


def test_a_video_whose_samples_do_not_fit_its_bytes_has_no_length() -> None:
    assert "duration" not in facts(mp4(movie(track(samples=10**6), seconds=2)), "video/mp4")


def test_a_type_without_a_reader_has_no_facts() -> None:
    assert facts(b"\x06\x0e\x2b\x34" * 9, "application/mxf") == {}


@pytest.mark.parametrize(("data", "code"), [(b"\0\0\0\x18ft", "truncated"), (bytes(100), "corrupt")])
def test_what_is_plainly_no_video_is_refused(data: bytes, code: str) -> None:
    with pytest.raises(CorruptMediaError, match=r"this video/mp4 cannot be read.*verify='none'") as caught:
        video.verify(data, "video/mp4", level="full", max_pixels=1)
    assert caught.value.code == code


@pytest.mark.parametrize(
    "data",
    [
        struct.pack(">I4s", 0, b"free") * 999,
        struct.pack(">I4s", 8, b"moov") * 999,
        struct.pack(">I4sQ", 1, b"moov", 0) * 999,
        mp4(struct.pack(">I4s", 0, b"moov") + struct.pack(">I4s", 0, b"trak") * 999),
        mp4(movie(box(b"mvex")), struct.pack(">I4s", 8, b"moof") * 30_000),
    ],
)
def test_boxes_without_a_size_end_the_walk(data: bytes) -> None:
    assert facts(data, "video/mp4").get("duration", 0.0) == 0.0


SEEDS = [
    (CLOSED, "video/mp4"),
    (avi(), "video/x-msvideo"),
    (flv(), "video/x-flv"),
    (program(), "video/mpeg"),
    (transport(), "video/mp2t"),
]


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(SEEDS),
    st.lists(st.tuples(st.integers(0, 600), st.integers(0, 255)), max_size=6),
    st.integers(0, 900),
)
def test_damaged_videos_never_raise_and_never_have_a_negative_length(
    seed: tuple[bytes, str], flips: list[tuple[int, int]], cut: int
) -> None:
    data = bytearray(seed[0])
    for place, value in flips:
        data[place % len(data)] = value
    assert facts(data[:cut], seed[1]).get("duration", 0.0) >= 0


def test_a_video_of_an_encoder_is_read(tmp_path: Path) -> None:
    av = load("av")
    if av is None:
        pytest.skip("needs the audio extra, which brings an encoder")
    for ending, mime in (("mp4", "video/mp4"), ("webm", "video/webm"), ("mkv", "video/x-matroska")):
        path = tmp_path / f"a.{ending}"
        with av.open(str(path), "w") as file:
            stream = file.add_stream("libvpx" if ending == "webm" else "mpeg4", rate=25)
            stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
            for _ in range(25):
                file.mux(stream.encode(av.VideoFrame(64, 48, "yuv420p")))
            file.mux(stream.encode())
        found = facts(path.read_bytes(), mime)
        assert (found["duration"], found["width"], found["height"]) == (pytest.approx(1.0, abs=0.05), 64, 48)


def test_theora_tells_its_size_and_nothing_of_a_size_of_zero() -> None:
    def page(width: int) -> bytes:
        body = b"\x80theora\3\2\1" + bytes(4) + width.to_bytes(3, "big") + width.to_bytes(3, "big") + bytes(2)
        body += struct.pack(">II", 25, 1) + bytes(12)
        return b"OggS\0\2" + bytes(20) + bytes([1, len(body)]) + body

    assert facts(page(320), "video/ogg") == {"width": 320, "height": 320, "codec": "theora"}
    assert facts(page(0), "video/ogg") == {"codec": "theora"}
