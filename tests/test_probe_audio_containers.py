"""Ogg, MP4, Matroska and ASF as sounds, and the formats that few people send."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any
from zlib import crc32

import pytest

from toolnexus_media.errors import CorruptMediaError
from toolnexus_media.probe import audio

if TYPE_CHECKING:
    from toolnexus_media._b64 import Buffer


def facts(data: Buffer, mime: str) -> dict[str, Any]:
    """The facts as a plain dict, so that a missing one is a failed test."""
    return dict(audio.facts(data, mime))


TURNED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


def page(body: bytes, granule: int, flags: int = 0, serial: int = 7) -> bytes:
    lacing = bytes([255] * (len(body) // 255) + [len(body) % 255])
    head = b"OggS\0" + struct.pack("<BqIII", flags, granule, serial, 0, 0) + bytes([len(lacing)]) + lacing
    check = crc32((head + body).translate(TURNED), 0xFFFFFFFF) ^ 0xFFFFFFFF
    return head[:22] + struct.pack("<I", int(f"{check:032b}"[::-1], 2)) + head[26:] + body


def comment(title: bytes) -> bytes:
    return struct.pack("<III", 0, 1, len(title) + 6) + b"TITLE=" + title


OPUS = b"OpusHead\1\2" + struct.pack("<HIhB", 312, 44100, 0, 0)
VORBIS = b"\1vorbis" + struct.pack("<IBIiiiBB", 0, 1, 22050, 0, 64000, 0, 0xB8, 1)
SPEEX = b"Speex   " + bytes(28) + struct.pack("<iiiiiiiiii", 16000, 1, 4, 1, -1, 320, 0, 1, 0, 0) + bytes(8)
OGG_FLAC = b"\x7fFLAC\1\0\0\1fLaC\0\0\0\x22" + bytes(10) + (8000 << 44 | 15 << 36).to_bytes(8, "big") + bytes(16)


def ogg(head: bytes, *granules: int, tags: bytes = b"OpusTags" + comment(b"Song")) -> bytes:
    return page(head, 0, 2) + page(tags, 0) + b"".join(page(b"x" * 400, granule) for granule in granules)


@pytest.mark.parametrize(
    ("head", "granule", "codec", "rate", "seconds"),
    [
        (OPUS, 48312, "opus", 48000, 1.0),
        (VORBIS, 22050, "vorbis", 22050, 1.0),
        (SPEEX, 16000, "speex", 16000, 1.0),
        (OGG_FLAC, 8000, "flac", 8000, 1.0),
    ],
)
def test_ogg_is_as_long_as_its_last_page_says(head: bytes, granule: int, codec: str, rate: int, seconds: float) -> None:
    found = facts(ogg(head, granule // 2, granule), "audio/ogg")
    assert (found["codec"], found["sample_rate"], found["duration"]) == (codec, rate, seconds)


def test_an_ogg_page_with_a_wrong_checksum_is_not_believed() -> None:
    data = bytearray(ogg(OPUS, 24312, 48312))
    data[data.rfind(b"OggS") + 6] ^= 0x40
    assert facts(data, "audio/ogg")["duration"] == 0.5


def test_junk_and_another_stream_behind_the_last_page_do_not_hide_it() -> None:
    data = ogg(OPUS, 24312, 48312) + page(b"y", 10**9, serial=8) + b"OggS\0junk" + bytes(70_000)
    assert facts(data, "audio/ogg")["duration"] == 1.0


def test_a_recording_that_starts_late_is_as_long_as_what_was_recorded() -> None:
    start = 48000 * 3600
    data = ogg(OPUS, *(start + 960 * count for count in range(1, 52)))
    assert facts(data, "audio/ogg")["duration"] == pytest.approx(1.0, abs=0.03)


def test_an_ogg_length_that_its_bytes_cannot_hold_is_unknown() -> None:
    assert "duration" not in facts(ogg(OPUS, 1 << 50), "audio/ogg")


def test_the_title_of_an_ogg_file() -> None:
    assert facts(ogg(OPUS, 9), "audio/ogg")["title"] == "Song"
    assert facts(ogg(VORBIS, 9, tags=b"\3vorbis" + comment(b"V")), "audio/ogg")["title"] == "V"


def box(name: bytes, *parts: bytes) -> bytes:
    body = b"".join(parts)
    return struct.pack(">I4s", len(body) + 8, name) + body


def sound_entry(name: bytes = b"mp4a", config: bytes = b"\x12\x10", channels: int = 2, rate: int = 44100) -> bytes:
    fixed = bytes(6) + b"\0\1" + bytes(8) + struct.pack(">HHIHH", channels, 16, 0, rate, 0)
    if name == b"alac":
        cookie = bytes(4) + struct.pack(">IBBBBBBHIII", 4096, 0, 16, 40, 10, 14, channels, 255, 0, 0, rate)
        return box(name, fixed, box(b"alac", cookie))
    settings = b"\5" + bytes([len(config)]) + config
    decoder = b"\4" + bytes([13 + len(settings), 0x40]) + bytes(12) + settings
    stream = b"\3" + bytes([3 + len(decoder)]) + bytes(3) + decoder
    return box(name, fixed, box(b"esds", bytes(4), stream))


def m4a(entry: bytes, seconds: float = 2.0, samples: int = 86, scale: int = 1000, more: bytes = b"") -> bytes:
    table = box(b"stbl", box(b"stsd", bytes(4), b"\0\0\0\1", entry), box(b"stsz", struct.pack(">III", 0, 0, samples)))
    clock = struct.pack(">IIIII", 0, 0, 0, 44100, int(44100 * seconds))
    media = box(b"mdia", box(b"mdhd", clock), box(b"hdlr", bytes(8), b"soun", bytes(12)), box(b"minf", table))
    header = box(b"mvhd", struct.pack(">IIIII", 0, 0, 0, scale, int(scale * seconds)), bytes(80))
    name = box(b"data", bytes(8), b"Lied")
    user = box(b"udta", box(b"meta", bytes(4), box(b"ilst", box(b"\xa9nam", name))))
    return (
        box(b"ftyp", b"M4A \0\0\0\0") + box(b"mdat", bytes(900)) + box(b"moov", header, box(b"trak", media), user, more)
    )


@pytest.mark.parametrize(
    ("entry", "codec", "rate", "channels"),
    [
        (sound_entry(), "aac", 44100, 2),
        (sound_entry(config=b"\x14\x08"), "aac", 16000, 1),  # the settings know better than the entry
        (sound_entry(config=b"\x2b\x92\x08\0"), "aac", 44100, 2),  # HE-AAC: the doubled rate
        (sound_entry(config=b"\x13\x90\x56\xe5\xa0"), "aac", 44100, 2),  # HE-AAC told behind old settings
        (sound_entry(b"alac", channels=2, rate=48000), "alac", 48000, 2),
        (sound_entry(b"Opus", channels=1, rate=48000), "opus", 48000, 1),
        (sound_entry(b"zzzz"), None, 44100, 2),
    ],
)
def test_an_m4a_tells_codec_rate_channels_length_and_title(
    entry: bytes, codec: str | None, rate: int, channels: int
) -> None:
    found = facts(m4a(entry), "audio/mp4")
    assert (found.get("codec"), found["sample_rate"], found["channels"]) == (codec, rate, channels)
    assert (found["duration"], found["title"]) == (2.0, "Lied")


def test_a_movie_without_a_time_scale_has_the_length_of_its_track() -> None:
    assert facts(m4a(sound_entry(), scale=0), "audio/mp4")["duration"] == 2.0


def test_an_m4a_length_that_its_bytes_cannot_hold_is_unknown() -> None:
    assert "duration" not in facts(m4a(sound_entry(), 9000.0, samples=400_000), "audio/mp4")


@pytest.mark.parametrize("data", [box(b"ftyp", b"M4A \0\0\0\0"), m4a(sound_entry())[:500]])
def test_an_m4a_that_ends_before_its_movie_box_is_truncated(data: bytes) -> None:
    with pytest.raises(CorruptMediaError, match="movie box is missing") as caught:
        audio.verify(data, "audio/mp4", level="full", max_pixels=1)
    assert caught.value.code == "truncated"


def element(number: int, *parts: bytes) -> bytes:
    body = b"".join(parts)
    name = number.to_bytes((number.bit_length() + 7) // 8, "big")
    return name + (1 << 28 | len(body)).to_bytes(4, "big") + body


def webm(*clusters: bytes, duration: float | None = None, rate: float = 48000.0) -> bytes:
    length = element(0x4489, struct.pack(">d", duration)) if duration is not None else b""
    info = element(0x1549A966, element(0x2AD7B1, b"\x0f\x42\x40"), length, element(0x7BA9, b"Live"))
    heard = element(0xE1, element(0xB5, struct.pack(">f", rate)), element(0x9F, b"\2"))
    entry = element(0xAE, element(0x83, b"\2"), element(0x86, b"A_OPUS"), heard)
    segment = b"\x18\x53\x80\x67\x01" + b"\xff" * 7  # no size: as a recorder writes it
    return element(0x1A45DFA3, b"") + segment + info + element(0x1654AE6B, entry) + b"".join(clusters)


def block(tick: int) -> bytes:
    return element(0xA3, b"\x81" + struct.pack(">h", tick) + b"\0" + b"sound")


def test_webm_takes_its_length_from_the_header() -> None:
    found = facts(webm(duration=2500.0) + bytes(99), "audio/webm")
    assert (found["duration"], found["sample_rate"], found["channels"]) == (2.5, 48000, 2)
    assert (found["codec"], found["title"]) == ("opus", "Live")


def test_a_recording_that_was_never_closed_is_as_long_as_its_last_block() -> None:
    closed = [
        element(0x1F43B675, element(0xE7, struct.pack(">H", start)), block(0), block(980)) for start in (0, 1000, 2000)
    ]
    assert facts(webm(*closed), "audio/webm")["duration"] == 2.98
    opened = b"\x1f\x43\xb6\x75\xff" + element(0xE7, b"\x0b\xb8") + block(0) + block(500)
    assert facts(webm(closed[0], opened), "audio/webm")["duration"] == 3.5


def test_webm_without_a_segment_is_refused() -> None:
    with pytest.raises(CorruptMediaError, match="no segment"):
        audio.verify(element(0x1A45DFA3, bytes(300)), "audio/webm", level="full", max_pixels=1)


def asf(seconds: float = 3.0, preroll: int = 1000, flags: int = 0) -> bytes:
    def part(guid: str, body: bytes) -> bytes:
        return bytes.fromhex(guid) + struct.pack("<Q", len(body) + 24) + body

    times = struct.pack("<QQQI", int((seconds + preroll / 1000) * 10**7), 0, preroll, flags)
    file = part("a1dcab8c47a9cf118ee400c00c205365", bytes(40) + times + bytes(12))
    wave = struct.pack("<HHIIHH", 0x161, 2, 44100, 2000, 1, 16)
    stream = part(
        "9107dcb7b7a9cf118ee600c00c205365",
        bytes.fromhex("409e69f84d5bcf11a8fd00805f5c442b") + bytes(38) + wave + bytes(2),
    )
    title = "Stück".encode("utf-16-le")
    about = part("3326b2758e66cf11a6d900aa0062ce6c", struct.pack("<HHHHH", len(title), 0, 0, 0, 0) + title)
    return bytes.fromhex("3026b2758e66cf11a6d900aa0062ce6c") + bytes(14) + file + stream + about


def test_wma_is_as_long_as_declared_without_its_preroll() -> None:
    found = facts(asf(), "audio/x-ms-wma")
    assert (found["duration"], found["sample_rate"], found["channels"]) == (3.0, 44100, 2)
    assert (found["codec"], found["bitrate"], found["title"]) == ("wmav2", 16000, "Stück")


@pytest.mark.parametrize("data", [asf(flags=1), asf(3600.0)])
def test_the_length_of_a_broadcast_and_of_a_stump_is_unknown(data: bytes) -> None:
    assert "duration" not in facts(data, "audio/x-ms-wma")


APE = b"MAC " + struct.pack("<HHI", 3990, 0, 52) + bytes(40) + struct.pack("<HHIII", 2000, 0, 73728, 4096, 2)
APE += struct.pack("<HHI", 16, 2, 44100)
WAVPACK = b"wvpk" + struct.pack("<IHBBIIIII", 24, 0x410, 0, 0, 4410, 0, 4410, 0x04801804, 0)
DSF = b"DSD " + bytes(24) + b"fmt " + bytes(20) + struct.pack("<IIIQ", 2, 2822400, 1, 8000) + bytes(4000)


@pytest.mark.parametrize(
    ("data", "mime", "seconds", "rate"),
    [
        (b"#!AMR\n" + (b"\x3c" + bytes(31)) * 50, "audio/amr", 1.0, 8000),
        (b"#!AMR-WB\n" + (b"\x04" + bytes(17)) * 50, "audio/amr", 1.0, 16000),
        ((b"\x0b\x77\0\0\x14\x40\x40\0" + bytes(760)) * 10, "audio/ac3", 0.32, 48000),
        ((b"\x0b\x77\1\xff\x3f\x80\0\0" + bytes(1016)) * 10, "audio/ac3", 0.32, 48000),
        (APE, "audio/x-ape", 77824 / 44100, 44100),
        (
            b"wvpk" + struct.pack("<IHBBIIIII", 24, 0x410, 0, 0, 4410, 0, 4410, 0x04801804, 0),
            "audio/x-wavpack",
            0.1,
            44100,
        ),
        (DSF, "audio/x-dsf", 8000 / 2822400, 2822400),
        (b"TTA1" + struct.pack("<HHHIII", 1, 2, 16, 44100, 4410, 0), "audio/x-tta", 0.1, 44100),
        (b"MP+\x07" + struct.pack("<II", 2, 1 << 16) + bytes(9), "audio/x-musepack", 1728 / 48000, 48000),
        (b"MPCKSH\x0f" + bytes(4) + b"\x08\x82\x00\x00\x20\x10" + bytes(20), "audio/x-musepack", 256 / 48000, 48000),
    ],
)
def test_the_formats_that_few_people_send(data: bytes, mime: str, seconds: float, rate: int) -> None:
    found = facts(data, mime)
    assert (found["duration"], found["sample_rate"]) == (pytest.approx(seconds, rel=0.001), rate)


@pytest.mark.parametrize("mime", sorted(audio.READERS))
def test_every_known_type_refuses_eight_bytes_of_garbage(mime: str) -> None:
    with pytest.raises(CorruptMediaError):
        audio.verify(b"\xfe\xed\xfa\xce\xde\xad\xbe\xef", mime, level="header", max_pixels=1)
