"""Sniffing and probing against the libraries that do the same, in one interleaved run.

    python benchmarks/probe.py [FOLDER] [--unpinned]

sniff against filetype; facts of PNG and JPEG against Pillow's open; pages and title of a PDF against pypdf; sounds
against tinytag. With a folder of real files, sniff against filetype over all of them too.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from functools import partial
from io import BytesIO
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks._corpus import SKIPPED, add_folder, samples  # noqa: E402  # runs as a script
from benchmarks._measure import pin_heap, ratio, rounds, shown, verdict  # noqa: E402

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from toolnexus_media.types import Facts

MEDIA = ROOT / "fixtures" / "media"
COMMON = ("photo.jpg", "fixture.png", "animated.gif", "still.webp", "text.pdf", "tone.mp3", "tone.wav", "film.mp4")
PDF_PAGES = 1000
LARGE = 10_000


def compare(label: str, ours: Callable[[], object], theirs: Callable[[], object], limit: float) -> bool:
    times = rounds({"theirs": theirs, "ours": ours}, count=15)
    said = f"{label} ({shown(min(times['ours']))} against {shown(min(times['theirs']))})"
    return verdict(said, ratio(times, "ours", "theirs"), limit)


def each(call: Callable[[bytes], object], contents: Sequence[bytes]) -> None:
    for data in contents:
        call(data)


def sniffing(folder: str | None) -> bool:
    import filetype  # type: ignore[import-untyped]  # it ships no types

    from toolnexus_media.sniff import sniff

    print("sniff / filetype.guess")
    kept = True
    contents = [(MEDIA / name).read_bytes() for name in COMMON]
    for name, data in zip(COMMON, contents, strict=True):
        kept &= compare(name, partial(sniff, data), partial(filetype.guess, data), 0.25)
    kept &= compare("all eight", partial(each, sniff, contents), partial(each, filetype.guess, contents), 0.25)
    if not folder:
        print(f"  real files {SKIPPED}")
        return kept
    real = [sample.read() for sample in samples(folder)]
    return kept & compare("real files", partial(each, sniff, real), partial(each, filetype.guess, real), 1.0)


def opened(data: bytes) -> tuple[tuple[int, int], int, object]:
    """Size, frames and orientation as a careful user of Pillow reads them: a PNG's EXIF without decoding it."""
    from PIL import Image

    with Image.open(BytesIO(data)) as picture:
        exif = picture.getexif() if picture.format != "PNG" or "exif" in picture.info else {}
        return picture.size, getattr(picture, "n_frames", 1), exif.get(0x0112)


def pictures() -> bool:
    from PIL import Image

    from toolnexus_media.probe import probe

    noise = Image.effect_noise((1920, 1080), 40).convert("RGB")
    kept = True
    print("probe / Image.open with size, frames and orientation")
    made: dict[str, bytes] = {}
    for name, options in (("PNG", {"compress_level": 1}), ("JPEG", {"quality": 85, "exif": _turned()})):
        buffer = BytesIO()
        noise.save(buffer, name, **options)
        made[name] = buffer.getvalue()
    made |= {name: (MEDIA / name).read_bytes() for name in ("fixture.png", "photo.jpg", "orientation6.jpg")}
    for name, data in made.items():
        kept &= compare(name, partial(probe, data), partial(opened, data), 0.5)
    buffer = BytesIO()
    Image.new("L", (LARGE, LARGE), 200).save(buffer, "PNG", compress_level=1)
    large = buffer.getvalue()
    return kept & compare(f"{LARGE}x{LARGE} PNG", partial(probe, large), partial(opened, large), 100)


def _turned() -> bytes:
    from PIL import Image

    exif = Image.Exif()
    exif[0x0112] = 6
    return exif.tobytes()


def counted(data: bytes) -> int:
    from pypdf import PdfReader

    return len(PdfReader(BytesIO(data)).pages)


def tagged(data: bytes) -> object:
    from tinytag import TinyTag

    return TinyTag.get(file_obj=BytesIO(data))


def documents() -> bool:
    """Without the ``pdf`` extra the limit is 0.3; the same reader answers with it, so that it has to keep 0.05 too."""
    from toolnexus_media.probe.pdf import basics

    print(f"PDF of {PDF_PAGES} pages, count and title / pypdf's len(reader.pages)")
    kept = True
    for label, data in (("plain", _pdf(PDF_PAGES)), ("as pdfium writes it", _rewritten(PDF_PAGES))):
        found = basics(data)
        assert (found.get("pages"), found.get("title")) == (PDF_PAGES, "Annual report")
        kept &= compare(label, partial(basics, data), partial(counted, data), 0.05)
    return kept


def _pdf(pages: int) -> bytes:
    from pypdf import PdfWriter

    writer, buffer = PdfWriter(), BytesIO()
    for _ in range(pages):
        writer.add_blank_page(595, 842)
    writer.add_metadata({"/Title": "Annual report"})
    writer.write(buffer)
    return buffer.getvalue()


def _rewritten(pages: int) -> bytes:
    from pypdfium2 import PdfDocument

    document, buffer = PdfDocument(_pdf(pages)), BytesIO()
    document.save(buffer)
    document.close()
    return buffer.getvalue()


def sounds() -> bool:
    from toolnexus_media.probe import probe

    print("sounds, probe / tinytag")
    kept = True
    for label, data in _sounds():
        found: Facts = probe(data)
        assert "duration" in found, label
        kept &= compare(label, partial(probe, data), partial(tagged, data), 1.5)
    return kept


def _sounds() -> list[tuple[str, bytes]]:
    """Three minutes each: a WAV, an MP3 of one bitrate, and one of two bitrates without a Xing header."""
    from struct import pack

    samples_size = 180 * 44100 * 4
    wav = pack(
        "<4sI4s4sIHHIIHH4sI",
        b"RIFF",
        samples_size + 36,
        b"WAVE",
        b"fmt ",
        16,
        1,
        2,
        44100,
        176400,
        4,
        16,
        b"data",
        samples_size,
    )
    frame = {128: (b"\xff\xfb\x90\x00", 417), 192: (b"\xff\xfb\xb0\x00", 626)}
    one = b"".join(frame[128][0].ljust(frame[128][1], b"\x55") for _ in range(6890))
    two = b"".join(frame[rate][0].ljust(frame[rate][1], b"\x55") for _ in range(3445) for rate in (128, 192))
    return [("WAV", wav + bytes(samples_size)), ("MP3, one bitrate", one), ("MP3, two bitrates, no header", two)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_folder(parser)
    parser.add_argument("--unpinned", action="store_true", help="with the heap as the allocator likes it; not gated")
    given = parser.parse_args()
    pin_heap()
    warnings.filterwarnings("ignore", message="Image size")  # a large picture is opened on purpose
    kept = [sniffing(given.folder), pictures(), documents(), sounds()]
    return int(not all(kept) and not given.unpinned)


if __name__ == "__main__":
    sys.exit(main())
