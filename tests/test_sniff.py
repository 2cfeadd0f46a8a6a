"""What ``sniff`` says of bytes: one small head for each signature, made here, and what must not pass for media."""

from __future__ import annotations

import mmap
import os
import struct
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from toolnexus_media import source
from toolnexus_media.errors import SourceError
from toolnexus_media.sniff import pdf_start, sniff

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PNG = b"\x89PNG\r\n\x1a\n" + b"\x00\x00\x00\rIHDR" + struct.pack(">IIBBBBB", 8, 8, 8, 2, 0, 0, 0)
MP3_FRAME = bytes.fromhex("fffb9000") + bytes(413)
ADTS_FRAME = bytes.fromhex("fff15080020000") + bytes(9)  # says 16 bytes


def bmp(header: int) -> bytes:
    return b"BM" + struct.pack("<IHHII", 200, 0, 0, 54, header) + bytes(40)


def tga(kind: int = 2, depth: int = 24) -> bytes:
    return struct.pack("<BBBHHBHHHHBB", 0, 0, kind, 0, 0, 0, 0, 0, 4, 4, depth, 0) + bytes(64)


def icon(kind: int) -> bytes:
    return struct.pack("<HHHBBBBHHII", 0, kind, 1, 16, 16, 0, 0, 1, 32, 9, 22) + bytes(9)


def gif(version: bytes = b"89a") -> bytes:
    return b"GIF" + version + struct.pack("<HHBBB", 40, 20, 0x80, 0, 0) + bytes(6)


HEADS = {
    "image/png": [PNG, PNG[:8]],
    "image/jpeg": [
        b"\xff\xd8\xff\xe0\x00\x10JFIF", b"\xff\xd8\xff\xe1\x00\x00Exif", b"\xff\xd8\xff\xdb",
        b"\xff\xd8\xff\xff\xd8",
    ],
    "image/gif": [gif(), gif(b"87a")],
    "image/webp": [b"RIFF\x10\x00\x00\x00WEBPVP8 ", b"RIFF\x10\x00\x00\x00WEBPxxxx"],
    "image/bmp": [bmp(40), bmp(12), bmp(124), struct.pack("<IiiHHIIiiII", 40, 4, 4, 1, 24, 0, 0, 0, 0, 0, 0)],
    "image/vnd.microsoft.icon": [icon(1)],
    "image/x-win-bitmap": [icon(2)],
    "image/tiff": [
        b"II*\x00\x08\x00\x00\x00", b"MM\x00*\x00\x00\x00\x08", b"II+\x00\x08\x00\x00\x00",
        b"MM\x00+\x00\x08\x00\x00",
    ],
    "image/x-canon-cr2": [b"II*\x00\x10\x00\x00\x00CR\x02\x00"],
    "image/x-adobe-dng": [b"II*\x00\x08\x00\x00\x00\x01\x00\x12\xc6" + bytes(12)],
    "image/jxl": [b"\xff\x0a\xfa\x1f\x01\x91", b"\x00\x00\x00\x0cJXL \r\n\x87\n"],
    "image/jp2": [b"\x00\x00\x00\x0cjP  \r\n\x87\n\x00\x00\x00\x14ftypjp2 "],
    "image/jpx": [b"\x00\x00\x00\x0cjP  \r\n\x87\n\x00\x00\x00\x14ftypjpx "],
    "video/mj2": [b"\x00\x00\x00\x0cjP  \r\n\x87\n\x00\x00\x00\x14ftypmjp2"],
    "image/j2c": [b"\xff\x4f\xff\x51\x00\x2f"],
    "image/vnd.adobe.photoshop": [b"8BPS\x00\x01" + bytes(20), b"8BPS\x00\x02" + bytes(20)],
    "image/x-tga": [tga(), tga(10, 32), tga(3, 8)],
    "image/x-qoi": [b"qoif\x00\x00\x00\x08\x00\x00\x00\x08\x04\x00"],
    "image/vnd.ms-dds": [b"DDS |\x00\x00\x00" + bytes(120)],
    "image/x-pcx": [b"\n\x05\x01\x08" + struct.pack("<HHHH", 0, 0, 7, 7) + bytes(53) + b"\x01" + bytes(70)],
    "image/x-sgi": [b"\x01\xda\x01\x01\x00\x03\x00\x08\x00\x08\x00\x03"],
    "image/x-portable-pixmap": [
        b"P6\n# made here\n2 2\n255\n" + bytes(12), b"P3 1 1 255 9 9 9\n", b"P6\n1 1\n255\nabc",
    ],
    "image/x-portable-graymap": [b"P5 2 2 255 " + bytes(4), b"P2\n2 1\n9\n1 2\n"],
    "image/x-portable-bitmap": [b"P4\n8 1\n\xff", b"P1\n2 2\n0 1\n1 0\n"],
    "image/x-portable-arbitrarymap": [b"P7\nWIDTH 1\nHEIGHT 1\nDEPTH 1\nMAXVAL 255\nENDHDR\n\x00"],
    "image/x-exr": [b"v/1\x01\x02\x00\x00\x00"],
    "image/vnd.radiance": [b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n"],
    "image/x-icns": [b"icns\x00\x00\x01\x00ic07"],
    "image/bpg": [b"BPG\xfb\x20\x00"],
    "image/wmf": [b"\xd7\xcd\xc6\x9a\x00\x00"],
    "image/emf": [b"\x01\x00\x00\x00" + bytes(36) + b" EMF\x00\x00\x01\x00"],
    "image/x-pict": [bytes(512) + b"\x00\x00\x00\x00\x00\x00\x00\x08\x00\x08\x00\x11\x02\xff\x0c\x00"],
    "image/x-xcf": [b"gimp xcf file\x00"],
    "image/x-ilbm": [b"FORM\x00\x00\x00\x40ILBMBMHD"],
    "video/x-fli": [struct.pack("<IHHHHHH", 200, 0xAF11, 3, 320, 200, 8, 0) + bytes(200)],
    "application/pdf": [
        b"%PDF-1.7\n", b"\n%PDF-1.4\n1 0 obj\n", b"\x00\x01junk\xff%PDF-1.5\n", b"\xef\xbb\xbf%PDF-1.4\n1 0 obj",
    ],
    "audio/wav": [
        b"RIFF\x24\x00\x00\x00WAVEfmt ", b"RIFX\x00\x00\x00\x24WAVEfmt ", b"RF64\xff\xff\xff\xffWAVEds64\x1c\x00",
    ],
    "audio/mpeg": [
        MP3_FRAME * 2, b"ID3\x03\x00\x00\x00\x00\x00\x00" + MP3_FRAME, b"ID3\x04\x00\x00\x00\x00\x7f\x7f",
        bytes(99) + MP3_FRAME * 3,
    ],
    "audio/aac": [ADTS_FRAME * 2, b"ID3\x03\x00\x00\x00\x00\x00\x00" + ADTS_FRAME * 2, b"ADIF\x00\x00"],
    "audio/flac": [b"fLaC\x00\x00\x00\x22", b"ID3\x03\x00\x00\x00\x00\x00\x00fLaC\x00"],
    "audio/aiff": [b"FORM\x00\x00\x00\x40AIFFCOMM", b"FORM\x00\x00\x00\x40AIFCFVER"],
    "audio/midi": [b"MThd\x00\x00\x00\x06\x00\x01"],
    "audio/amr": [b"#!AMR\n\x0c\x00"],
    "audio/basic": [b".snd\x00\x00\x00\x18"],
    "audio/ac3": [(b"\x0b\x77\x00\x00\x00\x40\x00\x00" + bytes(120)) * 2],
    "audio/x-wavpack": [b"wvpk\x00\x01\x00\x00"],
    "audio/x-ape": [b"MAC \x96\x0f\x00\x00"],
    "video/x-msvideo": [b"RIFF\x24\x00\x00\x00AVI LIST"],
    "video/x-flv": [b"FLV\x01\x05\x00"],
    "video/mpeg": [b"\x00\x00\x01\xba\x44", b"\x00\x00\x01\xb3\x14"],
    "video/mp2t": [(b"\x47\x40" + bytes(186)) * 3, (bytes(4) + b"\x47\x40" + bytes(186)) * 3],
    "application/gzip": [b"\x1f\x8b\x08\x00"],
    "application/x-bzip2": [b"BZh91AY&SY\x00\x01"],
    "application/x-xz": [b"\xfd7zXZ\x00"],
    "application/zstd": [b"\x28\xb5\x2f\xfd\x00", b"\x50\x2a\x4d\x18\x01\x00\x00\x00x\x28\xb5\x2f\xfd"],
    "application/x-7z-compressed": [b"7z\xbc\xaf\x27\x1c"],
    "application/vnd.rar": [b"Rar!\x1a\x07\x01\x00"],
    "application/x-tar": [b"a.txt" + bytes(252) + b"ustar\x00" + bytes(250)],
    "application/x-lzh-compressed": [b"\x22\x04-lh5-\x00"],
    "application/x-archive": [b"!<arch>\nabc"],
    "application/vnd.debian.binary-package": [b"!<arch>\ndebian-binary   "],
    "application/vnd.microsoft.portable-executable": [b"MZ" + bytes(58) + b"\x40\x00\x00\x00PE\x00\x00"],
    "application/x-executable": [b"\x7fELF\x02\x01"],
    "application/x-java-applet": [b"\xca\xfe\xba\xbe\x00\x00\x00\x34"],
    "application/x-mach-binary": [b"\xca\xfe\xba\xbe\x00\x00\x00\x02", b"\xcf\xfa\xed\xfe\x07"],
    "application/vnd.sqlite3": [b"SQLite format 3\x00"],
    "application/wasm": [b"\x00asm\x01\x00\x00\x00"],
    "application/dicom": [bytes(128) + b"DICM"],
    "font/ttf": [b"\x00\x01\x00\x00\x00\x0c\x00\x80\x00\x03\x00\x40"],
    "font/otf": [b"OTTO\x00\x0c\x00\x80\x00\x03\x00\x40"],
    "font/woff2": [b"wOF2\x00\x01\x00\x00"],
    "text/rtf": [b"{\\rtf1\\ansi hello}"],
    "application/postscript": [b"%!PS-Adobe-3.0 EPSF-3.0\n", b"\xc5\xd0\xd3\xc6\x1e"],
    "application/octet-stream": [b"", b"\x00", b"\x00\x01\x02\x03", b"\xff\xfb", b"\xff\xf1\x50"],
}  # fmt: skip


@pytest.mark.parametrize(("mime", "head"), [(mime, head) for mime, heads in HEADS.items() for head in heads])
def test_a_signature_names_its_type(mime: str, head: bytes) -> None:
    assert sniff(head) == mime


@pytest.mark.parametrize(
    "text",
    [
        "BM", "BM25 is a ranking function.\n", "BMW", "GIF", "GIF8", "GIF89a is a picture format\n", "ID3",
        "ID3 notes\n",
        "ID3 is a decision tree algorithm from 1986.\n", "RIFF and WAVE are forms\n", "RIFFabcdWAVE", "OggS", "fLaC",
        "MThd",
        "PK", "FORM AIFF", "MZ", "MZ is Mark Zbikowski", "MAC address", "8BPS", "qoif", "icns", "FWS", "true\n",
        "OTTO von B.",
        "P5 is a process\n", "P1 2 3 is high\n", "P3\n", "Good morning\n", "DDS is a virtual channel", "BZh9", "wOFF",
        "PAR1",
        "caff", "LZIP", "IMPM", ".snd files\n", "Obj", "GRIB", "RIFF", "TTA1", "%PDF is a marker\n", "Rar! it roared\n",
        'HEAD = b"%PDF-1.4"\n', "MP+", "DSD ", "xar!", "#!AMR is how such a file begins",
    ],
)  # fmt: skip
def test_words_that_begin_like_a_signature_stay_text(text: str) -> None:
    assert sniff(text.encode()) == "text/plain"


def test_a_png_needs_its_whole_signature() -> None:
    assert sniff(b"\x89PNG") == sniff(b"\x89PNG\n\n\x1a\n" + PNG[8:]) == "application/octet-stream"


def test_one_frame_header_alone_is_no_sound() -> None:
    assert sniff(MP3_FRAME[:200]) == "application/octet-stream"
    assert sniff(MP3_FRAME + bytes(417)) == "application/octet-stream"


@pytest.mark.parametrize("second", [0xFB, 0xFA, 0xF3, 0xF2, 0xE3, 0xE2, 0xFD, 0xFC, 0xF5, 0xF4])
def test_frames_of_every_version_and_layer_are_mpeg_sound(second: int) -> None:
    from toolnexus_media.sniff._mpeg import frame_length

    header = bytes((0xFF, second, 0x90, 0x00))
    assert sniff((header + bytes(frame_length(header) - 4)) * 2) == "audio/mpeg"


def test_a_name_never_overrides_bytes() -> None:
    assert sniff(PNG, "photo.jpg") == "image/png"
    assert sniff(b"hello\n", "hello.png") == "text/plain"
    assert sniff(bytes(30), "a.mp3") == "application/octet-stream"


def test_another_signature_at_the_start_wins_over_a_pdf_inside() -> None:
    assert sniff(PNG + b"\n%PDF-1.4\n1 0 obj") == "image/png"


def test_a_pdf_header_behind_1024_bytes_is_none() -> None:
    assert sniff(b"\x01" * 1023 + b"%PDF-1.4") == "application/pdf"
    assert sniff(b"\x01" * 1024 + b"%PDF-1.4") == "application/octet-stream"


@pytest.mark.parametrize(("data", "at"), [(b"%PDF-1.4", 0), (b"\xef\xbb\xbf%PDF-", 3), (b"x" * 1023 + b"%PDF-1", 1023)])
def test_pdf_start_finds_the_header(data: bytes, at: int) -> None:
    assert pdf_start(data) == at
    assert pdf_start(b"x" * 1024 + b"%PDF-1") == 0


def test_every_kind_of_buffer_is_read_alike() -> None:
    data = (PNG + bytes(100))[: len(PNG) + 99]
    with mmap.mmap(-1, len(data)) as mapped:
        mapped.write(data)
        assert sniff(mapped) == "image/png"
    assert sniff(bytearray(data)) == sniff(memoryview(data)) == "image/png"
    assert sniff(memoryview(b"".join(bytes((b, 0)) for b in data))[::2]) == "image/png"
    assert sniff(memoryview(struct.pack("4I", *[0xE0FFD8FF] * 4)).cast("I")) == "image/jpeg"


def test_a_bytes_subclass_is_bytes() -> None:
    class Blob(bytes):
        pass

    assert sniff(Blob(PNG)) == "image/png"


def test_what_is_neither_bytes_nor_path_is_refused() -> None:
    with pytest.raises(SourceError, match="cannot sniff an int") as caught:
        sniff(7)  # type: ignore[arg-type]  # the fault under test
    assert caught.value.code == "unsupported-source"


class Counted:
    """A window on a file that counts its reads."""

    def __init__(self, handle: int) -> None:
        self.handle, self.size, self.reads, self.most = handle, os.fstat(handle).st_size, 0, 0

    def at(self, offset: int, count: int) -> bytes:
        self.reads += 1
        self.most = max(self.most, count)
        return os.pread(self.handle, count, offset)


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> list[Counted]:
    """The windows opened by ``sniff``, each counting its reads."""
    opened: list[Counted] = []

    @contextmanager
    def open_window(path: str | os.PathLike[str]) -> Iterator[Counted]:
        handle = os.open(path, os.O_RDONLY)
        try:
            opened.append(Counted(handle))
            yield opened[-1]
        finally:
            os.close(handle)

    monkeypatch.setattr(source, "open_window", open_window, raising=False)
    return opened


def test_a_path_is_read_in_bounded_reads_and_gives_its_name(tmp_path: Path, windows: list[Counted]) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(b"a,b\n1,2\n" * 50_000)
    assert sniff(path) == sniff(str(path)) == "text/csv"
    assert sniff(path, "notes.md") == "text/markdown"
    assert all(window.reads == 1 and window.most <= 1 << 16 for window in windows)


def test_a_common_type_costs_one_read(tmp_path: Path, windows: list[Counted]) -> None:
    path = tmp_path / "x"
    path.write_bytes(PNG + bytes(1 << 20))
    assert sniff(path) == "image/png"
    assert [window.reads for window in windows] == [1]


def test_the_last_resort_names_what_no_rule_here_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    import filetype  # type: ignore[import-untyped]  # it ships no types

    class Answer:
        mime = "application/x-nintendo-nes-rom"

    monkeypatch.setattr(filetype, "guess", lambda data: Answer)
    assert sniff(b"\x01\x02\x03\x04") == "application/x-nintendo-nes-rom"


def test_the_last_resort_is_not_believed_where_the_table_judges(monkeypatch: pytest.MonkeyPatch) -> None:
    import filetype

    class Answer:
        mime = "audio/x-wav"

    monkeypatch.setattr(filetype, "guess", lambda data: Answer)
    assert sniff(b"\x01\x02\x03\x04") == "application/octet-stream"


def test_importing_loads_nothing_heavy() -> None:
    code = (
        "import sys; import toolnexus_media.sniff as s; s.sniff(b'\\x89PNG\\r\\n\\x1a\\n');"
        "print([m for m in ('re', 'json', 'zipfile', 'struct', 'zlib', 'filetype', 'typing') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
